package dev.starling.cli.evaluate;

import dev.starling.cli.console.TextTable;
import dev.starling.cli.evaluate.Panel.Pair;
import dev.starling.data.InvalidInputException;
import dev.starling.evaluation.Comparison;
import dev.starling.internal.JsonObject;
import dev.starling.model.CrossValidation;
import dev.starling.model.CrossValidation.FoldScores;
import dev.starling.model.EvaluationRecord;
import dev.starling.model.LinearModel;
import dev.starling.model.Provenance;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The evaluations that model files hold from training; those of several models are compared. */
record StoredEvaluations(Panel panel) {

    private static final Map<String, String> DISPLAY_NAMES = Map.of(EvaluationRecord.HOLDOUT, "held out");

    /** Refuses a file without evaluations. */
    static StoredEvaluations of(Panel panel) {
        for (int k = 0; k < panel.models().size(); k++) {
            Provenance made = panel.models().get(k).provenance();
            if (made.evaluations().isEmpty() && made.validation().isEmpty()) {
                throw new InvalidInputException(panel.names().get(k)
                        + " holds no evaluation of the model; give a file with labels to evaluate it on");
            }
        }
        return new StoredEvaluations(panel);
    }

    void print(PrintWriter out) {
        for (int k = 0; k < panel.models().size(); k++) {
            if (panel.models().size() > 1) {
                out.printf(
                        "%s%s%n",
                        k == 0 ? "" : System.lineSeparator(), panel.names().get(k));
            }
            print(out, panel.models().get(k).provenance());
        }
        if (panel.models().size() > 1) {
            out.println();
            List<Pair> pairs = pairs();
            if (!pairs.isEmpty()) {
                out.printf("cross-validation, fold by fold%n");
                ComparisonReport.print(out, pairs);
            }
            if (panel.models().stream()
                    .anyMatch(model -> model.provenance().validation().isPresent())) {
                out.println(aboutFolds(pairs));
            }
            if (panel.models().stream()
                    .anyMatch(model -> model.provenance().evaluations().containsKey(EvaluationRecord.HOLDOUT))) {
                out.println(aboutHeldOut());
            }
        }
    }

    private static void print(PrintWriter out, Provenance provenance) {
        provenance.validation().ifPresent(validation -> {
            out.printf(
                    Locale.US,
                    "cross-validation, %d folds by %s, lambda %.6g%n",
                    validation.folds(),
                    validation.by(),
                    validation.chosenLine().lambda());
            List<List<String>> lines = new ArrayList<>();
            validation
                    .chosenLine()
                    .measures()
                    .forEach((name, estimate) -> lines.add(List.of(
                            EvaluationReport.displayName(name),
                            String.format(Locale.US, "%.6g +- %.2g", estimate.mean(), estimate.error()))));
            new TextTable(lines).print(out);
        });
        provenance.evaluations().forEach((by, evaluated) -> {
            out.printf("%-13s %d rows%n", DISPLAY_NAMES.getOrDefault(by, by), evaluated.rows());
            Map<String, Double> measures = evaluated.measures();
            measures.forEach((name, value) -> {
                if (!Double.isNaN(value) && !name.matches("auc(Lower|Upper|Error)")) {
                    out.printf(
                            Locale.US,
                            "%-13s %.6g%s%n",
                            EvaluationReport.displayName(name),
                            value,
                            name.equals("auc") ? interval(measures) : "");
                }
            });
        });
    }

    private static String interval(Map<String, Double> measures) {
        double lower = measures.getOrDefault("aucLower", Double.NaN);
        double upper = measures.getOrDefault("aucUpper", Double.NaN);
        double error = measures.getOrDefault("aucError", 0.0);
        String bins = error > 0 ? String.format(Locale.US, ", bins leave it uncertain by %.2g", error) : "";
        return Double.isNaN(lower)
                ? ""
                : String.format(Locale.US, "  (95%% interval %.6g to %.6g%s)", lower, upper, bins);
    }

    /** The differences between every two models that have the same folds. */
    private List<Pair> pairs() {
        List<Pair> pairs = new ArrayList<>();
        for (int one = 0; one < panel.models().size(); one++) {
            for (int other = one + 1; other < panel.models().size(); other++) {
                LinearModel first = panel.models().get(one);
                LinearModel second = panel.models().get(other);
                if (haveSameFolds(first, second)) {
                    FoldScores scores = scores(first);
                    for (String measure : scores.means().keySet()) {
                        List<Double> others = scores(second).means().get(measure);
                        if (others != null && isComparable(measure, first, second)) {
                            pairs.add(new Pair(
                                    panel.names().get(one),
                                    panel.names().get(other),
                                    Comparison.ofFolds(
                                            measure,
                                            scores.weights(),
                                            scores.means().get(measure),
                                            others)));
                        }
                    }
                }
            }
        }
        return pairs;
    }

    private static FoldScores scores(LinearModel model) {
        return model.provenance().validation().map(CrossValidation::ofFolds).orElse(FoldScores.UNKNOWN);
    }

    /** Rows decide on their folds, so that folds of the same weights by the same seed are folds of the same rows. */
    private static boolean haveSameFolds(LinearModel first, LinearModel second) {
        return !scores(first).weights().isEmpty()
                && scores(first).weights().equals(scores(second).weights())
                && isSame("seed", first, second)
                && first.provenance()
                        .validation()
                        .map(CrossValidation::by)
                        .equals(second.provenance().validation().map(CrossValidation::by));
    }

    /** The loss that is minimised is in units of its own. */
    private static boolean isComparable(String measure, LinearModel first, LinearModel second) {
        return !measure.equals(CrossValidation.LOSS)
                || (isSame("loss", first, second) && isSame("scaling", first, second));
    }

    private static boolean isSame(String setting, LinearModel first, LinearModel second) {
        return String.valueOf(first.provenance().settings().get(setting))
                .equals(String.valueOf(second.provenance().settings().get(setting)));
    }

    private String aboutFolds(List<Pair> pairs) {
        long models = panel.models().size();
        long compared = pairs.stream()
                .map(pair -> List.of(pair.first(), pair.second()))
                .distinct()
                .count();
        return compared == models * (models - 1) / 2
                ? "folds      the same for all models"
                : "folds      not the same for all models: train them with the same --cv and --seed on the same rows to"
                        + " compare them fold by fold";
    }

    private String aboutHeldOut() {
        List<String> prints = panel.models().stream()
                .map(model -> model.provenance().evaluations().get(EvaluationRecord.HOLDOUT))
                .map(held -> held == null ? "" : held.fingerprint())
                .distinct()
                .toList();
        return prints.size() == 1 && !prints.get(0).isEmpty()
                ? "held out   the same rows for all models"
                : "held out   not known to be the same rows for all models";
    }

    void write(JsonObject json) {
        if (panel.models().size() == 1) {
            write(json, 0);
            return;
        }
        json.objects("models", panel.models().size(), this::write);
        ComparisonReport.write(json, pairs());
    }

    private void write(JsonObject json, int model) {
        panel.write(json, model);
        Provenance provenance = panel.models().get(model).provenance();
        json.with("crossValidation", provenance.validation().map(CrossValidation::toMap));
        provenance
                .evaluations()
                .forEach((by, evaluated) -> json.object(by, one -> {
                    one.with("rows", evaluated.rows()).with("weight", evaluated.weight());
                    if (!evaluated.fingerprint().isEmpty()) {
                        one.with("fingerprint", evaluated.fingerprint());
                    }
                    evaluated.measures().forEach(one::with);
                }));
    }
}
