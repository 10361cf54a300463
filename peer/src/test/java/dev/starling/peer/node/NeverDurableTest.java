package dev.starling.peer.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Generator;
import dev.starling.peer.config.SiteConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A neighbour that never has a checkpoint makes a site keep no more than it has agreed to. */
@Tag("thorough")
class NeverDurableTest {

    @TempDir
    private Path directory;

    @Test
    void stopsAndNamesTheNeighbourItHasKeptTooMuchFor() throws Exception {
        List<String> training = List.of("lambda: 1e-6", "gap: 1e-12", "tau: 1", "method: adfs");
        try (ProcessNetwork network = new ProcessNetwork(directory, "line", 2, training)
                .with(Generator.classification(60, 2000).seed(4).generate(), UnaryOperator.identity())) {
            network.edit(
                    0,
                    text -> text.replace("  megabytes: 64", "  megabytes: 64\n  kept-megabytes: 1")
                            .replace("wait: 10m", "wait: 8s"));
            network.edit(
                    1, text -> text.replace("every: 30s", "every: 1h").replace("megabytes: 64", "megabytes: 1000"));
            CompletableFuture<String> first = ended(SiteConfig.read(network.yaml(0)));
            CompletableFuture<String> second = ended(SiteConfig.read(network.yaml(1)));
            assertThat(first.get(60, TimeUnit.SECONDS))
                    .contains("site-1 to write a checkpoint past the 1 MB of messages that are kept for it")
                    .contains("checkpoints.kept-megabytes");
            second.get(60, TimeUnit.SECONDS);
        }
    }

    /** Why a site stops; the other one leaves when it has. */
    private static CompletableFuture<String> ended(SiteConfig config) {
        Executor thread = task -> new Thread(task, config.site()).start();
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        PeerTest.start(config, Site::load, (peer, line) -> {
                            if (line.contains("event=gave-up")) {
                                peer.leave();
                            }
                        });
                        return "it did not stop";
                    } catch (PeerStoppedException e) {
                        return e.getMessage();
                    }
                },
                thread);
    }
}
