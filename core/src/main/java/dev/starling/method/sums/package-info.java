/**
 * What methods share whose nodes only ever add up sums over their rows: the program of a node, which decides from the
 * totals what the next sum is to be.
 */
package dev.starling.method.sums;
