package dev.starling.loss;

/** A function of the residual u − y for labels that are real numbers, even unless it says otherwise. */
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
