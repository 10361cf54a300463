package dev.starling.verify.loss;

import org.apache.commons.numbers.core.DD;

/** A loss of which no conjugate is known here: its models are proven by slopes and curvature. */
sealed interface Undualised extends Deviance permits Powers, Thresholds, Whole.Named {

    @Override
    default boolean isDualised() {
        return false;
    }

    private static UnsupportedOperationException none() {
        return new UnsupportedOperationException("a loss without a conjugate");
    }

    @Override
    default DD conjugate(double slope, double label) {
        throw none();
    }

    @Override
    default double proximalSlope(double point, double step, double label) {
        throw none();
    }

    @Override
    default double curvature(double slope, double step, double label) {
        throw none();
    }
}
