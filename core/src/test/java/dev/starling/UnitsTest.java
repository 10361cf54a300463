package dev.starling;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.certificate.Certificate;
import dev.starling.data.Dataset;
import dev.starling.loss.Logistic;
import dev.starling.loss.Losses;
import dev.starling.loss.Squared;
import dev.starling.model.LinearModel;
import dev.starling.runtime.Simulator;
import dev.starling.settings.Folds;
import dev.starling.settings.LambdaPath;
import dev.starling.support.Stored;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever units weights, targets and columns are in, models are the best ones and certificates true. */
class UnitsTest {

    private static final MathContext DIGITS = new MathContext(80);

    private static Dataset rows(double column, double target, double weight) {
        return rows(new double[] {column, column, column}, target, weight);
    }

    private static Dataset rows(double[] columns, double target, double weight) {
        Random random = new Random(5);
        double[][] x = new double[60][columns.length];
        double[] y = new double[x.length];
        double[] weights = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            for (int c = 0; c < columns.length; c++) {
                double value = random.nextGaussian();
                x[i][c] = columns[c] * value;
                y[i] += target * (c + 1) * value;
            }
            y[i] += target * (3 + random.nextGaussian());
            weights[i] = weight * (0.5 + random.nextDouble());
        }
        return Dataset.of(x, y).withWeights(weights);
    }

    /** Mean loss + (λ/2)‖θ‖² of least squares, with a free intercept or without, in 80 digits. */
    private record Exact(Dataset rows, double lambda, boolean intercept) {

        int parameters() {
            return rows.features() + (intercept ? 1 : 0);
        }

        BigDecimal value(int row, int column) {
            return column < rows.features() ? new BigDecimal(Stored.value(rows, row, column)) : BigDecimal.ONE;
        }

        BigDecimal total() {
            BigDecimal total = BigDecimal.ZERO;
            for (int i = 0; i < rows.rows(); i++) {
                total = total.add(new BigDecimal(rows.weight(i)));
            }
            return total;
        }

        BigDecimal objective(BigDecimal[] theta) {
            BigDecimal loss = BigDecimal.ZERO;
            for (int i = 0; i < rows.rows(); i++) {
                BigDecimal residual = new BigDecimal(-rows.label(i));
                for (int c = 0; c < theta.length; c++) {
                    residual = residual.add(value(i, c).multiply(theta[c]));
                }
                loss = loss.add(residual.multiply(residual).multiply(new BigDecimal(rows.weight(i))), DIGITS);
            }
            BigDecimal squares = BigDecimal.ZERO;
            for (int c = 0; c < rows.features(); c++) {
                squares = squares.add(theta[c].multiply(theta[c]), DIGITS);
            }
            return loss.divide(total(), DIGITS)
                    .add(squares.multiply(new BigDecimal(lambda)))
                    .divide(new BigDecimal(2), DIGITS);
        }

        BigDecimal objective(LinearModel model) {
            double[] theta = Arrays.copyOf(model.weights(0), parameters());
            if (intercept) {
                theta[rows.features()] = model.intercept(0);
            }
            return objective(Arrays.stream(theta).mapToObj(BigDecimal::new).toArray(BigDecimal[]::new));
        }

        /** By Gauss's elimination of the normal equations. */
        BigDecimal[] optimum() {
            int d = parameters();
            BigDecimal[][] lines = new BigDecimal[d][d + 1];
            for (int a = 0; a < d; a++) {
                Arrays.fill(lines[a], BigDecimal.ZERO);
                for (int i = 0; i < rows.rows(); i++) {
                    BigDecimal scaled = value(i, a).multiply(new BigDecimal(rows.weight(i)));
                    for (int b = 0; b < d; b++) {
                        lines[a][b] = lines[a][b].add(scaled.multiply(value(i, b)));
                    }
                    lines[a][d] = lines[a][d].add(scaled.multiply(new BigDecimal(rows.label(i))));
                }
                if (a < rows.features()) {
                    lines[a][a] = lines[a][a].add(total().multiply(new BigDecimal(lambda)));
                }
            }
            for (int k = 0; k < d; k++) {
                for (int a = 0; a < d; a++) {
                    BigDecimal factor = a == k ? BigDecimal.ZERO : lines[a][k].divide(lines[k][k], DIGITS);
                    for (int b = k; b <= d && a != k; b++) {
                        lines[a][b] = lines[a][b].subtract(factor.multiply(lines[k][b]), DIGITS);
                    }
                }
            }
            BigDecimal[] theta = new BigDecimal[d];
            Arrays.setAll(theta, k -> lines[k][d].divide(lines[k][k], DIGITS));
            return theta;
        }

        void assertProven(Fit fit) {
            BigDecimal best = objective(optimum());
            BigDecimal found = objective(fit.model());
            Certificate certificate = fit.model().provenance().certificate();
            assertThat(fit.isCertified()).as(fit.toString()).isTrue();
            assertThat(found.subtract(best)).isLessThanOrEqualTo(found.multiply(new BigDecimal(fit.gap())));
            assertThat(certificate.objective() / found.doubleValue()).isCloseTo(1, within(1e-12));
            assertThat(new BigDecimal(certificate.bound())).isLessThanOrEqualTo(best);
            assertThat(certificate.bound())
                    .as("the longest row times the intercept leaves so much")
                    .isGreaterThanOrEqualTo(certificate.dual() - certificate.error() - 1e-6 * certificate.objective());
        }
    }

    private static Trainer trainer(String loss, int nodes) {
        return Trainer.of(Losses.named(loss)).nodes(nodes).topology("complete").runner(new Simulator());
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1, 1",
        "1, 1e-15, 1",
        "1, 1e15, 1",
        "1, 1e-30, 1",
        "1, 1, 1e-25",
        "1, 1, 1e25",
        "1e-15, 1, 1",
        "1e15, 1, 1",
        "1e-15, 1e15, 1e-25",
        "1e15, 1e-15, 1e25"
    })
    void leastSquaresAreProvenInAnyUnits(double column, double target, double weight) {
        Dataset rows = rows(column, target, weight);
        for (boolean intercept : new boolean[] {false, true}) {
            for (double lambda : new double[] {0, 1e-3 * column * column}) {
                Fit fit = trainer("squared", 3)
                        .lambda(lambda)
                        .bias(0)
                        .intercept(intercept)
                        .gap(1e-10)
                        .fit(rows);
                new Exact(rows, lambda, intercept).assertProven(fit);
            }
        }
    }

    /** Where columns are not penalised, or are scaled, each has a unit of its own. */
    @ParameterizedTest
    @ValueSource(doubles = {1e-15, 1e15, 1e-40})
    void columnsOfDifferentUnitsAreAllKept(double unit) {
        Dataset rows = rows(new double[] {1, unit, 1}, 1, 1);
        Dataset ordinary = rows(new double[] {1, 1, 1}, 1, 1);

        Fit free = trainer("squared", 2).lambda(0).intercept(true).fit(rows);
        new Exact(rows, 0, true).assertProven(free);
        assertThat(free.model().provenance().exactness().aliased()).isEmpty();

        Trainer scaled = trainer("squared", 2)
                .lambda(1e-3)
                .intercept(true)
                .standardize(true)
                .gap(1e-12);
        double[] weights = scaled.fit(rows).model().weights(0);
        double[] expected = scaled.fit(ordinary).model().weights(0);
        weights[1] *= unit;
        assertThat(weights).containsExactly(expected, within(1e-9));
    }

    @Test
    void ordinaryColumnsBesideALargeOneCountToo() {
        Dataset rows = rows(new double[] {1, 1e15, 1}, 1, 1);
        new Exact(rows, 1e-3, true)
                .assertProven(trainer("squared", 2).lambda(1e-3).intercept(true).fit(rows));
    }

    @ParameterizedTest
    @CsvSource({
        "absolute, absolute, 1",
        "quantile(0.25), quantile(0.25), 1",
        "epsilon-insensitive(0.5), epsilon-insensitive(4.440892098500626E-16), 1",
        "squared-epsilon-insensitive(0.5), squared-epsilon-insensitive(4.440892098500626E-16), 2",
        "huber(0.5), huber(4.440892098500626E-16), 2"
    })
    void targetsMayHaveAnyUnitWithEveryLoss(String loss, String small, int degree) {
        double unit = 0x1p-50;
        double factor = degree == 2 ? unit * unit : unit;
        Fit usual = trainer(loss, 2).lambda(1e-2).gap(1e-8).fit(rows(1, 1, 1));
        Fit fit = trainer(small, 2)
                .lambda(1e-2 * factor / (unit * unit))
                .gap(1e-8)
                .fit(rows(1, unit, 1));

        assertThat(fit.isCertified()).isTrue();
        assertThat(fit.objective()).isCloseTo(factor * usual.objective(), within(2e-8 * factor * usual.objective()));
        assertThat(fit.model().provenance().settings()).containsEntry("loss", small);
    }

    @ParameterizedTest
    @ValueSource(doubles = {1e-300, 1e-25, 1e25, 1e300})
    void theUnitOfWeightsDoesNotMatter(double weight) {
        Dataset rows = rows(1, 1, 1);
        double[] labels = Arrays.stream(rows.labels()).map(y -> y > 3 ? 1 : 0).toArray();
        double[] heavy = new double[rows.rows()];
        Arrays.fill(heavy, weight);
        Trainer trainer = Trainer.of(new Logistic())
                .lambda(1e-3)
                .gap(1e-10)
                .nodes(3)
                .topology("line")
                .runner(new Simulator());

        Fit fit = trainer.fit(rows.withLabels(labels).withWeights(heavy));
        Fit usual = trainer.fit(Dataset.of(values(rows), labels));

        assertThat(fit.isCertified()).isTrue();
        assertThat(fit.objective()).isCloseTo(usual.objective(), within(1e-10));
        assertThat(fit.model().weights(0)).containsExactly(usual.model().weights(0), within(1e-4));

        double ofClass = Math.max(1e-60, Math.min(1e45, weight));
        Fit byClass = trainer.classWeights(Map.of(0.0, ofClass, 1.0, ofClass)).fit(Dataset.of(values(rows), labels));
        assertThat(byClass.objective()).isCloseTo(usual.objective(), within(1e-10));
    }

    private static double[][] values(Dataset rows) {
        double[][] values = new double[rows.rows()][];
        Arrays.setAll(values, i -> Stored.values(rows, i));
        return values;
    }

    /** A path that is computed from the data, and what cross-validation says of it, have the units of the data. */
    @Test
    void pathsAndFoldsAreInTheUnitsOfTheData() {
        double unit = 0x1p-60;
        Trainer trainer = trainer("squared", 2)
                .intercept(true)
                .lambdaPath(LambdaPath.of(4).l1Ratios(1))
                .crossValidation(Folds.sites());
        Fit usual = trainer.fit(rows(1, 1, 1));
        Fit fit = trainer.fit(rows(1, unit, 1));

        assertThat(fit.isCertified()).isTrue();
        for (int k = 0; k < 4; k++) {
            var line = fit.validation().orElseThrow().lines().get(k);
            var expected = usual.validation().orElseThrow().lines().get(k);
            assertThat(line.l1() / unit).isCloseTo(expected.l1(), within(1e-12 * expected.l1()));
            assertThat(line.loss().mean() / unit / unit)
                    .isCloseTo(
                            expected.loss().mean(),
                            within(1e-4 * expected.loss().mean()));
        }
    }

    @Test
    void refusesTargetsTooSmallToProveAnythingAndNumbersThatNoUnitSuits() {
        assertThatRefused(() -> Trainer.of(new Squared()).fit(rows(1, 1e-60, 1)))
                .hasMessageContaining("target is about 1e-59, too small for anything to be proven");
        assertThatRefused(() -> Trainer.of(new Squared()).lambda(0).fit(rows(new double[] {1, 1e-120, 1}, 1, 1)))
                .hasMessageContaining("the largest number of feature 2 is about 1e-120");
        double[] weights = new double[60];
        Arrays.fill(weights, 1e-300);
        weights[0] = 1e300;
        assertThatRefused(() -> Trainer.of(new Squared()).fit(rows(1, 1, 1).withWeights(weights)))
                .hasMessageContaining("a weight is 1.0E-300, so far from the largest one");
    }
}
