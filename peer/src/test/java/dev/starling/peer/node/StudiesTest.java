package dev.starling.peer.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.starling.Trainer;
import dev.starling.data.DatasetReader;
import dev.starling.data.InvalidInputException;
import dev.starling.data.RowKeys;
import dev.starling.data.Table;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.config.WordFile;
import dev.starling.peer.setup.RowSplit;
import dev.starling.peer.setup.SiteFiles;
import dev.starling.runtime.Simulator;
import dev.starling.study.Study;
import dev.starling.table.Encoded;
import dev.starling.table.Recipe;
import dev.starling.table.Survey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
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
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Sites whose tables or studies differ in one way or another: each is refused by name before any number moves, or ends
 * with the model of one process that has all rows; never with a wrong one.
 */
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

    /**
     * What is different at site 1, and what comes of it.
     *
     * @param study what it does to the study
     * @param table what it does to the table
     * @param says what the site says that refuses; empty if all is well
     */
    private record Case(String name, UnaryOperator<String> study, UnaryOperator<String> table, String says) {}

    private static Case right(String name, UnaryOperator<String> table) {
        return new Case(name, UnaryOperator.identity(), table, "");
    }

    private static Case table(String name, UnaryOperator<String> table, String says) {
        return new Case(name, UnaryOperator.identity(), table, "does not fit the study: " + says);
    }

    private static Case study(String right, String wrong, String says) {
        return new Case(
                "study with " + wrong,
                text -> replaced(text, right, wrong),
                UnaryOperator.identity(),
                "site site-0 and site site-1 follow different studies: " + says);
    }

    private static String replaced(String text, String right, String wrong) {
        assertThat(text).contains(right);
        return text.replace(right, wrong);
    }

    private static UnaryOperator<String> cell(String column, int row, String value) {
        return text -> cells(text, (names, line, number) -> {
            if (number == row) {
                line.set(names.indexOf(column), value);
            }
        });
    }

    private static UnaryOperator<String> everyCell(String column, UnaryOperator<String> edit) {
        return text -> cells(text, (names, line, number) -> {
            if (number > 0) {
                int at = names.indexOf(column);
                line.set(at, edit.apply(line.get(at)));
            }
        });
    }

    private static UnaryOperator<String> header(String column, String name) {
        return text -> cells(text, (names, line, number) -> {
            if (number == 0) {
                line.set(line.indexOf(column), name);
            }
        });
    }

    private static UnaryOperator<String> without(String column) {
        return text -> cells(text, (names, line, number) -> line.remove(names.indexOf(column)));
    }

    @FunctionalInterface
    private interface LineEdit {
        /** @param number 0 for the header */
        void edit(List<String> names, List<String> line, int number);
    }

    private static String cells(String text, LineEdit edit) {
        List<String> lines = text.lines().toList();
        List<String> names = List.of(lines.get(0).split(",", -1));
        return IntStream.range(0, lines.size())
                .mapToObj(number -> {
                    List<String> line =
                            new ArrayList<>(List.of(lines.get(number).split(",", -1)));
                    edit.edit(names, line, number);
                    return String.join(",", line) + "\n";
                })
                .collect(Collectors.joining());
    }

    private static String reversed(String text) {
        return cells(text, (names, line, number) -> Collections.reverse(line));
    }

    private static final List<Case> CASES = List.of(
            right("the same", UnaryOperator.identity()),
            right("columns in another order", StudiesTest::reversed),
            right("a column more", text -> cells(text, (names, line, number) -> line.add(0, number == 0 ? "x" : "7"))),
            right("no id", without("id")),
            right("semicolons", text -> text.replace(',', ';')),
            right("tabs", text -> text.replace(',', '\t')),
            right("quotes", everyCell("town", town -> town.equals("?") ? "?" : '"' + town + '"')),
            right("NA instead of ?", text -> text.replace("?", "NA")),
            right("yes and no in capitals", everyCell("smoker", word -> word.toUpperCase(Locale.ROOT))),
            right("numbers spelt otherwise", everyCell("weight", number -> number.equals("?") ? "?" : number + "0")),
            right("lines that end as on Windows", text -> text.replace("\n", "\r\n")),
            new Case(
                    "study in another order of members",
                    text -> "lambda: 1e-2\n" + replaced(text, "lambda: 0.01\n", ""),
                    UnaryOperator.identity(),
                    ""),
            table("a column missing", without("age"), "column 'age' is missing"),
            table("a column renamed", header("age", "Age"), "column 'age' is missing (is 'Age' the same?)"),
            table("two columns renamed", header("sex", "gender"), "column 'sex' is missing"),
            table("no label", without("income"), "label column 'income' is missing"),
            table("label renamed", header("income", "salary"), "label column 'income' is missing"),
            new Case(
                    "no header",
                    UnaryOperator.identity(),
                    text -> text.substring(text.indexOf('\n') + 1),
                    "site-1.csv, line 1: the columns have no names"),
            table(
                    "words for a number",
                    cell("age", 3, "old"),
                    "column 'age' is categorical here, numeric in the study"),
            table("dates for numbers", everyCell("age", age -> "2024-01-02"), "column 'age' is date here, numeric in"),
            table("numbers for dates", everyCell("visit", day -> "12"), "column 'visit' is numeric here, date in the"),
            table("a date that is none", cell("visit", 5, "2024-02-30"), "column 'visit' is categorical here, date in"),
            table(
                    "numbers for levels",
                    everyCell("sex", sex -> "1"),
                    "column 'sex' has levels that the study does not"),
            table(
                    "a new level",
                    everyCell("town", town -> "Paris"),
                    "column 'town' has levels that the study does not list: 'Paris'"),
            table(
                    "a new level of one row",
                    cell("town", 2, "Paris"),
                    "column 'town' has levels that the study does not list: 1 that"),
            table(
                    "a level in capitals",
                    everyCell("sex", sex -> "MALE"),
                    "column 'sex' has levels that the study does not list: 'MALE'"),
            table("a new step", cell("size", 4, "huge"), "column 'size' has levels that the study does not list"),
            table("neither yes nor no", cell("smoker", 4, "maybe"), "column 'smoker' has levels that the study does"),
            table("a new class", cell("income", 4, "middle"), "label column 'income' has classes that the study does"),
            table("columns swapped below the header", StudiesTest::swapped, "column 'sex' has levels that the study"),
            table("another missing token", cell("age", 4, "none"), "column 'age' is categorical here, numeric in the"),
            table("a missing level", cell("sex", 4, "?"), "column 'sex' has 1 missing values, which the study refuses"),
            table("a missing label", cell("income", 4, ""), "label column 'income' has 1 missing values"),
            table("nothing but missing", everyCell("weight", kg -> ""), "column 'weight' holds nothing but missing"),
            new Case(
                    "a name twice",
                    UnaryOperator.identity(),
                    header("weight", "age"),
                    "two columns are called 'age'; give every column a name of its own"),
            new Case("a line too short", UnaryOperator.identity(), text -> text + "1,2,3\n", "line 62"),
            study(
                    "kind: numeric, unit: kg",
                    "kind: numeric, unit: lb",
                    "unit of column 'weight': kg at site site-0, lb at"),
            study(", unit: kg", "", "unit of column 'weight': kg at site site-0, nothing at site site-1"),
            study("[small, medium, large]", "[large, medium, small]", "levels of column 'size': not the same"),
            study("[female, male]", "[female, male, other]", "levels of column 'sex': not the same"),
            study("reference: Lyon", "reference: Gap", "reference of column 'town': not the same"),
            study("missing: mean", "missing: drop", "missing of column 'weight': mean at site site-0, drop at site"),
            study("[0, 128]", "[0, 100]", "range of column 'age': 0, 128 at site site-0, 0, 100 at site site-1"),
            study(", indicator: false", "", "indicator of column 'town': false at site site-0, true at site site-1"),
            study("sex*smoker", "sex + smoker", "formula: income ~ age + weight + sex*smoker + town + size + visit at"),
            study("[low, high]", "[high, low]", "classes of the label: not the same"),
            study("lambda: 0.01", "lambda: 0.02", "lambda: 0.01 at site site-0, 0.02 at site site-1"),
            study(
                    "lambda: 0.01",
                    "lambda-path: '0.1,0.01'",
                    "lambda: 0.01 at site site-0, nothing at site site-1, and 1 more"),
            study("loss: logistic", "loss: squared-hinge", "loss: logistic at site site-0, squared-hinge at site"),
            study(
                    "standardize: true",
                    "standardize: false",
                    "scaling: standardize at site site-0, nothing at site site-1"),
            study("['', NA, '?']", "['', NA, '?', '-']", "missingTokens: , NA, ? at site site-0, , NA, ?, - at"),
            study("ids: [id]", "ids: [id, name]", "ids: id at site site-0, id, name at site site-1"),
            study(
                    "[Gap, Lyon, Nice]",
                    "[Gap, Lyon, Nice], unknown: reference",
                    "unknown of column 'town': nothing at site site-0, reference at site site-1"),
            study("missing: mean", "missing: mean, fill: 70", "fill of column 'weight': not the same"),
            study(
                    "kind: ordered",
                    "kind: categorical",
                    "kind of column 'size': ordered at site site-0, categorical at"),
            new Case(
                    "study without a column",
                    text -> text.replaceAll("- \\{name: size.*\n", "").replace(" + size", ""),
                    UnaryOperator.identity(),
                    "column 'size' exists only at site site-0"),
            new Case(
                    "study with columns in another order",
                    text -> text.replaceAll("(- \\{name: age.*\n)(- \\{name: weight.*\n)", "$2$1"),
                    UnaryOperator.identity(),
                    "order of the columns: age, weight, sex"),
            new Case(
                    "study that leaves levels open",
                    text -> replaced(text, ", levels: [female, male]", ""),
                    UnaryOperator.identity(),
                    "column 'sex' is categorical; list its levels, all of them"));

    /** What is in columns sex and size changes places, their names do not. */
    private static String swapped(String text) {
        return cells(text, (names, line, number) -> {
            if (number > 0) {
                Collections.swap(line, names.indexOf("sex"), names.indexOf("size"));
            }
        });
    }

    @TempDir
    private Path directory;

    private ProcessNetwork keys;
    private Table pooled;

    @BeforeEach
    void makeTable() throws IOException {
        keys = new ProcessNetwork(directory, "complete", 4, List.of());
        Files.writeString(directory.resolve("pooled.csv"), people());
        pooled = DatasetReader.standard().readTable(directory.resolve("pooled.csv"));
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
                .lambdaPath(study.settings().toMap().get("lambda-path"), "")
                .crossValidation(study.settings().path().folds())
                .intercept(study.settings().intercept())
                .scaling(study.settings().scaling())
                .gap(1e-3)
                .delay(30)
                .holdout(heldOut)
                .network(Topology.named(topology).build(sites, 1))
                .runner(new Simulator());
        List<String> tokens = study.recipe().missingTokens();
        Encoded all = study.learnt(Survey.of(pooled, tokens)).encode(pooled);
        Recipe recipe = study.learnt(
                Survey.of(pooled, tokens, all.in(trainer.settings().heldOut())));
        List<String> columns = study.settings().path().folds().columns();
        return trainer.fit(
                        recipe.encode(pooled).rows(),
                        columns.isEmpty() ? new long[0] : RowKeys.ofCells(pooled, columns, all.kept()))
                .with(recipe)
                .model()
                .hash();
    }

    /** The files of a network's sites, beside the keys that all networks share. */
    private List<SiteConfig> sites(
            String name, int size, String topology, int port, List<Case> differing, List<String> training)
            throws IOException {
        Path place = Files.createDirectory(directory.resolve(name));
        List<String> names = keys.sites.subList(0, size);
        Network network = Topology.named(topology).build(size, 1);
        SiteFiles files = new SiteFiles(names, network, "test", Collections.nCopies(size, "127.0.0.1"), port, training)
                .following("study-SITE.yaml");
        List<SiteConfig> configs = new ArrayList<>();
        for (int k = 0; k < size; k++) {
            Case one = differing.get(k);
            String site = names.get(k);
            Files.writeString(place.resolve(site + ".csv"), one.table().apply(RowSplit.part(pooled, k, size)));
            Files.writeString(
                    place.resolve("study-" + site + ".yaml"), one.study().apply(STUDY));
            String text = files.text(k)
                    .replace("study-SITE", "study-" + site)
                    .replace("keys/", "../keys/")
                    .replaceFirst("(?m)^policy:$", String.join("\n", ProcessNetwork.OPEN))
                    .replace("fewest-per-column: 0", "fewest-per-column: 2");
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

    private String outcome(Case one, int number, int port) throws InterruptedException, IOException {
        Case usual = right("usual", UnaryOperator.identity());
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
    void shouldBeRefusedByNameOrEndWithTheModelOfOneProcess() throws Exception {
        assertThat(CASES).hasSizeGreaterThan(40);
        String expected = simulated(2, "line", STUDY);
        int port = ProcessNetwork.freePorts(2 * CASES.size());
        ExecutorService threads = Executors.newFixedThreadPool(AT_A_TIME);
        try {
            List<Future<String>> outcomes = new ArrayList<>();
            for (int k = 0; k < CASES.size(); k++) {
                int number = k;
                outcomes.add(threads.submit(() -> outcome(CASES.get(number), number, port + 2 * number)));
            }
            SoftAssertions softly = new SoftAssertions();
            for (int k = 0; k < CASES.size(); k++) {
                Case one = CASES.get(k);
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
    void shouldTrainTheRightModelAtFourSitesWhoseTablesLookDifferent() throws Exception {
        List<Case> different = Stream.of("the same", "columns in another order", "semicolons", "NA instead of ?")
                .map(name -> CASES.stream()
                        .filter(one -> one.name().equals(name))
                        .findFirst()
                        .orElseThrow())
                .toList();
        List<SiteConfig> sites = sites("four", 4, "ring", ProcessNetwork.freePorts(4), different, TRAINING);
        assertThat(outcome(sites)).isEqualTo(simulated(4, "ring", STUDY));
    }

    @Test
    void shouldReplayARunInWhichWhatIsMissingWasLearntFromAllSites() throws Exception {
        List<SiteConfig> sites = sites(
                "replayed",
                3,
                "line",
                ProcessNetwork.freePorts(3),
                Collections.nCopies(3, right("usual", UnaryOperator.identity())),
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
    void shouldGoOnWhereItWasAfterARestartInTheMiddleOfASearch() throws Exception {
        List<Case> usual = Collections.nCopies(2, right("usual", UnaryOperator.identity()));
        List<SiteConfig> sites = sites("restarted", 2, "line", ProcessNetwork.freePorts(2), usual, TRAINING);
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
    void shouldRefuseAFileThatSaysWhatTheStudySays() throws IOException {
        List<String> twice = List.of("lambda: 0.01", "tau: 30");
        assertThatThrownBy(() ->
                        sites("twice", 1, "line", 20_000, List.of(right("usual", UnaryOperator.identity())), twice))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining(
                        "training.lambda and data.study are both given; the study says it, so leave it out");
    }

    /** What all sites of a network end with that follow the same study. */
    private String agreed(int size, String name, UnaryOperator<String> study, String... training) throws Exception {
        List<Case> same = Collections.nCopies(size, new Case(name, study, UnaryOperator.identity(), ""));
        List<String> all = Stream.concat(TRAINING.stream(), Stream.of(training)).toList();
        return outcome(sites(name, size, "line", ProcessNetwork.freePorts(size), same, all));
    }

    @Test
    void shouldKeepRowsFromTrainingAndFromWhatStandsInForMissingValues() throws Exception {
        String model = agreed(3, "held", UnaryOperator.identity(), "holdout: 0.25");
        assertThat(model)
                .isEqualTo(simulated(3, "line", STUDY, 0.25))
                .isNotEqualTo(simulated(3, "line", STUDY));
    }

    @Test
    void shouldChooseLambdaByFoldsOfRowsWithMissingValues() throws Exception {
        UnaryOperator<String> chosen =
                text -> replaced(text, "lambda: 0.01", "lambda-path: [1, 0.01]\ncv: 2\ncv-rule: 1se");
        String expected = simulated(3, "line", chosen.apply(STUDY));
        assertThat(agreed(3, "folds", chosen)).isEqualTo(expected);
        UnaryOperator<String> path = text -> replaced(text, "lambda: 0.01", "lambda-path: [1, 0.01]");
        assertThat(agreed(3, "site-folds", path, "cv: 2", "cv-rule: 1se")).isEqualTo(expected);
    }

    @Test
    void shouldKeepRowsInOneFoldThatBelongTogetherWhoeverHasThem() throws Exception {
        UnaryOperator<String> grouped = text ->
                replaced(text, "lambda: 0.01", "lambda-path: [1, 0.01]\ncv: 2\ncv-columns: visit\ncv-rule: 1se");
        assertThat(agreed(3, "groups", grouped)).isEqualTo(simulated(3, "line", grouped.apply(STUDY)));
    }

    @Test
    void shouldTrainWithOffsetsAsOneProcessDoes() throws Exception {
        UnaryOperator<String> shifted = text -> replaced(text, "ids: [id]", "ids: [id]\noffset: known")
                .replace("lambda: 0.01", "lambda-path: 3");
        String model = agreed(3, "offsets", shifted);
        assertThat(model).isEqualTo(simulated(3, "line", shifted.apply(STUDY)));
    }

    @Test
    void shouldRefuseATableWithoutTheColumnsOfFoldsOrWithoutOffsets() throws Exception {
        UnaryOperator<String> both = text -> replaced(text, "ids: [id]", "ids: [id]\noffset: known")
                .replace("lambda: 0.01", "lambda-path: [1, 0.01]\ncv: 2\ncv-columns: patient");
        SiteConfig site = sites(
                        "lacking", 1, "line", 20_000, List.of(new Case("", both, without("known"), "")), TRAINING)
                .get(0);
        assertThatThrownBy(() -> Site.load(site))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("offset column 'known' is missing; column of folds 'patient' is missing");
    }

    @Test
    void shouldRefuseAFileThatSaysHowLambdaIsChosenWhereTheStudyDoes() throws IOException {
        UnaryOperator<String> chosen = text -> replaced(text, "lambda: 0.01", "lambda-path: [1, 0.01]\ncv: 2");
        List<Case> one = List.of(new Case("", chosen, UnaryOperator.identity(), ""));
        assertThatThrownBy(() -> sites("cv-twice", 1, "line", 20_000, one, List.of("cv-rule: 1se", "tau: 30")))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("training.cv-rule and data.study are both given");
    }
}
