package dev.starling.peer.node;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.data.LibsvmWriter;
import dev.starling.node.HiddenSum;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.setup.RowSplit;
import dev.starling.peer.sums.LedgerComparison.Compared;
import dev.starling.peer.sums.SumLedger;
import dev.starling.peer.sums.Transcript;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** After a run a site goes through it again and sees whether what left it is what the protocol says. */
@Timeout(120)
class ReplayTest {

    private static final Dataset ROWS =
            Generator.classification(240, 6).noise(0.2).seed(4).generate();

    @TempDir
    private Path directory;

    private ProcessNetwork ran(String... training) throws Exception {
        ProcessNetwork network = new ProcessNetwork(directory, "line", 3, List.of(training));
        network.with(ROWS, UnaryOperator.identity());
        PeerTest.run(network).get(1).fit().model().save(model());
        return network;
    }

    private Path model() {
        return directory.resolve("model.json");
    }

    private Replay.Outcome replay(ProcessNetwork network, int site) {
        return Replay.of(SiteConfig.read(network.yaml(site)), Optional.of(model()));
    }

    /** The root, the site in the middle and a leaf. */
    @Test
    void everySiteReproducesWhatItSent() throws Exception {
        try (ProcessNetwork network = ran("method: newton", "lambda: 1e-2", "standardize: true", "max-seconds: 100")) {
            for (int site = 0; site < 3; site++) {
                Replay.Outcome outcome = replay(network, site);
                assertThat(outcome.isTrue()).as(outcome.toString()).isTrue();
                assertThat(outcome.sums())
                        .hasSize((int) SumLedger.read(ledger(network, site)).stream()
                                .filter(line -> line.sum() > 0)
                                .count())
                        .extracting(sum -> sum.line().fields().get("kind"))
                        .contains("presence", "values", "means", "deviations", "hessian", "updates");
                assertThat(outcome.remarks())
                        .containsExactly("the totals are those that 3 sites have signed in " + model());
            }
        }
    }

    private static Path ledger(ProcessNetwork network, int site) {
        return file(network, site, "ledger");
    }

    private static Path file(ProcessNetwork network, int site, String name) {
        return network.directory.resolve("state-site-" + site).resolve("test").resolve(name);
    }

    @Test
    void aChangedRowSettingOrPolicyIsDetected() throws Exception {
        try (ProcessNetwork network = ran("method: newton", "lambda: 1e-2")) {
            double[] labels = RowSplit.part(ROWS, 1, 3).labels().clone();
            labels[17] = -labels[17];
            LibsvmWriter.write(RowSplit.part(ROWS, 1, 3).withLabels(labels), directory.resolve("site-1.libsvm"));
            Replay.Outcome changed = replay(network, 1);
            assertThat(changed.isTrue()).isFalse();
            assertThat(changed.differences()).containsExactly("this site's rows differ from those in the run");
            assertThat(changed.sums())
                    .filteredOn(sum -> sum.line().fields().get("kind").equals("hessian"))
                    .isNotEmpty()
                    .extracting(Compared::difference)
                    .containsOnly("the numbers were different");

            network.edit(0, text -> text.replace("  leverage: 2", "  leverage: 1e-3"));
            Replay.Outcome stricter = replay(network, 0);
            assertThat(stricter.isTrue()).isFalse();
            assertThat(stricter.differences())
                    .contains("this site's rules (policy) differ from those in the run")
                    .anyMatch(
                            text -> text.contains("would not have released this") && text.contains("policy: leverage"));

            network.edit(2, text -> text.replace("lambda: 1e-2", "lambda: 1e-3"));
            assertThat(replay(network, 2).differences())
                    .contains("this site's settings or columns differ from those in the run");
        }
    }

    /** An altered line is noticed by the chain, and by what it says if the chain was made anew. */
    @Test
    void anAlteredLedgerIsDetectedEvenWithARebuiltChain() throws Exception {
        try (ProcessNetwork network = ran("method: newton", "lambda: 1e-2")) {
            Path ledger = ledger(network, 0);
            String text = Files.readString(ledger);
            Files.writeString(ledger, text.replaceFirst("kind=hessian", "kind=gradient"));
            assertThatRefused(() -> replay(network, 0)).hasMessageContaining("altered, or a line before it is missing");
            Files.writeString(ledger, chained(text.replaceFirst("kind=hessian", "kind=gradient")));
            assertThat(replay(network, 0).sums())
                    .extracting(Compared::difference)
                    .containsOnlyOnce("kind was gradient and is now hessian");

            // A line too many, and one too few.
            List<String> lines = text.lines().toList();
            String last = lines.get(lines.size() - 1);
            Files.writeString(ledger, chained(text + last.replaceFirst("sum=\\d+", "sum=99") + "\n"));
            assertThat(replay(network, 0).differences())
                    .containsExactly("sum 99 has left the site, but the protocol does not ask for it");
            Files.writeString(ledger, chained(text.substring(0, text.indexOf(last))));
            assertThat(replay(network, 0).sums())
                    .extracting(Compared::difference)
                    .containsOnlyOnce("it has not left the site");
        }
    }

    /** What somebody does who knows the format of a ledger but not its key. */
    private static String chained(String text) throws Exception {
        StringBuilder result = new StringBuilder();
        byte[] chain =
                MessageDigest.getInstance("SHA-256").digest("starling ledger 1\0".getBytes(StandardCharsets.UTF_8));
        for (String line : text.lines().toList()) {
            String content = line.substring(0, line.lastIndexOf("\tchain="));
            MessageDigest next = MessageDigest.getInstance("SHA-256");
            next.update("starling ledger 1\0".getBytes(StandardCharsets.UTF_8));
            next.update(chain);
            chain = next.digest(content.getBytes(StandardCharsets.UTF_8));
            result.append(content)
                    .append("\tchain=")
                    .append(HexFormat.of().formatHex(chain))
                    .append('\n');
        }
        return result.toString();
    }

    @Test
    void alteredTotalsAreDetected() throws Exception {
        try (ProcessNetwork network = ran("method: newton", "lambda: 1e-2")) {
            Path totals = file(network, 0, "totals");
            byte[] bytes = Files.readAllBytes(totals);
            // The lowest bits of the last total, which no later question depends on: what sites have signed does.
            List<double[]> results = Transcript.read(totals).results();
            int entries = results.get(results.size() - 1).length;
            bytes[bytes.length - Double.BYTES * (entries - HiddenSum.HEAD) + Double.BYTES - 1] ^= 1;
            Files.write(totals, bytes);
            assertThat(replay(network, 0).differences())
                    .containsExactly("the totals are not those that the sites have signed in " + model());
        }
    }

    /** What was told again after a restart is in the transcript once. */
    @Test
    void anInterruptedRunCanBeReplayed() throws Exception {
        try (ProcessNetwork network = new ProcessNetwork(
                        directory, "line", 3, List.of("method: newton", "lambda: 1e-2"))
                .with(ROWS, text -> text.replace("every: 30s", "every: 0ms"))) {
            PeerTest.run(network, Site::load, (peer, line) -> {
                        if (line.contains("event=certificate")) {
                            peer.leave();
                        }
                    })
                    .get(0)
                    .fit()
                    .model()
                    .save(model());
            for (int site = 0; site < 3; site++) {
                Replay.Outcome outcome = replay(network, site);
                assertThat(outcome.isTrue()).as(outcome.toString()).isTrue();
            }
        }
    }

    @Test
    void onlySumsBeforeTrainingAreReplayedWhenEstimatesAreExchanged() throws Exception {
        try (ProcessNetwork network = ran("method: adfs", "lambda: 1e-2", "gap: 1e-3", "tau: 8")) {
            Replay.Outcome outcome = replay(network, 1);
            assertThat(outcome.isTrue()).as(outcome.toString()).isTrue();
            assertThat(outcome.sums())
                    .extracting(sum -> sum.line().fields().get("kind"))
                    .containsExactly("presence", "values");
            long all = SumLedger.read(ledger(network, 1)).stream()
                    .filter(line -> line.sum() > 0)
                    .count();
            assertThat(outcome.unproven()).isEqualTo((int) all - 2).isGreaterThan(2);
            assertThat(outcome.remarks())
                    .anyMatch(text -> text.contains("nor the numbers in its " + outcome.unproven() + " sums"));
        }
    }

    /** Of sums of certificates the numbers are not known again, but what is asked for is. */
    @Test
    void anUnexpectedSumIsDetectedWhenEstimatesAreExchanged() throws Exception {
        try (ProcessNetwork network = ran("method: adfs", "lambda: 1e-2", "gap: 1e-3", "tau: 8")) {
            Path ledger = ledger(network, 1);
            String text = Files.readString(ledger);
            Files.writeString(ledger, chained(text.replaceFirst("(kind=dual.*)rows=80", "$1rows=1")));
            assertThat(replay(network, 1).differences())
                    .containsExactly(
                            "sum 3, dual over 1 rows, has left the site, but the protocol does not ask for it when estimates are exchanged");
            Files.writeString(ledger, chained(text.replaceFirst("kind=losses", "kind=gradient")));
            assertThat(replay(network, 1).differences())
                    .containsExactly(
                            "sum 4, gradient over 80 rows, has left the site, but the protocol does not ask for it when estimates are exchanged");
            Files.writeString(ledger, chained(text.replaceFirst("(?m)^.*kind=dual.*\\n", "")));
            assertThat(replay(network, 1).differences()).contains("sum 3 is missing from the ledger, before sum 4");
        }
    }
}
