package dev.starling.method.adfs;

/** How a node draws its samples. Either way a step picks sample j with probability p_j. */
public enum Sampling {

    /** Every draw independent of all others, as the theory has it. */
    INDEPENDENT,

    /**
     * A pass at a time: of m draws, sample j gets the whole number below or above m·p_j, in random order. When
     * probabilities are equal this is a random permutation of the samples, so that a pass leaves none out. It needs up
     * to half the passes, but no theorem covers it; a run whose certificates fall behind the theory's rate goes over to
     * independent draws.
     */
    RESHUFFLED
}
