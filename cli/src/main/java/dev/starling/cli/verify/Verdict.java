package dev.starling.cli.verify;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/**
 * What the checker found.
 *
 * @param outcome whether the claim is true
 * @param reason a sentence for people
 * @param objective P(θ) of the model, computed anew; not a number if it could not be
 * @param dual the best lower bound on the optimum that was found; not a number if none was looked for
 * @param gap the relative gap that these two prove; not a number where there is no dual value
 * @param passes how often the rows were gone through to better the dual point
 */
record Verdict(Outcome outcome, String reason, double objective, double dual, double gap, int passes) {

    /** True, false, or neither proven. */
    enum Outcome {
        HOLDS,
        FALSE,
        UNCONFIRMED
    }

    /** A claim that is wrong before any bound is looked for. */
    static Verdict wrong(String reason, double objective) {
        return new Verdict(Outcome.FALSE, reason, objective, Double.NaN, Double.NaN, 0);
    }

    /** Three digits, rounded up: what is said to be at most something is so. */
    static String atMost(double value) {
        return rounded(value, RoundingMode.CEILING);
    }

    /** Three digits, rounded down: what is said to be at least something is so. */
    static String atLeast(double value) {
        return rounded(value, RoundingMode.FLOOR);
    }

    private static String rounded(double value, RoundingMode mode) {
        double shown = new BigDecimal(value).round(new MathContext(3, mode)).doubleValue();
        return Double.toString(shown).replace(".0E", "e").replace('E', 'e');
    }
}
