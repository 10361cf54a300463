package dev.starling.peer.node;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.data.InvalidInputException;
import dev.starling.peer.config.SiteConfig;
import dev.starling.support.FreePorts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What sites say, word for word, when their files do not fit each other or their rows. */
@Tag("thorough")
class DisagreementTest {

    private static final int SITES = 3;

    private static final List<String> TRAINING = List.of(
            "loss: logistic",
            "method: auto",
            "lambda: 1e-2",
            "gap: 1e-4",
            "max-epochs: 100",
            "seed: 1",
            "bias: 0",
            "tau: 30",
            "labels: [-1, 1]",
            "max-features: 10");

    /**
     * @param right what stands in every file
     * @param wrong what stands in the file of site 1 instead
     * @param message what site 0 says then
     */
    private record Disagreement(String right, String wrong, String message) {}

    private static final List<Disagreement> DISAGREEMENTS = List.of(
            setting("loss: logistic", "loss: squared-hinge", "loss logistic, site site-1 squared-hinge"),
            setting("loss: logistic", "loss: squared", "loss logistic, site site-1 squared"),
            setting("method: auto", "method: adfs", "method auto, site site-1 adfs"),
            setting("lambda: 1e-2", "lambda: 0.25", "lambda 0.01, site site-1 0.25"),
            setting("gap: 1e-4", "gap: 1e-5", "gap 1.0E-4, site site-1 1.0E-5"),
            setting("max-epochs: 100", "max-epochs: 200", "max-epochs 100.0, site site-1 200.0"),
            setting("seed: 1", "seed: 2", "seed 1, site site-1 2"),
            setting("bias: 0", "bias: 1", "bias 0.0, site site-1 1.0"),
            setting("tau: 30", "tau: 40", "tau 30.0, site site-1 40.0"),
            setting("tau: 30", "# tau is measured", "tau 30.0, site site-1 auto"),
            new Disagreement(
                    "run: test",
                    "run: other",
                    "site site-1 takes part in run 'other', site site-0 in 'test'; 'run' must be the same in both files"),
            new Disagreement(
                    "- [site-1, site-2]",
                    "- [site-1, site-2]\n  - [site-0, site-2]",
                    "site site-1 and site site-0 are configured for different networks; 'sites', 'edges' and 'keys' must be "
                            + "the same in both files"));

    @TempDir
    private Path directory;

    private static Disagreement setting(String right, String wrong, String values) {
        return new Disagreement(right, wrong, "site site-0 has " + values + "; it must be the same at all sites");
    }

    private static Dataset rows() {
        return Generator.classification(40, 4).seed(4).generate();
    }

    /** All at once: a site that gives up stays for a second, so that its neighbours learn why. */
    @Test
    void namesBothSitesAndBothValues() throws Exception {
        int firstPort = FreePorts.first(SITES * DISAGREEMENTS.size());
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            List<Callable<Throwable>> networks = new ArrayList<>();
            for (int k = 0; k < DISAGREEMENTS.size(); k++) {
                Path place = Files.createDirectory(directory.resolve("network-" + k));
                int port = firstPort + SITES * k;
                Disagreement one = DISAGREEMENTS.get(k);
                networks.add(() -> objection(place, port, one));
            }
            List<Future<Throwable>> objections = threads.invokeAll(networks);
            SoftAssertions softly = new SoftAssertions();
            for (int k = 0; k < DISAGREEMENTS.size(); k++) {
                softly.assertThat(objections.get(k).get())
                        .as(DISAGREEMENTS.get(k).wrong())
                        .isInstanceOf(InvalidInputException.class)
                        .hasMessage(DISAGREEMENTS.get(k).message());
            }
            softly.assertAll();
        } finally {
            threads.shutdownNow();
        }
    }

    private static Throwable objection(Path place, int port, Disagreement disagreement) throws Exception {
        try (ProcessNetwork network =
                new ProcessNetwork(place, "line", SITES, TRAINING, port).with(rows(), UnaryOperator.identity())) {
            network.edit(1, text -> text.replace(disagreement.right(), disagreement.wrong()));
            PeerTest.run(network);
            return null;
        } catch (InvalidInputException e) {
            return e;
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    labels: [-1, 1]  | labels: [-1, 2] | site site-0: a label is not one of the classes [-1.0, 2.0]; 'starling peer --check' there says which
                    max-features: 10 | max-features: 3 | {directory}/site-0.libsvm has 4 features, but training.max-features is 3; raise it at all sites
                    """)
    void namesTheRowsThatContradictASetting(String right, String wrong, String message) throws Exception {
        assertRefusesAlone(rows(), right, wrong, message.replace("{directory}", directory.toString()));
    }

    /** The one whose rows do not fit is named at all sites; and when they do, the same run can begin. */
    @Test
    void namesTheSiteWithInvalidRowsAndStartsOnceTheyAreFixed() throws Exception {
        try (ProcessNetwork network =
                new ProcessNetwork(directory, "line", SITES, TRAINING).with(rows(), UnaryOperator.identity())) {
            Path last = directory.resolve("site-2.libsvm");
            String right = Files.readString(last);
            Files.writeString(last, right.replaceFirst("(?m)^\\S+", "5"));
            List<Throwable> said = new CopyOnWriteArrayList<>();
            ExecutorService threads = Executors.newCachedThreadPool();
            try {
                List<Callable<Boolean>> sites = new ArrayList<>();
                for (int k = 0; k < SITES; k++) {
                    SiteConfig config = SiteConfig.read(network.yaml(k));
                    sites.add(() -> {
                        try {
                            PeerTest.start(config, Site::load, (peer, line) -> {});
                        } catch (InvalidInputException e) {
                            return said.add(e);
                        }
                        return false;
                    });
                }
                threads.invokeAll(sites);
            } finally {
                threads.shutdownNow();
            }
            assertThat(said)
                    .hasSize(SITES)
                    .extracting(Throwable::getMessage)
                    .containsOnly(
                            "site site-2: a label is not one of the classes [-1.0, 1.0]; 'starling peer --check' there"
                                    + " says which");
            Files.writeString(last, right);
            assertThat(PeerTest.run(network)).extracting(PeerReport::recoveries).containsOnly(0);
        }
    }

    @Test
    void refusesRowsOfOneClass() throws Exception {
        double[] ones = new double[rows().rows()];
        Arrays.fill(ones, 1);
        assertRefusesAlone(
                rows().withLabels(ones),
                "labels: [-1, 1]",
                "# those that are found",
                "only one class, label 1, in 40 rows; two are needed");
    }

    private void assertRefusesAlone(Dataset rows, String right, String wrong, String message) throws Exception {
        try (ProcessNetwork network =
                new ProcessNetwork(directory, "line", 1, TRAINING).with(rows, text -> text.replace(right, wrong))) {
            assertThatRefused(() -> PeerTest.run(network)).hasMessage(message);
        }
    }
}
