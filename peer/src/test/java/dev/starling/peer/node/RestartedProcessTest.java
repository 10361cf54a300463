package dev.starling.peer.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A site whose process is killed and started again, as many times as {@code starling.restarts} says: its port and its
 * state's lock must be free every time, its neighbours must let it in, and the run must end with the simulator's bits.
 */
@Tag("faults")
class RestartedProcessTest {

    private static final int TIMES = Integer.getInteger("starling.restarts", 20);
    private static final double LAMBDA = 1e-5;
    private static final double GAP = 1e-7;

    @TempDir
    private Path directory;

    @Test
    void resumesItsRunHoweverOftenItsProcessIsKilled() throws Exception {
        Dataset rows = Generator.classification(2000, 20).noise(0.1).seed(3).generate();
        List<String> training = List.of("method: adfs", "lambda: " + LAMBDA, "gap: " + GAP, "tau: 20");
        try (ProcessNetwork network = new ProcessNetwork(directory, "ring", 4, training)
                .with(rows, text -> text.replace("every: 30s", "every: 500ms"))) {
            network.startAll();
            network.await(1, "event=checkpoint round=[1-9]", 1);
            // No round is complete without it, so the run lasts as long as the restarts of another.
            network.signal(3, "STOP");
            long start = System.nanoTime();
            for (int time = 1; time <= TIMES; time++) {
                network.kill(1);
                network.start(1);
                network.await(1, "event=link-up neighbour=site-0", time + 1);
                network.await(1, "event=link-up neighbour=site-2", time + 1);
            }
            double seconds = (System.nanoTime() - start) * 1e-9;
            network.signal(3, "CONT");
            List<String> hashes = network.hashes();
            boolean same = hashes.equals(network.expected(
                    trainer -> trainer.method("adfs").lambda(LAMBDA).gap(GAP)));
            System.out.printf(
                    Locale.ROOT,
                    "FAULTS restarts of a process: %d, %.1f s each, hashes equal %s%n",
                    TIMES,
                    seconds / TIMES,
                    same);
            assertThat(same).isTrue();
            assertThat(network.count(1, Pattern.compile("event=resumed"))).isEqualTo(TIMES);
        }
    }
}
