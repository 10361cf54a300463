package dev.starling.lab.variant;

/** A method with a step size, which may be tuned away from what its theory gives. */
public interface SteppedAlgorithm extends Algorithm {

    /** The same method with its theory's step size times a factor, for which that theory promises nothing. */
    Algorithm withStep(double factor);
}
