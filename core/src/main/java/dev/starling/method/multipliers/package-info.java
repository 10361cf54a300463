/**
 * The method of multipliers for losses with kinks, points where the slope of a loss jumps. It solves a sequence of
 * smoothed problems by semismooth Newton steps, which are decided from sums over all nodes. A kink is rounded over a
 * band of width γ; a sample whose slope lies strictly between the slopes on both sides of its kink is said to be held
 * by the kink.
 */
package dev.starling.method.multipliers;
