package dev.starling.peer.node;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.starling.Trainer;
import dev.starling.data.InvalidInputException;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.model.LinearModel;
import dev.starling.model.StandardErrors;
import dev.starling.model.inference.Inference;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.node.SumKind;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.config.WordFile;
import dev.starling.peer.policy.Disclosure;
import dev.starling.peer.policy.Policy;
import dev.starling.peer.setup.SiteFiles;
import dev.starling.peer.sums.LedgerLine;
import dev.starling.peer.sums.SumLedger;
import dev.starling.recipe.Recipe;
import dev.starling.recipe.RecipeBuilder;
import dev.starling.runtime.Simulator;
import dev.starling.settings.Setting;
import dev.starling.settings.Settings;
import dev.starling.study.Study;
import dev.starling.support.FreePorts;
import dev.starling.support.SameBits;
import dev.starling.table.Survey;
import dev.starling.table.Table;
import dev.starling.table.TableReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tables of coefficients from sites that talk over sockets: the file of one process with as many nodes, to the bit, and
 * values that were computed with 20 digits.
 */
class StatisticsBetweenSitesTest {

    private static final Path GOLDEN =
            Path.of(System.getProperty("starling.shared", "../../shared"), "golden", "statistics");
    private static final List<String> TRAINING = List.of("gap: 1e-9", "tau: 30");

    @TempDir
    private Path directory;

    /** Rows with names, and the site of each. */
    private record Rows(List<String> header, List<List<String>> lines) {

        String csv(List<List<String>> some) {
            return Stream.concat(Stream.of(header), some.stream())
                    .map(line -> String.join(",", line) + "\n")
                    .collect(Collectors.joining());
        }

        /** The rows of a site: one of three that the data name, or every so-manieth. */
        List<List<String>> of(int site, int sites, boolean named) {
            return IntStream.range(0, lines.size())
                    .filter(i -> (named ? Integer.parseInt(site(i)) - 1 : i % sites) == site)
                    .mapToObj(lines::get)
                    .toList();
        }

        private String site(int row) {
            return lines.get(row).get(header.indexOf("place"));
        }

        long[] places() {
            return IntStream.range(0, lines.size())
                    .mapToLong(i -> Long.parseLong(site(i)))
                    .toArray();
        }
    }

    private static Rows golden(String name) throws IOException {
        Path file = GOLDEN.resolve(name + ".csv");
        Assumptions.assumeTrue(Files.exists(file), file + " is not there");
        List<List<String>> cells = Files.readAllLines(file).stream()
                .map(line -> List.of(line.replace("\"", "").split(",", -1)))
                .toList();
        List<String> names = cells.get(0);
        List<Integer> used = IntStream.range(0, names.size())
                .filter(c -> !List.of("(Intercept)", "stratum").contains(names.get(c)))
                .boxed()
                .toList();
        // "site" must not be a column, so that it stands for the whole of a site's file.
        List<String> header = used.stream()
                .map(names::get)
                .map(one -> one.equals("site") ? "place" : plain(one))
                .toList();
        return new Rows(
                header,
                cells.stream()
                        .skip(1)
                        .map(line -> used.stream().map(line::get).toList())
                        .toList());
    }

    private static String plain(String name) {
        return name.replaceAll("[^A-Za-z0-9_]", "_");
    }

    private static String formula(Rows rows, Loss loss) {
        List<String> reserved = List.of("place", "y", "weight", "offset", "start", "stop", "status", "cluster", "time");
        String features =
                rows.header().stream().filter(name -> !reserved.contains(name)).collect(Collectors.joining(" + "));
        boolean strata = loss.comparesRows();
        boolean times = rows.header().contains("stop");
        boolean late = times
                && rows.lines().stream()
                        .anyMatch(line ->
                                !line.get(rows.header().indexOf("start")).equals("-1"));
        return (late ? "Surv(start, stop, status)" : times ? "Surv(stop, status)" : "y") + " ~ " + features
                + (rows.header().contains("offset") && !times && loss.outputs() == 1 ? " + offset(offset)" : "")
                + (strata ? " + strata(site)" : "");
    }

    private Study study(Rows rows, String lossName, String kind) throws IOException {
        Loss loss = Losses.named(lossName);
        Table pooled = table("pooled", rows.csv(rows.lines()));
        RecipeBuilder builder = Recipe.builder().formula(formula(rows, loss));
        if (loss.outputs() == 1 && !rows.header().contains("stop")) {
            builder.weights("weight");
        }
        if (!loss.isClassification()) {
            builder.regression();
        }
        if (loss.comparesRows()) {
            builder.stratified();
        }
        Survey survey = Survey.of(pooled, builder.missingTokens());
        Recipe recipe = builder.learn(survey, builder.labelColumn(pooled));
        Settings settings = Settings.of(loss)
                .with(Setting.LAMBDA, 0.0)
                .with(Setting.INTERCEPT, recipe.intercept())
                .with(Setting.STANDARD_ERRORS, StandardErrors.named(kind));
        Study proposed = Study.proposed(recipe, survey, settings);
        Path file = directory.resolve("study.yaml");
        WordFile.write(proposed.toMap(), file);
        return WordFile.readStudy(file);
    }

    private Table table(String name, String csv) throws IOException {
        Path file = Files.writeString(directory.resolve(name + ".csv"), csv);
        return TableReader.standard().read(file);
    }

    private List<SiteConfig> sites(Rows rows, int size, boolean named) throws IOException {
        ProcessNetwork keys = new ProcessNetwork(directory, "complete", size, List.of());
        Network network = Topology.named("ring").build(size, 1);
        SiteFiles files = new SiteFiles(
                keys.sites,
                network,
                "test",
                Collections.nCopies(size, "127.0.0.1"),
                FreePorts.first(size),
                TRAINING,
                List.of(),
                Optional.of("study.yaml"));
        List<SiteConfig> configs = new ArrayList<>();
        for (int k = 0; k < size; k++) {
            String site = keys.sites.get(k);
            Files.writeString(directory.resolve(site + ".csv"), rows.csv(rows.of(k, size, named)));
            ProcessNetwork.makeRegister(directory, site);
            Path file = Files.writeString(
                    directory.resolve(site + ".yaml"),
                    files.text(k).replaceFirst("(?m)^policy:$", String.join("\n", ProcessNetwork.OPEN)));
            configs.add(SiteConfig.read(file));
        }
        return configs;
    }

    private static List<LinearModel> run(List<SiteConfig> sites) throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            List<Future<LinearModel>> running = sites.stream()
                    .map(config -> threads.submit(() -> PeerTest.start(config, Site::load, (peer, line) -> {})
                            .fit()
                            .model()))
                    .toList();
            List<LinearModel> models = new ArrayList<>();
            for (Future<LinearModel> one : running) {
                models.add(one.get(120, TimeUnit.SECONDS));
            }
            return models;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof InvalidInputException refused ? refused : e;
        } finally {
            threads.shutdownNow();
        }
    }

    private static LinearModel together(Study study, Table pooled, int nodes, long[] keys) {
        Recipe recipe = study.learnt(Survey.of(pooled, study.recipe().missingTokens()));
        return Trainer.of(study.settings())
                .gap(1e-9)
                .delay(30)
                .network(Topology.named("ring").build(nodes, 1))
                .runner(new Simulator())
                .fit(recipe.encode(pooled).rows(), keys)
                .with(recipe)
                .model();
    }

    private static double[] vector(String json, String name) {
        Matcher found = Pattern.compile("\"" + name + "\": \\[([^\\]]*)\\]").matcher(json);
        assertThat(found.find()).as(name).isTrue();
        return Arrays.stream(found.group(1).split(","))
                .mapToDouble(text -> Double.parseDouble(text.replace("\"", "").strip()))
                .toArray();
    }

    /** The dispersion that standard errors in the file have; 1 where there is none. */
    private static double dispersion(String json) {
        Matcher found = Pattern.compile("\"dispersion\": \"?([0-9.eE+-]+)").matcher(json);
        return found.find() ? Double.parseDouble(found.group(1)) : 1;
    }

    /** The coefficients in the order of the file's, in which the intercept comes first. */
    private static double[] inOrder(double[] intercepted, boolean intercept) {
        double[] ordered = intercepted.clone();
        if (intercept) {
            System.arraycopy(intercepted, 0, ordered, 1, ordered.length - 1);
            ordered[0] = intercepted[ordered.length - 1];
        }
        return ordered;
    }

    @ParameterizedTest
    @CsvSource({
        "warpbreaks-poisson, poisson, model, 3",
        "warpbreaks-poisson, poisson, HC0, 3",
        "birthwt-logit, binomial, model, 3",
        "infert-probit, binomial(probit), model, 3",
        "birthwt-softmax, multinomial, model, 3",
        "lung-cox-efron-site, cox, model, 3",
        "lung-cox-breslow-site, cox(breslow), model, 3",
    })
    void sitesHaveTheBitsOfOneProcessAndTheGoldenValues(String name, String loss, String kind, int size)
            throws Exception {
        compare(name, loss, kind, size);
    }

    @Tag("thorough")
    @ParameterizedTest
    @CsvSource({
        "warpbreaks-poisson, poisson, model, 9",
        "birthwt-logit, binomial, model, 9",
        "esoph-logit, binomial, model, 3",
        "infert-logit, binomial, model, 9",
        "infert-probit, binomial(probit), model, 9",
        "birthwt-softmax, multinomial, model, 9",
        "iris-softmax, multinomial, model, 3",
        "mtcars-gaussian, gaussian, model, 3",
        "mtcars-gaussian-weights, gaussian, model, 3",
        "warpbreaks-quasipoisson, quasi-poisson, model, 9",
        "airquality-gamma, gamma, model, 9",
        "airquality-inverse-gaussian, inverse-gaussian, model, 3",
        "mtcars-inverse-gaussian, inverse-gaussian, model, 3",
        "quine-nb-given, negative-binomial(2), model, 9",
        "quine-tweedie, tweedie(1.5), model, 9"
    })
    void allFamiliesHaveTheBitsOfOneProcessBetweenSites(String name, String loss, String kind, int size)
            throws Exception {
        compare(name, loss, kind, size);
    }

    private void compare(String name, String loss, String kind, int size) throws Exception {
        Rows rows = golden(name);
        String json = Files.readString(GOLDEN.resolve(name + ".json"));
        Loss known = Losses.named(loss);
        boolean named = known.comparesRows();
        Study study = study(rows, loss, kind);

        List<LinearModel> models = run(sites(rows, size, named));

        LinearModel expected =
                together(study, table("pooled", rows.csv(rows.lines())), size, named ? rows.places() : new long[0]);
        assertThat(models).extracting(LinearModel::hash).containsOnly(expected.hash());
        Inference found = models.get(0).inference().orElseThrow();
        SameBits.require(found, expected.inference().orElseThrow());
        if (!kind.equals("model") || known.isClassification()) {
            // The values of one process are compared elsewhere, on as many nodes.
            return;
        }
        boolean intercept = study.settings().intercept();
        double[] estimates = inOrder(models.get(0).tabled(intercept), intercept);
        double[] errors = inOrder(
                IntStream.range(0, found.coefficients())
                        .mapToDouble(k -> Math.sqrt(dispersion(json) * Inference.entry(found.covariance(), k, k)))
                        .toArray(),
                intercept);
        double[] there = vector(json, "coefficients");
        double[] errorsThere = vector(json, "se");
        assertThat(estimates).hasSameSizeAs(there);
        for (int k = 0; k < there.length; k++) {
            assertThat(estimates[k]).isCloseTo(there[k], offset(1e-10 * Math.abs(there[k])));
            assertThat(errors[k]).isCloseTo(errorsThere[k], offset(1e-10 * errorsThere[k]));
        }
    }

    @Test
    void rowsThatCameLateHaveTheBitsOfOneProcess() throws Exception {
        Rows lung = golden("lung-cox-efron-site");
        int start = lung.header().indexOf("start");
        int stop = lung.header().indexOf("stop");
        List<List<String>> late = new ArrayList<>();
        for (List<String> line : lung.lines()) {
            List<String> changed = new ArrayList<>(line);
            changed.set(start, String.valueOf(late.size() % 3 == 0 ? Double.parseDouble(line.get(stop)) * 0.375 : 0));
            late.add(changed);
        }
        Rows rows = new Rows(lung.header(), late);
        Study study = study(rows, "cox", "model");

        List<LinearModel> models = run(sites(rows, 3, true));

        LinearModel expected = together(study, table("pooled", rows.csv(rows.lines())), 3, rows.places());
        assertThat(models).extracting(LinearModel::hash).containsOnly(expected.hash());
        SameBits.require(
                models.get(0).inference().orElseThrow(), expected.inference().orElseThrow());
        LinearModel watched =
                together(study(lung, "cox", "model"), table("pooled", lung.csv(lung.lines())), 3, lung.places());
        assertThat(models.get(0).weights(0)).isNotEqualTo(watched.weights(0));
    }

    private LinearModel throughAFile(LinearModel model) {
        Path file = directory.resolve("model.json");
        model.save(file);
        return LinearModel.load(file);
    }

    /** Sites say beforehand that they will add up slopes and curvatures by time, and ledgers have that sum once. */
    @ParameterizedTest
    @CsvSource({"cox, log", "cox(breslow), identity"})
    void proportionalHazardsAreTestedByTheBitsOfOneProcessAndOneSumMore(String loss, String scale) throws Exception {
        Rows rows = golden("lung-cox-efron-site");
        study(rows, loss, "model");
        List<SiteConfig> untested = sites(rows, 3, true);
        Disclosure without = SiteCheck.of(untested.get(0)).tells().orElseThrow();
        changeStudy("standard-errors: model", "standard-errors: model\nproportional-hazards: " + scale);
        Study study = WordFile.readStudy(directory.resolve("study.yaml"));
        List<SiteConfig> sites = untested.stream()
                .map(site -> SiteConfig.read(directory.resolve(site.site() + ".yaml")))
                .toList();
        Disclosure told = SiteCheck.of(sites.get(0)).tells().orElseThrow();

        List<LinearModel> models = run(sites);

        LinearModel expected = throughAFile(together(study, table("pooled", rows.csv(rows.lines())), 3, rows.places()));
        Inference tested = expected.inference().orElseThrow();
        int coefficients = tested.coefficients();
        int numbers = coefficients + coefficients * (coefficients + 1);
        assertThat(tested.changes()).hasSize(numbers).doesNotContain(0);
        for (LinearModel model : models) {
            LinearModel read = throughAFile(model);
            assertThat(read.hash()).isEqualTo(expected.hash());
            SameBits.require(read.inference().orElseThrow(), tested);
            assertThat(read.provenance().settings()).containsEntry("proportional-hazards", scale);
        }
        for (SiteConfig site : sites) {
            List<LedgerLine> sums = SumLedger.read(
                            site.state().resolve(site.run()).resolve(SiteSums.LEDGER))
                    .stream()
                    .filter(line -> line.what().equals("sum"))
                    .toList();
            assertThat(sums)
                    .filteredOn(line -> line.fields().get("kind").equals("proportional hazards"))
                    .singleElement()
                    .satisfies(line -> {
                        assertThat(line.tells()).isEqualTo(SumKind.HESSIAN);
                        assertThat(line.fields()).containsEntry("numbers", String.valueOf(numbers));
                        assertThat(line.rows())
                                .isEqualTo(rows.of(site.node(), 3, true).size());
                    });
            assertThat(sums.stream()
                            .dropWhile(line -> !line.fields().get("kind").equals("information"))
                            .mapToInt(line -> Integer.parseInt(line.fields().get("numbers")))
                            .sum())
                    .isLessThanOrEqualTo(told.numbersOfErrors());
        }
        Policy policy = sites.get(0).policy();
        String words = "slopes and curvatures by time, to test whether hazards are proportional";
        assertThat(told.masks()).isTrue();
        assertThat(told.words(policy)).anyMatch(text -> text.contains(words));
        assertThat(without.words(policy)).noneMatch(text -> text.contains(words));
        assertThat(told.numbersOfErrors() - without.numbersOfErrors()).isEqualTo(numbers);
    }

    /** Whether no sum has left any of the sites. */
    private static void requireNothingTold(List<SiteConfig> sites) throws IOException {
        for (SiteConfig site : sites) {
            Path ledger = site.state().resolve(site.run()).resolve(SiteSums.LEDGER);
            assertThat(Files.exists(ledger) ? Files.readAllLines(ledger) : List.<String>of())
                    .noneMatch(line -> line.contains("what=sum"));
        }
    }

    private void changeStudy(String from, String to) throws IOException {
        Path file = directory.resolve("study.yaml");
        String text = Files.readString(file);
        assertThat(text).contains(from);
        Files.writeString(file, text.replace(from, to));
    }

    @Test
    void coxWithoutStrataIsRefusedWithBothWaysOut() throws Exception {
        Rows rows = golden("lung-cox-efron-site");
        study(rows, "cox", "model");
        changeStudy(" + strata(site)", "");
        List<SiteConfig> sites = sites(rows, 3, true);

        assertThatRefused(() -> run(sites))
                .hasMessageContaining("stratify, for example with strata(site)")
                .hasMessageContaining("fit a poisson model with an exposure per interval");
        requireNothingTold(sites);
    }

    /** Two of three sites would show their estimates; the third has given no leave, so none does. */
    @Test
    void estimatesBySiteNeedTheLeaveOfEverySite() throws Exception {
        Rows rows = golden("birthwt-logit");
        study(rows, "binomial", "model");
        changeStudy("standard-errors: model", "standard-errors: model\nheterogeneity: by-site");
        List<SiteConfig> sites = sites(rows, 3, false);
        List<SiteConfig> giving = new ArrayList<>();
        for (SiteConfig site : sites) {
            Path file = directory.resolve(site.site() + ".yaml");
            String leave = "policy:\n  site-estimates: accept";
            if (!site.site().equals("site-1")) {
                Files.writeString(file, Files.readString(file).replaceFirst("(?m)^policy:$", leave));
            }
            giving.add(SiteConfig.read(file));
        }

        assertThatRefused(() -> run(giving)).hasMessageContaining("'site-estimates: accept' under policy:");
        requireNothingTold(giving);
    }
}
