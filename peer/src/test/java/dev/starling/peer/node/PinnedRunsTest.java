package dev.starling.peer.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.settings.Setting;
import dev.starling.support.PinnedRun;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Sites end with the bits they have always ended with, which are those of one process. */
class PinnedRunsTest {

    @TempDir
    private Path directory;

    static Stream<PinnedRun> runs() {
        return PinnedRun.possible();
    }

    static Stream<PinnedRun> ofTerms() {
        return PinnedRun.ofTerms();
    }

    private static List<String> training(PinnedRun run) {
        List<String> lines = new ArrayList<>(List.of(
                "loss: " + run.loss(),
                "one-versus-rest: " + run.trainer().settings().get(Setting.ONE_VERSUS_REST),
                "method: " + run.method(),
                "lambda: " + run.lambda(),
                "l1: " + run.l1(),
                "scaling: " + run.scaling().lowerCase(),
                "class-weights: " + run.classWeights().toString().replace("=", ": "),
                "bias: " + run.bias(),
                "intercept: " + run.intercept(),
                "tau: " + run.tau(),
                "gap: " + run.gap(),
                "max-epochs: " + run.maxEpochs(),
                "seed: " + run.seed()));
        if (run.classes() > 0) {
            // Not every site has rows of every class.
            lines.add("labels: " + IntStream.range(0, run.classes()).boxed().toList());
        }
        return lines;
    }

    @ParameterizedTest
    @MethodSource("ofTerms")
    void countsAndJointClassesHaveThePinnedBitsAtEverySite(PinnedRun run) throws Exception {
        everySiteGivesThePinnedBits(run);
    }

    @Tag("thorough")
    @ParameterizedTest
    @MethodSource("runs")
    void everySiteGivesThePinnedBits(PinnedRun run) throws Exception {
        try (ProcessNetwork network = new ProcessNetwork(directory, run.topology(), run.nodes(), training(run))
                .with(run.data(), UnaryOperator.identity())) {
            assertThat(PeerTest.run(network))
                    .hasSize(run.nodes())
                    .extracting(report -> PinnedRun.digest(report.fit().model()))
                    .as(run.expectation())
                    .containsOnly(run.digest());
        }
    }
}
