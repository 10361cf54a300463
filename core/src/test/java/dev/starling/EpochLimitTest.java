package dev.starling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Dataset;
import dev.starling.runtime.Simulator;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EpochLimitTest {

    private static final double LIMIT = 5.5;

    /** Seeds of both kinds: at the limit some have computed a little more than their share of steps, some less. */
    @ParameterizedTest
    @ValueSource(longs = {1, 3, 6, 7, 8, 10})
    void aRunThatCannotReachItsGapEndsAtItsLimitOfEpochs(long seed) {
        Random random = new Random(seed);
        float[] values = new float[300 * 5];
        double[] labels = new double[300];
        for (int k = 0; k < values.length; k++) {
            values[k] = (float) random.nextGaussian();
        }
        for (int i = 0; i < labels.length; i++) {
            labels[i] = random.nextBoolean() ? 1 : -1;
        }

        Fit fit = Trainer.logistic()
                .method("adfs")
                .lambda(1e-5)
                .gap(1e-13)
                .nodes(2)
                .seed(seed)
                .maxEpochs(LIMIT)
                .maxSeconds(20)
                .runner(new Simulator())
                .fit(Dataset.dense(5, values, labels));

        assertThat(fit.outcome()).isEqualTo(Fit.Outcome.EPOCH_LIMIT);
        assertThat(fit.epochs()).isBetween(0.9 * LIMIT, 1.2 * LIMIT);
    }
}
