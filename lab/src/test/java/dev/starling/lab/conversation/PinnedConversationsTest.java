package dev.starling.lab.conversation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.method.Methods;
import dev.starling.runtime.Simulator;
import dev.starling.runtime.Threads;
import dev.starling.support.PinnedRun;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The lab's methods end with the bits they have always ended with, and are found by their names. */
class PinnedConversationsTest {

    private static final List<String> METHODS =
            List.of("adfs-local", "adfs-matchings", "adfs-localised", "adfs-varying");

    static Stream<PinnedRun> runs() {
        return PinnedRun.all().filter(run -> METHODS.contains(run.method()));
    }

    @ParameterizedTest
    @MethodSource("runs")
    void simulatorAndThreadsGiveThePinnedBits(PinnedRun run) {
        assertThat(PinnedRun.digest(
                        run.trainer().runner(new Simulator()).fit(run.data()).model()))
                .as(run.expectation())
                .isEqualTo(run.digest());
        assertThat(PinnedRun.digest(
                        run.trainer().runner(new Threads(3)).fit(run.data()).model()))
                .as(run.expectation())
                .isEqualTo(run.digest());
    }

    @Test
    void everyPinnedRunIsPossibleWithTheLab() {
        assertThat(PinnedRun.possible()).hasSameSizeAs(PinnedRun.all().toList());
        assertThat(runs()).hasSize(11);
    }

    @Test
    void theLabsMethodsAreListedAfterTheOthers() {
        assertThat(Methods.names())
                .containsSubsequence(Methods.AUTO, "newton", "adfs-local", "adfs-matchings", "adfs-localised");
    }
}
