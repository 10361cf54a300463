package dev.starling.cli.train;

import dev.starling.model.CrossValidation;
import dev.starling.model.CrossValidation.Estimate;
import dev.starling.model.CrossValidation.Line;
import dev.starling.model.LinearModel;
import java.io.PrintWriter;
import java.util.BitSet;
import java.util.Locale;
import java.util.Map;

/**
 * How well the models of a path predict rows that they were not trained on: a table for people with a line for each λ.
 */
final class ValidationTable {

    private static final Map<String, String> HEADINGS = Map.of(
            "loss", "held-out loss",
            "error", "error rate",
            "squaredError", "squared error",
            "absoluteError", "absolute error");

    private ValidationTable() {}

    static void print(PrintWriter out, LinearModel model, CrossValidation validation) {
        out.print("lambda       l1           weights");
        for (String measure : validation.chosenLine().measures().keySet()) {
            out.printf("  %-14s  %-8s", HEADINGS.getOrDefault(measure, measure), "+-");
        }
        out.println();
        BitSet shown = FlatEnds.between(validation);
        for (int k = shown.nextSetBit(0); k >= 0; k = shown.nextSetBit(k + 1)) {
            Line line = validation.lines().get(k);
            out.printf(
                    Locale.US,
                    "%-11.6g  %-11.6g  %-7d",
                    line.lambda(),
                    line.l1(),
                    model.path().get(k).nonZeros());
            for (Estimate estimate : line.measures().values()) {
                out.printf(Locale.US, "  %-14.8g  %-8.2g", estimate.mean(), estimate.error());
            }
            out.println(remark(validation, k));
        }
        int hidden = validation.lines().size() - shown.cardinality();
        if (hidden > 0) {
            out.printf("and %d values at the ends, where the loss hardly changes (--json has all)%n", hidden);
        }
        out.println();
        Line chosen = validation.chosenLine();
        out.printf(
                Locale.US,
                "lambda     %.6g%s  (%s of %d folds by %s)%n",
                chosen.lambda(),
                chosen.l1() > 0 ? String.format(Locale.US, ", l1 %.6g", chosen.l1()) : "",
                validation.rule().equals("min")
                        ? "the smallest mean"
                        : "within one standard error of the smallest mean",
                validation.folds(),
                validation.by());
    }

    private static String remark(CrossValidation validation, int line) {
        return line == validation.chosen() ? "  chosen" : line == validation.best() ? "  smallest" : "";
    }
}
