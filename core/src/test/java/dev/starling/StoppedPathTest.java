package dev.starling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.job.TrainingListener;
import dev.starling.job.TrainingPlan;
import dev.starling.loss.Logistic;
import dev.starling.model.CrossValidation;
import dev.starling.runtime.Simulator;
import dev.starling.runtime.StopSignal;
import dev.starling.runtime.Threads;
import dev.starling.settings.Folds;
import dev.starling.settings.LambdaPath;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A path that is stopped ends at once, with the values of λ that are complete. */
class StoppedPathTest {

    private static final Dataset ROWS = Generator.classification(200, 4).seed(3).generate();

    /** Asks to stop when a problem starts, and counts those that start afterwards. */
    private static final class Stopper implements TrainingListener {
        private final StopSignal signal = StopSignal.manual();
        private final int at;
        private int last;

        Stopper(int at) {
            this.at = at;
        }

        @Override
        public void started(int index, int count, TrainingPlan plan, DoubleSupplier epochs) {
            last = index;
            if (index == at) {
                signal.request();
            }
        }
    }

    private static Trainer trainer(Stopper stopper) {
        return Trainer.of(new Logistic())
                .lambdaPath(LambdaPath.of(10))
                .nodes(3)
                .topology("line")
                .runner(new Simulator())
                .listener(stopper)
                .stopSignal(stopper.signal);
    }

    private static Fit fit(Trainer trainer) {
        return trainer.fit(ROWS);
    }

    @Test
    void aPathEndsWithTheValuesThatWereSolved() {
        Stopper stopper = new Stopper(4);
        Fit fit = fit(trainer(stopper));

        assertThat(stopper.last).isEqualTo(4);
        assertThat(fit.outcome()).isEqualTo(Fit.Outcome.STOPPED);
        assertThat(fit.model().path()).hasSize(4);
        assertThat(fit.certificate().relativeGap()).isLessThanOrEqualTo(1e-6);
    }

    /** With four folds, a value of λ takes five problems; the eleventh is the first of the third. */
    @ParameterizedTest
    @ValueSource(ints = {10, 12, 14})
    void crossValidationChoosesAmongTheValuesThatWereMeasured(int at) {
        Stopper stopper = new Stopper(at);
        Fit whole = fit(trainer(new Stopper(-1)).crossValidation(Folds.of(4)));
        Fit fit = fit(trainer(stopper).crossValidation(Folds.of(4)).runner(new Threads(2)));

        assertThat(fit.outcome()).isEqualTo(Fit.Outcome.STOPPED);
        assertThat(stopper.last).isEqualTo(at);
        CrossValidation validation = fit.validation().orElseThrow();
        assertThat(validation.lines())
                .isEqualTo(whole.validation().orElseThrow().lines().subList(0, 2));
        assertThat(fit.model().path()).hasSize(2);
    }

    @Test
    void withoutAMeasuredValueTheModelOfAllRowsRemains() {
        Fit fit = fit(trainer(new Stopper(3)).crossValidation(Folds.of(4)));

        assertThat(fit.validation()).isEmpty();
        assertThat(fit.model().path()).hasSize(1);
        assertThat(fit.certificate().relativeGap()).isLessThanOrEqualTo(1e-6);
    }

    @Test
    void aFirstProblemThatIsStoppedStillGivesAModel() {
        Fit fit = fit(trainer(new Stopper(0)));

        assertThat(fit.outcome()).isEqualTo(Fit.Outcome.STOPPED);
        assertThat(fit.model().path()).hasSize(1);
    }
}
