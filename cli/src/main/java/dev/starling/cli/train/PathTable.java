package dev.starling.cli.train;

import dev.starling.certificate.Certificate;
import dev.starling.cli.console.Json;
import dev.starling.model.LinearModel;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import tools.jackson.core.JsonGenerator;

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
                    Locale.ROOT,
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

    static void write(JsonGenerator json, List<LinearModel> path) {
        json.writeArrayPropertyStart("path");
        for (LinearModel one : path) {
            Certificate certificate = one.provenance().certificate();
            json.writeStartObject();
            Json.number(json, "lambda", setting(one, "lambda"));
            Json.number(json, "l1", setting(one, "l1"));
            json.writeNumberProperty("nonZeros", one.nonZeros());
            json.writeStringProperty("method", one.provenance().method());
            Json.number(json, "objective", certificate.objective());
            Json.number(json, "dual", certificate.dual());
            Json.number(json, "gap", certificate.relativeGap());
            json.writeBooleanProperty("certified", one.provenance().certified());
            Json.number(json, "epochs", certificate.epochs());
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
