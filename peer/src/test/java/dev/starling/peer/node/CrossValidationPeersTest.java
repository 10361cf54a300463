package dev.starling.peer.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Generator;
import dev.starling.settings.Folds;
import dev.starling.settings.LambdaPath;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sites as real processes that choose λ together. */
@Tag("thorough")
class CrossValidationPeersTest {

    @TempDir
    private Path directory;

    @Test
    void choosesTheSimulatorsLambdaAfterASiteIsKilled() throws Exception {
        List<String> training = List.of("lambda-path: '1e-1,1e-3'", "cv: 2", "cv-rule: 1se", "gap: 1e-6");
        UnaryOperator<String> often =
                text -> text.replace("every: 30s", "every: 0ms").replace("wait: 10m", "wait: 60s");
        try (ProcessNetwork network = new ProcessNetwork(directory, "line", 3, training)
                .with(Generator.classification(600, 6).noise(0.1).seed(3).generate(), often)) {
            network.start(0);
            network.start(1, List.of("env", "STARLING_TEST_HALT=event=certificate"));
            network.start(2);
            assertThat(network.exit(1)).isEqualTo(PeerMain.HALTED);
            network.start(1);
            assertThat(network.hashes())
                    .isEqualTo(network.expected(trainer -> trainer.lambdaPath(LambdaPath.values(1e-1, 1e-3))
                            .crossValidation(Folds.of(2).rule(Folds.Rule.ONE_STANDARD_ERROR))
                            .gap(1e-6)));
        }
    }
}
