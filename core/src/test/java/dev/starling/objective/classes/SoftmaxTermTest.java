package dev.starling.objective.classes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.Dataset;
import dev.starling.loss.Exact;
import dev.starling.loss.Softmax;
import dev.starling.objective.Family;
import dev.starling.objective.PassLayout;
import dev.starling.objective.PassSums;
import dev.starling.objective.Term;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Rounding;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The sums over classes that are told apart all at once, by their definitions, and their bounds in 50 digits. */
class SoftmaxTermTest {

    private static final int FEATURES = 4;
    private static final MathContext DIGITS = Exact.DIGITS;

    /** Rows whose first value is 1. */
    private static Dataset rows(int count, int classes, boolean dense, boolean weighted, int seed) {
        Random random = new Random(seed);
        double[][] x = new double[count][FEATURES];
        double[] labels = new double[count];
        for (int i = 0; i < count; i++) {
            Arrays.setAll(x[i], c -> random.nextInt(3) == 0 ? 0 : (float) (2 * random.nextGaussian()));
            x[i][0] = 1;
            labels[i] = random.nextInt(classes);
        }
        Dataset data = Dataset.of(x, labels).laidOut(dense);
        return weighted ? data.withWeights(random.doubles(count, 0.1, 3).toArray()) : data;
    }

    private static double[] theta(int classes, double size, int seed) {
        return new Random(seed).doubles((long) classes * FEATURES, -size, size).toArray();
    }

    private static Term term(Dataset data, int classes, int fewestRows) {
        Softmax loss = new Softmax(classes);
        return Family.of(loss)
                .term(LocalProblem.of(data, loss, 0), PassLayout.ofOutputs(FEATURES, classes), fewestRows);
    }

    private static double[] sums(Dataset data, int classes, PassSums what, double[] theta, int stride, boolean tight) {
        double[] sums = new double[PassLayout.ofOutputs(FEATURES, classes).length(what)];
        Arrays.fill(sums, 99);
        term(data, classes, 1).sum(what, theta, stride, tight, sums);
        return sums;
    }

    /** All sums but for what is about rounding, by the derivatives of the loss. */
    private static double[] expected(Dataset data, int classes, PassSums what, double[] theta, int stride) {
        PassLayout layout = PassLayout.ofOutputs(FEATURES, classes);
        Softmax loss = new Softmax(classes);
        LocalProblem problem = LocalProblem.of(data, loss, 0);
        double[] sums = new double[layout.length(what)];
        double[] margins = new double[classes];
        double[] slopes = new double[classes];
        double[] curvatures = new double[classes * (classes + 1) / 2];
        for (int i = 0; i < data.rows(); i += stride) {
            double[] x = new double[FEATURES];
            data.addTo(i, 1, x);
            double weight = data.weight(i);
            problem.margins(i, problem.blocks(theta), margins);
            loss.bend(margins, data.label(i), slopes, curvatures);
            sums[PassLayout.LOSS] += weight * loss.value(margins, data.label(i));
            sums[PassLayout.WEIGHT] += weight;
            for (int k = 0; k < classes; k++) {
                for (int c = 0; c < FEATURES; c++) {
                    sums[PassLayout.GRADIENT + k * FEATURES + c] += weight * slopes[k] * x[c];
                }
                for (int c = 0; what == PassSums.DIAGONAL && c < FEATURES; c++) {
                    sums[layout.hessian() + k * FEATURES + c] += weight * curvatures[k * (k + 3) / 2] * x[c] * x[c];
                }
                for (int l = 0; what == PassSums.HESSIAN && l <= k; l++) {
                    int at = layout.block(k, l);
                    for (int c = 0; c < FEATURES; c++) {
                        for (int b = 0; b <= c; b++) {
                            sums[at++] += weight * curvatures[k * (k + 1) / 2 + l] * x[c] * x[b];
                        }
                    }
                }
            }
        }
        return sums;
    }

    @ParameterizedTest
    @CsvSource({
        "10,2,true,false,GRADIENT,1", "300,3,false,true,HESSIAN,1", "513,5,true,true,HESSIAN,1",
        "300,3,true,false,DIAGONAL,1", "300,4,false,true,DIAGONAL,1", "640,3,true,true,HESSIAN,8"
    })
    void addsUpWhatItSaysForEveryRow(
            int count, int classes, boolean dense, boolean weighted, PassSums what, int stride) {
        Dataset data = rows(count, classes, dense, weighted, count);
        double[] theta = theta(classes, 1, 2);
        double[] expected = expected(data, classes, what, theta, stride);
        for (boolean tight : new boolean[] {false, true}) {
            double[] sums = sums(data, classes, what, theta, stride, tight);
            for (int k = PassLayout.LOSS; k < expected.length; k++) {
                if (k != PassLayout.ERROR && k != PassLayout.SLACK && k != PassLayout.SPREAD) {
                    assertThat(sums[k]).as("sum %s", k).isCloseTo(expected[k], within(1e-11));
                }
            }
        }
    }

    @Test
    void theHessianIsTheDerivativeOfTheGradient() {
        Dataset data = rows(50, 3, true, true, 4);
        double[] theta = theta(3, 1, 5);
        PassLayout layout = PassLayout.ofOutputs(FEATURES, 3);
        double[] matrix = new double[12 * 12];
        layout.load(sums(data, 3, PassSums.HESSIAN, theta, 1, false), 1, matrix);
        double step = 0x1p-17;
        for (int j = 0; j < 12; j++) {
            double[] after = theta.clone();
            double[] before = theta.clone();
            after[j] += step;
            before[j] -= step;
            double[] one = sums(data, 3, PassSums.GRADIENT, after, 1, false);
            double[] other = sums(data, 3, PassSums.GRADIENT, before, 1, false);
            for (int i = j; i < 12; i++) {
                double slope = (one[PassLayout.GRADIENT + i] - other[PassLayout.GRADIENT + i]) / (2 * step);
                assertThat(matrix[i * 12 + j]).isCloseTo(slope, within(1e-6));
            }
        }
    }

    /** The exact sums at a point, for the slopes as they are computed. */
    private static final class Truth {

        private final int classes;
        private BigDecimal value = BigDecimal.ZERO;
        private BigDecimal missed = BigDecimal.ZERO;
        private final BigDecimal[] gradient;

        Truth(Dataset data, int classes, double[] theta) {
            this.classes = classes;
            this.gradient = new BigDecimal[classes * FEATURES];
            Arrays.fill(gradient, BigDecimal.ZERO);
            for (int i = 0; i < data.rows(); i++) {
                add(data.picked(new int[] {i}), theta);
            }
        }

        /** As the first value of a row is 1, the gradient of a row alone has its slopes. */
        private void add(Dataset row, double[] theta) {
            double[] alone = sums(row, classes, PassSums.GRADIENT, theta, 1, false);
            double[] x = new double[FEATURES];
            row.addTo(0, 1, x);
            BigDecimal w = Exact.of(row.weight(0));
            int own = (int) row.label(0);
            BigDecimal[] margins = new BigDecimal[classes];
            BigDecimal total = BigDecimal.ZERO;
            for (int k = 0; k < classes; k++) {
                margins[k] = BigDecimal.ZERO;
                for (int c = 0; c < FEATURES; c++) {
                    margins[k] = margins[k].add(Exact.of(x[c]).multiply(Exact.of(theta[k * FEATURES + c])));
                }
                total = total.add(Exact.exp(margins[k]));
            }
            BigDecimal loss = Exact.log(total).subtract(margins[own]);
            value = value.add(w.multiply(loss));
            // The dual point: probabilities of the other classes as computed, and the rest for the row's own.
            BigDecimal rest = BigDecimal.ONE;
            BigDecimal conjugate = BigDecimal.ZERO;
            BigDecimal product = BigDecimal.ZERO;
            for (int k = 0; k < classes; k++) {
                BigDecimal slope = Exact.of(alone[PassLayout.GRADIENT + k * FEATURES]);
                BigDecimal p = slope.divide(w, DIGITS);
                if (k != own) {
                    rest = rest.subtract(p);
                    conjugate = conjugate.add(entropy(p));
                    product = product.add(p.multiply(margins[k].subtract(margins[own])));
                    for (int c = 0; c < FEATURES; c++) {
                        add(k, c, p.multiply(w).multiply(Exact.of(x[c])));
                        add(own, c, p.multiply(w).multiply(Exact.of(x[c])).negate());
                    }
                }
            }
            conjugate = conjugate.add(entropy(rest));
            missed = missed.add(w.multiply(loss.add(conjugate).subtract(product), DIGITS));
        }

        private void add(int output, int feature, BigDecimal addend) {
            int at = output * FEATURES + feature;
            gradient[at] = gradient[at].add(addend);
        }

        private static BigDecimal entropy(BigDecimal p) {
            return p.signum() <= 0 ? BigDecimal.ZERO : p.multiply(Exact.log(p), DIGITS);
        }

        double distance(double[] sums) {
            double squares = 0;
            for (int c = 0; c < gradient.length; c++) {
                double off = Exact.of(sums[PassLayout.GRADIENT + c])
                        .subtract(gradient[c])
                        .doubleValue();
                squares += off * off;
            }
            return Math.sqrt(squares);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1,2,true,1",
        "2,3,false,3",
        "3,5,true,0.1",
        "4,3,true,20",
        "5,4,false,8",
        "6,3,true,1e-9",
        "7,10,true,2"
    })
    void boundsCoverWhatRoundingDid(int seed, int classes, boolean dense, double size) {
        Dataset data = rows(40, classes, dense, true, seed);
        double[] theta = theta(classes, size, seed);
        Truth truth = new Truth(data, classes, theta);
        for (boolean tight : new boolean[] {false, true}) {
            double[] sums = sums(data, classes, PassSums.GRADIENT, theta, 1, tight);
            double loss = sums[PassLayout.LOSS];
            double tooSmall = truth.value.subtract(Exact.of(loss)).doubleValue();
            assertThat(sums[PassLayout.ERROR]).isPositive().isLessThan(1e-9);
            assertThat(tooSmall)
                    .isLessThanOrEqualTo(sums[PassLayout.ERROR] + Term.VALUE_OPERATIONS * Rounding.UNIT * loss);
            assertThat(truth.missed.doubleValue())
                    .isLessThanOrEqualTo(sums[PassLayout.SLACK] + Term.SLOPE_OPERATIONS * Rounding.UNIT * loss);
            assertThat(truth.distance(sums)).isLessThanOrEqualTo(sums[PassLayout.SPREAD]);
        }
    }

    @Test
    void everyClassHasTheSameProbabilityAtZero() {
        Family family = Family.of(new Softmax(3));
        double[] sums = sums(rows(20, 3, true, false, 1), 3, PassSums.GRADIENT, new double[12], 1, false);

        assertThat(family.valueAtZero()).hasValueCloseTo(Math.log(3), within(1e-15));
        assertThat(sums[PassLayout.LOSS]).isCloseTo(20 * Math.log(3), within(1e-13));
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 11, 13})
    void aParameterOfTheWrongLengthIsRefused(int length) {
        Dataset data = rows(20, 3, true, false, 1);
        double[] sums = new double[PassLayout.ofOutputs(FEATURES, 3).length(PassSums.GRADIENT)];

        assertThatThrownBy(() -> term(data, 3, 1).sum(PassSums.GRADIENT, new double[length], 1, true, sums))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a parameter of " + length + " numbers, expected 12");
    }

    @Test
    void aLayoutForOtherRowsIsRefused() {
        LocalProblem problem = LocalProblem.of(rows(20, 3, true, false, 1), new Softmax(3), 0);

        assertThatThrownBy(() -> Family.of(new Softmax(3)).term(problem, PassLayout.ofOutputs(FEATURES + 1, 3), 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("15 parameters for 3 classes and rows of 4 features");
    }

    @Test
    void functionsOfOneMarginAreRefusedForSeveralClasses() {
        assertThatThrownBy(() -> new Softmax(3).value(0.5, 1))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessage("the loss softmax has no value at one margin");
    }
}
