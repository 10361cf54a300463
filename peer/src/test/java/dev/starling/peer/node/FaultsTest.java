package dev.starling.peer.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.peer.transport.FrameFuzzer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Long runs under many faults; each prints the line that docs/reliability.md quotes. */
@Tag("faults")
class FaultsTest {

    private static final double LAMBDA = 1e-6;
    private static final double GAP = 1e-9;
    private static final List<String> TRAINING = List.of("method: adfs", "lambda: " + LAMBDA, "gap: " + GAP, "tau: 20");
    private static final UnaryOperator<Trainer> SAME =
            trainer -> trainer.method("adfs").lambda(LAMBDA).gap(GAP);
    private static final UnaryOperator<String> OFTEN =
            text -> text.replace("every: 30s", "every: 500ms").replace("wait: 10m", "wait: 300s");

    @TempDir
    private Path directory;

    private static Dataset rows() {
        return Generator.classification(8000, 60).noise(0.1).seed(3).generate();
    }

    private ProcessNetwork network(String topology, int size) throws IOException {
        return new ProcessNetwork(directory, topology, size, TRAINING).with(rows(), OFTEN);
    }

    private static void report(String what, int faults, ProcessNetwork network, boolean equal) throws IOException {
        double seconds = 0;
        for (int k = 0; k < network.sites.size(); k++) {
            seconds = Math.max(seconds, Double.parseDouble(network.result(k, "seconds")));
        }
        System.out.printf(
                Locale.ROOT,
                "FAULTS %s: sites %d, faults %d, finished %d, hashes equal %s, seconds %.1f, rounds %s%n",
                what,
                network.sites.size(),
                faults,
                network.sites.size(),
                equal,
                seconds,
                network.result(0, "rounds"));
    }

    private static void assertSame(String what, int faults, ProcessNetwork network) throws Exception {
        List<String> hashes = network.hashes();
        List<String> expected = network.expected(SAME);
        report(what, faults, network, hashes.equals(expected));
        assertThat(hashes).isEqualTo(expected);
    }

    @Test
    void runsWithoutFaultsForComparison() throws Exception {
        try (ProcessNetwork network = network("ring", 4)) {
            network.startAll();
            assertSame("none, ring of 4", 0, network);
        }
    }

    @Test
    void survivesTwentyKillsAtRandomMoments() throws Exception {
        Random random = new Random(20);
        int kills = 20;
        try (ProcessNetwork network = network("ring", 4)) {
            network.startAll();
            for (int k = 0; k < 4; k++) {
                network.await(k, "event=agreed", 1);
            }
            int[] restarts = new int[4];
            for (int kill = 0; kill < kills; kill++) {
                Thread.sleep(100 + random.nextInt(900));
                int victim = random.nextInt(4);
                network.kill(victim);
                Thread.sleep(random.nextInt(1000));
                network.start(victim);
                restarts[victim]++;
                // Every fourth time the next fault comes while this one is still being recovered from.
                if (kill % 4 != 3) {
                    network.await(victim, "event=agreed", (int) agreed(network, victim) + 1);
                }
            }
            assertSame("SIGKILL of a random site, ring of 4", kills, network);
        }
    }

    private static long agreed(ProcessNetwork network, int site) throws IOException {
        return network.count(site, Pattern.compile("event=agreed"));
    }

    @Test
    void survivesKillsOfTwoNeighboursAtOnce() throws Exception {
        Random random = new Random(2);
        int times = 5;
        try (ProcessNetwork network = network("ring", 4)) {
            network.startAll();
            for (int k = 0; k < 4; k++) {
                network.await(k, "event=agreed", 1);
            }
            for (int time = 0; time < times; time++) {
                Thread.sleep(300 + random.nextInt(700));
                int first = random.nextInt(4);
                int second = (first + 1) % 4;
                long before = agreed(network, second);
                network.kill(first);
                network.kill(second);
                network.start(second);
                network.start(first);
                network.await(second, "event=agreed", (int) before + 1);
            }
            assertSame("SIGKILL of two neighbours at once, ring of 4", 2 * times, network);
        }
    }

    @Test
    void survivesKillsOnAGridOfNine() throws Exception {
        Random random = new Random(9);
        int kills = 3;
        try (ProcessNetwork network = network("grid:3x3", 9)) {
            network.startAll();
            for (int k = 0; k < 9; k++) {
                network.await(k, "event=agreed", 1);
            }
            for (int kill = 0; kill < kills; kill++) {
                Thread.sleep(500 + random.nextInt(1000));
                int victim = random.nextInt(9);
                long before = agreed(network, victim);
                network.kill(victim);
                network.start(victim);
                network.await(victim, "event=agreed", (int) before + 1);
            }
            assertSame("SIGKILL of a random site, grid of 9", kills, network);
        }
    }

    @Test
    void survivesALinkThatDropsEverythingForTenSeconds() throws Exception {
        try (ProcessNetwork network = network("ring", 4);
                DroppingProxy proxy = new DroppingProxy(network.firstPort + 1)) {
            network.edit(
                    0,
                    text -> text.replace(
                            "address: 127.0.0.1:" + (network.firstPort + 1), "address: 127.0.0.1:" + proxy.port()));
            network.startAll();
            network.await(0, "event=checkpoint ", 2);
            proxy.cut(true);
            Thread.sleep(10_000);
            proxy.cut(false);
            assertSame("link cut for 10 s by a proxy that drops, ring of 4", 1, network);
            assertThat(network.count(0, Pattern.compile("event=link-down neighbour=site-1")))
                    .isPositive();
        }
    }

    @Test
    void survivesACableUnpluggedForTenSeconds() throws Exception {
        String first = "st" + ProcessHandle.current().pid() + "a";
        String second = "st" + ProcessHandle.current().pid() + "b";
        assumeTrue(
                run("ip", "netns", "add", first) == 0 && run("ip", "netns", "add", second) == 0,
                "network namespaces are not permitted here");
        try (ProcessNetwork network = network("line", 2)) {
            cable(first, second);
            network.edit(
                    0,
                    text -> text.replace(
                            "127.0.0.1:" + (network.firstPort + 1), "10.77.0.2:" + (network.firstPort + 1)));
            network.edit(1, text -> text.replace("listen: 127.0.0.1", "listen: 10.77.0.2"));
            network.start(0, List.of("ip", "netns", "exec", first));
            network.start(1, List.of("ip", "netns", "exec", second));
            network.await(0, "event=checkpoint ", 2);
            run("ip", "netns", "exec", first, "ip", "link", "set", "veth-" + first, "down");
            Thread.sleep(10_000);
            run("ip", "netns", "exec", first, "ip", "link", "set", "veth-" + first, "up");
            assertSame("cable out for 10 s between two network namespaces, line of 2", 1, network);
        } finally {
            run("ip", "netns", "del", first);
            run("ip", "netns", "del", second);
        }
    }

    private static void cable(String first, String second) throws Exception {
        String one = "veth-" + first;
        String other = "veth-" + second;
        run("ip", "link", "add", one, "netns", first, "type", "veth", "peer", "name", other, "netns", second);
        run("ip", "netns", "exec", first, "ip", "addr", "add", "10.77.0.1/24", "dev", one);
        run("ip", "netns", "exec", second, "ip", "addr", "add", "10.77.0.2/24", "dev", other);
        run("ip", "netns", "exec", first, "ip", "link", "set", one, "up");
        run("ip", "netns", "exec", second, "ip", "link", "set", other, "up");
    }

    private static int run(String... command) throws Exception {
        try {
            Process process = new ProcessBuilder(command).inheritIO().start();
            return process.waitFor(10, TimeUnit.SECONDS) ? process.exitValue() : -1;
        } catch (IOException e) {
            return -1;
        }
    }

    @Test
    void survivesAPauseLongerThanTheKeepalive() throws Exception {
        try (ProcessNetwork network = network("ring", 4)) {
            network.startAll();
            network.await(2, "event=checkpoint ", 2);
            network.signal(2, "STOP");
            Thread.sleep(20_000);
            network.signal(2, "CONT");
            assertSame("SIGSTOP for 20 s, ring of 4", 1, network);
        }
    }

    @Test
    void trainsOnUnderFuzzedFrames() throws Exception {
        int frames = Integer.getInteger("starling.fuzz.wire", 10_000);
        try (ProcessNetwork network = network("ring", 4)) {
            network.startAll();
            network.await(1, "event=agreed", 1);
            // Node 1 listens for node 0: the fuzzer holds node 0's own certificate, the worst neighbour there is.
            FrameFuzzer.Outcome outcome = FrameFuzzer.attack(
                    network.firstPort + 1,
                    "site-1",
                    network.authority
                            .issue("site-0", java.time.Instant.now(), java.time.Duration.ofDays(1))
                            .credentials(),
                    frames,
                    7);
            boolean still = network.isRunning(1);
            System.out.println("FAULTS fuzzing: " + outcome + ", site still running " + still);
            assertThat(still).isTrue();
            assertSame(frames + " fuzzed frames with a neighbour's certificate, ring of 4", frames, network);
        }
    }
}
