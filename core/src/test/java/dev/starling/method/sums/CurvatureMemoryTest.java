package dev.starling.method.sums;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.support.SavedStates;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What steps have told of a Hessian, against the update of a matrix that it stands for. */
class CurvatureMemoryTest {

    private static final int FEATURES = 7;
    private final Random random = new Random(5);
    private final CurvatureMemory memory = new CurvatureMemory(FEATURES);
    private final List<double[][]> added = new ArrayList<>();

    private double[] vector() {
        return random.doubles(FEATURES, -1, 1).toArray();
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int c = 0; c < a.length; c++) {
            sum += a[c] * b[c];
        }
        return sum;
    }

    private static double[] minus(double[] a, double[] b) {
        double[] difference = a.clone();
        for (int c = 0; c < a.length; c++) {
            difference[c] -= b[c];
        }
        return difference;
    }

    /** Adds steps on a quadratic with eigenvalues from 1 to 7. */
    private void add(int count) {
        for (int k = 0; k < count; k++) {
            double[] from = vector();
            double[] to = vector();
            double[] gradientFrom = from.clone();
            double[] gradientTo = to.clone();
            for (int c = 0; c < FEATURES; c++) {
                gradientFrom[c] *= c + 1;
                gradientTo[c] *= c + 1;
            }
            memory.add(from, to, gradientFrom, gradientTo);
            added.add(new double[][] {minus(to, from), minus(gradientTo, gradientFrom)});
        }
    }

    /** (I − ρsyᵀ)H(I − ρysᵀ) + ρssᵀ for the pairs in turn, from a multiple of the identity, times −g. */
    private static double[] expected(List<double[][]> pairs, double start, double[] gradient) {
        double[][] h = new double[FEATURES][FEATURES];
        for (int i = 0; i < FEATURES; i++) {
            h[i][i] = start;
        }
        for (double[][] pair : pairs) {
            double[] s = pair[0];
            double[] y = pair[1];
            double rho = 1 / dot(s, y);
            double[] hy = new double[FEATURES];
            for (int i = 0; i < FEATURES; i++) {
                hy[i] = dot(h[i], y);
            }
            double yhy = dot(y, hy);
            for (int i = 0; i < FEATURES; i++) {
                for (int j = 0; j < FEATURES; j++) {
                    h[i][j] += rho * ((1 + rho * yhy) * s[i] * s[j] - hy[i] * s[j] - s[i] * hy[j]);
                }
            }
        }
        double[] direction = new double[FEATURES];
        for (int i = 0; i < FEATURES; i++) {
            direction[i] = -dot(h[i], gradient);
        }
        return direction;
    }

    private void assertDirectsLike(List<double[][]> pairs) {
        double[] gradient = vector();
        double[] direction = new double[FEATURES];
        memory.takeAway(gradient, direction);
        for (int c = 0; c < FEATURES; c++) {
            direction[c] *= 0.3;
        }
        memory.giveBack(direction);

        assertThat(direction).containsExactly(expected(pairs, 0.3, gradient), within(1e-12));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 9, 10})
    void theDirectionIsThatOfTheMatrixUpdatedByAllPairs(int count) {
        add(count);
        assertDirectsLike(added);
    }

    private static void direct(CurvatureMemory memory, double[] gradient, double[] direction) {
        memory.takeAway(gradient, direction);
        memory.scale(direction);
        memory.giveBack(direction);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 10, 14})
    void aRestoredMemoryContinuesWithTheSameBits(int count) throws IOException {
        add(count);
        CurvatureMemory other = SavedStates.copy(memory, new CurvatureMemory(FEATURES));

        double[] from = vector();
        double[] to = vector();
        for (int k = 0; k < 3; k++) {
            double[] gradient = vector();
            double[] one = new double[FEATURES];
            double[] two = new double[FEATURES];
            direct(memory, gradient, one);
            direct(other, gradient, two);
            assertThat(two).containsExactly(one);
            memory.add(from, to, from, to);
            other.add(from, to, from, to);
            to = vector();
        }
    }
}
