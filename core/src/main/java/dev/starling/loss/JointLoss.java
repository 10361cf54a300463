package dev.starling.loss;

/**
 * A likelihood of which no margin has a part by itself: of several margins of a row, or of rows that are compared with
 * each other. Its functions of a single margin throw.
 */
sealed interface JointLoss extends Loss permits Softmax, Ordinal, Cox {

    @Override
    default double value(double margin, double label) {
        throw new UnsupportedOperationException("the loss " + name() + " has no value at one margin");
    }

    @Override
    default double derivative(double margin, double label) {
        return value(margin, label);
    }

    @Override
    default double curvature(double margin, double label) {
        return value(margin, label);
    }

    @Override
    default boolean isDifferentiable() {
        return true;
    }

    /** Nothing is compared with a label, which says which margin is the row's own, or when it was seen. */
    @Override
    default double labelSize(double label) {
        return 0;
    }
}
