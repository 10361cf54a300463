package dev.starling.cli.evaluate;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.data.keys.Fingerprint;
import dev.starling.data.keys.RowSample;
import dev.starling.evaluation.ClassMeasures;
import dev.starling.evaluation.Comparison;
import dev.starling.evaluation.Comparison.Difference;
import dev.starling.evaluation.Evaluation;
import dev.starling.evaluation.Judged;
import dev.starling.evaluation.Measures;
import dev.starling.internal.JsonObject;
import dev.starling.model.LinearModel;
import dev.starling.model.Provenance;
import dev.starling.settings.Precision;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * One or several models that are judged by the same rows.
 *
 * @param names what to call the models
 * @param threshold the probability above which the second of two classes is predicted, or the score of models without
 *     probabilities; empty for the usual one
 */
record Panel(List<String> names, List<LinearModel> models, OptionalDouble threshold) {

    /** The difference of a measure between two models. */
    record Pair(String first, String second, Difference difference) {

        /** The better one of the two. */
        String better() {
            return difference.favoursSecond() ? second : first;
        }
    }

    /** The measures of every model on some rows. */
    record Part(String name, List<EvaluationReport> ofModels) {

        Part named(String other) {
            return new Part(other, ofModels);
        }
    }

    static Panel of(List<Path> files, List<LinearModel> models, OptionalDouble threshold) {
        if (threshold.isPresent()) {
            models.forEach(model -> requireThreshold(model, threshold.getAsDouble()));
        }
        List<String> last =
                files.stream().map(file -> String.valueOf(file.getFileName())).toList();
        boolean unique = files.size() > 1 && new HashSet<>(last).size() == last.size();
        return new Panel(unique ? last : files.stream().map(Path::toString).toList(), models, threshold);
    }

    private static void requireThreshold(LinearModel model, double threshold) {
        if (model.classes().size() != 2) {
            throw new InvalidInputException("--threshold " + threshold + " tells two classes apart, but the model "
                    + (model.isClassifier() ? "has " + model.classes().size() + " classes" : "predicts numbers")
                    + "; leave it out");
        }
        if (model.hasProbabilities() && !(threshold > 0 && threshold < 1)) {
            throw new InvalidInputException(
                    "--threshold " + threshold + " is a probability; it must be between 0 and 1");
        }
    }

    /** The score above which a model predicts the second of two classes. */
    private double score(LinearModel model) {
        return threshold.isEmpty()
                ? 0
                : model.hasProbabilities() ? model.link().score(threshold.getAsDouble()) : threshold.getAsDouble();
    }

    private EvaluationReport report(LinearModel model, Measures measures) {
        boolean moved = threshold.isPresent() && measures instanceof ClassMeasures;
        return new EvaluationReport(model, moved ? ((ClassMeasures) measures).at(score(model)) : measures);
    }

    /** The measures on the rows of one place. */
    Part on(LabelledRows rows) {
        return new Part(
                rows.name(),
                IntStream.range(0, models.size())
                        .mapToObj(k -> report(models.get(k), rows.evaluate(models.get(k), k)))
                        .toList());
    }

    /** The measures on the rows of all places together. */
    Part onAll(List<LabelledRows> places) {
        return new Part(
                "all",
                IntStream.range(0, models.size())
                        .mapToObj(k -> report(models.get(k), Evaluation.of(models.get(k), ofModel(places, k))))
                        .toList());
    }

    /** The measures on each group of the rows of all places. */
    List<Part> onGroups(List<LabelledRows> places) {
        TreeSet<String> groups = new TreeSet<>();
        places.forEach(place -> groups.addAll(place.groups()));
        return groups.stream()
                .map(group -> onAll(places.stream()
                                .map(place -> place.only(
                                        row -> place.groups().get(row).equals(group)))
                                .toList())
                        .named(group))
                .toList();
    }

    /** The rows of all places, as a model reads them. */
    static List<Dataset> ofModel(List<LabelledRows> places, int model) {
        return places.stream().map(place -> place.ofModels().get(model)).toList();
    }

    /** The differences between every two models. */
    List<Pair> pairs(List<LabelledRows> places) {
        List<Pair> pairs = new ArrayList<>();
        for (int one = 0; one < models.size(); one++) {
            for (int other = one + 1; other < models.size(); other++) {
                for (Difference difference : differences(places, one, other)) {
                    pairs.add(new Pair(names.get(one), names.get(other), difference));
                }
            }
        }
        return pairs;
    }

    private List<Difference> differences(List<LabelledRows> places, int one, int other) {
        try {
            return Comparison.of(judged(places, one), judged(places, other));
        } catch (InvalidInputException e) {
            throw new InvalidInputException(names.get(one) + " and " + names.get(other) + ": " + e.getMessage(), e);
        }
    }

    private Judged judged(List<LabelledRows> places, int model) {
        return new Judged(models.get(model), ofModel(places, model), score(models.get(model)));
    }

    /** Writes which model it is, as members of an object. */
    void write(JsonObject json, int model) {
        json.with("model", names.get(model));
        json.with("modelHash", models.get(model).hash());
        json.with("lossName", models.get(model).loss());
        if (threshold.isPresent()) {
            json.with("threshold", threshold.getAsDouble());
        }
    }

    /** The rows of each place that every model held out of training. */
    List<LabelledRows> heldOut(List<LabelledRows> places) {
        for (int k = 0; k < models.size(); k++) {
            if (!(heldOut(models.get(k)).part() > 0)) {
                throw new InvalidInputException(
                        names.get(k) + " held no rows out; train it with --holdout, or leave out --held-out");
            }
        }
        List<RowSample> samples = models.stream().map(Panel::heldOut).toList();
        List<LabelledRows> held = places.stream()
                .map(place -> place.only(row -> IntStream.range(0, samples.size())
                        .allMatch(k -> samples.get(k).has(place.ofModels().get(k), row))))
                .filter(place -> place.ofModels().get(0).rows() > 0)
                .toList();
        if (held.isEmpty()) {
            throw new InvalidInputException("no row was held out by every model; train them with the same --holdout and"
                    + " --seed, or leave out --held-out");
        }
        return held;
    }

    private static RowSample heldOut(LinearModel model) {
        Map<String, String> settings = model.provenance().settings();
        return new RowSample(
                Double.parseDouble(settings.getOrDefault("holdout", "0")),
                Long.parseLong(settings.getOrDefault("seed", "0")));
    }

    /** Whether the rows of a place are those that a model was given to train on. */
    boolean isTrainedOn(LabelledRows place, int model) {
        Provenance made = models.get(model).provenance();
        Precision kept = Precision.named(made.settings().getOrDefault("precision", Precision.EXACT.lowerCase()));
        return Fingerprint.of(kept.apply(place.ofModels().get(model))).equals(made.fingerprint());
    }

    /** Remarks on rows that a model was trained on, of which it knows more than of others. */
    void remarkOnTrainingRows(List<LabelledRows> places, Consumer<String> remark) {
        for (int k = 0; k < models.size(); k++) {
            for (LabelledRows place : places) {
                if (isTrainedOn(place, k)) {
                    remark.accept(place.name() + " holds the rows that " + names.get(k)
                            + (heldOut(models.get(k)).part() > 0
                                    ? " was trained on and those it held out; --held-out takes the latter"
                                    : " was trained on; it will not predict others as well"));
                }
            }
        }
    }
}
