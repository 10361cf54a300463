package dev.starling.objective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.Dataset;
import dev.starling.loss.Logistic;
import dev.starling.loss.Loss;
import dev.starling.loss.Squared;
import dev.starling.node.SumWords;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.RefinedMargin;
import dev.starling.problem.Rounding;
import java.math.BigDecimal;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The sums that a proof by curvature is made of, row by row and by their definitions. */
class ProofPassTest {

    private static final PassLayout LAYOUT = new PassLayout(3, false);
    private static final double[] THETA = {0.4, -0.3, 0.7};

    /** Of which every entry is another number, so that none can stand for another. */
    private static final ProofBasis BASIS = new ProofBasis(
            new double[] {0.5, 0, 0, -0.7, 1.1, 0, -0.2, 0.3, 0.6}, new double[] {0.5, 2, 0.25}, 3, 10, true, 0);

    /** More rows than are taken at a time. */
    private static Dataset rows(Loss loss, int rows, boolean dense, boolean weighted) {
        return RandomRows.of(loss, rows, 3, dense, weighted, 8);
    }

    private static double[] sums(LocalProblem problem, ProofBasis basis, double[] theta) {
        double[] sums = new double[LAYOUT.length(PassSums.PROOF)];
        Arrays.fill(sums, 99);
        new ProofPass(problem, LAYOUT).sum(theta, basis, sums);
        return sums;
    }

    private static double[] row(Dataset data, int row) {
        double[] x = new double[3];
        data.addTo(row, 1, x);
        return x;
    }

    @ParameterizedTest
    @CsvSource({"10,true,false", "10,false,true", "300,true,true", "513,false,false"})
    void addsUpWhatItSaysForEveryRow(int rows, boolean dense, boolean weighted) {
        Loss loss = new Logistic();
        Dataset data = rows(loss, rows, dense, weighted);
        double[] gradient = new double[3];
        double losses = 0;
        double weights = 0;
        double distances = 0;
        double scaledErrors = 0;
        double squaredErrors = 0;
        double leverages = 0;
        double errors = 0;
        for (int i = 0; i < rows; i++) {
            double[] x = row(data, i);
            double margin = x[0] * THETA[0] + x[1] * THETA[1] + x[2] * THETA[2];
            double slope = data.weight(i) * loss.derivative(margin, data.label(i));
            losses += data.weight(i) * loss.value(margin, data.label(i));
            weights += data.weight(i);
            double distance =
                    RefinedMargin.of(data, i, THETA).distance() + 4 * Rounding.UNIT * loss.labelSize(data.label(i));
            double scaled = Math.sqrt(x[0] * x[0] / 4 + 4 * x[1] * x[1] + x[2] * x[2] / 16);
            double first = 0.5 * x[0];
            double second = -0.7 * x[0] + 1.1 * x[1];
            double third = -0.2 * x[0] + 0.3 * x[1] + 0.6 * x[2];
            leverages += Math.pow((first * first + second * second + third * third) / 10, 8);
            distances += distance;
            errors += (Math.abs(slope) + data.weight(i) * distance / 4) * distance;
            // A slope is good to a few units, of which the last is not told; sums of split products lose next to
            // nothing.
            double own = data.weight(i) * distance / 4 / Rounding.UNIT + 24 * Math.abs(slope);
            squaredErrors += own * own / (data.weight(i) * loss.curvature(margin, data.label(i)));
            scaledErrors += 2 * Rounding.UNIT * Rounding.UNIT * rows * (rows + 24) * Math.abs(slope) * scaled;
            for (int c = 0; c < 3; c++) {
                gradient[c] += slope * x[c];
            }
        }

        double[] sums = sums(LocalProblem.of(data, loss, 0), BASIS, THETA);

        assertThat(sums[PassLayout.LOSS]).isCloseTo(losses, within(1e-11));
        assertThat(sums[PassLayout.WEIGHT]).isCloseTo(weights, within(1e-11));
        for (int c = 0; c < 3; c++) {
            assertThat(sums[PassLayout.GRADIENT + c]).isCloseTo(gradient[c], within(1e-11));
        }
        int proof = LAYOUT.proof();
        assertIsLittleMore(sums[proof + PassLayout.DISTANCES], distances);
        double ofTotals = Rounding.UNIT
                * (0.5 * Math.abs(gradient[0]) + 2 * Math.abs(gradient[1]) + 0.25 * Math.abs(gradient[2]));
        assertThat(sums[proof + PassLayout.SCALED_ERROR])
                .isBetween(scaledErrors + 0.99 * ofTotals, scaledErrors + 1.01 * ofTotals + 1e-27);
        assertThat(sums[proof + PassLayout.SQUARED_ERROR] / squaredErrors).isCloseTo(1, within(1e-5));
        assertIsLittleMore(sums[proof + PassLayout.LEVERAGES], leverages);
        assertIsLittleMore(sums[PassLayout.ERROR], errors);
    }

    private static void assertIsLittleMore(double bound, double expected) {
        assertThat(bound).isBetween(expected * (1 - 1e-12), expected * (1 + 1e-5));
    }

    /** Squares at 0 have the slopes −y: 2⁶⁰ comes and goes, and what comes between would be lost. */
    @Test
    void theGradientIsAsExactAsItGets() {
        int rows = 400;
        double[][] values = new double[rows][3];
        double[] labels = new double[rows];
        BigDecimal exact = BigDecimal.ZERO;
        for (int i = 0; i < rows; i++) {
            values[i][1] = 1;
            labels[i] = i == 7 ? 0x1p60 : i == 390 ? -0x1p60 : 0.1 * i;
            exact = exact.subtract(new BigDecimal(labels[i]));
        }

        double[] sums = sums(LocalProblem.of(Dataset.of(values, labels), new Squared(), 0), BASIS, new double[3]);

        assertThat(sums[PassLayout.GRADIENT + 1]).isCloseTo(exact.doubleValue(), within(1e-9));
    }

    /** ‖Xx‖ is computed with X as it is, which may be wrong by rounding, and that the more the longer X is. */
    @Test
    void leveragesAreTakenToBeAsLongAsRoundingMayHideThatTheyAre() {
        Dataset data = Dataset.of(new double[][] {{1, 0, 0}}, new double[] {1});
        double[] identity = {1, 0, 0, 0, 1, 0, 0, 0, 1};
        ProofBasis basis = new ProofBasis(identity, new double[] {1, 1, 1}, 0x1p47, 1, true, 0);

        double[] sums = sums(LocalProblem.of(data, new Logistic(), 0), basis, new double[3]);

        // One rounding for each feature takes 3/64 from it or adds as much; a hundred would be too many.
        assertThat(sums[LAYOUT.proof() + PassLayout.LEVERAGES])
                .isBetween(Math.pow(1 + 3.0 / 64, 16), Math.pow(1 + 100.0 / 64, 16));
    }

    /** The scales of the three features are 1/2, 2 and 1/4. */
    @Test
    void theWordsThatNumbersAreAddedUpAsAreRoundedTo() {
        Dataset nothing = Dataset.of(new double[][] {{0, 0, 0}}, new double[] {0});

        double[] sums = sums(LocalProblem.of(nothing, new Squared(), 0), BASIS, new double[3]);

        assertThat(sums[LAYOUT.proof() + PassLayout.SCALED_ERROR])
                .isBetween(2.75 * SumWords.ROUNDING, 2.75 * SumWords.ROUNDING + 2 * SumWords.ROUNDING);
        assertThat(sums[PassLayout.ERROR]).isBetween(SumWords.ROUNDING, 2 * SumWords.ROUNDING);
        assertThat(sums[LAYOUT.proof() + PassLayout.DISTANCES]).isZero();
    }

    /** A margin of 2⁶⁰ whose slope is none: what is left is the curvature, 1/4 at the most. */
    @Test
    void whereMarginsAreFarOffTheLossMayBendOnTheWay() {
        Dataset data = Dataset.of(new double[][] {{1, 0, 0}}, new double[] {1});
        double[] theta = {0x1p60, 0, 0};

        double[] sums = sums(LocalProblem.of(data, new Logistic(), 0), BASIS, theta);

        double distance = RefinedMargin.of(data, 0, theta).distance();
        assertThat(distance).isGreaterThan(100);
        assertThat(sums[PassLayout.ERROR]).isCloseTo(distance * distance / 4, within(1e-6));
    }
}
