package dev.starling.peer.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.peer.checkpoint.CheckpointStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real processes on loopback: they end with the simulator's bits, whatever is done to them on the way. */
@Tag("thorough")
class PeersTest {

    private static final double LAMBDA = 1e-5;
    private static final double GAP = 1e-9;
    private static final List<String> TRAINING = List.of("method: adfs", "lambda: " + LAMBDA, "gap: " + GAP, "tau: 8");
    private static final UnaryOperator<Trainer> SAME =
            trainer -> trainer.method("adfs").lambda(LAMBDA).gap(GAP);

    /** Checkpoints come so often that a test acts on one long before the run ends, however fast the machine is. */
    private static final UnaryOperator<String> OFTEN =
            text -> text.replace("every: 30s", "every: 20ms").replace("wait: 10m", "wait: 60s");

    @TempDir
    private Path directory;

    private static Dataset rows() {
        return Generator.classification(1500, 30).noise(0.1).seed(3).generate();
    }

    private ProcessNetwork network(String topology, int size) throws IOException {
        return new ProcessNetwork(directory, topology, size, TRAINING).with(rows(), OFTEN);
    }

    @Test
    void endsWithTheSimulatorsModelAtEverySiteWithAMeasuredDelay() throws Exception {
        List<String> measured = List.of("method: adfs", "lambda: " + LAMBDA, "gap: 1e-6");
        try (ProcessNetwork network = new ProcessNetwork(directory, "ring", 4, measured).with(rows(), OFTEN)) {
            network.startAll();
            assertThat(network.hashes())
                    .isEqualTo(network.expected(
                            trainer -> trainer.method("adfs").lambda(LAMBDA).gap(1e-6)));
            assertThat(Double.parseDouble(network.result(0, "micros"))).isPositive();
        }
    }

    @Tag("faults")
    @Test
    void continuesAfterOneSiteIsKilledAndRestartedTwice() throws Exception {
        try (ProcessNetwork network = network("line", 3)) {
            network.startAll();
            for (int restart = 0; restart < 2; restart++) {
                network.await(1, "event=checkpoint ", 2 * restart + 2);
                network.kill(1);
                network.start(1);
                network.await(1, "event=resumed", restart + 1);
            }
            assertThat(network.hashes()).isEqualTo(network.expected(SAME));
            assertThat(network.result(1, "recoveries")).isEqualTo("2");
        }
    }

    @Tag("faults")
    @Test
    void continuesAfterTwoNeighboursAreKilledAtOnce() throws Exception {
        try (ProcessNetwork network = network("ring", 3)) {
            network.startAll();
            network.await(0, "event=checkpoint ", 3);
            network.kill(0);
            network.kill(1);
            network.start(1);
            network.start(0);
            assertThat(network.hashes()).isEqualTo(network.expected(SAME));
        }
    }

    /**
     * Each site in turn dies at its first certificate, which is after the first of a few passes, and goes on with a newer
     * version of the same protocol: a rolling upgrade.
     */
    @Test
    void endsWithTheSimulatorsModelByNewtonsMethodAfterEverySiteIsUpgradedOnce() throws Exception {
        List<String> newton = List.of("method: newton", "lambda: " + LAMBDA, "gap: " + GAP);
        UnaryOperator<String> always = text -> OFTEN.apply(text).replace("every: 20ms", "every: 0ms");
        try (ProcessNetwork network = new ProcessNetwork(directory, "line", 3, newton).with(rows(), always)) {
            for (int site = 0; site < 3; site++) {
                network.start(site, List.of("env", "STARLING_TEST_HALT=event=certificate"));
            }
            for (int site = 0; site < 3; site++) {
                assertThat(network.exit(site)).isEqualTo(PeerMain.HALTED);
                network.upgrade("99." + site);
                network.start(site);
            }
            assertThat(network.hashes())
                    .isEqualTo(network.expected(
                            trainer -> trainer.method("newton").lambda(LAMBDA).gap(GAP)));
            for (int site = 0; site < 3; site++) {
                assertThat(network.result(site, "recoveries")).isEqualTo("1");
                assertThat(network.result(site, "version")).isEqualTo("99." + site);
            }
        }
    }

    @Tag("faults")
    @Test
    void usesTheCheckpointBeforeADamagedOne() throws Exception {
        try (ProcessNetwork network = network("line", 2)) {
            network.startAll();
            network.await(0, "event=checkpoint ", 3);
            network.kill(0);
            damageNewest(network.state(0));
            network.start(0);
            assertThat(network.hashes()).isEqualTo(network.expected(SAME));
            assertThat(Files.readString(network.journal(0))).contains("event=checkpoint-damaged");
        }
    }

    private static void damageNewest(Path state) throws IOException {
        try (Stream<Path> files = Files.list(state)) {
            Path newest = files.filter(file -> file.toString().endsWith(".bin")
                            && file.getFileName().toString().startsWith("checkpoint-"))
                    .max(Path::compareTo)
                    .orElseThrow();
            byte[] content = Files.readAllBytes(newest);
            Files.write(
                    newest, java.util.Arrays.copyOf(content, content.length / 2), StandardOpenOption.TRUNCATE_EXISTING);
        }
    }

    @Test
    void savesItsStateAndLeavesWhenAskedToTerminate() throws Exception {
        try (ProcessNetwork network = network("line", 2)) {
            network.startAll();
            network.await(0, "event=checkpoint ", 1);
            network.terminate(0);
            network.exit(0);
            assertThat(network.tail(0)).contains("state").contains("saved");
            network.start(0);
            assertThat(network.hashes()).isEqualTo(network.expected(SAME));
        }
    }

    @Tag("faults")
    @Test
    void waitsForAPausedNeighbour() throws Exception {
        try (ProcessNetwork network = network("line", 2)) {
            network.startAll();
            network.await(1, "event=checkpoint ", 1);
            network.signal(1, "STOP");
            Thread.sleep(1500);
            network.signal(1, "CONT");
            assertThat(network.hashes()).isEqualTo(network.expected(SAME));
        }
    }

    @Tag("faults")
    @Test
    void stopsNamingTheMissingSiteAndSinceWhenAndResumesLater() throws Exception {
        try (ProcessNetwork network = network("line", 2)) {
            network.edit(0, text -> text.replace("wait: 60s", "wait: 8s"));
            // The other site starts first: its eight seconds, in which two processes can shake hands on
            // a machine under load, run from when it is started itself.
            network.start(1);
            network.await(1, "event=started", 1);
            network.start(0);
            network.await(0, "event=checkpoint ", 2);
            network.kill(1);
            assertThat(network.exit(0)).isEqualTo(1);
            assertThat(network.tail(0))
                    .containsPattern("stopped: site site-1 has been gone since \\d{4}-.*state of round \\d+ is saved");
            network.edit(0, text -> text.replace("wait: 8s", "wait: 60s"));
            network.start(1);
            network.start(0);
            assertThat(network.hashes()).isEqualTo(network.expected(SAME));
        }
    }

    @Test
    void stopsBothSitesNamingBothLambdas() throws Exception {
        try (ProcessNetwork network = network("line", 2)) {
            network.edit(1, text -> text.replace("lambda: " + LAMBDA, "lambda: 0.25"));
            network.startAll();
            assertThat(List.of(network.exit(0), network.exit(1))).containsExactly(2, 2);
            for (int site = 0; site < 2; site++) {
                assertThat(network.tail(site)).contains("site site-0 has lambda 1.0E-5, site site-1 0.25");
            }
        }
    }

    @Tag("faults")
    @Test
    void stopsBothSitesNamingBothMethods() throws Exception {
        try (ProcessNetwork network = network("line", 2)) {
            network.edit(1, text -> text.replace("method: adfs", "method: newton"));
            network.startAll();
            assertThat(List.of(network.exit(0), network.exit(1))).containsExactly(2, 2);
            for (int site = 0; site < 2; site++) {
                assertThat(network.tail(site))
                        .contains("site site-0 has method adfs, site site-1 newton; it must be the same at all sites");
            }
        }
    }

    /** A limit on the size of files stands in for a full disk: the write fails in the middle. */
    @Tag("faults")
    @Test
    void stopsCleanlyOnAFullDiskAndResumesWhenThereIsRoom() throws Exception {
        try (ProcessNetwork network = network("line", 2)) {
            network.start(1);
            network.start(0, List.of("bash", "-c", "ulimit -f 12; exec \"$@\"", "limited"));
            assertThat(network.exit(0)).isEqualTo(1);
            assertThat(network.tail(0))
                    .containsPattern("stopped: \\S*snapshot.new cannot be written: \\S.*start again to resume");
            network.start(0);
            network.await(0, "event=checkpoint ", 1);
            network.fillDisk(0, 12 << 10);
            assertThat(network.exit(0)).isEqualTo(1);
            assertThat(network.tail(0))
                    .containsPattern("the checkpoint at round \\d+ cannot be written: \\S.*start again to resume");
            try (CheckpointStore store = CheckpointStore.open(network.state(0), 2, Assertions::fail)) {
                assertThat(store.newest()).isPresent();
            }
            network.start(0);
            assertThat(network.hashes()).isEqualTo(network.expected(SAME));
        }
    }

    /** On a line the site at the far end is three hops away from the one that is gone. */
    @Tag("faults")
    @Test
    void stopsEverySiteNamingTheOneThatIsActuallyGone() throws Exception {
        try (ProcessNetwork network = network("line", 4)) {
            network.edit(2, text -> text.replace("wait: 60s", "wait: 12s"));
            network.start(3);
            network.await(3, "event=started", 1);
            for (int site = 0; site < 3; site++) {
                network.start(site);
            }
            network.await(2, "event=checkpoint ", 2);
            network.kill(3);
            long start = System.nanoTime();
            for (int site = 0; site < 3; site++) {
                assertThat(network.exit(site)).isEqualTo(1);
            }
            // The others would have waited for a minute each.
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(45));
            assertThat(network.tail(2)).containsPattern("stopped: site site-3 has been gone since \\d{4}-");
            for (int site = 0; site < 2; site++) {
                assertThat(network.tail(site))
                        .containsPattern(
                                "stopped: site site-3 is gone, according to site site-2.*state of round \\d+ is saved");
            }
            network.edit(2, text -> text.replace("wait: 12s", "wait: 60s"));
            network.startAll();
            assertThat(network.hashes()).isEqualTo(network.expected(SAME));
        }
    }

    @Tag("faults")
    @Test
    void returnsItsResultAtOnceAfterTheEndAndRemembersWhoHasFinished() throws Exception {
        try (ProcessNetwork network = network("line", 2)) {
            network.start(0, List.of("env", "STARLING_TEST_HALT=event=solved"));
            network.start(1);
            assertThat(network.exit(0)).isEqualTo(PeerMain.HALTED);
            network.start(0);
            assertThat(network.hashes()).isEqualTo(network.expected(SAME));
            // Everybody has left. It was told so, remembers it, and does not wait for anyone.
            long start = System.nanoTime();
            network.start(0);
            assertThat(network.exit(0)).isZero();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(9));
        }
    }
}
