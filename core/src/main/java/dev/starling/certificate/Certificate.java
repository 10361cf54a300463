package dev.starling.certificate;

import dev.starling.node.State;
import java.io.IOException;

/**
 * Proof of how good a parameter is: a primal value P(θ̂) and a dual value D(s) ≤ P(θ*), so that P(θ̂) − P(θ*) ≤ P(θ̂) −
 * D(s). Both are in the average form, mean loss + (λ/2)‖θ‖². They are computed in floating point; {@code error} makes
 * up for the rounding of their difference, which is the gap. Rounding that moves both alike, as that of margins does,
 * is not part of it, but of {@code bound}.
 *
 * @param objective P(θ̂)
 * @param dual D(s), a lower bound on the optimal value up to rounding
 * @param error an upper bound on how much rounding may have made P(θ̂) − D(s) too small: with it added, the claim holds
 *     in exact arithmetic
 * @param scale what the gap is relative to: P(θ̂); what is lost to rounding if the targets are met to {@link #DIGITS};
 *     or 0 if rounding leaves P(θ̂) unknown
 * @param bound a number that the optimal value is not below, in exact arithmetic; −∞ if none is stated
 * @param steps steps the algorithm had taken when the certificate was made
 * @param epochs proximal steps per sample until then
 */
public record Certificate(
        double objective, double dual, double error, double scale, double bound, long steps, double epochs) {

    /** A placeholder for a certificate that has not been computed yet: it proves nothing. */
    public static final Certificate NONE = new Certificate(Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 0, 0);

    /** More than rounding may add to a bound when it is computed from a few numbers of this size. */
    private static final double FEW_ROUNDINGS = 0x1p-50;

    /** The smallest relative gap that a certificate claims, since rounding leaves smaller ones uncertain. */
    public static final double RESOLUTION = 0x1p-48;

    /** Targets that are met to this fraction of their size are met as well as anybody can tell. */
    public static final double DIGITS = 0x1p-30;

    /**
     * Creates a certificate whose gap is relative to the objective, and whose error bounds the rounding of D(s) alone,
     * too.
     */
    public Certificate(double objective, double dual, double error, long steps, double epochs) {
        this(objective, dual, error, objective, below(dual, error), steps, epochs);
    }

    /** Creates a certificate from values that are taken to be exact. */
    public Certificate(double objective, double dual, long steps, double epochs) {
        this(objective, dual, 0, objective, dual, steps, epochs);
    }

    /** A number less what is not negative, rounded down; −∞ if either is infinite or unknown. */
    public static double below(double number, double less) {
        double difference = number - less - FEW_ROUNDINGS * Math.abs(number);
        return Math.abs(difference) < Double.POSITIVE_INFINITY
                ? difference - FEW_ROUNDINGS * less
                : Double.NEGATIVE_INFINITY;
    }

    /**
     * The relative duality gap (P − D + error)/scale, or {@link #RESOLUTION} if that is larger; infinite if this
     * certificate proves nothing. It is 0 only if the objective is exactly 0, which cannot be improved.
     */
    public double relativeGap() {
        if (!(objective < Double.POSITIVE_INFINITY) || dual == Double.NEGATIVE_INFINITY) {
            return Double.POSITIVE_INFINITY;
        }
        if (objective == 0 && error == 0) {
            return 0;
        }
        double gap = scale == 0 ? Double.POSITIVE_INFINITY : gap() / scale;
        return Double.isNaN(gap) ? Double.POSITIVE_INFINITY : Math.max(RESOLUTION, gap);
    }

    /** P − D + error: an upper bound on how far P(θ̂) is above the optimum. */
    public double gap() {
        return objective - dual + error;
    }

    /**
     * The certificate of a model whose margins are off by at most a distance from those of this certificate. With a = P
     * − P* and a loss of smoothness β, the slope by a free intercept is at most √(2βa), so that the new a is at most
     * (√a + √(β/2)·distance)²; by one that is not free, it is at most √(2βP). With kinks, the loss changes by at most
     * its steepest slope times the distance. The optimum itself, of other rows, may be lower by what the latter gives,
     * which is taken twice since its margins are not known, and by what deviations may have rounded of a penalty.
     *
     * @param beta β; infinite for a loss with kinks
     * @param steepest a bound on the absolute slope of the loss, if β is infinite
     * @param free whether the margins have a free intercept, by which they are off
     */
    public Certificate movedBy(double distance, double beta, double steepest, boolean free) {
        if (distance == 0) {
            return this;
        }
        double level = objective + Math.max(0, gap());
        double more = gap() >= 0 ? moved(free ? gap() : level, distance, beta, steepest) * (1 + 0x1p-20) : 0;
        double lower = below(bound, 2 * moved(level, distance, beta, steepest) + RESOLUTION * objective);
        return new Certificate(objective, dual, error + more, scale, lower, steps, epochs);
    }

    private static double moved(double start, double distance, double beta, double steepest) {
        double root = Math.sqrt(start) + Math.sqrt(beta / 2) * distance;
        return Math.max(0, beta < Double.POSITIVE_INFINITY ? root * root - start : steepest * distance);
    }

    /** The same proof with the lower bound of another. */
    public Certificate boundedAs(Certificate other) {
        return new Certificate(objective, dual, error, scale, other.bound, steps, epochs);
    }

    /** The certificate of the same problem in units in which objectives are this power of two times as large. */
    public Certificate times(double power) {
        return new Certificate(
                power * objective, power * dual, power * error, power * scale, power * bound, steps, epochs);
    }

    /** The same proof, relative to at least a number. */
    public Certificate relativeTo(double least) {
        return new Certificate(objective, dual, error, Math.max(scale, least), bound, steps, epochs);
    }

    /**
     * This proof, or the one that nothing is below 0, which is the better one near a perfect fit, and the only one
     * where the objective is what rounding leaves: a lower bound above 0 may then be that of the rounded rows.
     *
     * @param most an upper bound on P(θ̂) in exact arithmetic
     */
    public Certificate above0(double most) {
        double excess = Math.max(0, most - objective);
        return scale > objective || objective + excess < gap() || !(dual > Double.NEGATIVE_INFINITY)
                ? new Certificate(objective, 0, excess, scale, 0, steps, epochs)
                : this;
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
                scale + other.scale,
                Math.nextDown(bound + other.bound),
                steps + other.steps,
                epochs + other.epochs);
    }

    /** Whether this certificate proves a smaller gap than another: a relative one, unless an objective is unknown. */
    public boolean betterThan(Certificate other) {
        return betterThan(other, 1);
    }

    /** Whether this certificate proves a gap smaller than a part of another's. */
    public boolean betterThan(Certificate other, double part) {
        boolean unknown = scale == 0 || other.scale == 0;
        return unknown ? gap() < part * other.gap() : relativeGap() < part * other.relativeGap();
    }

    /** Returns this certificate if it is saved, the saved one if it is restored. */
    public Certificate state(State s) throws IOException {
        return new Certificate(
                s.number(objective),
                s.number(dual),
                s.number(error),
                s.number(scale),
                s.number(bound),
                s.number(steps),
                s.number(epochs));
    }
}
