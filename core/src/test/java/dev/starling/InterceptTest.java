package dev.starling;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.loss.Hinge;
import dev.starling.loss.Logistic;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.loss.Softmax;
import dev.starling.loss.Squared;
import dev.starling.runtime.Simulator;
import dev.starling.settings.Scaling;
import dev.starling.settings.Setting;
import dev.starling.support.Stored;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An intercept that is not regularised: the optimum and the proof of it. */
@Timeout(120)
class InterceptTest {

    private static final double LAMBDA = 1e-2;

    static Stream<String> smoothRegressionLosses() {
        return Losses.names().stream()
                .map(Losses::named)
                .filter(loss -> loss.hasBoundedCurvature() && loss.domain().isScalable())
                .map(Loss::name);
    }

    /** Rows that an intercept of 0 does not suit: far from zero, and of classes or targets that are not balanced. */
    private static Dataset rows(Loss loss, int count, int features, int seed) {
        Random random = new Random(seed);
        double[][] x = new double[count][features];
        double[] y = new double[count];
        for (int i = 0; i < count; i++) {
            Arrays.setAll(x[i], c -> 3 + random.nextGaussian() / (c + 1));
            double score = 4 * (x[i][0] - 3) - 2 + random.nextGaussian();
            y[i] = loss.isClassification() ? (score > 0 ? 1 : -1) : score;
        }
        return Dataset.of(x, y);
    }

    /** Moving all values of a feature changes the intercept and nothing else. */
    @Test
    void theWeightsDoNotDependOnWhereFeaturesAreCentred() {
        Dataset data = rows(new Logistic(), 300, 4, 1);
        double[][] moved = new double[300][4];
        for (int i = 0; i < 300; i++) {
            for (int c = 0; c < 4; c++) {
                moved[i][c] = Stored.value(data, i, c) - (c == 1 ? 2.5 : 0);
            }
        }
        Trainer trainer = Trainer.logistic().lambda(LAMBDA).intercept(true).gap(1e-12);

        Fit here = trainer.fit(data);
        Fit there = trainer.fit(Dataset.of(moved, data.labels()));

        assertThat(there.model().weights(0)).containsExactly(here.model().weights(0), within(1e-6));
        assertThat(there.model().intercept(0))
                .isCloseTo(here.model().intercept(0) + 2.5 * here.model().weight(0, 1), within(1e-5));
    }

    /** Sparse rows are scaled but not centred; with a free intercept that is the same problem. */
    @Test
    void sparseRowsAreStandardisedAsDenseOnes() {
        Dataset sparse = Generator.regression(400, 12).density(0.3).seed(5).generate();
        Trainer trainer =
                Trainer.of(new Squared()).lambda(LAMBDA).intercept(true).gap(1e-12);
        Dataset scaled = dev.starling.data.Standardizer.centred(dev.starling.data.Moments.of(sparse))
                .withTarget()
                .apply(sparse);

        Fit uncentred = trainer.scaling(Scaling.STANDARDIZE).fit(sparse);
        Fit centred = trainer.fit(scaled);

        assertThat(uncentred.objective()).isCloseTo(centred.objective(), within(1e-6 * centred.objective()));
    }

    /** Losses that are lines so far out have no curvature there to step by. */
    @ParameterizedTest
    @MethodSource("smoothRegressionLosses")
    void shiftingTheTargetShiftsOnlyTheIntercept(String name) {
        Dataset data = rows(Losses.named(name), 200, 3, 4);
        Trainer trainer =
                Trainer.of(Losses.named(name)).lambda(LAMBDA).intercept(true).gap(1e-10);

        Fit here = trainer.fit(data);
        Fit there = trainer.fit(
                data.withLabels(Arrays.stream(data.labels()).map(y -> y + 4096).toArray()));

        assertThat(there.isCertified()).as(there.toString()).isTrue();
        assertThat(there.epochs()).isLessThan(40);
        assertThat(there.objective()).isCloseTo(here.objective(), within(1e-9 * here.objective()));
        assertThat(there.model().intercept(0) - 4096).isCloseTo(here.model().intercept(0), within(1e-3));
    }

    @Test
    void theInterceptAloneFitsATargetFarFromZero() {
        Dataset data = Dataset.of(new double[][] {{1}, {1}, {1}}, new double[] {1e6, 1e6 + 1, 1e6 + 2});

        Fit fit = Trainer.of(new Squared())
                .lambda(1)
                .intercept(true)
                .nodes(1)
                .gap(1e-9)
                .fit(data);

        assertThat(fit.isCertified()).isTrue();
        assertThat(fit.model().intercept(0)).isCloseTo(1e6 + 1, within(1e-6));
        assertThat(fit.model().weight(0, 0)).isCloseTo(0, within(1e-6));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void severalClassesHaveAnInterceptEach(boolean oneVersusRest) {
        Dataset data = rows(new Squared(), 90, 3, 2);
        double[] labels = new double[90];
        Arrays.setAll(labels, i -> i % 10 == 0 ? 2 : data.label(i) > -2 ? 1 : 0);

        Fit fit = Trainer.logistic()
                .lambda(LAMBDA)
                .intercept(true)
                .gap(1e-9)
                .oneVersusRest(oneVersusRest)
                .runner(new Simulator())
                .fit(data.withLabels(labels));

        assertThat(fit.isCertified()).isTrue();
        for (int k = 0; k < 3; k++) {
            double share = mean(data.withLabels(labels), fit, k);
            int score = k;
            long count = Arrays.stream(labels).filter(label -> label == score).count();
            // Where the intercept is free, the mean probability of a class is its share of the rows.
            assertThat(share).isCloseTo(count / 90.0, within(1e-6));
        }
    }

    private static double mean(Dataset data, Fit fit, int score) {
        double sum = 0;
        for (int i = 0; i < data.rows(); i++) {
            double[] scores = fit.model().scores(data, i);
            sum += fit.model().loss().equals("softmax")
                    ? Softmax.probabilities(scores)[score]
                    : 1 / (1 + Math.exp(-scores[score]));
        }
        return sum / data.rows();
    }

    @Test
    void methodsWithoutFreeInterceptsAreRefused() {
        Trainer trainer = Trainer.logistic();

        assertThatRefused(() -> trainer.intercept(true).bias(1).settings().checked())
                .hasMessage("bias 1.0 and intercept both add an intercept, regularised by the first and not by the"
                        + " second; leave one out");
        assertThatThrownBy(
                        () -> trainer.method("adfs").intercept(true).settings().checked())
                .hasMessage("method adfs cannot leave an intercept unregularised; newton can, or give a bias instead");
        assertThatThrownBy(
                        () -> trainer.intercept(true).method("adfs").settings().checked())
                .hasMessage(
                        "method adfs cannot leave an intercept unregularised; newton can, or give a bias" + " instead");
        for (Trainer inAnyOrder : List.of(
                trainer.method("newton").l1(0.1).intercept(true),
                trainer.intercept(true).method("newton").l1(0.1))) {
            assertThatThrownBy(() -> inAnyOrder.settings().checked())
                    .hasMessage("method newton cannot take an l1 term, which has kinks; proximal-newton can");
        }
        Trainer kinked = Trainer.of(new Hinge()).intercept(true);
        assertThatThrownBy(() -> kinked.method("newton").settings().checked())
                .hasMessage("method newton cannot take the loss hinge, which has kinks; multipliers can");
        assertThatThrownBy(() -> kinked.method("adfs").settings().checked())
                .hasMessage(
                        "method adfs cannot leave an intercept unregularised; multipliers can, or give a bias instead");
        assertThatThrownBy(() ->
                        kinked.l1(0.1).method("proximal-newton").settings().checked())
                .hasMessage("method proximal-newton cannot take the loss hinge, which has kinks; multipliers can");
    }

    @Test
    void aClassWithoutRowsIsRefused() {
        Dataset data = Dataset.of(new double[][] {{1}, {2}, {3}}, new double[] {0, 1, 1});
        Trainer trainer =
                Trainer.of(Trainer.logistic().intercept(true).settings().with(Setting.LABELS, List.of(0.0, 1.0, 2.0)));

        assertThatRefused(() -> trainer.fit(data))
                .hasMessageContaining("no row has label 2, so there is no best intercept for it");
    }
}
