package dev.starling.loss;

/** A function of the residual u − y for labels that are real numbers; an even function by default. */
interface ResidualLoss extends ClosedFormLoss {

    @Override
    default boolean isClassification() {
        return false;
    }

    @Override
    default double largestSlope(double label) {
        return -smallestSlope(label);
    }
}
