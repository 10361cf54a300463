package dev.starling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.Dataset;
import dev.starling.loss.Losses;
import dev.starling.runtime.Simulator;
import dev.starling.support.Stored;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A regulariser so small that rounding alone makes ‖gradient‖²/(2λ) more than what is asked for. */
@Timeout(120)
class TinyLambdaTest {

    /** Columns as tables have them: counts of a few and amounts of millions. */
    private static Dataset raw(String loss) {
        Random random = new Random(5);
        double[][] x = new double[3000][4];
        double[] y = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            x[i] = new double[] {
                random.nextInt(5), 50 + 20 * random.nextGaussian(), Math.exp(random.nextGaussian()) * 1e6, 1
            };
            double score = 0.4 * x[i][0] - 0.02 * x[i][1] + 3e-7 * x[i][2] + random.nextGaussian();
            y[i] = loss.equals("logistic") ? Math.signum(score) : 1e4 * score;
        }
        return Dataset.of(x, y);
    }

    private static Trainer trainer(String loss, double lambda) {
        return Trainer.of(Losses.named(loss))
                .method("newton")
                .lambda(lambda)
                .gap(1e-11)
                .nodes(4);
    }

    @ParameterizedTest
    @CsvSource({"squared,1e-12", "squared,1e-10", "logistic,1e-14", "logistic,1e-16"})
    void curvatureProvesModelsThatTheRegulariserCannot(String loss, double lambda) {
        Fit fit = trainer(loss, lambda).runner(new Simulator()).fit(raw(loss));

        assertThat(fit.isCertified()).as(fit.toString()).isTrue();
        assertThat(fit.model().provenance().exactness().standardErrors()).isLessThan(1e-6);
        assertThat(fit.epochs()).isLessThan(60);
    }

    @Test
    void theOptimumIsThatWithoutRegularisation() {
        double[] tiny = trainer("squared", 1e-12).fit(raw("squared")).model().weights(0);
        double[] none = trainer("squared", 0).fit(raw("squared")).model().weights(0);

        for (int c = 0; c < none.length; c++) {
            assertThat(tiny[c]).isCloseTo(none[c], within(1e-9 * Math.abs(none[c])));
        }
    }

    /** A ridge is what tells two equal columns apart from one, however small it is: neither is left out. */
    @Test
    void equalColumnsShareTheirWeight() {
        Dataset data = raw("squared");
        double[] values = Stored.values(data);
        for (int at = 0; at < values.length; at += 4) {
            values[at + 3] = values[at];
        }
        Fit fit = trainer("squared", 1e-6).gap(1e-9).fit(Dataset.dense(4, values, data.labels()));
        double[] weights = fit.model().weights(0);

        assertThat(fit.isCertified()).as(fit.toString()).isTrue();
        assertThat(weights[3]).isCloseTo(weights[0], within(1e-3 * Math.abs(weights[0])));
    }
}
