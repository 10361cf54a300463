package dev.starling.method.adfs.draws;

/** How a node draws its samples. Either way a step picks sample j with probability p_j. */
public enum Sampling {

    /** Every draw is independent of all others, as the theory assumes. */
    INDEPENDENT,

    /**
     * Draws are made a pass at a time: of m draws, sample j gets m·p_j, rounded up or down, in random order. If all
     * probabilities are equal, this is a random permutation of the samples, so that a pass leaves none out. It can
     * halve the number of passes, but no theorem covers it; a run whose certificates fall behind the rate of the theory
     * switches to independent draws.
     */
    RESHUFFLED
}
