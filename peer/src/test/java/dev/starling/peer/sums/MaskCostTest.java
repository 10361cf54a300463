package dev.starling.peer.sums;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.loss.Logistic;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.peer.policy.Policy;
import dev.starling.runtime.Delays;
import dev.starling.runtime.Runner.RunReport;
import dev.starling.runtime.Simulator;
import dev.starling.runtime.StopSignal;
import dev.starling.settings.Setting;
import dev.starling.settings.Settings;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What masks cost in a whole run, keys and ledgers included. The sites' own code runs in one thread, whose processor
 * time is counted, so that other work on the machine does not; links are simulated: so many messages as follow on each
 * other take 20 ms each, and the bytes of a site 1 Gbit/s. Each line is printed for docs/reliability.md.
 */
@Tag("faults")
class MaskCostTest {

    private static final int TURNS = Integer.getInteger("starling.cost.turns", 3);
    private static final double LINK_SECONDS = 20e-3;
    private static final double BITS_PER_SECOND = 1e9;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    @TempDir
    private Path folder;

    /** A run: the processor's time of all sites, and what went over the links. */
    private record Cost(double processorSeconds, RunReport report, int sites, String hash) {

        /** Sites compute at the same time, and wait for messages that follow on each other. */
        double seconds() {
            return processorSeconds / sites
                    + report.idealisedTime() * LINK_SECONDS
                    + 8.0 * report.bytes() / sites / BITS_PER_SECOND;
        }
    }

    private Cost run(int sites, Dataset rows, boolean masked, Path own) throws Exception {
        Network network = Topology.named("complete").build(sites, 1);
        List<Dataset> parts = IntStream.range(0, sites)
                .mapToObj(site -> rows.picked(IntStream.iterate(site, row -> row < rows.rows(), row -> row + sites)
                        .toArray()))
                .toList();
        Settings settings =
                Settings.of(new Logistic()).with(Setting.LAMBDA, 1e-4).with(Setting.GAP, 1e-6);
        long before = THREADS.getCurrentThreadCpuTime();
        MaskedNetwork all = new MaskedNetwork(settings, network, parts, Policy.DEFAULT, masked, own);
        RunReport report =
                new Simulator().run(network, all.jobs(), new Delays(node -> 0, (from, to) -> 1), StopSignal.manual());
        double seconds = (THREADS.getCurrentThreadCpuTime() - before) * 1e-9;
        return new Cost(
                seconds, report, sites, all.jobs().get(0).result().model("rows").weightsHash());
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }

    @ParameterizedTest
    @CsvSource({"10,100,20000", "20,100,20000", "10,500,60000", "20,500,60000"})
    void masksCostAtMostAFifth(int sites, int features, int count) throws Exception {
        Dataset rows =
                Generator.classification(count, features).noise(0.1).seed(3).generate();
        double[] masked = new double[TURNS];
        double[] plain = new double[TURNS];
        double[] ratios = new double[TURNS];
        Cost last = null;
        run(sites, rows, true, folder.resolve("warm-up"));
        for (int turn = 0; turn < TURNS; turn++) {
            last = run(sites, rows, true, folder.resolve("masked-" + turn));
            Cost other = run(sites, rows, false, folder.resolve("plain-" + turn));
            assertThat(last.hash()).isEqualTo(other.hash());
            masked[turn] = last.processorSeconds() / sites;
            plain[turn] = other.processorSeconds() / sites;
            ratios[turn] = last.seconds() / other.seconds();
        }
        double ratio = median(ratios);
        System.out.printf(
                Locale.ROOT,
                "FAULTS masks: sites %d, d %d, rows %d: %.0f messages one after the other, %.2f MB a site, processor"
                        + " seconds a site %.3f with masks, %.3f without, whole run %.2f s with; ratio %.3f (%.3f to"
                        + " %.3f)%n",
                sites,
                features,
                count,
                last.report().idealisedTime(),
                last.report().bytes() * 1e-6 / sites,
                median(masked),
                median(plain),
                last.seconds(),
                ratio,
                ratios[0],
                ratios[TURNS - 1]);
        assertThat(ratio).isLessThan(1.2);
    }
}
