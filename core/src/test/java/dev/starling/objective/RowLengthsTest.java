package dev.starling.objective;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Dataset;
import dev.starling.problem.Rounding;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RowLengthsTest {

    private static final int FEATURES = 24;
    private static final int ROWS = 60;
    private static final int VALUES = 6;

    /** Sparse rows, some of whose images nearly cancel, because columns of the matrix are nearly alike. */
    private static Dataset rows(Random random, boolean cancelling) {
        int[] starts = new int[ROWS + 1];
        int[] columns = new int[ROWS * VALUES];
        double[] values = new double[columns.length];
        for (int row = 0; row < ROWS; row++) {
            starts[row + 1] = starts[row] + VALUES;
            int[] chosen = random.ints(0, cancelling ? FEATURES / 2 : FEATURES)
                    .distinct()
                    .limit(VALUES)
                    .sorted()
                    .toArray();
            for (int k = 0; k < VALUES; k++) {
                columns[starts[row] + k] = chosen[k];
                double size = cancelling ? (k % 2 == 0 ? 1 : -1) : Math.scalb(1.0, random.nextInt(60) - 30);
                values[starts[row] + k] = size * (1 + random.nextDouble() * (cancelling ? 1e-9 : 1));
            }
        }
        return Dataset.sparse(FEATURES, starts, columns, values, new double[ROWS]);
    }

    private static double[] matrix(Random random, boolean cancelling) {
        double[] matrix = new double[FEATURES * FEATURES];
        for (int b = 0; b < FEATURES; b++) {
            double alike = cancelling && b < FEATURES / 2 ? 0 : random.nextGaussian();
            for (int a = 0; a <= b; a++) {
                matrix[b * FEATURES + a] =
                        cancelling ? alike + 1e-7 * random.nextGaussian() : random.nextGaussian() * (1 + 1e3 * a);
            }
        }
        return matrix;
    }

    /* How long the image of a row is, and what rounding may do to an image that is computed. */
    private static double[] exact(Dataset data, int row, double[] matrix) {
        BigDecimal squares = BigDecimal.ZERO;
        double size = 0;
        for (int b = 0; b < FEATURES; b++) {
            BigDecimal entry = BigDecimal.ZERO;
            for (int k = data.start(row); k < data.end(row); k++) {
                double x = matrix[b * FEATURES + data.column(row, k)];
                entry = entry.add(new BigDecimal(x).multiply(new BigDecimal(data.value(row, k))));
                size += Math.abs(x * data.value(row, k));
            }
            squares = squares.add(entry.multiply(entry));
        }
        double length = squares.sqrt(new MathContext(40)).doubleValue();
        return new double[] {length, 2.0 * (FEATURES + VALUES) * Rounding.UNIT * size};
    }

    @Test
    void productsNeverMakeARowShorterThanItIsAndHardlyLonger() {
        Random random = new Random(7);
        int byProducts = 0;
        for (int trial = 0; trial < 60; trial++) {
            boolean cancelling = trial % 2 == 1;
            Dataset data = rows(random, cancelling);
            double[] matrix = matrix(random, cancelling);
            RowLengths rough = new RowLengths(data, matrix, FEATURES, false);
            RowLengths precise = new RowLengths(data, matrix, FEATURES, true);
            for (int row = 0; row < ROWS; row++) {
                double[] exact = exact(data, row, matrix);
                double length = rough.of(row);
                boolean imaged = length == precise.of(row);
                byProducts += imaged ? 0 : 1;
                assertThat(length).isGreaterThanOrEqualTo(exact[0] * (1 - 0x1p-51) - (imaged ? exact[1] : 0));
                assertThat(length).isLessThanOrEqualTo(exact[0] * (1 + 0x1p-20) + exact[1]);
                assertThat(Math.abs(precise.of(row) - exact[0])).isLessThanOrEqualTo(exact[1]);
                assertThat(rough.another().of(row)).isEqualTo(length);
            }
        }
        // Rows whose images cancel are measured by their images.
        assertThat(byProducts).isBetween(1000, 60 * ROWS - 1000);
    }
}
