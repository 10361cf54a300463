/**
 * Runs of ADFS that end when a duality gap says so: when to certify, what to add up for it, and what follows from it.
 */
package dev.starling.method.adfs.certified;
