package dev.starling.peer.node;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.Fit;
import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.loss.Losses;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.transport.Surroundings;
import dev.starling.runtime.Simulator;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sites as threads of one process, which is enough to see what they compute. */
class PeerTest {

    @TempDir
    private Path directory;

    static List<PeerReport> run(ProcessNetwork network) throws Exception {
        return run(network, Site::load, (peer, line) -> {});
    }

    /** Runs all sites; a site that leaves is started again, and then stays. */
    static List<PeerReport> run(
            ProcessNetwork network, Function<SiteConfig, Site> loader, BiConsumer<Peer, String> reader)
            throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        List<CompletableFuture<PeerReport>> running = new ArrayList<>();
        try {
            for (int k = 0; k < network.sites.size(); k++) {
                SiteConfig config = SiteConfig.read(network.yaml(k));
                running.add(CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                return start(config, loader, reader);
                            } catch (PeerStoppedException | Crash e) {
                                return start(config, loader, (peer, line) -> {});
                            }
                        },
                        threads));
            }
            List<PeerReport> reports = new ArrayList<>();
            for (CompletableFuture<PeerReport> one : running) {
                reports.add(one.get(60, TimeUnit.SECONDS));
            }
            return reports;
        } catch (TimeoutException e) {
            // Whoever has fallen is the reason why another one waits.
            for (CompletableFuture<PeerReport> one : running) {
                if (one.isCompletedExceptionally()) {
                    one.get();
                }
            }
            throw e;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        } finally {
            threads.shutdownNow();
        }
    }

    /** A site in this thread, whose log someone reads. */
    static PeerReport start(SiteConfig config, Function<SiteConfig, Site> loader, BiConsumer<Peer, String> reader) {
        return start(config, loader, reader, Surroundings.real());
    }

    static PeerReport start(
            SiteConfig config,
            Function<SiteConfig, Site> loader,
            BiConsumer<Peer, String> reader,
            Surroundings surroundings) {
        AtomicReference<Peer> peer = new AtomicReference<>();
        peer.set(new Peer(config, new LineLogger(line -> reader.accept(peer.get(), line)), loader, surroundings));
        try {
            return peer.get().run(report -> {});
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What ends a site at once, with nothing saved that was not. */
    private static final class Crash extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private ProcessNetwork network(String topology, int size, Dataset rows, String... training) throws IOException {
        return new ProcessNetwork(directory, topology, size, List.of(training)).with(rows, UnaryOperator.identity());
    }

    /** What a trainer makes of the rows of all sites in one process, with the delay that sites are told. */
    private static Fit simulated(Trainer trainer, ProcessNetwork network, Dataset rows) {
        return trainer.network(network.network)
                .delay(30)
                .runner(new Simulator())
                .fit(rows);
    }

    /** Rounds and time are each site's own; the simulator has those of the last one. */
    private static void assertSame(List<PeerReport> reports, Fit expected) {
        for (PeerReport report : reports) {
            assertThat(report.fit().model().hash()).isEqualTo(expected.model().hash());
            assertThat(report.fit().certificate()).isEqualTo(expected.certificate());
            assertThat(report.fit().updates()).isEqualTo(expected.updates());
        }
        assertThat(reports.stream().mapToLong(report -> report.fit().rounds()).max())
                .hasValue(expected.rounds());
    }

    private static void assertSameTime(List<PeerReport> reports, Fit expected) {
        assertThat(reports.stream()
                        .mapToDouble(report -> report.fit().idealisedTime())
                        .max())
                .hasValue(expected.idealisedTime());
    }

    private static Dataset threeClasses(int every) {
        Dataset rows = Generator.classification(240, 6).noise(0.2).seed(4).generate();
        double[] labels = new double[rows.rows()];
        for (int row = 0; row < labels.length; row++) {
            labels[row] = row % every == 0 ? 7 : rows.label(row);
        }
        return rows.withLabels(labels);
    }

    @ParameterizedTest
    @ValueSource(strings = {"adfs", "newton"})
    void trainsRegressionWithAnInterceptAsOneProcessDoes(String method) throws Exception {
        Dataset rows = Generator.regression(150, 8).density(0.3).seed(4).generate();
        try (ProcessNetwork network = network(
                "star",
                3,
                rows,
                "loss: squared",
                "lambda: 1e-2",
                "gap: 1e-6",
                "tau: 30",
                "bias: 2",
                "method: " + method)) {
            Fit expected = simulated(
                    Trainer.of(Losses.named("squared"))
                            .method(method)
                            .lambda(1e-2)
                            .gap(1e-6)
                            .bias(2),
                    network,
                    rows);
            List<PeerReport> reports = run(network);
            assertSame(reports, expected);
            assertSameTime(reports, expected);
        }
    }

    @Test
    void leavesTheLoggersOfTheProcessAlone() throws Exception {
        Dataset rows = Generator.classification(40, 3).seed(4).generate();
        try (ProcessNetwork network = network("line", 2, rows, "lambda: 1e-1", "gap: 1e-2", "tau: 30")) {
            run(network);
        }
        assertThat(Collections.list(LogManager.getLogManager().getLoggerNames()))
                .filteredOn(name -> name.startsWith("io.grpc"))
                .isNotEmpty()
                .allSatisfy(name -> assertThat(Logger.getLogger(name).isLoggable(Level.INFO))
                        .isTrue());
    }

    @ParameterizedTest
    @ValueSource(strings = {"adfs", "newton"})
    void trainsAloneWithOneSite(String method) throws Exception {
        Dataset rows = Generator.classification(100, 5).noise(0.2).seed(4).generate();
        try (ProcessNetwork network =
                network("line", 1, rows, "lambda: 1e-2", "gap: 1e-4", "tau: 30", "method: " + method)) {
            Fit expected =
                    simulated(Trainer.logistic().method(method).lambda(1e-2).gap(1e-4), network, rows);
            assertSame(run(network), expected);
        }
    }

    private static Fit newton(ProcessNetwork network, Dataset rows, double lambda, double gap) {
        return simulated(Trainer.logistic().method("newton").lambda(lambda).gap(gap), network, rows);
    }

    /** Orders are then longer than sums, and decisions of certificates longer than both. */
    @ParameterizedTest
    @ValueSource(strings = {"adfs", "newton"})
    void trainsOnOneFeature(String method) throws Exception {
        Dataset rows = Generator.regression(40, 1).seed(4).generate();
        try (ProcessNetwork network = network(
                "line", 2, rows, "loss: squared", "lambda: 1e-1", "gap: 1e-6", "tau: 30", "method: " + method)) {
            Fit expected = simulated(
                    Trainer.of(Losses.named("squared"))
                            .method(method)
                            .lambda(1e-1)
                            .gap(1e-6),
                    network,
                    rows);
            assertSame(run(network), expected);
        }
    }

    @Test
    void countsTheUpdatesOfAllSitesInPassesOverSamples() throws Exception {
        Dataset rows = Generator.classification(17_000, 4).noise(0.1).seed(4).generate();
        try (ProcessNetwork network = network("line", 3, rows, "lambda: 1e-4", "gap: 1e-9", "tau: 30")) {
            assertSame(run(network), newton(network, rows, 1e-4, 1e-9));
        }
    }

    @Test
    void resumesNewtonsMethodBitForBit() throws Exception {
        assertResumes(Generator.classification(1000, 12).noise(0.1).seed(4).generate(), 1e-9);
    }

    @Test
    void resumesWithoutHessiansBitForBit() throws Exception {
        assertResumes(
                Generator.classification(90, 1200)
                        .density(0.02)
                        .noise(0.1)
                        .seed(4)
                        .generate(),
                1e-8);
    }

    /** Every site leaves in the middle, with its state saved, and is started again. */
    private void assertResumes(Dataset rows, double gap) throws Exception {
        try (ProcessNetwork network =
                network("line", 3, rows, "method: newton", "lambda: 1e-4", "gap: " + gap, "tau: 30")) {
            Fit expected = newton(network, rows, 1e-4, gap);
            List<PeerReport> reports = run(network, Site::load, (peer, line) -> {
                if (line.contains("event=certificate")) {
                    peer.leave();
                }
            });
            assertSame(reports, expected);
            assertThat(reports).extracting(PeerReport::recoveries).containsExactly(1, 1, 1);
        }
    }

    /** Every site crashes as it enters the phase, and replays from what it has on disk. */
    @ParameterizedTest
    @CsvSource({
        "adfs, rows",
        "adfs, means",
        "newton, presence",
        "adfs, facts",
        "adfs, measured",
        "adfs, slowest",
        "adfs, train 1",
        "adfs, totals",
        "newton, measured",
        "newton, slowest",
        "newton, train 0",
        "newton, totals"
    })
    void endsWithTheSameBitsAfterEverySiteCrashesInAPhase(String method, String phase) throws Exception {
        Dataset rows = threeClasses(4);
        try (ProcessNetwork network =
                network("line", 3, rows, "lambda: 1e-2", "gap: 1e-4", "scaling: standardize", "method: " + method)) {
            List<PeerReport> reports = run(network, Site::load, (peer, line) -> {
                if (line.endsWith("event=phase name=" + phase) || line.endsWith("name=\"" + phase + "\"")) {
                    throw new Crash();
                }
            });
            Fit expected = Trainer.logistic()
                    .method(method)
                    .lambda(1e-2)
                    .gap(1e-4)
                    .standardize(true)
                    .network(network.network)
                    .delay(reports.get(0).tau())
                    .runner(new Simulator())
                    .fit(rows);
            assertSame(reports, expected);
            assertThat(reports).extracting(PeerReport::recoveries).containsExactly(1, 1, 1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"adfs", "newton"})
    void stopsAllSitesAtTheSamePointWhenTimeIsUp(String method) throws Exception {
        Dataset rows = Generator.classification(3000, 20).noise(0.3).seed(4).generate();
        // No certificate reaches the gap: the second one finds that time is up.
        try (ProcessNetwork network = network(
                "line", 3, rows, "lambda: 1e-9", "gap: 1e-14", "max-seconds: 1e-3", "tau: 30", "method: " + method)) {
            List<PeerReport> reports = run(network);
            assertThat(reports).extracting(report -> report.fit().outcome()).containsOnly(Fit.Outcome.STOPPED);
            assertThat(reports)
                    .extracting(report -> report.fit().model().hash())
                    .containsOnly(reports.get(1).fit().model().hash());
            assertThat(reports.get(2).fit().epochs()).isLessThan(1000);
        }
    }

    @Test
    void refusesLabelsThatDifferBetweenSites() throws Exception {
        Dataset rows = threeClasses(3);
        try (ProcessNetwork network = network("line", 3, rows, "lambda: 1e-2", "gap: 1e-4")) {
            // Site 0 holds the rows 0, 3, 6, …, which all have the label 7; the others have -1 and 1.
            assertThatRefused(() -> run(network))
                    .hasMessage("site site-1: labels must mean the same everywhere, and no node has all of "
                            + "[-1.0, 1.0, 7.0]: one has [-1.0, 1.0]; list the labels in the settings");
        }
    }

    @Test
    void returnsTheSameResultWhenRestartedAfterTheEnd() throws Exception {
        Dataset rows = Generator.classification(100, 5).noise(0.2).seed(4).generate();
        try (ProcessNetwork network = network("line", 2, rows, "lambda: 1e-2", "gap: 1e-4")) {
            String first = run(network).get(0).fit().model().hash();
            List<PeerReport> again = run(network);
            assertThat(again.get(0).fit().model().hash()).isEqualTo(first);
            assertThat(again.get(0).recoveries()).isEqualTo(1);
        }
    }

    @Test
    void refusesAStateOfOtherSettings() throws Exception {
        Dataset rows = Generator.classification(100, 5).noise(0.2).seed(4).generate();
        try (ProcessNetwork network = network("line", 1, rows, "lambda: 1e-2", "gap: 1e-4")) {
            run(network);
            network.edit(0, text -> text.replace("gap: 1e-4", "gap: 1e-5"));
            assertThatRefused(() -> run(network))
                    .hasMessage(network.state(0)
                            + " holds a run with different data or settings; change them back, or give "
                            + "the run another name at all sites");
        }
    }
}
