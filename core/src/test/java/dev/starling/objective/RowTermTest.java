package dev.starling.objective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.Dataset;
import dev.starling.loss.Logistic;
import dev.starling.loss.Loss;
import dev.starling.loss.Squared;
import dev.starling.node.SumWords;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Rounding;
import java.math.BigDecimal;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The sums of a pass, row by row and by their definitions. */
class RowTermTest {

    private static final Loss LOGISTIC = new Logistic();
    private static final double[] THETA = {0.4, -0.3, 0.7, 0.2};
    private static final int FEATURES = 4;

    /** Whose last column is 1 in every row. */
    private static Dataset rows(int rows, boolean dense, boolean weighted) {
        return RandomRows.of(LOGISTIC, rows, FEATURES - 1, dense, weighted, 8).withBias(1);
    }

    private static double[] row(Dataset data, int row) {
        double[] x = new double[data.features()];
        data.addTo(row, 1, x);
        return x;
    }

    private static double[] sums(
            LocalProblem problem, PassLayout layout, PassSums order, double[] theta, int every, boolean tight) {
        double[] sums = new double[layout.length(order)];
        Arrays.fill(sums, 99);
        new RowTerm(problem, layout, Term.FEWEST_ROWS).sum(order, theta, every, tight, sums);
        return sums;
    }

    /** All sums over some of the rows but for what is about rounding, by definition. */
    private static double[] expected(Dataset data, Loss loss, PassLayout layout, PassSums order, int stride) {
        double[] sums = new double[layout.length(order)];
        int d = layout.parameters();
        for (int i = 0; i < data.rows(); i += stride) {
            double[] x = row(data, i);
            double margin = data.offset(i);
            for (int c = 0; c < d; c++) {
                margin += x[c] * THETA[c];
            }
            double weight = data.weight(i);
            double slope = weight * loss.derivative(margin, data.label(i));
            double curvature = weight * loss.curvature(margin, data.label(i));
            sums[PassLayout.LOSS] += weight * loss.value(margin, data.label(i));
            sums[PassLayout.WEIGHT] += weight;
            int at = layout.hessian();
            for (int c = 0; c < d; c++) {
                sums[PassLayout.GRADIENT + c] += slope * x[c];
                if (layout.intercept()) {
                    sums[layout.rising() + c] += Math.max(0, slope) * x[c];
                }
                if (order == PassSums.DIAGONAL) {
                    sums[at++] += curvature * x[c] * x[c];
                }
                for (int b = 0; order == PassSums.HESSIAN && b <= c; b++) {
                    sums[at++] += curvature * x[c] * x[b];
                }
            }
        }
        return sums;
    }

    private static void assertSumsAre(double[] sums, double[] expected, PassLayout layout, double scale) {
        for (int k = PassLayout.LOSS; k < expected.length; k++) {
            boolean rounding = k == PassLayout.ERROR || k == PassLayout.SLACK || k == PassLayout.SPREAD;
            if (!rounding && !(layout.intercept() && k == layout.risingSpread())) {
                assertThat(sums[k]).isCloseTo(scale * expected[k], within(1e-11));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "10,true,false,GRADIENT", "10,false,true,HESSIAN", "256,true,true,HESSIAN", "300,true,true,HESSIAN",
        "513,false,false,HESSIAN", "300,true,false,DIAGONAL", "300,false,true,DIAGONAL", "513,false,false,GRADIENT"
    })
    void addsUpWhatItSaysForEveryRow(int rows, boolean dense, boolean weighted, PassSums order) {
        Dataset data = rows(rows, dense, weighted);
        for (boolean intercept : new boolean[] {false, true}) {
            PassLayout layout = new PassLayout(FEATURES, intercept);
            for (boolean tight : new boolean[] {false, true}) {
                double[] sums = sums(LocalProblem.of(data, LOGISTIC, 0), layout, order, THETA, 1, tight);

                assertSumsAre(sums, expected(data, LOGISTIC, layout, order, 1), layout, 1);
            }
        }
    }

    /** Of fewer than fifty rows a sum would tell too much about each, so that more are taken, which count less. */
    @ParameterizedTest
    @CsvSource({"400,8,8,50", "399,8,1,399", "1001,8,8,126", "1001,64,8,126", "3200,64,64,50", "300,64,1,300"})
    void aNodeWithFewRowsTakesMoreOfThem(int rows, int every, int stride, int visits) {
        Dataset data = rows(rows, true, true);
        LocalProblem problem = LocalProblem.of(data, LOGISTIC, 0);
        PassLayout layout = new PassLayout(FEATURES, true);
        Term pass = new RowTerm(problem, layout, Term.FEWEST_ROWS);

        assertThat(new Strides(rows, Term.FEWEST_ROWS).own(every)).isEqualTo(stride);
        assertThat(pass.visits(every)).isEqualTo(visits);
        assertThat(pass.visits(1)).isEqualTo(rows);
        assertSumsAre(
                sums(problem, layout, PassSums.HESSIAN, THETA, every, false),
                expected(data, LOGISTIC, layout, PassSums.HESSIAN, stride),
                layout,
                (double) stride / every);
    }

    @Test
    void refusesAParameterOfAnotherLength() {
        LocalProblem problem = LocalProblem.of(rows(60, true, false), LOGISTIC, 0);
        PassLayout layout = new PassLayout(FEATURES, false);
        Term term = new RowTerm(problem, layout, Term.FEWEST_ROWS);
        double[] sums = new double[layout.length(PassSums.PROOF)];
        double[] twoBlocks = new double[2 * FEATURES];
        PassLayout longer = PassLayout.ofOutputs(FEATURES, 2);

        assertThatThrownBy(() -> term.sum(PassSums.GRADIENT, twoBlocks, 1, false, sums))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a parameter of 8 numbers, expected 4");
        assertThatThrownBy(() -> term.prove(twoBlocks, null, sums)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> problem.margin(0, twoBlocks))
                .hasMessageContaining("a vector of 8 numbers for rows of 4 features");
        assertThatThrownBy(() -> Rounding.ofMargin(problem, 0, twoBlocks)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new RowTerm(problem, longer, Term.FEWEST_ROWS))
                .hasMessage("8 parameters for rows of 4 features");
    }

    /** At 0 the slopes of squares are the labels, so that nothing but the sum is rounded. */
    @ParameterizedTest
    @EnumSource(names = {"GRADIENT", "HESSIAN"})
    void theGradientIsNoFurtherFromTheExactOneThanItsSpread(PassSums order) {
        int rows = 500;
        double[][] values = new double[rows][3];
        double[] labels = new double[rows];
        BigDecimal[] exact = {BigDecimal.ZERO, BigDecimal.ZERO, BigDecimal.ZERO};
        for (int i = 0; i < rows; i++) {
            labels[i] = (i % 7 - 3) * Math.pow(10, i % 11) / 3;
            for (int c = 0; c < 3; c++) {
                values[i][c] = (float) ((i * (c + 3) % 13 - 6) / 7.0);
                exact[c] = exact[c].subtract(new BigDecimal(values[i][c]).multiply(new BigDecimal(labels[i])));
            }
        }
        LocalProblem problem = LocalProblem.of(Dataset.of(values, labels), new Squared(), 0);
        for (boolean tight : new boolean[] {false, true}) {
            double[] sums = sums(problem, new PassLayout(3, false), order, new double[3], 1, tight);

            double squares = 0;
            for (int c = 0; c < 3; c++) {
                double off = new BigDecimal(sums[PassLayout.GRADIENT + c])
                        .subtract(exact[c])
                        .doubleValue();
                squares += off * off;
            }
            assertThat(Math.sqrt(squares)).isPositive().isLessThan(sums[PassLayout.SPREAD]);
        }
    }

    /**
     * Numbers are added up as words, each of which is rounded once; of nine of them that makes three, and of none 0.
     */
    @Test
    void wordsAreRoundedToo() {
        double[] row = new double[9];
        row[4] = 0x1p-60;
        PassLayout layout = new PassLayout(9, true);
        double words = 3 * SumWords.ROUNDING;

        double[] sums = atZero(row, 0x1p-60, layout);

        assertThat(sums[PassLayout.SPREAD]).isBetween(words, words + 2 * SumWords.ROUNDING);
        assertThat(sums[layout.risingSpread()]).isBetween(words, words + 2 * SumWords.ROUNDING);
        assertThat(sums[PassLayout.ERROR]).isBetween(SumWords.ROUNDING, 4 * SumWords.ROUNDING);
        assertThat(sums[PassLayout.SPREAD] * 0x1p96).isEqualTo(Math.rint(sums[PassLayout.SPREAD] * 0x1p96));

        double[] nothing = atZero(new double[9], 0, new PassLayout(9, false));
        assertThat(nothing[PassLayout.SPREAD]).isZero();
        assertThat(nothing[PassLayout.ERROR]).isZero();
    }

    private static double[] atZero(double[] row, double label, PassLayout layout) {
        Dataset data = Dataset.of(new double[][] {row}, new double[] {label});
        double[] theta = new double[row.length];
        return sums(LocalProblem.of(data, new Squared(), 0), layout, PassSums.GRADIENT, theta, 1, false);
    }

    /** A margin of 2⁶⁰ whose slope is none: what is left is the curvature, 1/4 at the most. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whereMarginsAreFarOffTheLossMayBendOnTheWay(boolean tight) {
        Dataset data = Dataset.of(new double[][] {{1, 0, 0, 0}}, new double[] {1});
        double[] theta = {0x1p60, 0, 0, 0};

        double[] sums =
                sums(LocalProblem.of(data, LOGISTIC, 0), new PassLayout(4, false), PassSums.GRADIENT, theta, 1, tight);

        double distance = Rounding.ofMargin(LocalProblem.of(data, LOGISTIC, 0), 0, theta);
        assertThat(distance).isGreaterThan(100);
        assertThat(sums[PassLayout.ERROR]).isBetween(distance * distance / 4, distance * distance * 1.1);
        assertThat(sums[PassLayout.SLACK]).isBetween(distance * distance / 4, distance * distance * 1.1);
    }
}
