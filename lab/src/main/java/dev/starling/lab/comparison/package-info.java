/**
 * Methods side by side on the same data and graph, in idealised time: how far each is from a certified optimum, and
 * what it has spent by then. And before any of them is run, what theory says of the time they take.
 */
package dev.starling.lab.comparison;
