package dev.starling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.runtime.Runner;
import dev.starling.runtime.Simulator;
import dev.starling.runtime.Threads;
import dev.starling.support.PinnedRun;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Simulator and threads end with the bits they have always ended with. */
class PinnedRunsTest {

    static Stream<PinnedRun> runs() {
        return PinnedRun.possible();
    }

    private static Fit fit(PinnedRun run, Runner runner) {
        return run.trainer().runner(runner).fit(run.data());
    }

    @ParameterizedTest
    @MethodSource("runs")
    void theSimulatorGivesThePinnedBits(PinnedRun run) {
        Fit fit = fit(run, new Simulator());

        assertThat(PinnedRun.digest(fit.model())).as(run.expectation()).isEqualTo(run.digest());
        // A run that its limit ends pins other code than one that ends by itself.
        assertThat(fit.isCertified()).as(run.name()).isEqualTo(!run.name().endsWith("epoch-limit"));
    }

    @ParameterizedTest
    @MethodSource("runs")
    void threadsGiveThePinnedBits(PinnedRun run) {
        assertThat(PinnedRun.digest(fit(run, new Threads(3)).model()))
                .as(run.expectation())
                .isEqualTo(run.digest());
    }
}
