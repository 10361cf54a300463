package dev.starling.method.sums;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The minimum of a quadratic function and prices for what is not 0, by the conditions that make it one. */
class KinkedQuadraticTest {

    private final SplittableRandom random = new SplittableRandom(7);

    /** A sum of outer products of as many vectors; where they are fewer than dimensions, it is singular. */
    private double[] matrix(int d, int vectors, double ridge) {
        double[] matrix = new double[d * d];
        for (int k = 0; k < vectors; k++) {
            double[] x = vector(d, 1);
            for (int i = 0; i < d; i++) {
                for (int j = 0; j < d; j++) {
                    matrix[i * d + j] += x[i] * x[j] / vectors;
                }
            }
        }
        for (int i = 0; i < d; i++) {
            matrix[i * d + i] += ridge;
        }
        return matrix;
    }

    private double[] vector(int d, double size) {
        return random.doubles(d, -1, 1).map(number -> size * number).toArray();
    }

    private static double[] product(double[] matrix, double[] x) {
        int d = x.length;
        double[] product = new double[d];
        for (int i = 0; i < d; i++) {
            for (int j = 0; j < d; j++) {
                product[i] += matrix[i * d + j] * x[j];
            }
        }
        return product;
    }

    private static double[] difference(double[] a, double[] b) {
        double[] difference = new double[a.length];
        Arrays.setAll(difference, c -> a[c] - b[c]);
        return difference;
    }

    /** By how much the conditions of the minimum are missed, in units of the largest price. */
    private static double violation(double[] matrix, double[] prices, double[] gradient, double[] theta, double[] z) {
        double[] change = product(matrix, difference(z, theta));
        double worst = 0;
        for (int c = 0; c < z.length; c++) {
            double slope = gradient[c] + change[c];
            double miss = z[c] == 0
                    ? Math.max(0, Math.abs(slope) - prices[c])
                    : Math.abs(slope + Math.copySign(prices[c], z[c]));
            worst = Math.max(worst, miss);
        }
        return worst;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 8, 20, 60})
    void meetsTheOptimalityConditionsFromAnyStart(int d) {
        for (int run = 0; run < 40; run++) {
            double[] matrix = matrix(d, 3 * d, 1e-4);
            double[] prices = new double[d];
            Arrays.setAll(prices, c -> c % 7 == 3 ? 0 : random.nextDouble(0.01, 0.3));
            double[] theta = vector(d, run % 2);
            double[] gradient = vector(d, 1);
            double[] z = vector(d, run % 4 < 2 ? 0 : 5);

            new KinkedQuadratic(matrix.clone(), prices).minimise(gradient, theta, z);

            assertThat(violation(matrix, prices, gradient, theta, z)).isLessThan(1e-10);
        }
    }

    /** Prices of very different sizes and a matrix that is nearly singular: steps past several zeros at once fail. */
    @Test
    void meetsTheOptimalityConditionsOfIllConditionedProblems() {
        int crossings = 0;
        for (int run = 0; run < 200; run++) {
            int d = 12;
            double[] matrix = matrix(d, 5, 1e-5);
            double[] prices = new double[d];
            Arrays.setAll(prices, c -> Math.pow(10, random.nextDouble(-6, -1)));
            double[] theta = vector(d, 3);
            double[] gradient = vector(d, 0.1);
            double[] z = theta.clone();

            new KinkedQuadratic(matrix.clone(), prices).minimise(gradient, theta, z);

            assertThat(violation(matrix, prices, gradient, theta, z)).isLessThan(1e-9);
            for (int c = 0; c < d; c++) {
                crossings += Math.signum(z[c]) != Math.signum(theta[c]) ? 1 : 0;
            }
        }
        assertThat(crossings).isGreaterThan(400);
    }

    /** A column that is there twice: how its weight is divided does not matter, what it adds up to does. */
    @Test
    void meetsTheOptimalityConditionsWithDependentColumns() {
        for (int run = 0; run < 40; run++) {
            double[] half = matrix(5, 20, 0);
            double[] matrix = new double[100];
            for (int i = 0; i < 10; i++) {
                for (int j = 0; j < 10; j++) {
                    matrix[i * 10 + j] = half[i % 5 * 5 + j % 5];
                }
            }
            double[] prices = new double[10];
            Arrays.fill(prices, 0.05);
            double[] single = vector(5, 1);
            double[] gradient = new double[10];
            Arrays.setAll(gradient, c -> single[c % 5]);
            double[] z = vector(10, 1);

            new KinkedQuadratic(matrix.clone(), prices).minimise(gradient, new double[10], z);

            assertThat(violation(matrix, prices, gradient, new double[10], z)).isLessThan(1e-6);
        }
    }

    @Test
    void relaxingDescendsUntilTheConditionsAreMet() {
        int d = 8;
        double[] matrix = matrix(d, 20, 0.1);
        double[] prices = new double[d];
        Arrays.setAll(prices, c -> 0.1 * (c % 3));
        double[] theta = vector(d, 1);
        double[] gradient = vector(d, 1);
        double[] z = theta.clone();
        KinkedQuadratic quadratic = new KinkedQuadratic(matrix.clone(), prices);
        double value = value(matrix, prices, gradient, theta, z);
        for (int step = 0; step < 2000; step++) {
            double[] slope = product(matrix, difference(z, theta));
            Arrays.setAll(slope, c -> slope[c] + gradient[c]);
            quadratic.relax(slope, z.clone(), z);
            double lower = value(matrix, prices, gradient, theta, z);
            assertThat(lower).isLessThanOrEqualTo(value + 1e-13);
            value = lower;
        }

        assertThat(violation(matrix, prices, gradient, theta, z)).isLessThan(1e-12);
    }

    private static double value(double[] matrix, double[] prices, double[] gradient, double[] theta, double[] z) {
        double[] change = difference(z, theta);
        double value = dot(gradient, change) + dot(change, product(matrix, change)) / 2;
        for (int c = 0; c < z.length; c++) {
            value += prices[c] * Math.abs(z[c]);
        }
        return value;
    }

    /** What BFGS promises: the matrix maps the step to the change, is symmetric, and is the same across both. */
    @Test
    void updatesItsMatrixWithTheCurvatureOfAStep() {
        int d = 6;
        double[] before = matrix(d, 20, 0.1);
        double[] truth = matrix(d, 20, 0.3);
        double[] from = vector(d, 1);
        double[] to = vector(d, 1);
        double[] gradientFrom = product(truth, from);
        double[] gradientTo = product(truth, to);
        double[] step = difference(to, from);
        double[] change = difference(gradientTo, gradientFrom);
        double[] learnt = before.clone();

        new KinkedQuadratic(learnt, new double[d]).learn(from, gradientFrom, to, gradientTo);

        assertThat(product(learnt, step)).containsExactly(change, within(1e-12));
        double[] known = product(before, step);
        for (int i = 0; i < d; i++) {
            for (int j = 0; j < d; j++) {
                double expected = before[i * d + j]
                        - known[i] * known[j] / dot(known, step)
                        + change[i] * change[j] / dot(change, step);
                assertThat(learnt[i * d + j]).isCloseTo(expected, within(1e-12));
            }
        }
    }

    @Test
    void ignoresAStepWithoutCurvature() {
        double[] matrix = matrix(3, 5, 0.1);
        double[] learnt = matrix.clone();
        double[] ones = {1, 1, 1};
        KinkedQuadratic quadratic = new KinkedQuadratic(learnt, new double[3]);

        quadratic.learn(new double[3], ones, ones, new double[3]);
        quadratic.learn(new double[3], ones, ones, ones);
        quadratic.learn(new double[3], ones, ones, new double[] {Double.NaN, 1, 1});

        assertThat(learnt).containsExactly(matrix);
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int c = 0; c < a.length; c++) {
            sum += a[c] * b[c];
        }
        return sum;
    }
}
