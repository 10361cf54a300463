package dev.starling.certificate;

import dev.starling.node.State;
import java.io.IOException;

/**
 * Proof of how good a parameter is: a primal value P(θ̂) and a dual value D(s) ≤ P(θ*), so that P(θ̂) − P(θ*) ≤ P(θ̂) −
 * D(s). Both are in the average form, mean loss + (λ/2)‖θ‖². They are computed in floating point; {@code error} makes
 * up for the rounding.
 *
 * @param objective P(θ̂)
 * @param dual D(s), a lower bound on the optimal value up to rounding
 * @param error an upper bound on how much rounding may have made P(θ̂) − D(s) too small: with it added, the claim holds
 *     in exact arithmetic
 * @param steps steps the algorithm had taken when the certificate was made
 * @param epochs proximal steps per sample until then
 */
public record Certificate(double objective, double dual, double error, long steps, double epochs) {

    /** A placeholder for a certificate that has not been computed yet: it proves nothing. */
    public static final Certificate NONE = new Certificate(Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 0, 0);

    /** The smallest relative gap that a certificate claims, since rounding leaves smaller ones uncertain. */
    public static final double RESOLUTION = 0x1p-48;

    /** Creates a certificate from values that are taken to be exact. */
    public Certificate(double objective, double dual, long steps, double epochs) {
        this(objective, dual, 0, steps, epochs);
    }

    /**
     * The relative duality gap (P − D + error)/P, or {@link #RESOLUTION} if that is larger; infinite if this
     * certificate proves nothing. It is 0 only if the objective is exactly 0, which cannot be improved.
     */
    public double relativeGap() {
        if (!(objective < Double.POSITIVE_INFINITY) || dual == Double.NEGATIVE_INFINITY) {
            return Double.POSITIVE_INFINITY;
        }
        if (objective == 0) {
            return error == 0 ? 0 : Double.POSITIVE_INFINITY;
        }
        double gap = gap() / objective;
        return Double.isNaN(gap) ? Double.POSITIVE_INFINITY : Math.max(RESOLUTION, gap);
    }

    /** P − D + error: an upper bound on how far P(θ̂) is above the optimum. */
    private double gap() {
        return objective - dual + error;
    }

    /**
     * The certificate of a model whose intercept is off by at most a distance from the one of this certificate. With a
     * = P − P* and a loss of smoothness β, the slope by the intercept is at most √(2βa), so that the new a is at most
     * (√a + √(β/2)·distance)²; with kinks, the loss changes by at most its steepest slope times the distance.
     *
     * @param steepest a bound on the absolute slope of the loss, if β is infinite
     */
    public Certificate movedBy(double distance, double beta, double steepest) {
        if (distance == 0 || !(gap() >= 0)) {
            return this;
        }
        double root = Math.sqrt(gap()) + Math.sqrt(beta / 2) * distance;
        double more = beta < Double.POSITIVE_INFINITY ? root * root - gap() : steepest * distance;
        return new Certificate(objective, dual, error + Math.max(0, more) * (1 + 0x1p-20), steps, epochs);
    }

    /** Whether at least half of the gap is the allowance for rounding. */
    public boolean isMostlyRounding() {
        return error >= gap() / 2;
    }

    /** The certificate of the sum of two separately certified objectives. */
    public Certificate plus(Certificate other) {
        return new Certificate(
                objective + other.objective,
                dual + other.dual,
                error + other.error,
                steps + other.steps,
                epochs + other.epochs);
    }

    /** Whether this certificate proves a smaller gap than another. */
    public boolean betterThan(Certificate other) {
        return relativeGap() < other.relativeGap();
    }

    /** Returns this certificate if it is saved, the saved one if it is restored. */
    public Certificate state(State s) throws IOException {
        return new Certificate(s.number(objective), s.number(dual), s.number(error), s.number(steps), s.number(epochs));
    }
}
