package dev.starling.study;

import dev.starling.recipe.Range;
import dev.starling.table.ColumnSurvey;

/** Proposes ranges that are round enough not to reveal any row's value. */
final class RoundRange {

    private static final double[] ROUND = {1, 2, 5, 10};

    private RoundRange() {}

    /** A range with round ends that contains all values of a column. */
    static Range around(ColumnSurvey rows) {
        double low = rows.quantile(0);
        double high = rows.quantile(1);
        double from = low < 0 ? -upward(-low) : 0;
        double to = high > 0 ? upward(high) : 0;
        return new Range(from, from == to ? 1 : to);
    }

    /** The smallest of …, 1, 2, 5, 10, 20, … that is not less than the value. */
    private static double upward(double value) {
        double power = Math.pow(10, Math.floor(Math.log10(value)));
        for (double digit : ROUND) {
            if (digit * power >= value) {
                return digit * power;
            }
        }
        return ROUND[ROUND.length - 1] * power;
    }
}
