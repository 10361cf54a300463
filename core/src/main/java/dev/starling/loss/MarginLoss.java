package dev.starling.loss;

/** A decreasing function of yu for the classes y = ±1, with slopes in yu from −1 to 0 by default. */
interface MarginLoss extends ClosedFormLoss {

    @Override
    default boolean isClassification() {
        return true;
    }

    @Override
    default double smallestSlope(double label) {
        return label > 0 ? -1 : 0;
    }

    // The loss of the other class is the mirror image.
    @Override
    default double largestSlope(double label) {
        // Not −s, which would turn 0 into −0.
        return 0 - smallestSlope(-label);
    }
}
