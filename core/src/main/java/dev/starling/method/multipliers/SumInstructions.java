package dev.starling.method.multipliers;

/**
 * What a node is to do for the next sum.
 *
 * @param ask what is added up
 * @param point θ of the sum; for a line, where it begins
 * @param step how many directions θ is from where the last line began; what nodes keep of their samples moves with it
 * @param direction of the last line
 * @param trials steps along it
 * @param known whether nodes have multiplied their rows with that direction before
 * @param band γ, how wide kinks are rounded
 * @param renews whether the slopes so far become the multipliers
 * @param every the sum is over every so many-th sample; where that changes, nothing is known of any
 * @param afresh whether margins and gradient are computed anew, with nothing left of the rounding of earlier ones
 */
record SumInstructions(
        SumKind ask,
        double[] point,
        double step,
        double[] direction,
        double[] trials,
        boolean known,
        double band,
        boolean renews,
        int every,
        boolean afresh) {}
