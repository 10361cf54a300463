package dev.starling.problem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Dataset;
import dev.starling.loss.Squared;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The largest eigenvalue beside its closed form, for rows (cos φ, sin φ) times a length. */
class CurvatureTest {

    /**
     * What the class promises: at least the eigenvalue itself, for a smaller one would make ADFS diverge; beyond it 1 %
     * at most, or 11.1 % from a sample of the rows, which lies within 2 % of the rows themselves here.
     */
    @ParameterizedTest
    @CsvSource({"1, 1.01", "100, 1.01", "4096, 1.01", "4097, 1.135", "10000, 1.135", "20481, 1.135"})
    void itIsNeverTooSmallAndTooLargeByAKnownMarginOnly(int samples, double most) {
        Dataset rows = rows(samples);
        double exact = largestEigenvalue(rows);

        double curvature = Curvature.largestEigenvalue(LocalProblem.of(rows, new Squared(), 1e-3));

        assertThat(curvature).isBetween(exact * (1 - 1e-12), exact * most);
        if (most > 1.1) {
            assertThat(curvature).as("the margin of a sample").isGreaterThan(exact * 1.08);
        } else {
            assertThat(curvature).as("the margin of the iteration").isGreaterThan(exact * 1.008);
        }
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
            double x = rows.values()[2 * i];
            double y = rows.values()[2 * i + 1];
            a += rows.weight(i) * x * x;
            b += rows.weight(i) * x * y;
            c += rows.weight(i) * y * y;
        }
        return (a + c) / 2 + Math.hypot((a - c) / 2, b);
    }
}
