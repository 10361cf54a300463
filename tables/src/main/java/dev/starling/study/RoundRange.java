package dev.starling.study;

import dev.starling.recipe.Range;
import dev.starling.table.ColumnSurvey;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Stream;

/** Proposes ranges that are round enough not to reveal any row's value. */
final class RoundRange {

    private static final List<BigDecimal> ROUND =
            Stream.of(1, 2, 5, 10).map(BigDecimal::valueOf).toList();

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
        BigDecimal exact = new BigDecimal(value);
        BigDecimal power = BigDecimal.ONE.scaleByPowerOfTen(exact.precision() - exact.scale() - 1);
        return ROUND.stream()
                .map(power::multiply)
                .filter(round -> round.compareTo(exact) >= 0)
                .findFirst()
                .orElseThrow()
                .doubleValue();
    }
}
