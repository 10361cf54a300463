package dev.starling.cli.train;

import dev.starling.data.Dataset;
import dev.starling.model.LinearModel;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * How well predictions agree with the labels of the data.
 *
 * @param values the measures by name: accuracy and AUC for classes, RMSE, MAE and R² for numbers; none if no label of
 *     the data is one that the model knows
 */
record Metrics(Map<String, Double> values) {

    static Metrics of(LinearModel model, Dataset rows) {
        return new Metrics(model.isClassifier() ? ofClasses(model, rows) : ofNumbers(model, rows));
    }

    private static Map<String, Double> ofClasses(LinearModel model, Dataset rows) {
        Map<String, Double> values = new LinkedHashMap<>();
        long known = 0;
        long right = 0;
        for (int i = 0; i < rows.rows(); i++) {
            known += model.classes().contains(rows.label(i) + 0.0) ? 1 : 0;
            right += model.predict(rows, i) == rows.label(i) ? 1 : 0;
        }
        if (known == 0) {
            return values;
        }
        values.put("accuracy", (double) right / rows.rows());
        if (model.scores() == 1) {
            double[] scores = new double[rows.rows()];
            Arrays.setAll(scores, i -> model.score(rows, i, 0));
            double area = areaUnderCurve(scores, rows.labels(), model.classes().get(1));
            if (!Double.isNaN(area)) {
                values.put("auc", area);
            }
        }
        return values;
    }

    /** The probability that a row of the positive class scores higher than one of the other; ties count half. */
    static double areaUnderCurve(double[] scores, double[] labels, double positive) {
        Integer[] order = IntStream.range(0, scores.length).boxed().toArray(Integer[]::new);
        Arrays.sort(order, Comparator.comparingDouble(i -> scores[i]));
        double positives = 0;
        double rankSum = 0;
        for (int from = 0; from < order.length; ) {
            int to = from;
            long inTie = 0;
            while (to < order.length && scores[order[to]] == scores[order[from]]) {
                inTie += labels[order[to]] == positive ? 1 : 0;
                to++;
            }
            positives += inTie;
            rankSum += inTie * (from + 1 + to) / 2.0;
            from = to;
        }
        double negatives = scores.length - positives;
        return (rankSum - positives * (positives + 1) / 2) / (positives * negatives);
    }

    private static Map<String, Double> ofNumbers(LinearModel model, Dataset rows) {
        double mean = Arrays.stream(rows.labels()).sum() / rows.rows();
        double squares = 0;
        double absolutes = 0;
        double variation = 0;
        for (int i = 0; i < rows.rows(); i++) {
            double error = model.predict(rows, i) - rows.label(i);
            squares += error * error;
            absolutes += Math.abs(error);
            variation += (rows.label(i) - mean) * (rows.label(i) - mean);
        }
        Map<String, Double> values = new LinkedHashMap<>();
        values.put("rmse", Math.sqrt(squares / rows.rows()));
        values.put("mae", absolutes / rows.rows());
        if (variation > 0) {
            values.put("r2", 1 - squares / variation);
        }
        return values;
    }

    void print(PrintWriter out) {
        values.forEach((name, value) -> out.printf(Locale.ROOT, "%-8s  %.6g%n", name, value));
        out.flush();
    }
}
