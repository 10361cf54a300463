package dev.starling.peer.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.starling.Fit;
import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.data.InvalidInputException;
import dev.starling.loss.Losses;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.metrics.Journal;
import dev.starling.runtime.Simulator;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sites as threads of one process, which is enough to see what they compute. */
class PeerTest {

    @TempDir
    private Path directory;

    private static List<PeerReport> run(ProcessNetwork network) throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            List<CompletableFuture<PeerReport>> running = new ArrayList<>();
            for (int k = 0; k < network.sites.size(); k++) {
                SiteConfig config = SiteConfig.read(network.yaml(k));
                Journal journal = new Journal(
                        new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8),
                        config.site(),
                        Clock.systemUTC(),
                        true);
                running.add(CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                return new Peer(config, journal).run(report -> {});
                            } catch (InterruptedException e) {
                                throw new IllegalStateException(e);
                            }
                        },
                        threads));
            }
            List<PeerReport> reports = new ArrayList<>();
            for (CompletableFuture<PeerReport> one : running) {
                reports.add(one.get(60, TimeUnit.SECONDS));
            }
            return reports;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        } finally {
            threads.shutdownNow();
        }
    }

    private ProcessNetwork network(String topology, int size, Dataset rows, String... training) throws IOException {
        return new ProcessNetwork(directory, topology, size, List.of(training)).with(rows, UnaryOperator.identity());
    }

    private static void assertSame(List<PeerReport> reports, Fit expected) {
        for (PeerReport report : reports) {
            assertThat(report.fit().model().hash()).isEqualTo(expected.model().hash());
            assertThat(report.fit().certificate()).isEqualTo(expected.certificate());
            assertThat(report.fit().rounds()).isEqualTo(expected.rounds());
            assertThat(report.fit().updates()).isEqualTo(expected.updates());
        }
    }

    private static Dataset threeClasses(int every) {
        Dataset rows = Generator.classification(240, 6).noise(0.2).seed(4).generate();
        double[] labels = new double[rows.rows()];
        for (int row = 0; row < labels.length; row++) {
            labels[row] = row % every == 0 ? 7 : rows.label(row);
        }
        return rows.withLabels(labels);
    }

    @Test
    void shouldTrainOneClassAgainstTheRestAsOneProcessDoes() throws Exception {
        Dataset rows = threeClasses(4);
        try (ProcessNetwork network = network("line", 3, rows, "lambda: 1e-2", "gap: 1e-4", "tau: 30")) {
            Fit expected = Trainer.logistic()
                    .lambda(1e-2)
                    .gap(1e-4)
                    .network(network.network)
                    .delay(30)
                    .runner(new Simulator())
                    .fit(rows);
            List<PeerReport> reports = run(network);
            assertSame(reports, expected);
            assertThat(reports.get(0).fit().model().classes()).containsExactly(-1.0, 1.0, 7.0);
        }
    }

    @Test
    void shouldTrainRegressionWithAnInterceptAsOneProcessDoes() throws Exception {
        Dataset rows = Generator.regression(150, 8).density(0.3).seed(4).generate();
        try (ProcessNetwork network =
                network("star", 3, rows, "loss: squared", "lambda: 1e-2", "gap: 1e-6", "tau: 30", "bias: 2")) {
            Fit expected = Trainer.of(Losses.named("squared"))
                    .lambda(1e-2)
                    .gap(1e-6)
                    .bias(2)
                    .network(network.network)
                    .delay(30)
                    .runner(new Simulator())
                    .fit(rows);
            assertSame(run(network), expected);
        }
    }

    @Test
    void shouldTrainALossWithKinksAsOneProcessDoes() throws Exception {
        Dataset rows = Generator.classification(120, 5).noise(0.2).seed(4).generate();
        try (ProcessNetwork network = network("line", 2, rows, "loss: hinge", "lambda: 1e-1", "gap: 1e-2", "tau: 30")) {
            Fit expected = Trainer.of(Losses.named("hinge"))
                    .lambda(1e-1)
                    .gap(1e-2)
                    .network(network.network)
                    .delay(30)
                    .runner(new Simulator())
                    .fit(rows);
            assertSame(run(network), expected);
        }
    }

    @Test
    void shouldTrainAloneWhenThereIsOnlyOneSite() throws Exception {
        Dataset rows = Generator.classification(100, 5).noise(0.2).seed(4).generate();
        try (ProcessNetwork network = network("line", 1, rows, "lambda: 1e-2", "gap: 1e-4", "tau: 30")) {
            Fit expected = Trainer.logistic()
                    .lambda(1e-2)
                    .gap(1e-4)
                    .network(network.network)
                    .delay(30)
                    .runner(new Simulator())
                    .fit(rows);
            assertSame(run(network), expected);
        }
    }

    @Test
    void shouldRefuseLabelsThatDoNotMeanTheSame() throws Exception {
        Dataset rows = threeClasses(3);
        try (ProcessNetwork network = network("line", 3, rows, "lambda: 1e-2", "gap: 1e-4")) {
            // Site 0 holds the rows 0, 3, 6, …, which all have the label 7; the others have -1 and 1.
            assertThatThrownBy(() -> run(network))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("site-0")
                    .hasMessageContaining("site-1")
                    .hasMessageContaining("[7.0]");
        }
    }

    @Test
    void shouldGiveTheSameResultAgainWhenItIsStartedAfterTheEnd() throws Exception {
        Dataset rows = Generator.classification(100, 5).noise(0.2).seed(4).generate();
        try (ProcessNetwork network = network("line", 2, rows, "lambda: 1e-2", "gap: 1e-4")) {
            String first = run(network).get(0).fit().model().hash();
            List<PeerReport> again = run(network);
            assertThat(again.get(0).fit().model().hash()).isEqualTo(first);
            assertThat(again.get(0).recoveries()).isEqualTo(1);
        }
    }

    @Test
    void shouldRefuseAStateOfOtherSettings() throws Exception {
        Dataset rows = Generator.classification(100, 5).noise(0.2).seed(4).generate();
        try (ProcessNetwork network = network("line", 1, rows, "lambda: 1e-2", "gap: 1e-4")) {
            run(network);
            network.edit(0, text -> text.replace("gap: 1e-4", "gap: 1e-5"));
            assertThatThrownBy(() -> run(network))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("holds a run of other data or settings");
        }
    }
}
