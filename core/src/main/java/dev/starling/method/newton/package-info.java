/**
 * Newton's method over a network: each pass over the rows yields sums over a spanning tree, from whose totals every
 * node derives the same next step.
 */
package dev.starling.method.newton;
