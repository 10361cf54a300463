package dev.starling.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The arithmetic on rows, at widths that end anywhere within the turns of its unrolled loops. */
class DatasetArithmeticTest {

    private static final int ROWS = 3;
    private static final int GAP = 3;

    /** Every column of every row has a value of its own. */
    private static float[] values(int features) {
        SplittableRandom random = new SplittableRandom(features);
        float[] values = new float[ROWS * features];
        for (int k = 0; k < values.length; k++) {
            values[k] = (float) random.nextDouble(-1, 1);
        }
        return values;
    }

    private static Dataset dense(int features) {
        return Dataset.dense(features, values(features), new double[ROWS]);
    }

    /** The same values with empty columns between them, so that positions are not columns. */
    private static Dataset sparse(int stored) {
        int[] offsets = IntStream.rangeClosed(0, ROWS).map(row -> row * stored).toArray();
        int[] columns =
                IntStream.range(0, ROWS * stored).map(k -> k % stored * GAP + 1).toArray();
        return Dataset.sparse(GAP * stored + 1, offsets, columns, values(stored), new double[ROWS]);
    }

    private static double[] vector(int length) {
        return new SplittableRandom(99).doubles(length, -1, 1).toArray();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 50})
    void productsAndNormsAreThoseOfThePlainSums(int width) {
        float[] values = values(width);
        double[] w = vector(GAP * width + 1);
        for (int row = 0; row < ROWS; row++) {
            double denseDot = 0;
            double sparseDot = 0;
            double norm = 0;
            for (int c = 0; c < width; c++) {
                double value = values[row * width + c];
                denseDot += value * w[c];
                sparseDot += value * w[GAP * c + 1];
                norm += value * value;
            }
            assertThat(dense(width).dot(row, Arrays.copyOf(w, width))).isCloseTo(denseDot, within(1e-14 * width));
            assertThat(sparse(width).dot(row, w)).isCloseTo(sparseDot, within(1e-14 * width));
            assertThat(dense(width).squaredNorm(row)).isCloseTo(norm, within(1e-14 * width));
            assertThat(sparse(width).squaredNorm(row)).isEqualTo(dense(width).squaredNorm(row));
        }
    }

    @Test
    void aVectorOfAnotherLengthIsRefused() {
        for (Dataset rows : List.of(dense(4), sparse(4))) {
            for (int wrong : new int[] {0, rows.features() - 1, rows.features() + 1}) {
                assertThatThrownBy(() -> rows.dot(0, new double[wrong]))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage("a vector of " + wrong + " numbers for rows of " + rows.features()
                                + " features; give it one number per feature");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 7})
    void aMultipleOfARowIsAddedWhereTheVectorBegins(int width) {
        int offset = 2;
        float[] values = values(width);
        for (int row = 0; row < ROWS; row++) {
            double[] start = vector(offset + GAP * width + 1);
            double[] denseSum = start.clone();
            double[] sparseSum = start.clone();
            for (int c = 0; c < width; c++) {
                denseSum[offset + c] += 0.7 * values[row * width + c];
                sparseSum[offset + GAP * c + 1] += 0.7 * values[row * width + c];
            }
            double[] w = start.clone();
            dense(width).addTo(row, 0.7, w, offset);
            assertThat(w).containsExactly(denseSum, within(1e-15));
            w = start.clone();
            sparse(width).addTo(row, 0.7, w, offset);
            assertThat(w).containsExactly(sparseSum, within(1e-15));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 7})
    void everyLayoutHoldsTheSameRows(int width) {
        for (Dataset rows : new Dataset[] {dense(width), sparse(width)}) {
            for (boolean asDense : new boolean[] {true, false}) {
                Dataset laidOut = rows.laidOut(asDense);
                assertThat(laidOut.isDense()).isEqualTo(asDense);
                for (int row = 0; row < ROWS; row++) {
                    assertThat(unpacked(laidOut, row)).isEqualTo(unpacked(rows, row));
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 7})
    void aBiasIsOneMoreColumnOfEveryRow(int width) {
        for (Dataset rows : new Dataset[] {dense(width), sparse(width)}) {
            Dataset biased = rows.withBias(2.5f);
            for (int row = 0; row < ROWS; row++) {
                double[] expected = Arrays.copyOf(unpacked(rows, row), rows.features() + 1);
                expected[rows.features()] = 2.5;
                assertThat(unpacked(biased, row)).isEqualTo(expected);
            }
        }
    }

    private static double[] unpacked(Dataset rows, int row) {
        double[] values = new double[rows.features()];
        rows.addTo(row, 1, values);
        return values;
    }
}
