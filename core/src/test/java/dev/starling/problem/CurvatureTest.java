package dev.starling.problem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Dataset;
import dev.starling.loss.Squared;
import dev.starling.support.Stored;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.ToDoubleBiFunction;
import java.util.stream.IntStream;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.EigenDecomposition_F64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The largest eigenvalue beside the exact one: in closed form for rows (cos φ, sin φ) times a length. */
class CurvatureTest {

    /**
     * What the class promises: at least the eigenvalue itself, for a smaller one would break the promise of ADFS;
     * beyond it 1 % at most, or from draws what Chernoff's bound leaves possible but no more than the trace, which is
     * 1.3 % more than the eigenvalue here.
     */
    @ParameterizedTest
    @CsvSource({"1, 1.008, 1.01", "100, 1.008, 1.01", "4096, 1.008, 1.01", "4097, 1, 1.014", "20481, 1, 1.014"})
    void isNeverTooSmallAndAtMostAKnownMarginTooLarge(int samples, double least, double most) {
        Dataset rows = rows(samples);
        double exact = largestEigenvalue(rows);

        assertThat(curvature(rows)).isBetween(exact * least, exact * most);
    }

    /** Every second row is 100 times as large, and points elsewhere: a stride of two would see none or nothing else. */
    @ParameterizedTest
    @ValueSource(ints = {8192, 12_288, 40_000})
    void interleavedSourcesAreBothDetected(int samples) {
        for (int large : new int[] {0, 1}) {
            Dataset rows =
                    gaussian(samples, 10, (row, column) -> row % 2 == large ^ column < 5 ? 0 : column < 5 ? 100 : 1);

            assertThat(curvature(rows) / exactly(rows)).isBetween(1.0, 1.3);
        }
    }

    /** Directions that only every 16th row has, at no larger norm: only the place of a row tells them. */
    @Test
    void periodicDirectionsAreDetectedAmongRowsOfEqualLength() {
        int samples = 16 * 4096;
        for (int phase : new int[] {0, 1, 15}) {
            float[] values = new float[40 * samples];
            for (int i = 0; i < samples; i++) {
                values[40 * i + (i % 16 == phase ? 0 : 1 + i * 31 % 39)] = i % 2 == 0 ? 1 : -1;
            }
            Dataset rows = Dataset.dense(40, values, new double[samples]);

            assertThat(curvature(rows) / exactly(rows)).isBetween(1.0, 1.5);
        }
    }

    @Test
    void oneHugeRowIsDetectedAnywhere() {
        for (int place : new int[] {0, 1, 4097, 19_999}) {
            Dataset rows = gaussian(20_000, 6, (row, column) -> row == place ? 1e4 : 1);

            assertThat(curvature(rows) / exactly(rows)).isBetween(1.0, 1.1);
        }
    }

    /**
     * The worst for a sample is a large trace beside the eigenvalue: more draws, or all rows where there are no more,
     * keep the margin bearable. Iteration on all rows may end 1 % early among eigenvalues so near each other.
     */
    @ParameterizedTest
    @CsvSource({"10000, 60, 0.99, 1.01", "40000, 60, 1, 1.5", "40000, 20, 1, 1.4"})
    void theMarginIsModerateWithoutADominantDirection(int samples, int features, double least, double most) {
        Dataset rows = gaussian(samples, features, (row, column) -> 1);

        assertThat(curvature(rows) / exactly(rows)).isBetween(least, most);
    }

    @Test
    void theSameRowsHaveTheSameBits() {
        assertThat(curvature(rows(9000))).isEqualTo(curvature(rows(9000)));
    }

    private static double curvature(Dataset rows) {
        return Curvature.largestEigenvalue(LocalProblem.of(rows, new Squared(), 1e-3));
    }

    private static Dataset gaussian(int samples, int features, ToDoubleBiFunction<Integer, Integer> scale) {
        Random random = new Random(samples);
        float[] values = new float[samples * features];
        for (int k = 0; k < values.length; k++) {
            values[k] = (float) (scale.applyAsDouble(k / features, k % features) * random.nextGaussian());
        }
        return Dataset.dense(features, values, new double[samples]);
    }

    /** By the eigenvalue decomposition of the whole matrix. */
    private static double exactly(Dataset rows) {
        int features = rows.features();
        DMatrixRMaj matrix = new DMatrixRMaj(features, features);
        for (int i = 0; i < rows.rows(); i++) {
            for (int a = 0; a < features; a++) {
                for (int b = 0; b < features; b++) {
                    double product = Stored.value(rows, i, a) * Stored.value(rows, i, b);
                    matrix.add(a, b, product);
                }
            }
        }
        EigenDecomposition_F64<DMatrixRMaj> decomposition = DecompositionFactory_DDRM.eig(features, false, true);
        assertThat(decomposition.decompose(matrix)).isTrue();
        return IntStream.range(0, features)
                .mapToDouble(k -> decomposition.getEigenvalue(k).getReal())
                .max()
                .orElseThrow();
    }

    private static Dataset rows(int samples) {
        SplittableRandom random = new SplittableRandom(samples);
        float[] values = new float[2 * samples];
        double[] weights = new double[samples];
        for (int i = 0; i < samples; i++) {
            double angle = 0.4 * random.nextDouble();
            // Rows grow, so that the first of them stand for all no better than the last.
            double length = 1 + (double) i / samples;
            values[2 * i] = (float) (length * Math.cos(angle));
            values[2 * i + 1] = (float) (length * Math.sin(angle));
            weights[i] = 0.9 + 0.2 * random.nextDouble();
        }
        return Dataset.dense(2, values, new double[samples]).withWeights(weights);
    }

    /** Of the symmetric matrix (a b; b c): the larger root of its characteristic polynomial. */
    private static double largestEigenvalue(Dataset rows) {
        double a = 0;
        double b = 0;
        double c = 0;
        for (int i = 0; i < rows.rows(); i++) {
            double x = Stored.value(rows, i, 0);
            double y = Stored.value(rows, i, 1);
            a += rows.weight(i) * x * x;
            b += rows.weight(i) * x * y;
            c += rows.weight(i) * y * y;
        }
        return (a + c) / 2 + Math.hypot((a - c) / 2, b);
    }
}
