package dev.starling.verify;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What the checker found.
 *
 * @param outcome whether the claim is true
 * @param reason a sentence for people
 * @param objective P(θ) of the model, computed again; NaN if it could not be
 * @param dual the best lower bound on the optimum that was found; NaN if none was looked for
 * @param gap the relative gap that these two prove; NaN without a dual value
 * @param passes the number of passes over the rows to improve the dual point
 */
public record Verdict(Outcome outcome, String reason, double objective, double dual, double gap, int passes) {

    /** Whether the claim is proven, disproven, or neither. */
    public enum Outcome {
        /** It is proven. */
        HOLDS,
        /** It is disproven. */
        FALSE,
        /** Neither was found in the passes allowed. */
        UNCONFIRMED
    }

    /** Returns the verdict on a claim that is false whatever the bounds are. */
    static Verdict wrong(String reason, double objective) {
        return new Verdict(Outcome.FALSE, reason, objective, Double.NaN, Double.NaN, 0);
    }

    /** Returns the verdict on a claim that cannot be judged. */
    static Verdict open(String reason, double objective) {
        return new Verdict(Outcome.UNCONFIRMED, reason, objective, Double.NaN, Double.NaN, 0);
    }

    /** Returns the verdict that the claim holds, but something beside it is false, if it is. */
    Verdict unless(Supplier<Optional<String>> falsehood) {
        return holds() ? falsehood.get().map(reason -> wrong(reason, objective)).orElse(this) : this;
    }

    /** Returns the same numbers without a proof of the claim. */
    Verdict unconfirmed(String why) {
        return new Verdict(Outcome.UNCONFIRMED, why, objective, dual, gap, passes);
    }

    boolean holds() {
        return outcome == Outcome.HOLDS;
    }

    /** Formats an upper bound with three digits, rounded up so that it stays one; as it is if it is not finite. */
    public static String atMost(double value) {
        return rounded(value, RoundingMode.CEILING);
    }

    /** Formats a lower bound with three digits, rounded down so that it stays one. */
    static String atLeast(double value) {
        return rounded(value, RoundingMode.FLOOR);
    }

    /** A label as it is usually written: without a fraction if it has none. */
    static String text(double label) {
        return label == Math.rint(label) && Math.abs(label) < 1e15
                ? Long.toString((long) label)
                : Double.toString(label);
    }

    private static String rounded(double value, RoundingMode mode) {
        if (!Double.isFinite(value)) {
            return Double.toString(value);
        }
        double shown = new BigDecimal(value).round(new MathContext(3, mode)).doubleValue();
        return Double.toString(shown).replace(".0E", "e").replace('E', 'e');
    }
}
