/**
 * Compares methods on the same data and graph in idealised time: how far each is from a certified optimum, and what it
 * has spent by then. And before any of them runs, what theory says about the time they take.
 */
package dev.starling.lab.comparison;
