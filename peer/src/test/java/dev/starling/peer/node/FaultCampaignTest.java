package dev.starling.peer.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.runtime.Simulator;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs of real processes into which faults of all kinds are thrown at random, as many of each kind and by each method
 * as {@code starling.faults} says, with the seed {@code starling.faults.seed}. Every run must end with the simulator's
 * bits.
 */
@Tag("faults")
class FaultCampaignTest {

    /** With twelve kinds and two methods this is a little more than a thousand. */
    private static final int OF_EACH_KIND = Integer.getInteger("starling.faults", 42);

    /** Then a run is let alone, so that its bits are looked at often. */
    private static final int MOST_PER_RUN = 25;

    private static final long SEED = Long.getLong("starling.faults.seed", 1);
    private static final double TAU = 20;
    private static final List<Fault> KINDS =
            Arrays.stream(Fault.values()).filter(NetworkUnderFire::isKnownHere).toList();

    /** So that the campaign ends even if faults do not come about. */
    private static final int MOST_RUNS = 10 + 3 * OF_EACH_KIND;

    @TempDir
    private Path directory;

    private final Map<Fault, Integer> injected = new EnumMap<>(Fault.class);
    private final Random random = new Random(SEED);
    private int runs;

    private static int count(Map<Fault, Integer> faults) {
        return faults.values().stream().mapToInt(Integer::intValue).sum();
    }

    @Test
    void adfsEndsWithTheSameBitsAfterFaults() throws Exception {
        campaign("adfs", Generator.classification(2000, 20).noise(0.1).seed(3).generate(), 1e-5, 1e-7);
    }

    /** Several classes, one after the other, give faults time to happen. */
    @Test
    void newtonsMethodEndsWithTheSameBitsAfterFaults() throws Exception {
        Dataset two = Generator.classification(2000, 20).noise(0.1).seed(3).generate();
        double[] labels = new double[two.rows()];
        for (int row = 0; row < labels.length; row++) {
            labels[row] = two.label(row) > 0 ? row / 4 % 10 : 0;
        }
        campaign("newton", two.withLabels(labels), 1e-6, 1e-9);
    }

    private void campaign(String method, Dataset rows, double lambda, double gap) throws Exception {
        if (KINDS.size() < Fault.values().length) {
            System.out.println("FAULTS campaign: clocks do not jump, since faketime is not installed");
        }
        long start = System.nanoTime();
        while (!left(Map.of()).isEmpty()) {
            assertThat(runs).as("runs for so few faults as " + injected).isLessThan(MOST_RUNS);
            oneRun(method, rows, lambda, gap);
            System.out.printf(
                    Locale.ROOT,
                    "FAULTS campaign, %s: runs %d, faults %d, all finished, hashes equal true, seconds %.0f, %s%n",
                    method,
                    runs,
                    count(injected),
                    (System.nanoTime() - start) * 1e-9,
                    injected);
        }
    }

    /** The kinds of which there were too few so far, in any order. */
    private List<Fault> left(Map<Fault, Integer> sofar) {
        List<Fault> left = new ArrayList<>();
        for (Fault fault : KINDS) {
            int missing = OF_EACH_KIND - injected.getOrDefault(fault, 0) - sofar.getOrDefault(fault, 0);
            left.addAll(Collections.nCopies(Math.max(0, missing), fault));
        }
        return left;
    }

    /** A run with as many faults as find room in it. */
    private void oneRun(String method, Dataset rows, double lambda, double gap) throws Exception {
        Path folder = Files.createDirectory(directory.resolve("run-" + runs++));
        List<String> training = List.of("method: " + method, "lambda: " + lambda, "gap: " + gap, "tau: " + TAU);
        try (NetworkUnderFire network = new NetworkUnderFire(folder, training, rows, random)) {
            while (!network.isAnySolved() && count(network.injected()) < MOST_PER_RUN && burst(network)) {
                // until the run is at its end or has had enough
            }
            List<String> hashes = network.hashes();
            if (network.wentOnWarm()) {
                assertThat(hashes).containsOnly(WarmStartTest.simulated(network.file(0), network.parts(rows)));
            } else {
                Network graph = network.isChanged()
                        ? Topology.named("complete").build(network.sites(), 1)
                        : network.network().network;
                String expected = Trainer.logistic()
                        .method(method)
                        .lambda(lambda)
                        .gap(gap)
                        .network(graph)
                        .delay(TAU)
                        .runner(new Simulator())
                        .fit(network.rows(rows))
                        .model()
                        .hash();
                assertThat(hashes).containsOnly(expected);
            }
            network.injected().forEach((fault, count) -> injected.merge(fault, count, Integer::sum));
        }
    }

    /** One to three faults close together, and time for what they hit to come back; false if none is left. */
    private boolean burst(NetworkUnderFire network) throws Exception {
        for (int faults = 1 + random.nextInt(3); faults > 0; faults--) {
            List<Fault> left = left(network.injected());
            left.removeIf(fault -> !network.isPossible(fault));
            if (left.isEmpty()) {
                return false;
            }
            int site = random.nextInt(network.sites());
            network.awaitLife(site);
            Thread.sleep(random.nextInt(200));
            network.inject(left.get(random.nextInt(left.size())), site);
        }
        network.restartTheDead();
        // Every third time the next ones come while these are still being recovered from.
        if (random.nextInt(3) != 0) {
            for (int site = 0; site < network.sites(); site++) {
                network.awaitRecovery(site);
            }
            Thread.sleep(random.nextInt(300));
        }
        return true;
    }
}
