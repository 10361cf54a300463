package dev.starling;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.Dataset;
import dev.starling.evaluation.Evaluation;
import dev.starling.evaluation.NumberMeasures;
import dev.starling.loss.NegativeBinomial;
import dev.starling.loss.Poisson;
import dev.starling.model.LinearModel;
import dev.starling.settings.Folds;
import dev.starling.settings.LambdaPath;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Counts, trained with the Poisson loss, beside optima that were found in other ways. */
@Timeout(120)
class CountsTest {

    /** Breaks of yarn by wool and tension, nine looms each: R's warpbreaks. */
    private static final double[][] BREAKS = {
        {26, 30, 54, 25, 70, 52, 51, 26, 67},
        {18, 21, 29, 17, 12, 18, 35, 30, 36},
        {36, 21, 24, 18, 10, 43, 28, 15, 26},
        {27, 14, 29, 19, 29, 31, 41, 20, 44},
        {42, 26, 19, 16, 39, 28, 21, 39, 29},
        {20, 21, 24, 17, 13, 15, 15, 16, 28}
    };

    /** Wool B, tension M, tension H, and their products: one number for each cell of the table. */
    private static Dataset breaks() {
        double[][] x = new double[54][];
        double[] y = new double[54];
        for (int i = 0; i < 54; i++) {
            double wool = i < 27 ? 0 : 1;
            double medium = i / 9 % 3 == 1 ? 1 : 0;
            double high = i / 9 % 3 == 2 ? 1 : 0;
            x[i] = new double[] {wool, medium, high, wool * medium, wool * high};
            y[i] = BREAKS[i / 9][i % 9];
        }
        return Dataset.of(x, y);
    }

    private static Dataset generated(int rows, int features, long seed) {
        Random random = new Random(seed);
        double[][] x = new double[rows][features];
        double[] y = new double[rows];
        for (int i = 0; i < rows; i++) {
            Arrays.setAll(x[i], c -> random.nextGaussian());
            double mean = Math.exp(0.8 + 0.5 * x[i][0] - 0.3 * x[i][1]);
            double rest = Math.exp(-mean);
            for (double u = random.nextDouble(); u > rest && y[i] < 200; y[i]++) {
                u -= rest;
                rest *= mean / (y[i] + 1);
            }
        }
        return Dataset.of(x, y);
    }

    private static Trainer trainer() {
        return Trainer.of(new Poisson());
    }

    /** The values of R's glm, to 20 digits: with a parameter for each cell, each mean is that of its cell. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void estimatesWithoutARegulariserAreThoseOfR(int nodes) {
        Fit fit = trainer().lambda(0).intercept(true).nodes(nodes).gap(1e-12).fit(breaks());

        assertThat(fit.isCertified()).isTrue();
        assertThat(fit.model().intercept(0)).isCloseTo(3.7967368499703498, within(1e-13));
        assertThat(fit.model().weights(0))
                .containsExactly(
                        new double[] {
                            -0.45662716028803263,
                            -0.6186830196224041,
                            -0.5957987257888163,
                            0.6381768143034053,
                            0.18836317369335326
                        },
                        within(1e-13));
        // Twice the sum of the losses is R's deviance.
        assertThat(2 * 54 * fit.objective()).isCloseTo(182.30513128584676, within(1e-11));
        assertThat(fit.model().provenance().exactness().standardErrors()).isLessThan(1e-8);
        for (int cell = 0; cell < 6; cell++) {
            double mean = Arrays.stream(BREAKS[cell]).average().orElseThrow();
            assertThat(fit.model().predict(breaks(), 9 * cell)).isCloseTo(mean, within(1e-11 * mean));
        }
    }

    /** The objective and its gradient by their definitions. */
    private static double objective(Dataset data, LinearModel model, double lambda, double l1, double[] gradient) {
        double sum = 0;
        Arrays.fill(gradient, 0);
        for (int i = 0; i < data.rows(); i++) {
            double score = model.score(data, i, 0);
            double y = data.label(i);
            sum += Math.exp(score) - y - y * (score - (y == 0 ? 0 : Math.log(y)));
            data.addTo(i, (Math.exp(score) - y) / data.rows(), gradient);
        }
        double penalty = 0;
        for (int c = 0; c < gradient.length; c++) {
            double w = model.weights(0)[c];
            gradient[c] += lambda * w;
            penalty += lambda / 2 * w * w + l1 * Math.abs(w);
        }
        return sum / data.rows() + penalty;
    }

    @ParameterizedTest
    @CsvSource({"true,1,4", "false,4,4", "true,3,4", "false,2,40"})
    void aRidgeEndsWhereTheGradientIsZero(boolean intercept, int nodes, int features) {
        Dataset data = generated(400, features, 5);
        double lambda = 1e-2;
        Fit fit = trainer()
                .lambda(lambda)
                .intercept(intercept)
                .nodes(nodes)
                .gap(1e-12)
                .fit(data);

        double[] gradient = new double[features];
        double objective = objective(data, fit.model(), lambda, 0, gradient);
        assertThat(fit.isCertified()).isTrue();
        assertThat(fit.objective()).isCloseTo(objective, within(1e-13 * objective));
        assertThat(Arrays.stream(gradient).map(Math::abs).max().orElseThrow()).isLessThan(1e-6);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 1e-3})
    void anElasticNetMeetsTheConditionsOfItsOptimum(double lambda) {
        Dataset data = generated(300, 8, 6);
        double l1 = 0.08;
        Fit fit = trainer()
                .lambda(lambda)
                .l1(l1)
                .intercept(true)
                .nodes(3)
                .gap(1e-10)
                .fit(data);

        double[] gradient = new double[8];
        double objective = objective(data, fit.model(), lambda, l1, gradient);
        assertThat(fit.isCertified()).isTrue();
        assertThat(fit.objective()).isCloseTo(objective, within(1e-12 * objective));
        assertThat(fit.model().nonZeros()).isBetween(2, 7);
        for (int c = 0; c < 8; c++) {
            double weight = fit.model().weights(0)[c];
            double expected = weight == 0 ? Math.max(-l1, Math.min(l1, -gradient[c])) : l1 * Math.signum(weight);
            assertThat(-gradient[c]).as("feature %s", c).isCloseTo(expected, within(1e-4));
        }
    }

    /** A fit to offsets that are the scores of another fit has nothing left to explain. */
    @Test
    void offsetsAreLogarithmsOfExposures() {
        Dataset data = generated(400, 2, 8);
        Fit plain = trainer().lambda(0).intercept(true).nodes(2).gap(1e-12).fit(data);
        double[] offsets = new double[data.rows()];
        Arrays.setAll(offsets, i -> plain.model().score(data, i, 0));

        Fit again = trainer().lambda(0).intercept(true).nodes(2).gap(1e-12).fit(data.withOffsets(offsets));

        assertThat(again.model().intercept(0)).isCloseTo(0, within(1e-10));
        assertThat(again.model().weights(0)).containsExactly(new double[2], within(1e-10));
    }

    /** Rows of one level have only zeros, so that its weight would fall for ever. */
    @Test
    void aLevelWithoutASingleEventHasNoEstimate() {
        Dataset all = breaks();
        double[] counts = all.labels().clone();
        Arrays.fill(counts, 45, 54, 0);

        assertThatRefused(() -> trainer().lambda(0).intercept(true).nodes(2).fit(all.withLabels(counts)))
                .hasMessageContaining("by feature 5; leave it out, or give lambda a positive value");
    }

    @Test
    void aPathStartsWhereNoFeatureIsWorthItsPrice() {
        Dataset data = generated(300, 5, 9);
        Fit fit = trainer()
                .intercept(true)
                .lambdaPath(LambdaPath.of(10).l1Ratios(0.9))
                .crossValidation(Folds.of(3))
                .nodes(2)
                .gap(1e-8)
                .fit(data);

        LinearModel first = fit.model().path().get(0);
        double mean = Arrays.stream(data.labels()).average().orElseThrow();
        assertThat(first.nonZeros()).isZero();
        assertThat(first.predict(data, 0)).isCloseTo(mean, within(1e-3 * mean));
        assertThat(fit.isCertified()).isTrue();
    }

    @Test
    void standardisingLeavesCountsAlone() {
        Dataset data = generated(300, 3, 10);
        Fit raw = trainer().lambda(0).intercept(true).nodes(2).gap(1e-12).fit(data);
        Fit scaled = trainer()
                .lambda(0)
                .intercept(true)
                .nodes(2)
                .gap(1e-12)
                .standardize(true)
                .fit(data);

        assertThat(scaled.model().weights(0)).containsExactly(raw.model().weights(0), within(1e-6));
        assertThat(scaled.objective()).isCloseTo(raw.objective(), within(1e-9));
    }

    @Test
    void measuresAreThoseOfPredictedMeans(@TempDir Path folder) {
        Dataset data = generated(300, 3, 11);
        LinearModel model =
                trainer().lambda(1e-4).intercept(true).nodes(1).fit(data).model();
        model.save(folder.resolve("model.json"));
        LinearModel read = LinearModel.load(folder.resolve("model.json"));
        NumberMeasures measures = (NumberMeasures) Evaluation.of(read, data);
        double squares = 0;
        for (int i = 0; i < data.rows(); i++) {
            double error = Math.exp(read.score(data, i, 0)) - data.label(i);
            squares += error * error;
        }

        assertThat(measures.rmse()).isCloseTo(Math.sqrt(squares / data.rows()), within(1e-12));
        assertThat(measures.r2()).isPositive();
        assertThat(read.predict(data, 3)).isCloseTo(Math.exp(read.score(data, 3, 0)), within(1e-13));
    }

    /** The curvature of a negative binomial is bounded for each label, which is all that a step on a row needs. */
    @ParameterizedTest
    @CsvSource({"1, 0.7", "3, 0.7", "9, 40"})
    void adfsTakesNegativeBinomialCounts(int nodes, double size) {
        Dataset data = generated(240, 4, 12);
        Trainer trainer =
                Trainer.of(new NegativeBinomial(size)).lambda(1e-2).nodes(nodes).bias(1);
        Fit newton = trainer.method("newton").gap(1e-12).fit(data);
        Fit adfs = trainer.method("adfs").gap(1e-8).fit(data);

        assertThat(adfs.model().provenance().certified()).isTrue();
        assertThat(adfs.objective()).isBetween(newton.objective() * (1 - 1e-12), newton.objective() * (1 + 1e-8));
        assertThat(adfs.model().weights(0)).containsExactly(newton.model().weights(0), within(1e-3));
    }

    @Test
    void adfsWithKinksSaysWhyItTakesNoNegativeBinomial() {
        assertThatRefused(() -> Trainer.of(new NegativeBinomial(2))
                        .lambda(1e-2)
                        .method("ns-adfs")
                        .fit(breaks()))
                .hasMessageContaining("needs a bound on the curvature of the loss");
    }

    @ParameterizedTest
    @ValueSource(strings = {"adfs", "ns-adfs", "multipliers"})
    void methodsThatCannotTakeCountsSayWhy(String method) {
        assertThatRefused(() -> trainer().lambda(1e-2).method(method).fit(breaks()))
                .hasMessageContaining(
                        method.equals("multipliers")
                                ? "not piecewise linear; newton can"
                                : "needs a bound on the curvature of the loss, and that of poisson has none; newton can do without");
    }

    @ParameterizedTest
    @CsvSource({"-1", "0.5"})
    void labelsThatAreNoCountsAreRefusedByRow(double label) {
        Dataset data = breaks();
        double[] labels = data.labels().clone();
        labels[6] = label;

        assertThatRefused(() -> trainer().lambda(1e-2).nodes(3).fit(data.withLabels(labels)))
                .hasMessageContaining("row 7 has the label " + label + "; the loss poisson takes a count");
    }
}
