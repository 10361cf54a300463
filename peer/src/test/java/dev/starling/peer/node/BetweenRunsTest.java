package dev.starling.peer.node;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.data.LibsvmWriter;
import dev.starling.evaluation.Calibration;
import dev.starling.evaluation.ClassMeasures;
import dev.starling.evaluation.ScoreCounts;
import dev.starling.peer.cohort.CohortRegister;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.sums.SumLedger;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Attacks on what surrounds a run, each of which once worked: whoever tries gets nothing and is told why. */
class BetweenRunsTest {

    private static final int ROWS = 120;

    /** A site's own rules as they are if its file says nothing. */
    private static final UnaryOperator<String> USUAL_RULES =
            text -> text.substring(0, text.indexOf("policy:\n")) + "policy:\n";

    @TempDir
    private Path directory;

    private static Dataset rows(int count, int columns) {
        double[][] values = new double[count][columns];
        double[] labels = new double[count];
        for (int i = 0; i < count; i++) {
            Random random = new Random(7919L * i + 1);
            double score = random.nextGaussian();
            for (int c = 0; c < columns; c++) {
                values[i][c] = random.nextGaussian();
                score += c < 2 ? values[i][c] : 0;
            }
            labels[i] = score > 0 ? 1 : -1;
        }
        return Dataset.of(values, labels);
    }

    private ProcessNetwork ran(int sites, Dataset data, UnaryOperator<String> edit, String... training)
            throws Exception {
        ProcessNetwork network = new ProcessNetwork(directory, "complete", sites, List.of(training)).with(data, edit);
        PeerTest.run(network);
        return network;
    }

    /** Starts one site alone with another run, which must be refused before it says a word to anybody. */
    private void assertRefused(ProcessNetwork network, int site, String... why) throws IOException {
        network.edit(site, text -> text.replace("run: test", "run: next"));
        SiteConfig config = SiteConfig.read(network.yaml(site));
        assertThatRefused(() -> PeerTest.start(config, Site::load, (peer, line) -> {}))
                .satisfies(e -> assertThat(e.getMessage()).contains(why));
        Path ledger = config.state().resolve("next").resolve("ledger");
        assertThat(!Files.exists(ledger) || SumLedger.read(ledger).isEmpty()).isTrue();
        network.edit(site, text -> text.replace("run: next", "run: test"));
    }

    private void write(int site, Dataset data) {
        LibsvmWriter.write(data, directory.resolve("site-" + site + ".libsvm"));
    }

    private static Dataset ofSite(Dataset data, int site) {
        return data.picked(
                IntStream.range(0, data.rows()).filter(row -> row % 3 == site).toArray());
    }

    /** The difference of two honest runs was a patient's row: a column more, a person less. */
    @Test
    void aRowIsNotRecoveredFromTwoRuns() throws Exception {
        Dataset narrow = rows(3 * ROWS, 4);
        try (ProcessNetwork network = ran(3, narrow, USUAL_RULES, "method: newton", "lambda: 1e-2", "tau: 30")) {
            Dataset wider = ofSite(rows(3 * ROWS, 5), 2);
            write(2, wider.picked(IntStream.range(1, ROWS).toArray()));
            assertRefused(network, 2, "1 person is missing from those of run test", "starling cohort withdraw");
            // Another folder for the state is no other memory, and no register is no permission.
            network.edit(2, text -> text.replace("state: state-", "state: other-"));
            assertRefused(network, 2, "1 person is missing");
            network.edit(2, text -> text.replace("register: register-", "register: other-register-"));
            assertRefused(network, 2, "holds no register of this site's earlier runs");
        }
    }

    /** What earlier runs have told adds up, without damping, until the site's limit. */
    @Test
    void theAccountOverRunsIsShownAndKept() throws Exception {
        try (ProcessNetwork network =
                ran(3, rows(3 * ROWS, 4), USUAL_RULES, "method: newton", "lambda: 1e-2", "tau: 30")) {
            SiteConfig config = SiteConfig.read(network.yaml(1));
            double spent;
            try (CohortRegister register = CohortRegister.open(config.register())) {
                spent = register.entries().get(0).released().orElseThrow().leverage();
                assertThat(spent).isBetween(0.01, 0.8);
                assertThat(register.account(config.policy()))
                        .contains("% of what is allowed (policy: leverage)", "by the slopes of at least");
            }
            network.edit(1, text -> text.replace("run: test", "run: next"));
            assertThat(SiteCheck.of(SiteConfig.read(network.yaml(1))).findings())
                    .extracting(SiteCheck.Finding::text)
                    .anyMatch(text -> text.contains("after earlier runs, without damping, all sums together depend"));
            network.edit(1, text -> text.replace("run: next", "run: test"));
            network.edit(1, text -> text.replace("policy:\n", "policy:\n  leverage: " + spent / 2 + "\n"));
            assertRefused(
                    network, 1, "earlier runs have released enough about these people", "200 % of what is allowed");
        }
    }

    /** One member replaced by another, or two more: whoever colludes with one learns the other's sums. */
    @Test
    void sitesAreNotSetApartWithoutTheirConsent() throws Exception {
        try (ProcessNetwork network =
                ran(3, rows(3 * ROWS, 4), USUAL_RULES, "method: newton", "lambda: 1e-2", "tau: 30")) {
            network.edit(0, text -> text.replace("site-2", "site-9"));
            assertRefused(network, 0, "differ by the sums of", "site-2", "site-9", "starling network change");
            network.edit(0, text -> text.replace("site-9", "site-2"));
            network.edit(
                    0,
                    text -> text.replace(
                                    "sites: [site-0, site-1, site-2]",
                                    "sites: [site-0, site-1, site-2, site-3, site-4]")
                            .replaceFirst("(?m)^edges:$", "edges:\n  - [site-2, site-3]\n  - [site-3, site-4]"));
            assertRefused(network, 0, "differ by the sums of site-3, site-4 alone");
        }
    }

    /** Bins of scores and of probabilities held single persons, with their outcomes. */
    @Test
    void noBinOfHeldOutRowsIsAboutAFewPeople() throws Exception {
        double[][] values = new double[3000][3];
        double[] labels = new double[3000];
        Random random = new Random(11);
        for (int i = 0; i < labels.length; i++) {
            double score = -2.5 - StrictMath.log(1 / random.nextDouble() - 1);
            for (int c = 0; c < 3; c++) {
                values[i][c] = random.nextGaussian();
                score += values[i][c];
            }
            labels[i] = score > 0 ? 1 : -1;
        }
        String[] training = {"method: newton", "lambda: 1e-3", "tau: 30", "holdout: 0.2", "intercept: true"};
        ProcessNetwork network = new ProcessNetwork(directory, "complete", 3, List.of(training))
                .with(Dataset.of(values, labels), USUAL_RULES);
        try (network) {
            for (PeerReport report : PeerTest.run(network)) {
                ClassMeasures measures =
                        (ClassMeasures) report.fit().evaluation().orElseThrow();
                assertThat(smallestBin(measures)).isGreaterThanOrEqualTo(50);
                assertThat(measures.rows()).isBetween(500L, 700L);
                assertThat(measures.calibration().get(0).bins()).hasSizeGreaterThan(1);
            }
        }
    }

    /** Bins of held-out rows take more numbers than the usual rules have for so few rows, in the first run already. */
    @Test
    void aHoldoutIsEvaluatedTwiceWithTheReleasedPartThatTheCheckNames() throws Exception {
        String[] training = {"method: newton", "lambda: 1e-2", "tau: 30", "holdout: 0.3"};
        try (ProcessNetwork network =
                new ProcessNetwork(directory, "complete", 3, List.of(training)).with(rows(3 * 300, 3), USUAL_RULES)) {
            assertThatThrownBy(() -> PeerTest.run(network)).hasMessageContaining("leave 0 numbers to training");
            for (int site = 0; site < 3; site++) {
                String wrong = wrong(network, site);
                assertThat(wrong)
                        .contains("354 for bins of held-out rows", "earlier runs have spent none of these")
                        .contains("or hold out none at all sites");
                String remedy = wrong.replaceAll(".*'(released-part: [0-9.]+)'.*", "$1");
                network.edit(site, text -> text.replace("policy:\n", "policy:\n  " + remedy + "\n"));
            }
            for (String run : List.of("first", "second")) {
                for (int site = 0; site < 3; site++) {
                    network.edit(site, text -> text.replaceFirst("(?m)^run: .*$", "run: " + run));
                    assertThat(wrong(network, site)).isEmpty();
                }
                assertThat(PeerTest.run(network))
                        .allMatch(report -> report.fit().evaluation().isPresent());
            }
        }
    }

    /**
     * The models of a cross-validation count in the account together, and the final fit of the same rows is allowed.
     */
    @Test
    void aFinalFitMayFollowACrossValidationAsFarAsTheAccountGoes() throws Exception {
        String[] training = {"method: newton", "lambda-path: [1e-1, 1e-2, 1e-3]", "tau: 30", "cv: 3"};
        try (ProcessNetwork network = ran(3, rows(3 * 300, 3), USUAL_RULES, training)) {
            double spent;
            try (CohortRegister register =
                    CohortRegister.open(SiteConfig.read(network.yaml(0)).register())) {
                spent = register.entries().get(0).released().orElseThrow().leverage();
            }
            assertThat(spent).isBetween(0.1, 0.8);
            for (int site = 0; site < 3; site++) {
                network.edit(
                        site,
                        text -> text.replaceFirst("(?m)^run: .*$", "run: final")
                                .replaceFirst("(?m)^  lambda-path: .*$", "  lambda: 1e-2")
                                .replaceFirst("(?m)^  cv: .*\n", ""));
                assertThat(wrong(network, site)).isEmpty();
            }
            assertThat(PeerTest.run(network)).hasSize(3);
            network.edit(
                    0,
                    text -> text.replace("run: final", "run: next")
                            .replace("policy:\n", "policy:\n  leverage: " + spent / 2 + "\n"));
            assertThat(wrong(network, 0)).contains("earlier runs have released enough about these people");
        }
    }

    private static String wrong(ProcessNetwork network, int site) {
        return SiteCheck.of(SiteConfig.read(network.yaml(site))).findings().stream()
                .filter(finding -> finding.verdict() == SiteCheck.Verdict.WRONG)
                .map(SiteCheck.Finding::text)
                .collect(Collectors.joining());
    }

    /** Without the rule, the same run has bins of single persons. */
    @Test
    void withoutRulesBinsOfHeldOutRowsAreSmall() throws Exception {
        Dataset data = Generator.classification(600, 4).noise(0.2).seed(5).generate();
        try (ProcessNetwork network = new ProcessNetwork(
                        directory, "complete", 3, List.of("method: newton", "lambda: 1e-3", "tau: 30", "holdout: 0.2"))
                .with(data, UnaryOperator.identity())) {
            ClassMeasures measures = (ClassMeasures)
                    PeerTest.run(network).get(0).fit().evaluation().orElseThrow();
            assertThat(smallestBin(measures)).isLessThan(5);
        }
    }

    private static double smallestBin(ClassMeasures measures) {
        ScoreCounts curve = measures.curves().get(0);
        double ofScores = IntStream.range(0, curve.size())
                .mapToDouble(group -> curve.positives(group) + curve.negatives(group))
                .filter(count -> count > 0)
                .min()
                .orElse(0);
        double ofProbabilities = measures.calibration().get(0).bins().stream()
                .mapToDouble(Calibration.Bin::weight)
                .min()
                .orElse(0);
        return Math.min(ofScores, ofProbabilities);
    }

    /** What an addend depends on is in the commitment, so that a mask is never used for two of them. */
    @Test
    void everythingThatAnAddendDependsOnIsCommittedTo() throws Exception {
        Dataset data = rows(3 * ROWS, 4);
        try (ProcessNetwork network =
                ran(3, data, UnaryOperator.identity(), "method: newton", "lambda: 1e-2", "tau: 30", "holdout: 0.3")) {
            SiteConfig config = SiteConfig.read(network.yaml(2));
            byte[] before = Site.load(config).cells().digest();
            assertThat(Site.load(config).cells().digest()).isEqualTo(before);
            Dataset own = ofSite(data, 2);
            int held = IntStream.range(0, ROWS)
                    .filter(row -> config.training().heldOut().has(own, row))
                    .findFirst()
                    .orElseThrow();
            double[] labels = own.labels().clone();
            labels[held] = -labels[held];
            write(2, own.withLabels(labels));
            assertThat(Site.load(config).cells().digest()).isNotEqualTo(before);
            assertThat(config.policy().limits(1, 1, false, 0)).containsKeys("leverage", "farthest", "released-part");
        }
    }

    /** A state from before some sums, as a backup or a snapshot of a machine has it. */
    @Tag("thorough")
    @Test
    void aRestoredStateStopsAndSaysSo() throws Exception {
        List<String> training = List.of("method: adfs", "lambda: 1e-6", "gap: 1e-12", "tau: 8");
        // So rarely that neighbours still have every message that a site restored to its beginning needs.
        UnaryOperator<String> rarely = text -> text.replace("every: 30s", "every: 10m");
        try (ProcessNetwork network = new ProcessNetwork(directory, "complete", 3, training)
                .with(Generator.classification(1500, 30).noise(0.1).seed(3).generate(), rarely)) {
            network.startAll();
            network.await(2, "event=certificate", 2);
            Path copy = directory.resolve("copy");
            copy(network.state(2), copy);
            network.await(2, "event=certificate", 6);
            network.kill(2);
            // With its own ledger and newest checkpoint it would go on. With older ones it must not.
            try (Stream<Path> files = Files.list(network.state(2))) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            copy(copy, network.state(2));
            network.start(2);
            assertThat(network.exit(2)).isEqualTo(2);
            assertThat(network.saidSinceStart(2)).contains("restored from an older copy");
            network.killAnyhow(0);
            network.killAnyhow(1);
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) throws IOException {
                Files.createDirectories(to.resolve(from.relativize(folder)));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (!file.getFileName().toString().endsWith(".new")) {
                    Files.copy(file, to.resolve(from.relativize(file)), StandardCopyOption.COPY_ATTRIBUTES);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
                // A checkpoint that was replaced meanwhile.
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
