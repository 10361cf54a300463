package dev.starling.verify.loss;

import org.apache.commons.numbers.core.DD;

/**
 * What slopes and curvature at a parameter say about the optimum.
 *
 * @param excess by how much the objective exceeds the optimum at most; infinite if there is no bound
 * @param distance how far a coefficient is from the optimum at most, relative to the root of its entry in the inverse
 *     of the Hessian
 * @param better the parameter after a Newton step
 */
public record Bound(double excess, double distance, DD[] better) {

    /** If along a line of the Hessian's length 1 no row's second derivative changes by more than this factor's part. */
    public static Bound ofSelfConcordance(double decrement, double concordance, DD[] better) {
        double a = concordance * decrement;
        return a < 1
                ? new Bound(
                        decrement * decrement / 2 * (1 + a / (3 * (1 - a))),
                        decrement * (1 + a / (2 * (1 - a))),
                        better)
                : none(better);
    }

    /**
     * By Newton and Kantorovich, if in its own norm the Hessian changes by at most K per distance, as far as twice the
     * decrement.
     */
    public static Bound ofThird(double decrement, double third, DD[] better) {
        double h = 2 * third * decrement;
        if (!(h <= 1)) {
            return none(better);
        }
        double t = (1 + 0x1p-40) * 2 * decrement / (1 + Math.sqrt(1 - h));
        return new Bound((1 + 0x1p-40) * (decrement * t - t * t / 2 + third * t * t * t / 6), t, better);
    }

    private static Bound none(DD[] better) {
        return new Bound(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, better);
    }

    /** With another bound on the distance, if that is less. */
    public Bound within(double other) {
        return new Bound(excess, Math.min(distance, other), better);
    }

    /** With another bound on the excess, if that is less. */
    public Bound orByRidge(double other) {
        return new Bound(Math.min(excess, other), distance, better);
    }
}
