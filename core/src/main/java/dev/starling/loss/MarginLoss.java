package dev.starling.loss;

/** A decreasing function of yu for the classes y = ±1, of slope −1 to 0 unless it says otherwise. */
interface MarginLoss extends ClosedFormLoss {

    @Override
    default boolean isClassification() {
        return true;
    }

    @Override
    default double smallestSlope(double label) {
        return label > 0 ? -1 : 0;
    }

    /** The other class sees the loss mirrored. */
    @Override
    default double largestSlope(double label) {
        // Not −s: that would make −0 of 0.
        return 0 - smallestSlope(-label);
    }
}
