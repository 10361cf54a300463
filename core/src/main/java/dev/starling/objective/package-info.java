/**
 * A node's part of what is minimised, as a function of a flat parameter: rows, margins and labels go in, sums that
 * nodes add up come out. Whoever decides at which point to sum next knows the {@link dev.starling.objective.Family} and
 * the {@link dev.starling.objective.PassLayout} of the sums, and nothing of the rows.
 */
package dev.starling.objective;
