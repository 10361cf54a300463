package dev.starling.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.starling.Fit;
import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.job.TrainingPlan;
import dev.starling.runtime.Simulator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where messages are slow and have far to go, {@code auto} weighs ADFS against sums over a spanning tree. */
class CheaperMethodTest {

    private static final Dataset WIDE =
            Generator.classification(360, 800).density(0.02).noise(0.1).generate();
    private static final Dataset NARROW = Generator.classification(360, 20).generate();

    private static Trainer trainer(String graph, double delay) {
        return Trainer.logistic().lambda(0.1).nodes(9).topology(graph).delay(delay);
    }

    @ParameterizedTest
    @CsvSource({"line, 1000, adfs", "line, 1, newton", "star, 1000, newton", "complete, 1000, newton"})
    void withManyFeaturesTheGraphAndTheDelayDecide(String graph, double delay, String method) {
        assertThat(trainer(graph, delay).prepare(WIDE).method().name()).isEqualTo(method);
    }

    @Test
    void withFewFeaturesAHessianIsWorthItsMessages() {
        assertThat(trainer("line", 1000).lambda(1e-3).prepare(NARROW).method().name())
                .isEqualTo("newton");
    }

    @Test
    void aHarderProblemIsLeftToSums() {
        assertThat(trainer("line", 1000).lambda(1e-4).prepare(WIDE).method().name())
                .isEqualTo("newton");
    }

    @Test
    void onlyADelayThatIsASettingCounts() {
        Trainer measured = Trainer.logistic().lambda(0.1).nodes(9).topology("line");
        assertThat(measured.prepare(WIDE).method().name()).isEqualTo("newton");
    }

    @Test
    void whatCannotBeDoneByAdfsIsNotWeighed() {
        assertThat(trainer("line", 1000).intercept(true).prepare(WIDE).method().name())
                .isEqualTo("newton");
        assertThat(trainer("line", 1000).l1(1e-3).prepare(WIDE).method().name()).isEqualTo("proximal-newton");
    }

    @Test
    void theConstantsSayWhatItWasChosenBy() {
        TrainingPlan plan = trainer("line", 1000).prepare(WIDE);
        double newton = constant(plan, "newtonTime");
        double adfs = constant(plan, "adfsTime");
        assertThat(adfs).isPositive().isLessThan(newton);
        assertThat(3 * adfs).isCloseTo(plan.method().forecast().idealisedTimeFor(1e6), withinPercentage(1e-9));
    }

    private static double constant(TrainingPlan plan, String name) {
        return plan.method().constants().stream()
                .filter(constant -> constant.name().equals(name))
                .mapToDouble(Constant::value)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theModelIsThatOfTheMethodOnEveryRuntime() {
        Trainer trainer = trainer("line", 1000).gap(1e-3);
        Fit threads = trainer.fit(WIDE);
        Fit simulated = trainer.runner(new Simulator()).fit(WIDE);
        Fit named = trainer.method("adfs").fit(WIDE);
        assertThat(threads.model().hash()).isEqualTo(named.model().hash());
        assertThat(simulated.model().hash()).isEqualTo(threads.model().hash());
    }
}
