package dev.starling;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.Dataset;
import dev.starling.loss.Huber;
import dev.starling.loss.Squared;
import dev.starling.method.SeparationException;
import dev.starling.model.LinearModel;
import dev.starling.runtime.Simulator;
import dev.starling.support.Stored;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of data for which there is no model, or no single one, without regularisation. */
@Timeout(120)
class UnregularisedTest {

    private static final Trainer LOGISTIC =
            Trainer.logistic().lambda(0).intercept(true).gap(1e-9).runner(new Simulator());

    private static Dataset rows(int count, int features, long seed) {
        Random random = new Random(seed);
        double[][] x = new double[count][features];
        double[] y = new double[count];
        for (int i = 0; i < count; i++) {
            Arrays.setAll(x[i], c -> random.nextGaussian());
            y[i] = random.nextDouble() < 1 / (1 + Math.exp(-x[i][0])) ? 1 : 0;
        }
        return Dataset.of(x, y);
    }

    @Test
    void separatedClassesAreNamedByColumn() {
        Dataset data = rows(200, 4, 1);
        double[] labels = new double[200];
        Arrays.setAll(labels, i -> Stored.value(data, i, 2) > 0.1 ? 1 : 0);

        assertThatThrownBy(() -> LOGISTIC.fit(
                        data.withNames(List.of("age", "dose", "site", "sex")).withLabels(labels)))
                .isInstanceOf(SeparationException.class)
                .hasMessage("there is no best model without regularisation: the classes are told apart, if only for"
                        + " some rows, by site; leave it out, or give lambda a positive value");
    }

    /** One column is positive only in rows of one class, and 0 in most. */
    @Test
    void partialSeparationIsDetected() {
        Dataset data = rows(300, 3, 2);
        double[] values = Stored.values(data);
        for (int i = 0; i < 300; i++) {
            values[3 * i + 1] = data.label(i) == 1 && i % 9 == 0 ? 1 : 0;
        }

        assertThatThrownBy(() -> LOGISTIC.fit(Dataset.dense(3, values, data.labels())))
                .isInstanceOf(SeparationException.class)
                .hasMessageContaining("by feature 2;");
    }

    /** Points seem near an optimum, by the gap asked for, long before steps are many; their proofs fail. */
    @ParameterizedTest
    @CsvSource({"300, 9, 1e-4", "3000, 100, 1e-6", "3000, 1000, 1e-6", "20000, 100, 1e-6"})
    void aFewSeparatedRowsAreDetectedForAnyGap(int count, int every, double gap) {
        Dataset data = rows(count, 3, 2);
        double[] values = Stored.values(data);
        for (int i = 0; i < count; i++) {
            values[3 * i + 1] = data.label(i) == 1 && i % every == 0 ? 1 : 0;
        }

        assertThatThrownBy(() -> LOGISTIC.gap(gap).fit(Dataset.dense(3, values, data.labels())))
                .isInstanceOf(SeparationException.class)
                .hasMessageContaining("by feature 2;");
    }

    @Test
    void oneRowMoreThanColumnsSeparatesAnyClasses() {
        assertThatThrownBy(() -> LOGISTIC.fit(rows(5, 8, 3))).isInstanceOf(SeparationException.class);
    }

    @Test
    void oneClassIsRefused() {
        Dataset data = rows(20, 2, 4);

        assertThatRefused(() -> LOGISTIC.fit(data.withLabels(new double[20]))).hasMessageContaining("only one class");
    }

    @Test
    void rareEventsAreNotSeparation() {
        Dataset data = rows(4000, 3, 5);
        Random random = new Random(6);
        double[] labels = new double[4000];
        Arrays.setAll(labels, i -> random.nextInt(400) == 0 ? 1 : 0);

        Fit fit = LOGISTIC.fit(data.withLabels(labels));

        assertThat(fit.isCertified()).as(fit.toString()).isTrue();
        assertThat(fit.epochs()).isLessThan(20);
    }

    @Test
    void equalConstantAndEmptyColumnsAreLeftOut(@TempDir Path folder) {
        Dataset data = rows(150, 5, 7);
        double[] values = Stored.values(data);
        for (int i = 0; i < 150; i++) {
            values[5 * i + 1] = 7;
            values[5 * i + 3] = values[5 * i];
            values[5 * i + 4] = 0;
        }

        Fit fit = LOGISTIC.fit(Dataset.dense(5, values, data.labels()));
        fit.model().save(folder.resolve("model.json"));

        assertThat(fit.isCertified()).isTrue();
        assertThat(fit.model().weight(0, 3)).isZero();
        assertThat(fit.model().provenance().exactness().aliased()).containsExactly(1, 3, 4);
        assertThat(LinearModel.load(folder.resolve("model.json")).provenance().exactness())
                .isEqualTo(fit.model().provenance().exactness());
    }

    @Test
    void oneRowIsFittedByTheInterceptAlone() {
        Fit fit = Trainer.of(new Squared())
                .lambda(0)
                .intercept(true)
                .fit(Dataset.of(new double[][] {{3, 4}}, new double[] {5}));

        assertThat(fit.model().intercept(0)).isCloseTo(5, within(1e-12));
        assertThat(fit.model().provenance().exactness().aliased()).containsExactly(0, 1);
    }

    /** Nothing is left of the objective but rounding, which no gap can be relative to. */
    @Test
    void aPerfectFitEndsQuickly() {
        Fit fit = Trainer.of(new Squared()).lambda(0).intercept(true).fit(rows(6, 9, 10));

        assertThat(fit.objective()).isLessThan(1e-20);
        assertThat(fit.epochs()).isLessThan(500);
    }

    @Test
    void aRunThatReachesItsLimitClaimsNothing() {
        Fit fit = LOGISTIC.maxEpochs(1).fit(rows(300, 3, 8));

        assertThat(fit.isCertified()).isFalse();
        assertThat(fit.gap()).isGreaterThan(1e-9);
    }

    @Test
    void methodsAndLossesThatNeedRegularisationAreRefused() {
        assertThatThrownBy(() ->
                        Trainer.logistic().method("adfs").lambda(0).settings().checked())
                .hasMessage(
                        "method adfs cannot do without regularisation; newton can, or give lambda a positive value");
        assertThatThrownBy(() -> Trainer.of(new Huber(1)).lambda(0).fit(rows(20, 3, 9)))
                .hasMessage(
                        "lambda 0 needs a loss whose curvature can prove the result, such as logistic, poisson or squared, not"
                                + " huber(1.0); give lambda a positive value");
        assertThatThrownBy(() -> Trainer.logistic().lambda(0).fit(rows(20, 1500, 9)))
                .hasMessageContaining("lambda 0 with 1500 coefficients");
    }
}
