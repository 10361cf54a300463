package dev.starling.method.dual;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.Fit;
import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.runtime.Simulator;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Dual coordinate steps, against optima that other methods find and objectives computed row by row. */
@Timeout(120)
class DualTest {

    private static final int FEATURES = 700;

    /** Sparse rows of more columns than rows, a few of them empty, with words as rare as those of texts. */
    private static Dataset texts(int rows, boolean classes) {
        Random random = new Random(17);
        float[] values = new float[rows * FEATURES];
        double[] labels = new double[rows];
        for (int i = 0; i < rows; i++) {
            double score = 0;
            for (int k = 0; k < 12 && i % 50 != 49; k++) {
                int word = (int) (FEATURES * random.nextDouble() * random.nextDouble() * random.nextDouble());
                values[i * FEATURES + word] = 0.25f + random.nextFloat();
                score += word % 3 == 0 ? 1 : word % 3 == 1 ? -1 : 0;
            }
            double noisy = score + random.nextGaussian();
            labels[i] = classes ? (noisy > 0 ? 1 : -1) : noisy;
        }
        return Dataset.dense(FEATURES, values, labels);
    }

    private static Trainer trainer(String loss, double lambda, double l1, int nodes) {
        return Trainer.of(Losses.named(loss))
                .lambda(lambda)
                .l1(l1)
                .nodes(nodes)
                .maxEpochs(100_000)
                .runner(new Simulator());
    }

    @ParameterizedTest
    @CsvSource({
        "hinge, 1e-2, 0, 1, multipliers",
        "hinge, 1e-2, 0, 3, multipliers",
        "hinge, 1e-4, 0, 1, multipliers",
        "absolute, 1e-2, 0, 1, multipliers",
        "quantile(0.9), 1e-2, 0, 4, multipliers",
        "hinge, 1e-2, 1e-2, 1, ns-adfs",
        "absolute, 1e-1, 1e-2, 2, ns-adfs",
        "squared-hinge, 1e-3, 0, 1, newton",
        "squared-hinge, 1e-2, 0, 4, newton",
        "logistic, 1e-4, 0, 1, newton",
        "logistic, 1e-3, 1e-3, 3, proximal-newton",
        "squared, 1e-2, 0, 2, newton",
        "huber, 1e-2, 1e-2, 1, proximal-newton"
    })
    void theOptimumIsTheOneThatAnotherMethodFinds(String name, double lambda, double l1, int nodes, String other) {
        Loss loss = Losses.named(name);
        Dataset rows = texts(300, loss.isClassification());
        Fit fit = trainer(name, lambda, l1, nodes).method("dual").gap(1e-7).fit(rows);
        Fit known = trainer(name, lambda, l1, 1).method(other).gap(1e-6).fit(rows);

        assertThat(fit.isCertified()).isTrue();
        assertThat(known.isCertified()).isTrue();
        assertThat(fit.certificate().dual()).isLessThanOrEqualTo(known.objective() * (1 + 1e-12));
        assertThat(known.certificate().dual()).isLessThanOrEqualTo(fit.objective() * (1 + 1e-12));
        assertThat(objective(rows, loss, lambda, l1, fit.model().weights(0)))
                .isBetween(fit.objective() * (1 - 1e-12), fit.objective() * (1 + 1e-12));
    }

    private static double objective(Dataset rows, Loss loss, double lambda, double l1, double[] weights) {
        double sum = 0;
        for (int i = 0; i < rows.rows(); i++) {
            sum += loss.value(rows.dot(i, weights), rows.label(i));
        }
        double penalty = 0;
        for (double weight : weights) {
            penalty += lambda / 2 * weight * weight + l1 * Math.abs(weight);
        }
        return sum / rows.rows() + penalty;
    }

    @Test
    void kinksAndManyColumnsAreTrainedThisWayAndTheL1TermLeavesZeros() {
        Fit fit = trainer("hinge", 1e-2, 2e-2, 1).fit(texts(300, true));

        assertThat(fit.plan().method().name()).isEqualTo("dual");
        assertThat(fit.isCertified()).isTrue();
        assertThat(fit.model().weights(0)).contains(0.0);
    }

    /**
     * A round makes about one to three visits per row, by what they gain; with this λ the last certificate is the best.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void theLimitOnEpochsCountsTheVisitsThatWereMade(int nodes) {
        Fit fit = trainer("hinge", 3e-4, 0, nodes)
                .method("dual")
                .gap(1e-14)
                .maxEpochs(200)
                .fit(Generator.classification(300, 13).seed(3).generate());

        assertThat(fit.outcome()).isEqualTo(Fit.Outcome.EPOCH_LIMIT);
        assertThat(fit.certificate().epochs()).isBetween(196.0, 204.0);
    }

    /** With all rows visited in every round these take 250 passes. */
    @Test
    void rowsWhoseSlopesStayAreVisitedLessOften() {
        Fit fit = trainer("hinge", 1e-3, 0, 1)
                .method("dual")
                .gap(1e-6)
                .fit(Generator.classification(3000, 20).seed(3).generate());

        assertThat(fit.isCertified()).isTrue();
        assertThat(fit.certificate().epochs()).isLessThan(100);
    }

    @Test
    void theSameSeedGivesTheSameBitsAndAnotherSeedOthers() {
        Dataset rows = texts(200, true);
        double[] weights =
                trainer("hinge", 1e-2, 0, 3).method("dual").fit(rows).model().weights(0);

        assertThat(trainer("hinge", 1e-2, 0, 3).method("dual").fit(rows).model().weights(0))
                .isEqualTo(weights);
        assertThat(trainer("hinge", 1e-2, 0, 3)
                        .method("dual")
                        .seed(5)
                        .fit(rows)
                        .model()
                        .weights(0))
                .isNotEqualTo(weights);
    }

    @Test
    void whatIsNotRegularisedIsRefusedWithAMethodThatCan() {
        Dataset rows = texts(100, true);

        assertThatRefused(() -> trainer("logistic", 0, 0, 1).method("dual").fit(rows))
                .hasMessageContaining("method dual cannot do without regularisation; newton can");
        assertThatRefused(() -> trainer("hinge", 1e-2, 0, 1)
                        .intercept(true)
                        .method("dual")
                        .fit(rows))
                .hasMessageContaining("method dual cannot leave an intercept unregularised; multipliers can");
    }
}
