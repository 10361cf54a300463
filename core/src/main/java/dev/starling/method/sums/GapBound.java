package dev.starling.method.sums;

import dev.starling.certificate.Certificate;
import dev.starling.node.State;
import dev.starling.objective.Term;
import dev.starling.problem.Rounding;
import java.io.IOException;

/**
 * A duality gap with a bound on everything that rounding may have done to it.
 *
 * @param objective P(θ)
 * @param uncertain a bound on its rounding error
 * @param gap P(θ) − D(s)
 * @param most an upper bound on the gap in exact arithmetic
 */
public record GapBound(double objective, double uncertain, double gap, double most) {

    /** An objective of which rounding leaves more than this part uncertain is not known. */
    private static final double MOST_UNCERTAIN = 0.5;

    /** Nothing is proven. */
    public static final GapBound NONE =
            new GapBound(Double.POSITIVE_INFINITY, 0, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);

    /**
     * Returns an upper bound on ‖λθ + v‖²/(2λ) in exact arithmetic, if v may be wrong by {@code spread} and the squares
     * were computed to be {@code squares}.
     *
     * @param norm ‖θ‖²
     */
    public static double most(double squares, double norm, double lambda, double spread, int parameters) {
        double length = (1 + parameters * Rounding.UNIT) * Math.sqrt(squares)
                + spread
                + Term.SLOPE_OPERATIONS * Rounding.UNIT * lambda * Math.sqrt(norm);
        return (1 + Term.SLOPE_OPERATIONS * Rounding.UNIT) * length * length / (2 * lambda);
    }

    /** Returns a lower bound on the dual value in exact arithmetic. */
    public double least() {
        return objective - uncertain - most;
    }

    /** Returns that bound, rounded down. */
    public double bound() {
        return Certificate.below(objective, uncertain + most);
    }

    /** Returns what the gap can be relative to: the objective, or 0 if rounding leaves little of it. */
    public double scale() {
        return isKnown() ? objective : 0;
    }

    private boolean isKnown() {
        return uncertain <= MOST_UNCERTAIN * objective;
    }

    /** Returns by how much the gap relative to the objective, both in exact arithmetic, may exceed the computed one. */
    public double error() {
        return error(objective - gap, most);
    }

    private double error(double dual, double atMost) {
        double relative = uncertain == 0 || !isKnown() ? 1 : objective / (objective - uncertain);
        // The dual value is rounded too.
        return Math.max(0, atMost * relative - (objective - dual));
    }

    /** Returns the certificate of this point by its own slopes. */
    public Certificate certificate(long steps, double epochs) {
        return new Certificate(objective, objective - gap, error(), scale(), bound(), steps, epochs);
    }

    /** Returns the certificate of this point by the slopes of another. */
    public Certificate certificate(GapBound other, long steps, double epochs) {
        double dual = Math.min(objective, other.objective - other.gap);
        double error = error(dual, objective + uncertain - other.least());
        return new Certificate(objective, dual, error, scale(), other.bound(), steps, epochs);
    }

    /** Returns this bound if it is saved, the saved one if it is restored. */
    public GapBound state(State s) throws IOException {
        return new GapBound(s.number(objective), s.number(uncertain), s.number(gap), s.number(most));
    }
}
