package dev.starling.cli.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.cli.Cli;
import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.data.keys.RowSample;
import dev.starling.model.LinearModel;
import dev.starling.model.Provenance;
import dev.starling.support.ExactObjective;
import dev.starling.support.Stored;
import dev.starling.verify.Verification;
import dev.starling.verify.Verifier;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Replaces every number of model files, in turn, by numbers and other things that do not belong there, and removes
 * every member. Whatever `verify` then confirms must be true: because the member does not matter, or because the model,
 * its problem and what is claimed are the same, or because the claim holds in exact arithmetic.
 */
class ForgedModelsTest {

    private static final List<String> REPLACEMENTS = List.of(
            "NaN", "Infinity", "-Infinity", "1e308", "-1e308", "1e-308", "-0", "2147483647", "\"wrong\"", "null");

    /** What neither the problem nor the claim depends on, according to docs/model-format.md; no results. */
    private static final Set<String> IRRELEVANT = Set.of(
            // The loss says whether classes are told apart at once.
            "one-versus-rest",
            "path",
            "formatVersion",
            "max-epochs",
            "max-seconds",
            "lambda-path",
            "l1-ratios",
            "cv",
            "cv-columns",
            "cv-rule",
            "labels");

    /** What a file need not say, and is checked where it does. */
    private static final Set<String> VOLUNTARY = Set.of("rows", "deviations", "nonZeros");

    private static final Set<String> CLAIMED =
            Set.of("objective", "dual", "error", "bound", "gap", "certified", "coefficientError");

    /** The settings that mean what leaving them out means. */
    private static final Set<String> USUAL = Set.of("0.0", "false", "none", "exact", "");

    @TempDir
    private Path folder;

    /** Rows whose features are 5 ± 2, equally often, so that standardised ones are exactly ±1. */
    private record Rows(double[][] values, double[] labels) {

        static Rows of(int classes) {
            Random random = new Random(3);
            double[][] values = new double[16][3];
            double[] labels = new double[values.length];
            for (int i = 0; i < values.length; i++) {
                double score = random.nextGaussian();
                for (int c = 0; c < 3; c++) {
                    double sign = (i >> c) % 2 == 0 ? 1 : -1;
                    values[i][c] = 5 + 2 * sign;
                    score += sign / (c + 1);
                }
                labels[i] = classes == 0 ? score : Math.min(classes, Math.max(1, (int) Math.floor(score) + 2));
            }
            return new Rows(values, labels);
        }

        /** The same with a last feature that is the sum of the first two. */
        Rows withDependentFeature() {
            double[][] wider = new double[values.length][];
            for (int i = 0; i < wider.length; i++) {
                wider[i] = new double[] {values[i][0], values[i][1], values[i][2], values[i][0] + values[i][1]};
            }
            return new Rows(wider, labels);
        }

        Dataset data() {
            return Dataset.of(values, labels);
        }

        String[] lines(boolean named) {
            List<String> lines = new ArrayList<>(named ? List.of("a,b,c,y") : List.of());
            for (int i = 0; i < labels.length; i++) {
                StringBuilder line = new StringBuilder();
                for (int c = 0; c < values[i].length; c++) {
                    line.append(named ? "" : " " + (c + 1) + ":")
                            .append(values[i][c])
                            .append(named ? "," : "");
                }
                lines.add(named ? line.toString() + labels[i] : labels[i] + line.toString());
            }
            return lines.toArray(String[]::new);
        }
    }

    /** A model file, the optima of its problems but for a tiny gap, and where the rows are. */
    private record Case(
            String text,
            LinearModel model,
            List<BigDecimal> optima,
            Dataset rows,
            Path file,
            String reading,
            Set<String> unchecked) {}

    private Case trained(String options) throws IOException {
        boolean named = options.contains("--label-column");
        int classes = options.contains("classes") ? 3 : options.matches(".*(squared|absolute).*") ? 0 : 2;
        Rows rows = options.contains("--lambda 0") ? Rows.of(classes).withDependentFeature() : Rows.of(classes);
        Path file = Cli.file(folder, named ? "rows.csv" : "rows.txt", rows.lines(named));
        String asked = options.replace(" classes", " --one-versus-rest");
        Path loose = folder.resolve("loose.json");
        Path tight = folder.resolve("tight.json");
        for (Path target : List.of(loose, tight)) {
            List<Object> words = new ArrayList<>(List.of("train", file, "--model", target, "--quiet --nodes 2"));
            Collections.addAll(words, (Object[]) asked.split(" "));
            words.add(target == loose ? "--gap 1e-3" : "--gap 1e-12");
            Cli.ok(words.toArray());
        }
        return new Case(
                Files.readString(loose).replaceFirst("\"hash\":\"[^\"]*\",", ""),
                LinearModel.load(loose),
                withPath(LinearModel.load(tight)).stream()
                        .map(model -> exact(model, rows.data()))
                        .toList(),
                rows.data(),
                file,
                named ? "--label-column y" : "--passes 30",
                unchecked(file, loose, named ? "--label-column y" : "--passes 30"));
    }

    /** The members that the command says it did not check. */
    private static Set<String> unchecked(Path file, Path model, String reading) {
        Matcher line = Pattern.compile("(?m)^not checked: (.*)$")
                .matcher(Cli.ok("verify", model, file, reading).out());
        assertThat(line.find()).isTrue();
        return Pattern.compile("\\(([^)]*)\\)")
                .matcher(line.group(1))
                .results()
                .flatMap(members -> Stream.of(members.group(1).split(", ")))
                .collect(Collectors.toSet());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--loss logistic --lambda 1e-2 --intercept",
                "--loss logistic --lambda 1e-2 --standardize --bias 1",
                "--loss logistic --lambda 1e-2 --holdout 0.2 --seed 5",
                "--loss logistic --lambda 1e-2 --class-weight 1=3",
                "--loss squared --lambda 0 --intercept",
                "--loss squared --lambda 1e-2 --l1 1e-2 --intercept",
                "--loss hinge --lambda 1e-2 --bias 1",
                "--loss absolute --lambda 1e-2",
                "--loss logistic --lambda 1e-2 classes",
                "--loss logistic --lambda-path 1e-1,1e-2 --intercept",
                "--loss squared --lambda-path 1e-1,1e-2 --cv 3",
                "--loss squared --lambda 1e-2 --label-column y"
            })
    void nothingFalseIsConfirmedAndNothingBreaks(String options) throws IOException {
        Case one = trained(options);
        assertThat(verdict(one, one.text, false)).as(options).isEqualTo(Optional.of(true));
        JsonPlaces places = JsonPlaces.of(one.text);
        List<String> wrong = new ArrayList<>();
        int files = 0;
        for (JsonPlaces.Place place : places.all()) {
            List<String> texts = new ArrayList<>(List.of(places.without(place)));
            for (String replacement : place.isNumber() ? REPLACEMENTS : List.<String>of()) {
                texts.add(places.with(place, replacement));
            }
            for (int k = 0; k < texts.size(); k++) {
                files++;
                String what = place.path() + (k == 0 ? " removed" : ": " + REPLACEMENTS.get(k - 1));
                try {
                    boolean command = place.path().contains("recipe") || files % 100 == 0;
                    Optional<Boolean> holds = verdict(one, texts.get(k), command);
                    if (holds.isPresent() && holds.get() && !isTrue(one, place, k, texts.get(k))) {
                        wrong.add(what + " is confirmed");
                    }
                } catch (RuntimeException | AssertionError e) {
                    wrong.add(what + ": " + e);
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(files).isGreaterThan(200);
    }

    /** Whether the certificate is confirmed; empty if the file is refused, in one line. */
    private Optional<Boolean> verdict(Case one, String text, boolean command) throws IOException {
        Path forged = Files.writeString(folder.resolve("forged.json"), text);
        if (command) {
            Cli run = Cli.run("verify", forged, one.file, one.reading);
            assertThat(run.err()).doesNotContain("should not have happened").hasLineCount(run.code() == 2 ? 1 : 0);
            assertThat(run.code()).isBetween(0, 2);
            return run.code() == 2 ? Optional.empty() : Optional.of(run.code() == 0);
        }
        try {
            Verification found =
                    Verifier.of(LinearModel.load(forged), forged).passes(40).verify(one.rows);
            assertThat(found.model().reason()).doesNotContain("\n");
            return Optional.of(found.holds());
        } catch (InvalidInputException e) {
            assertThat(e.getMessage()).doesNotContain("\n");
            return Optional.empty();
        }
    }

    private boolean isTrue(Case one, JsonPlaces.Place place, int change, String text) throws IOException {
        String[] steps = place.path().split("/");
        String member = steps[steps.length - 1];
        boolean setting = place.path().contains("/settings/");
        for (String step : steps) {
            boolean exempt = IRRELEVANT.contains(step) || one.unchecked.contains(step);
            if (exempt && !(step.equals("path") && change > 0)) {
                return true;
            }
        }
        if (member.equals("seed") && !one.text.contains("\"holdout\":\"0.2\"")) {
            return true;
        }
        boolean ofModel = place.path().contains("/weights") || place.path().contains("/intercepts");
        if (CLAIMED.contains(member) || (ofModel && change > 0)) {
            return claimsAreTrue(one, text);
        }
        if (change == 0) {
            return VOLUNTARY.contains(member)
                    || (setting && (USUAL.contains(place.value()) || member.equals("loss")))
                    || (member.equals("classes") && !one.model.isClassifier());
        }
        // −0 and 1e-308 in the place of 0 change the model or the problem by less than anyone can tell.
        return place.number() == 0 && Math.abs(Double.parseDouble(REPLACEMENTS.get(change - 1))) <= 1e-300;
    }

    /** Whether every model in the file has the objective that is stated, and its gap is at most the one stated. */
    private boolean claimsAreTrue(Case one, String text) throws IOException {
        LinearModel stated = LinearModel.load(Files.writeString(folder.resolve("stated.json"), text));
        List<LinearModel> models = withPath(stated);
        return IntStream.range(0, models.size())
                .allMatch(k -> isTrue(
                        models.get(k), one.optima.get(k), withPath(one.model).get(k), one.rows));
    }

    private static List<LinearModel> withPath(LinearModel model) {
        List<LinearModel> all = new ArrayList<>(List.of(model));
        all.addAll(model.path());
        return all;
    }

    private static boolean isTrue(LinearModel model, BigDecimal optimum, LinearModel original, Dataset rows) {
        Provenance made = model.provenance();
        BigDecimal value = exact(model, rows);
        double objective = made.certificate().objective();
        double claimed =
                (objective - made.certificate().dual() + made.certificate().error()) / objective;
        if (made.certified()) {
            claimed = Math.min(claimed, Double.parseDouble(made.settings().getOrDefault("gap", "Infinity")));
        }
        double gap = value.subtract(optimum).doubleValue() / value.doubleValue();
        return Math.abs(objective - value.doubleValue()) <= 1e-12 * objective
                && claimed >= gap - 1e-14
                && new BigDecimal(Math.max(-1e300, made.certificate().bound())).compareTo(optimum) <= 0
                && made.exactness().standardErrors()
                        >= original.provenance().exactness().standardErrors();
    }

    /** The objective of a model in exact arithmetic. */
    private static BigDecimal exact(LinearModel model, Dataset given) {
        Map<String, String> settings = model.provenance().settings();
        Dataset rows = new RowSample(Double.parseDouble(settings.get("holdout")), Long.parseLong(settings.get("seed")))
                .without(given);
        boolean scaled = settings.get("scaling").equals("standardize");
        boolean free = settings.get("intercept").equals("true");
        double bias = free ? 1 : Double.parseDouble(settings.get("bias"));
        boolean tripled = settings.get("class-weights").startsWith("1");
        int features = model.features() + (bias > 0 ? 1 : 0);
        BigDecimal sum = BigDecimal.ZERO;
        for (int k = 0; k < model.scores(); k++) {
            List<double[]> values = new ArrayList<>();
            List<Double> labels = new ArrayList<>();
            for (int i = 0; i < rows.rows(); i++) {
                double[] row = new double[features];
                row[features - 1] = bias;
                for (int c = 0; c < model.features(); c++) {
                    double value = Stored.value(rows, i, c);
                    row[c] = scaled ? (value - 5) / 2 : value;
                }
                double positive = model.isClassifier() ? model.classes().get(model.scores() == 1 ? 1 : k) : 0;
                double label = !model.isClassifier() ? rows.label(i) : rows.label(i) == positive ? 1 : -1;
                // A row of weight 3 is three rows.
                for (int copy = 0; copy < (tripled && rows.label(i) == 1 ? 3 : 1); copy++) {
                    values.add(row);
                    labels.add(label);
                }
            }
            double[] theta = new double[features];
            double shift = 0;
            for (int c = 0; c < model.features(); c++) {
                theta[c] = model.weights(k)[c] * (scaled ? 2 : 1);
                shift += scaled ? 5 * model.weights(k)[c] : 0;
            }
            if (bias > 0) {
                theta[features - 1] = (model.intercept(k) + shift) / bias;
            }
            ExactObjective objective = new ExactObjective(
                    Dataset.of(
                            values.toArray(double[][]::new),
                            labels.stream().mapToDouble(Double::doubleValue).toArray()),
                    model.loss(),
                    Double.parseDouble(settings.get("lambda")),
                    Double.parseDouble(settings.get("l1")),
                    free ? features - 1 : features);
            sum = sum.add(objective.primal(theta));
        }
        return sum;
    }
}
