package dev.starling.lab.variant;

/** A method whose step size may be changed from what its theory gives. */
public interface SteppedAlgorithm extends Algorithm {

    /**
     * The same method with its theory's step size times a factor, for which the theory no longer guarantees anything.
     */
    Algorithm withStep(double factor);
}
