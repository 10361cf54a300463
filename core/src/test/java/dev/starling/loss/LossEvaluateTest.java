package dev.starling.loss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.problem.CompensatedSum;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Many samples at once are what they are one by one. */
class LossEvaluateTest {

    private static final int[] COUNTS = {1, 2, 3, 7, 8, 64, 255, Loss.BLOCK};

    /** Margins of every size, those at kinks, and the ends of what an exponential can take. */
    private static double[] margins(Random random) {
        double[] margins = new double[Loss.BLOCK];
        double[] special = {0, -0.0, 1, -1, 0.5, 800, -800, 745, -745, 37, -37, 1e-300};
        for (int k = 0; k < margins.length; k++) {
            double scale = k % 3 == 0 ? 800 : k % 3 == 1 ? 5 : 1e-3;
            margins[k] = k < special.length ? special[k] : scale * (2 * random.nextDouble() - 1);
        }
        return margins;
    }

    private static double[] labels(Loss loss, Random random) {
        double[] labels = new double[Loss.BLOCK];
        Arrays.setAll(
                labels, k -> loss.isClassification() ? (random.nextBoolean() ? 1 : -1) : 3 * random.nextGaussian());
        return labels;
    }

    private static void assertNear(double found, double expected, double ulps, String what) {
        assertThat(found).as(what).isCloseTo(expected, within(ulps * Math.ulp(expected)));
    }

    @ParameterizedTest
    @MethodSource("dev.starling.loss.LossContractTest#losses")
    void slopesAndCurvaturesAreThoseOfEachSample(Loss loss) {
        Random random = new Random(7);
        double ulps = loss instanceof Logistic ? 4 : 0;
        for (int count : COUNTS) {
            double[] margins = margins(random);
            double[] labels = labels(loss, random);
            for (double[] weights :
                    new double[][] {null, random.doubles(Loss.BLOCK, 0.1, 9).toArray()}) {
                double[] slopes = new double[Loss.BLOCK];
                double[] curvatures = new double[Loss.BLOCK];
                Arrays.fill(slopes, 77);
                Arrays.fill(curvatures, 77);
                loss.evaluate(count, margins, labels, weights, slopes, curvatures);

                for (int k = 0; k < Loss.BLOCK; k++) {
                    double weight = weights == null ? 1 : weights[k];
                    String what = "sample " + k + " of " + count + ", margin " + margins[k] + ", label " + labels[k];
                    double slope = k < count ? weight * loss.derivative(margins[k], labels[k]) : 77;
                    double curvature = k < count ? weight * loss.curvature(margins[k], labels[k]) : 77;
                    assertNear(slopes[k], slope, ulps, what);
                    assertNear(curvatures[k], curvature, ulps, what);
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("dev.starling.loss.LossContractTest#losses")
    void theSumIsThatOfEachSample(Loss loss) {
        Random random = new Random(8);
        for (int count : COUNTS) {
            double[] margins = margins(random);
            double[] labels = labels(loss, random);
            for (double[] weights :
                    new double[][] {null, random.doubles(Loss.BLOCK, 0.1, 9).toArray()}) {
                double found =
                        loss.evaluate(count, margins, labels, weights, new double[Loss.BLOCK], new double[Loss.BLOCK]);

                double expected = sum(loss, count, margins, labels, weights);
                assertThat(found).isCloseTo(expected, within(count * Math.ulp(expected)));
            }
        }
    }

    private static double sum(Loss loss, int count, double[] margins, double[] labels, double[] weights) {
        CompensatedSum sum = new CompensatedSum();
        for (int k = 0; k < count; k++) {
            sum.add((weights == null ? 1 : weights[k]) * loss.value(margins[k], labels[k]));
        }
        return sum.value();
    }

    /** What nearly separates its rows has tiny losses, and a certificate divides by their sum. */
    @ParameterizedTest
    @ValueSource(doubles = {1, 3, 4.7, 4.9, 5, 8, 12, 20, 35, 40, 100, 700})
    void smallLogisticLossesAreSummedToTheRoundingOfASum(double margin) {
        Logistic loss = new Logistic();
        Random random = new Random(9);
        for (double spread : new double[] {0, 0.01, 1}) {
            double[] margins = new double[Loss.BLOCK];
            double[] labels = labels(loss, random);
            Arrays.setAll(margins, k -> labels[k] * (margin + spread * random.nextDouble()));

            double found =
                    loss.evaluate(Loss.BLOCK, margins, labels, null, new double[Loss.BLOCK], new double[Loss.BLOCK]);

            double expected = sum(loss, Loss.BLOCK, margins, labels, null);
            assertThat(found).isCloseTo(expected, within(Loss.BLOCK * 0x1p-53 * expected));
        }
    }

    @Test
    void aMarginThatIsNotANumberMakesTheSumNotANumber() {
        double[] margins = {1, Double.NaN, 2};
        double[] labels = {1, -1, 1};
        for (String name : Losses.names()) {
            Loss loss = Losses.named(name);
            if (loss.comparesRows()) {
                continue;
            }
            double sum = loss.outputs() > 1
                    ? loss.value(Arrays.copyOf(margins, loss.outputs()), 0)
                    : loss.evaluate(3, margins, labels, null, new double[3], new double[3]);
            assertThat(sum).as(name).isNaN();
        }
    }
}
