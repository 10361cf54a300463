package dev.starling.method.multipliers;

import dev.starling.node.SumKind;

/**
 * What a node has to do for the next sum.
 *
 * @param kind what to add up
 * @param point θ for the sum; for a line, its start
 * @param step how far θ is from the start of the last line, in multiples of the direction; nodes move their samples'
 *     margins by as much
 * @param direction the direction of the last line
 * @param trials the steps to try along it
 * @param directionKnown whether nodes have already multiplied their rows by that direction
 * @param band γ, the width over which kinks are rounded
 * @param updatesMultipliers whether the current slopes become the multipliers
 * @param stride k if the sum is over every k-th sample; when it changes, nodes discard what they know about samples
 * @param recomputes whether margins and gradient are recomputed from scratch, without accumulated rounding errors
 */
record SumInstructions(
        SumKind kind,
        double[] point,
        double step,
        double[] direction,
        double[] trials,
        boolean directionKnown,
        double band,
        boolean updatesMultipliers,
        int stride,
        boolean recomputes) {}
