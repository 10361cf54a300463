package dev.starling.cli.train;

import dev.starling.data.Dataset;
import dev.starling.evaluation.Evaluation;
import dev.starling.loss.Cox;
import dev.starling.loss.Losses;
import dev.starling.model.LinearModel;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * A few numbers that say how well predictions agree with the labels of the data.
 *
 * @param values the measures by name: accuracy and AUC for classes, RMSE, MAE and R² for numbers; empty if the model
 *     knows none of the labels
 */
record Metrics(Map<String, Double> values) {

    private static final List<String> NAMES = List.of("accuracy", "auc", "rmse", "mae", "r2");

    static Metrics of(LinearModel model, Dataset rows) {
        int[] known = IntStream.range(0, rows.rows())
                .filter(i -> !model.isClassifier() || model.classes().contains(rows.label(i) + 0.0))
                .toArray();
        Map<String, Double> values = new LinkedHashMap<>();
        if (known.length > 0
                && Losses.find(model.loss()).filter(loss -> loss instanceof Cox).isEmpty()) {
            boolean all = known.length == rows.rows();
            Map<String, Double> found =
                    Evaluation.of(model, all ? rows : rows.picked(known)).values();
            for (String name : model.scores() > 1 ? List.of("accuracy") : NAMES) {
                double value = found.getOrDefault(name, Double.NaN);
                if (!Double.isNaN(value)) {
                    // A class that the model does not know is never predicted.
                    boolean partly = !all && name.equals("accuracy");
                    values.put(name, partly ? value * known.length / rows.rows() : value);
                }
            }
        }
        return new Metrics(values);
    }

    void print(PrintWriter out) {
        values.forEach((name, value) -> out.printf(Locale.US, "%-8s  %.6g%n", name, value));
    }
}
