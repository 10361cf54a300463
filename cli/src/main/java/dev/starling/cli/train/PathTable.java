package dev.starling.cli.train;

import dev.starling.certificate.Certificate;
import dev.starling.internal.JsonObject;
import dev.starling.model.LinearModel;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** The models of a path: a table with a line for each λ for people, an array of objects for programs. */
final class PathTable {

    private PathTable() {}

    /** Returns a numeric setting that a model was trained with. */
    static double setting(LinearModel model, String name) {
        return Double.parseDouble(model.provenance().settings().get(name));
    }

    static void print(PrintWriter out, List<LinearModel> path) {
        out.println("lambda       l1           weights  objective      gap       epochs");
        for (LinearModel one : path) {
            Certificate certificate = one.provenance().certificate();
            out.printf(
                    Locale.US,
                    "%-11.6g  %-11.6g  %-7d  %-13.10g  %-8.3g  %.1f%s%n",
                    setting(one, "lambda"),
                    setting(one, "l1"),
                    one.nonZeros(),
                    certificate.objective(),
                    certificate.relativeGap(),
                    certificate.epochs(),
                    one.provenance().certified() ? "" : "  (not certified)");
        }
        out.println();
    }

    static void write(JsonObject json, List<LinearModel> path) {
        json.objects("path", path, (line, one) -> {
            Certificate certificate = one.provenance().certificate();
            line.with("lambda", setting(one, "lambda"));
            line.with("l1", setting(one, "l1"));
            line.with("nonZeros", one.nonZeros());
            line.with("method", one.provenance().method());
            line.with("objective", certificate.objective());
            line.with("dual", certificate.dual());
            line.with("bound", certificate.bound());
            line.with("gap", certificate.relativeGap());
            line.with("certified", one.provenance().certified());
            line.with("epochs", certificate.epochs());
        });
    }
}
