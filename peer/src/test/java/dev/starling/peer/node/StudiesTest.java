package dev.starling.peer.node;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.Trainer;
import dev.starling.data.InvalidInputException;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.config.WordFile;
import dev.starling.peer.setup.RowSplit;
import dev.starling.peer.setup.SiteFiles;
import dev.starling.recipe.Encoded;
import dev.starling.recipe.Recipe;
import dev.starling.runtime.Simulator;
import dev.starling.study.Study;
import dev.starling.support.FreePorts;
import dev.starling.table.Survey;
import dev.starling.table.Table;
import dev.starling.table.TableReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Sites whose tables or studies differ in one way or another: each is refused by name before any number moves, or ends
 * with the model of one process that has all rows; never with a wrong one.
 */
@Tag("thorough")
class StudiesTest {

    private static final String STUDY = """
            label: {column: income, classes: [low, high]}
            columns:
            - {name: age, kind: numeric, unit: years, missing: median, range: [0, 128]}
            - {name: weight, kind: numeric, unit: kg, missing: mean}
            - {name: sex, kind: categorical, levels: [female, male]}
            - {name: town, kind: categorical, levels: [Gap, Lyon, Nice], reference: Lyon, missing: most-frequent, indicator: false}
            - {name: size, kind: ordered, levels: [small, medium, large]}
            - {name: smoker, kind: boolean, levels: ['no', 'yes']}
            - {name: visit, kind: date}
            missingTokens: ['', NA, '?']
            ids: [id]
            formula: income ~ age + weight + sex*smoker + town + size + visit
            loss: logistic
            lambda: 0.01
            standardize: true
            """;

    private static final int ROWS = 120;
    private static final List<String> TRAINING = List.of("gap: 1e-3", "tau: 30");

    /** So many networks at a time: most of what they do is wait. */
    private static final int AT_A_TIME = 8;

    @TempDir
    private Path directory;

    private ProcessNetwork keys;
    private Table pooled;

    @BeforeEach
    void makeTable() throws IOException {
        keys = new ProcessNetwork(directory, "complete", 4, List.of());
        Files.writeString(directory.resolve("pooled.csv"), people());
        pooled = TableReader.standard().read(directory.resolve("pooled.csv"));
    }

    /** People of whom some values are not known; in some columns no site knows all. */
    private static String people() {
        Random random = new Random(7);
        StringBuilder text = new StringBuilder("id,age,weight,sex,town,size,smoker,visit,known,income\n");
        for (int row = 0; row < ROWS; row++) {
            int age = 20 + random.nextInt(50);
            double weight = 50 + random.nextInt(400) / 10.0;
            String town = List.of("Gap", "Lyon", "Nice", "Nice").get(random.nextInt(4));
            boolean high = age + 20 * random.nextGaussian() > 45;
            text.append(row)
                    .append(',')
                    .append(random.nextInt(6) == 0 ? "?" : age)
                    .append(',')
                    .append(random.nextInt(8) == 0 ? "?" : weight)
                    .append(random.nextBoolean() ? ",female," : ",male,")
                    .append(random.nextInt(7) == 0 ? "?" : town)
                    .append(List.of(",small,", ",medium,", ",large,").get(random.nextInt(3)))
                    .append(random.nextInt(3) == 0 ? "yes" : "no")
                    .append(",2024-0")
                    .append(1 + random.nextInt(9))
                    .append("-1")
                    .append(random.nextInt(10))
                    .append(',')
                    .append((row % 5 - 2) / 4.0)
                    .append(high ? ",high\n" : ",low\n");
        }
        return text.toString();
    }

    /** The model of one process that has all rows. */
    private String simulated(int sites, String topology, String studyText) throws IOException {
        return simulated(sites, topology, studyText, 0);
    }

    /** @param heldOut the part of rows that are kept from training */
    private String simulated(int sites, String topology, String studyText, double heldOut) throws IOException {
        Path file = Files.writeString(directory.resolve("pooled-" + sites + ".yaml"), studyText);
        Study study = WordFile.readStudy(file);
        Trainer trainer = Trainer.of(study.settings().loss())
                .lambda(study.settings().lambda())
                .lambdaPath(study.settings().path())
                .crossValidation(study.settings().folds())
                .intercept(study.settings().intercept())
                .scaling(study.settings().scaling())
                .gap(1e-3)
                .delay(30)
                .holdout(heldOut)
                .network(Topology.named(topology).build(sites, 1))
                .runner(new Simulator());
        List<String> tokens = study.recipe().missingTokens();
        Encoded all = study.learnt(Survey.of(pooled, tokens)).encode(pooled);
        Recipe recipe =
                study.learnt(Survey.of(pooled, tokens, all.in(trainer.settings().heldOut())));
        List<String> columns = study.settings().folds().columns();
        return trainer.fit(
                        recipe.encode(pooled).rows(),
                        columns.isEmpty() ? new long[0] : pooled.keys(columns, all.kept()))
                .with(recipe)
                .model()
                .hash();
    }

    /** The files of a network's sites, beside the keys that all networks share. */
    private List<SiteConfig> sites(
            String name, int size, String topology, int port, List<StudyCase> differing, List<String> training)
            throws IOException {
        Path place = Files.createDirectory(directory.resolve(name));
        List<String> names = keys.sites.subList(0, size);
        Network network = Topology.named(topology).build(size, 1);
        SiteFiles files = new SiteFiles(
                names,
                network,
                "test",
                Collections.nCopies(size, "127.0.0.1"),
                port,
                training,
                List.of(),
                Optional.of("study-SITE.yaml"));
        List<SiteConfig> configs = new ArrayList<>();
        for (int k = 0; k < size; k++) {
            StudyCase one = differing.get(k);
            String site = names.get(k);
            Files.writeString(place.resolve(site + ".csv"), one.table().apply(RowSplit.part(pooled, k, size)));
            Files.writeString(
                    place.resolve("study-" + site + ".yaml"), one.study().apply(STUDY));
            String text = files.text(k)
                    .replace("study-SITE", "study-" + site)
                    .replace("keys/", "../keys/")
                    .replaceFirst("(?m)^policy:$", String.join("\n", ProcessNetwork.OPEN))
                    .replace("fewest-per-column: 0", "fewest-per-column: 2");
            ProcessNetwork.makeRegister(place, site);
            Path file = Files.writeString(place.resolve(site + ".yaml"), text);
            configs.add(SiteConfig.read(file));
        }
        return configs;
    }

    /** Runs all sites until one refuses or all have a model; what the first one says, or every model's hash. */
    private static String outcome(List<SiteConfig> sites) throws InterruptedException {
        return outcome(sites, config -> PeerTest.start(config, Site::load, (peer, line) -> {}));
    }

    private static String outcome(List<SiteConfig> sites, Function<SiteConfig, PeerReport> run)
            throws InterruptedException {
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            CompletionService<String> ends = new ExecutorCompletionService<>(threads);
            sites.forEach(
                    config -> ends.submit(() -> run.apply(config).fit().model().hash()));
            List<String> hashes = new ArrayList<>();
            for (int k = 0; k < sites.size(); k++) {
                Future<String> next = ends.poll(60, TimeUnit.SECONDS);
                if (next == null) {
                    return "nothing within a minute";
                }
                hashes.add(next.get());
            }
            return hashes.stream().distinct().collect(Collectors.joining(" and "));
        } catch (ExecutionException e) {
            return e.getCause() instanceof InvalidInputException refused
                    ? refused.getMessage()
                    : "failed: " + e.getCause();
        } finally {
            threads.shutdownNow();
        }
    }

    private String outcome(StudyCase one, int number, int port) throws InterruptedException, IOException {
        StudyCase usual = StudyCase.right("usual", UnaryOperator.identity());
        try {
            List<SiteConfig> sites = sites("case-" + number, 2, "line", port, List.of(usual, one), TRAINING);
            String outcome = outcome(sites);
            return one.says().isEmpty() || toldNothing(sites) ? outcome : "numbers were told: " + outcome;
        } catch (InvalidInputException e) {
            return e.getMessage();
        }
    }

    /** Whether no sum has left any of the sites. */
    private static boolean toldNothing(List<SiteConfig> sites) throws IOException {
        for (SiteConfig site : sites) {
            Path ledger = site.state().resolve(site.run()).resolve(SiteSums.LEDGER);
            if (Files.exists(ledger)
                    && Files.readAllLines(ledger).stream().anyMatch(line -> line.contains("what=sum"))) {
                return false;
            }
        }
        return true;
    }

    @Test
    void aStudyIsRefusedByNameOrGivesTheModelOfOneProcess() throws Exception {
        assertThat(StudyCase.ALL).hasSizeGreaterThan(40);
        String expected = simulated(2, "line", STUDY);
        int port = FreePorts.first(2 * StudyCase.ALL.size());
        ExecutorService threads = Executors.newFixedThreadPool(AT_A_TIME);
        try {
            List<Future<String>> outcomes = new ArrayList<>();
            for (int k = 0; k < StudyCase.ALL.size(); k++) {
                int number = k;
                outcomes.add(threads.submit(() -> outcome(StudyCase.ALL.get(number), number, port + 2 * number)));
            }
            SoftAssertions softly = new SoftAssertions();
            for (int k = 0; k < StudyCase.ALL.size(); k++) {
                StudyCase one = StudyCase.ALL.get(k);
                String outcome = outcomes.get(k).get(120, TimeUnit.SECONDS);
                if (one.says().isEmpty()) {
                    softly.assertThat(outcome).as(one.name()).isEqualTo(expected);
                } else {
                    softly.assertThat(outcome).as(one.name()).contains(one.says());
                }
            }
            softly.assertAll();
        } finally {
            threads.shutdownNow();
        }
    }

    /** Every site has its table its own way. */
    @Test
    void trainsTheRightModelFromTablesThatLookDifferent() throws Exception {
        List<StudyCase> different = Stream.of("the same", "columns in another order", "semicolons", "NA instead of ?")
                .map(name -> StudyCase.ALL.stream()
                        .filter(one -> one.name().equals(name))
                        .findFirst()
                        .orElseThrow())
                .toList();
        List<SiteConfig> sites = sites("four", 4, "ring", FreePorts.first(4), different, TRAINING);
        assertThat(outcome(sites)).isEqualTo(simulated(4, "ring", STUDY));
    }

    @Test
    void replaysARunWhoseFillsWereLearntFromAllSites() throws Exception {
        List<SiteConfig> sites = sites(
                "replayed",
                3,
                "line",
                FreePorts.first(3),
                Collections.nCopies(3, StudyCase.right("usual", UnaryOperator.identity())),
                TRAINING);
        outcome(sites);
        for (SiteConfig site : sites) {
            Replay.Outcome replayed = Replay.of(site, Optional.empty());
            assertThat(replayed.differences()).isEmpty();
            assertThat(replayed.isTrue()).isTrue();
            assertThat(replayed.sums())
                    .extracting(sum -> sum.line().fields().get("kind"))
                    .filteredOn("fills"::equals)
                    .hasSize(10);
        }
    }

    /** Every site in turn would be too long: the last one leaves as soon as it is asked for a count. */
    @Test
    void resumesAfterARestartInTheMiddleOfASearch() throws Exception {
        List<StudyCase> usual = Collections.nCopies(2, StudyCase.right("usual", UnaryOperator.identity()));
        List<SiteConfig> sites = sites("restarted", 2, "line", FreePorts.first(2), usual, TRAINING);
        AtomicInteger restarts = new AtomicInteger();
        String outcome = outcome(sites, config -> {
            try {
                return PeerTest.start(config, Site::load, (peer, line) -> {
                    if (config.node() == 1 && line.contains("event=phase name=finish")) {
                        peer.leave();
                    }
                });
            } catch (PeerStoppedException e) {
                restarts.incrementAndGet();
                return PeerTest.start(config, Site::load, (peer, line) -> {});
            }
        });
        assertThat(outcome).isEqualTo(simulated(2, "line", STUDY));
        assertThat(restarts).hasValue(1);
    }

    @Test
    void refusesASiteFileThatRepeatsTheStudy() throws IOException {
        List<String> twice = List.of("lambda: 0.01", "tau: 30");
        assertThatRefused(() -> sites(
                        "twice", 1, "line", 20_000, List.of(StudyCase.right("usual", UnaryOperator.identity())), twice))
                .hasMessageContaining(
                        "training.lambda and data.study are both given; the study determines it, so leave it out");
    }

    /** What all sites of a network end with that follow the same study. */
    private String agreed(int size, String name, UnaryOperator<String> study, String... training) throws Exception {
        List<StudyCase> same = Collections.nCopies(size, new StudyCase(name, study, UnaryOperator.identity(), ""));
        List<String> all = Stream.concat(TRAINING.stream(), Stream.of(training)).toList();
        return outcome(sites(name, size, "line", FreePorts.first(size), same, all));
    }

    @Test
    void keepsHeldOutRowsFromTrainingAndFromFills() throws Exception {
        String model = agreed(3, "held", UnaryOperator.identity(), "holdout: 0.2");
        assertThat(model).isEqualTo(simulated(3, "line", STUDY, 0.2)).isNotEqualTo(simulated(3, "line", STUDY));
    }

    @Test
    void choosesLambdaByFoldsOfRowsWithMissingValues() throws Exception {
        UnaryOperator<String> chosen =
                text -> StudyCase.replaced(text, "lambda: 0.01", "lambda-path: [1, 0.01]\ncv: 2\ncv-rule: 1se");
        String expected = simulated(3, "line", chosen.apply(STUDY));
        assertThat(agreed(3, "folds", chosen)).isEqualTo(expected);
        UnaryOperator<String> path = text -> StudyCase.replaced(text, "lambda: 0.01", "lambda-path: [1, 0.01]");
        assertThat(agreed(3, "site-folds", path, "cv: 2", "cv-rule: 1se")).isEqualTo(expected);
    }

    @Test
    void keepsRowsOfAGroupInOneFoldAcrossSites() throws Exception {
        UnaryOperator<String> grouped = text -> StudyCase.replaced(
                text, "lambda: 0.01", "lambda-path: [1, 0.01]\ncv: 2\ncv-columns: visit\ncv-rule: 1se");
        assertThat(agreed(3, "groups", grouped)).isEqualTo(simulated(3, "line", grouped.apply(STUDY)));
    }

    @Test
    void trainsWithOffsetsAsOneProcessDoes() throws Exception {
        UnaryOperator<String> shifted = text -> StudyCase.replaced(text, "ids: [id]", "ids: [id]\noffset: known")
                .replace("lambda: 0.01", "lambda-path: 3");
        String model = agreed(3, "offsets", shifted);
        assertThat(model).isEqualTo(simulated(3, "line", shifted.apply(STUDY)));
    }

    @Test
    void refusesATableWithoutItsFoldOrOffsetColumns() throws Exception {
        UnaryOperator<String> both = text -> StudyCase.replaced(text, "ids: [id]", "ids: [id]\noffset: known")
                .replace("lambda: 0.01", "lambda-path: [1, 0.01]\ncv: 2\ncv-columns: patient");
        SiteConfig site = sites(
                        "lacking",
                        1,
                        "line",
                        20_000,
                        List.of(new StudyCase("", both, StudyCase.without("known"), "")),
                        TRAINING)
                .get(0);
        assertThatRefused(() -> Site.load(site))
                .hasMessageContaining("offset column 'known' is missing; column of folds 'patient' is missing");
    }

    @Test
    void refusesASiteFileThatChoosesLambdaWhenTheStudyDoes() throws IOException {
        UnaryOperator<String> chosen =
                text -> StudyCase.replaced(text, "lambda: 0.01", "lambda-path: [1, 0.01]\ncv: 2");
        List<StudyCase> one = List.of(new StudyCase("", chosen, UnaryOperator.identity(), ""));
        assertThatRefused(() -> sites("cv-twice", 1, "line", 20_000, one, List.of("cv-rule: 1se", "tau: 30")))
                .hasMessageContaining("training.cv-rule and data.study are both given");
    }
}
