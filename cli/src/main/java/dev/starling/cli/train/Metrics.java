package dev.starling.cli.train;

import dev.starling.data.Dataset;
import dev.starling.evaluation.ClassMeasures;
import dev.starling.evaluation.Evaluation;
import dev.starling.evaluation.NumberMeasures;
import dev.starling.loss.Cox;
import dev.starling.loss.Losses;
import dev.starling.model.LinearModel;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
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

    static Metrics of(LinearModel model, Dataset rows) {
        if (Losses.find(model.loss()).filter(loss -> loss instanceof Cox).isPresent()) {
            return new Metrics(Map.of());
        }
        return new Metrics(model.isClassifier() ? ofClasses(model, rows) : ofNumbers(model, rows));
    }

    private static Map<String, Double> ofClasses(LinearModel model, Dataset rows) {
        int[] known = IntStream.range(0, rows.rows())
                .filter(i -> model.classes().contains(rows.label(i) + 0.0))
                .toArray();
        Map<String, Double> values = new LinkedHashMap<>();
        if (known.length > 0) {
            boolean all = known.length == rows.rows();
            ClassMeasures measures = (ClassMeasures) Evaluation.of(model, all ? rows : rows.picked(known));
            // A class that the model does not know is never predicted.
            values.put("accuracy", all ? measures.accuracy() : measures.accuracy() * known.length / rows.rows());
            if (model.scores() == 1 && !Double.isNaN(measures.auc())) {
                values.put("auc", measures.auc());
            }
        }
        return values;
    }

    private static Map<String, Double> ofNumbers(LinearModel model, Dataset rows) {
        NumberMeasures measures = (NumberMeasures) Evaluation.of(model, rows);
        Map<String, Double> values = new LinkedHashMap<>();
        values.put("rmse", measures.rmse());
        values.put("mae", measures.mae());
        if (!Double.isNaN(measures.r2())) {
            values.put("r2", measures.r2());
        }
        return values;
    }

    void print(PrintWriter out) {
        values.forEach((name, value) -> out.printf(Locale.ROOT, "%-8s  %.6g%n", name, value));
        out.flush();
    }
}
