package dev.starling.method.newton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A diagonal that steps mend, against the update of a matrix. */
class DiagonalHessianTest {

    private static final int FEATURES = 6;

    private final Random random = new Random(3);
    private final DiagonalHessian diagonal = new DiagonalHessian(FEATURES);

    /** What a vector of ones divided by the diagonal says of it. */
    private static double[] entries(DiagonalHessian diagonal) {
        double[] ones = new double[FEATURES];
        Arrays.fill(ones, 1);
        diagonal.divide(ones);
        return Arrays.stream(ones).map(inverse -> 1 / inverse).toArray();
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int c = 0; c < a.length; c++) {
            sum += a[c] * b[c];
        }
        return sum;
    }

    /** A step, and its product with a matrix that has positive eigenvalues. */
    private double[][] pair() {
        double[] step = random.doubles(FEATURES, -1, 1).toArray();
        double mean = Arrays.stream(step).sum() / FEATURES;
        double[] change = new double[FEATURES];
        for (int c = 0; c < FEATURES; c++) {
            change[c] = (c + 1) * step[c] + mean;
        }
        return new double[][] {step, change};
    }

    /** The diagonal of B + yyᵀ/sᵀy − Bs(Bs)ᵀ/sᵀBs, where B is scaled to yᵀB⁻¹y = sᵀy. */
    private static double[] updated(double[] before, double[] s, double[] y) {
        double[] inverseTimesY = new double[FEATURES];
        Arrays.setAll(inverseTimesY, c -> y[c] / before[c]);
        double scale = dot(y, inverseTimesY) / dot(s, y);
        double[] times = new double[FEATURES];
        Arrays.setAll(times, c -> scale * before[c] * s[c]);
        double[] after = new double[FEATURES];
        Arrays.setAll(after, c -> scale * before[c] + y[c] * y[c] / dot(s, y) - times[c] * times[c] / dot(s, times));
        return after;
    }

    @Test
    void aStepMendsItAsTheUpdateOfAMatrixWould() {
        double[] expected = entries(diagonal);
        assertThat(expected).containsOnly(1);
        for (int k = 0; k < 20; k++) {
            double[][] pair = pair();
            expected = updated(expected, pair[0], pair[1]);
            diagonal.learn(pair[0], pair[1]);

            assertThat(entries(diagonal)).containsExactly(expected, within(1e-10));
        }
    }

    @Test
    void itBeginsHalfWayBetweenTheRegulariserAndTheHessian() {
        diagonal.begin(new double[] {7, 0, 3, 8, 15, 24, 99}, 1, 1);

        assertThat(entries(diagonal)).containsExactly(new double[] {1, 2, 3, 4, 5, 10}, within(1e-14));
    }

    @Test
    void itStaysPositiveWhereRoundingLeavesNothingOfAnEntry() {
        double[] step = {1, 0, 0, 0, 0, 0};
        double[] change = {1e-30, 0, 0, 0, 0, 0};
        diagonal.learn(step, change);

        assertThat(Arrays.stream(entries(diagonal)))
                .allSatisfy(entry -> assertThat(entry).isGreaterThan(0));
    }

    @Test
    void aStepWithoutCurvatureTeachesNothing() {
        diagonal.learn(new double[] {1, 0, 0, 0, 0, 0}, new double[] {0, 1, 0, 0, 0, 0});

        assertThat(entries(diagonal)).containsOnly(1);
    }

    /** A step that is nearly all along the first feature, where nothing of the curvature is. */
    @Test
    void anEntryThatIsTakenAwayKeepsALittleOfItself() {
        double[] step = {1, 1e-4, 0, 0, 0, 0};
        double[] change = {1e-12, 1, 0, 0, 0, 0};

        diagonal.learn(step, change);

        // The scale is 1/1e-4, of which the update would leave 1e-8.
        assertThat(entries(diagonal)[0]).isCloseTo(0x1p-20 * 1e4, within(1e-7));
        assertThat(entries(diagonal)[2]).isCloseTo(1e4, within(1e-3));
    }
}
