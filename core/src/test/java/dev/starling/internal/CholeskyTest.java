package dev.starling.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CholeskyTest {

    private final SplittableRandom random = new SplittableRandom(3);

    /** A sum of outer products of as many vectors. */
    private double[] matrix(int d, int vectors) {
        double[] matrix = new double[d * d];
        for (int k = 0; k < vectors; k++) {
            double[] x = random.doubles(d, -1, 1).toArray();
            for (int i = 0; i < d; i++) {
                for (int j = 0; j < d; j++) {
                    matrix[i * d + j] += x[i] * x[j];
                }
            }
        }
        return matrix;
    }

    /** The lower half of a times that of b, or of its transpose. */
    private static double entry(double[] a, double[] b, int d, int i, int j, boolean transposed) {
        double sum = 0;
        for (int k = 0; k < d; k++) {
            double left = k <= i ? a[i * d + k] : 0;
            int row = transposed ? j : k;
            int column = transposed ? k : j;
            sum += column <= row ? left * b[row * d + column] : 0;
        }
        return sum;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 9, 30})
    void aFactorTimesItsTransposeIsTheMatrix(int d) {
        double[] matrix = matrix(d, 3 * d);
        double[] factor = matrix.clone();

        assertThat(Cholesky.factorise(factor, d)).isTrue();

        double[] inverse = Cholesky.inverse(factor, d);
        for (int i = 0; i < d; i++) {
            for (int j = 0; j <= i; j++) {
                assertThat(entry(factor, factor, d, i, j, true)).isCloseTo(matrix[i * d + j], within(1e-12));
                assertThat(entry(factor, inverse, d, i, j, false)).isCloseTo(i == j ? 1 : 0, within(1e-10));
            }
            for (int j = i + 1; j < d; j++) {
                assertThat(factor[i * d + j]).isEqualTo(matrix[i * d + j]);
                assertThat(inverse[i * d + j]).isZero();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 9, 30})
    void solvesLinearSystems(int d) {
        double[] matrix = matrix(d, 3 * d);
        double[] solution = random.doubles(d, -1, 1).toArray();
        double[] b = new double[d];
        for (int i = 0; i < d; i++) {
            for (int j = 0; j < d; j++) {
                b[i] += matrix[i * d + j] * solution[j];
            }
        }
        Cholesky.factorise(matrix, d);
        double[] x = new double[d];

        Cholesky.solve(matrix, d, b, x);
        assertThat(x).containsExactly(solution, within(1e-9));
        Cholesky.solve(matrix, d, b, b);
        assertThat(b).as("in place").containsExactly(x);
    }

    /** Equal columns use their pivot up; so near to none the smallest takes its place, a part of the diagonal entry. */
    @Test
    void aVanishingPivotIsReplacedAndReported() {
        double[] equal = {4, 4, 4, 4};

        assertThat(Cholesky.factorise(equal, 2)).isFalse();
        assertThat(equal[3]).isEqualTo(Math.sqrt(4 * 0x1p-50));

        double[] nearly = {4, 4, 4, 4 * (1 + 0x1p-48)};
        assertThat(Cholesky.factorise(nearly, 2)).isTrue();
        assertThat(nearly[3]).isEqualTo(Math.sqrt(4 * 0x1p-48));
    }

    @Test
    void aSingularMatrixHasAFiniteFactor() {
        double[] matrix = matrix(12, 5);

        assertThat(Cholesky.factorise(matrix, 12)).isFalse();
        assertThat(Arrays.stream(matrix).allMatch(Double::isFinite)).isTrue();
    }
}
