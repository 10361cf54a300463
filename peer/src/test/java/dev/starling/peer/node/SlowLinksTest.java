package dev.starling.peer.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What a run takes over links of so many milliseconds and 1 Gbit/s, with masks and without, in turn: real links with
 * mutual TLS, through proxies that hold everything back. Each line is printed for docs/reliability.md.
 */
@Tag("faults")
class SlowLinksTest {

    private static final int TURNS = Integer.getInteger("starling.cost.turns", 3);
    private static final double BITS_PER_SECOND = 1e9;
    private static final int SITES = 4;

    @TempDir
    private Path directory;

    private int runs;

    private record Outcome(double seconds, long rounds, String hash) {}

    private Outcome run(String method, int millis, boolean masked) throws Exception {
        Dataset rows = Generator.classification(1200, 8).noise(0.1).seed(2).generate();
        UnaryOperator<String> masks =
                text -> masked ? text : text.replaceFirst("(?m)^policy:$", "policy:\n  masks: off");
        Path folder = Files.createDirectory(directory.resolve("run-" + runs++));
        List<DroppingProxy> proxies = new ArrayList<>();
        try (ProcessNetwork network = new ProcessNetwork(
                        folder, "complete", SITES, List.of("method: " + method, "lambda: 1e-2", "gap: 1e-4", "tau: 30"))
                .with(rows, masks)) {
            for (int site = 1; site < SITES; site++) {
                proxies.add(slowWayTo(network, site, millis));
            }
            List<PeerReport> reports = PeerTest.run(network);
            return new Outcome(
                    reports.stream()
                            .mapToDouble(report -> report.fit().seconds())
                            .max()
                            .orElseThrow(),
                    reports.stream()
                            .mapToLong(report -> report.fit().rounds())
                            .max()
                            .orElseThrow(),
                    reports.get(0).fit().model().hash());
        } finally {
            for (DroppingProxy proxy : proxies) {
                proxy.close();
            }
        }
    }

    private static DroppingProxy slowWayTo(ProcessNetwork network, int site, int millis) throws IOException {
        int port = network.firstPort + site;
        DroppingProxy proxy = new DroppingProxy(port);
        proxy.delay(millis);
        proxy.carries(BITS_PER_SECOND);
        for (int caller = 0; caller < site; caller++) {
            network.edit(
                    caller, text -> text.replace("address: 127.0.0.1:" + port, "address: 127.0.0.1:" + proxy.port()));
        }
        return proxy;
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }

    @ParameterizedTest
    @CsvSource({"newton,1", "newton,20", "newton,50", "adfs,1", "adfs,20", "adfs,50"})
    void endsWithTheSameBitsHoweverSlowTheLinksAre(String method, int millis) throws Exception {
        double[] masked = new double[TURNS];
        double[] plain = new double[TURNS];
        long rounds = 0;
        for (int turn = 0; turn < TURNS; turn++) {
            Outcome with = run(method, millis, true);
            Outcome without = run(method, millis, false);
            assertThat(with.hash()).isEqualTo(without.hash());
            // No run is faster than its messages.
            assertThat(with.seconds()).isGreaterThan(with.rounds() * millis * 0.5e-3);
            masked[turn] = with.seconds();
            plain[turn] = without.seconds();
            rounds = with.rounds();
        }
        System.out.printf(
                Locale.ROOT,
                "FAULTS links: %s, %d ms, %d sites, %d rounds: seconds with masks %.2f (%.2f to %.2f), without %.2f"
                        + " (%.2f to %.2f)%n",
                method,
                millis,
                SITES,
                rounds,
                median(masked),
                masked[0],
                masked[TURNS - 1],
                median(plain),
                plain[0],
                plain[TURNS - 1]);
    }
}
