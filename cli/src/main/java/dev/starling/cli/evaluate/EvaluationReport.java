package dev.starling.cli.evaluate;

import dev.starling.cli.console.Json;
import dev.starling.cli.console.TextTable;
import dev.starling.evaluation.Area;
import dev.starling.evaluation.ClassMeasures;
import dev.starling.evaluation.Measures;
import dev.starling.evaluation.ScoreCounts;
import dev.starling.internal.JsonObject;
import dev.starling.model.LinearModel;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** How good a model is, as a table for people and as an object for programs. */
public record EvaluationReport(LinearModel model, Measures measures) {

    private static final Map<String, String> DISPLAY_NAMES = Map.of(
            "logLoss", "log loss",
            "r2", "R2",
            "squaredError", "squared error",
            "absoluteError", "absolute error");

    /** The name of a measure in a table. */
    static String displayName(String name) {
        return DISPLAY_NAMES.getOrDefault(name, name);
    }

    /** Prints all measures below an empty line and a line that says which rows they are of. */
    public void print(PrintWriter out, String rows) {
        out.printf("%n%-10s %d rows%n", rows, measures.rows());
        print(out);
    }

    /** Prints all measures. */
    void print(PrintWriter out) {
        measures.values().forEach((name, value) -> {
            if (!Double.isNaN(value) || name.equals("auc") || name.equals("r2")) {
                out.printf(Locale.US, "%-10s %s%n", displayName(name), text(name, value));
            }
        });
        if (measures instanceof ClassMeasures classes) {
            out.println();
            ofClasses(classes).print(out);
            out.println();
            confusion(classes).print(out);
        }
    }

    private String text(String name, double value) {
        if (Double.isNaN(value)) {
            return name.equals("r2") ? "undefined: all labels are the same" : "undefined: " + whyNoArea();
        }
        String number = number(value);
        return switch (name) {
            case "auc" -> number + (model.scores() == 1 ? interval(curve(0).area()) : "  (mean over classes)");
            case "precision", "recall", "f1" -> number + "  (mean over classes)";
            case "loss" -> number + "  (" + model.loss() + ")";
            default -> number;
        };
    }

    private ScoreCounts curve(int k) {
        return ((ClassMeasures) measures).curves().get(k);
    }

    private static String interval(Area area) {
        String bounds = area.least() < area.most()
                ? String.format(Locale.US, ", bins leave it between %.6g and %.6g", area.least(), area.most())
                : "";
        return Double.isNaN(area.lower())
                ? "  (no interval: a class has a single row" + bounds + ")"
                : String.format(Locale.US, "  (95%% interval %.6g to %.6g%s)", area.lower(), area.upper(), bounds);
    }

    /** Says which class has no rows, or all of them. */
    private String whyNoArea() {
        List<ClassMeasures.OfClass> present = ((ClassMeasures) measures)
                .ofClasses().stream().filter(one -> one.weight() > 0).toList();
        if (present.size() == 1) {
            return "all rows are of class " + model.spelling(present.get(0).label());
        }
        return "no row is of class "
                + ((ClassMeasures) measures)
                        .ofClasses().stream()
                                .filter(one -> one.weight() == 0)
                                .map(one -> model.spelling(one.label()))
                                .findFirst()
                                .orElseThrow();
    }

    static String number(double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.US, "%.6g", value);
    }

    private static String count(double weight) {
        return weight == Math.rint(weight) ? Json.text(weight) : number(weight);
    }

    private TextTable ofClasses(ClassMeasures classes) {
        boolean areas = model.scores() > 1;
        List<List<String>> lines = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of("class", "rows", "precision", "recall", "f1"));
        if (areas) {
            head.addAll(List.of("auc", "95% interval"));
        }
        lines.add(head);
        List<ClassMeasures.OfClass> each = classes.ofClasses();
        for (int k = 0; k < each.size(); k++) {
            ClassMeasures.OfClass one = each.get(k);
            List<String> line = new ArrayList<>(List.of(
                    model.spelling(one.label()),
                    count(one.weight()),
                    number(one.precision()),
                    number(one.recall()),
                    number(one.f1())));
            if (areas) {
                Area area = curve(k).area();
                line.addAll(List.of(number(area.value()), number(area.lower()) + " to " + number(area.upper())));
            }
            lines.add(line);
        }
        return new TextTable(lines);
    }

    TextTable confusion(ClassMeasures classes) {
        List<String> names = classes.classes().stream().map(model::spelling).toList();
        List<List<String>> lines = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of("actual \\ predicted"));
        head.addAll(names);
        lines.add(head);
        for (int k = 0; k < names.size(); k++) {
            List<String> line = new ArrayList<>(List.of(names.get(k)));
            for (double cell : classes.confusion()[k]) {
                line.add(count(cell));
            }
            lines.add(line);
        }
        return new TextTable(lines);
    }

    /** Writes all measures as members of an object. */
    public void write(JsonObject json) {
        json.with("rows", measures.rows());
        json.with("weight", measures.weight());
        measures.values().forEach(json::with);
        if (measures instanceof ClassMeasures classes) {
            if (model.scores() == 1) {
                area(json, classes.curves().get(0));
            }
            writeClasses(json, classes);
        }
    }

    private void writeClasses(JsonObject json, ClassMeasures classes) {
        List<ClassMeasures.OfClass> each = classes.ofClasses();
        json.objects("classes", each.size(), (object, k) -> {
            ClassMeasures.OfClass one = each.get(k);
            object.with("label", model.spelling(one.label()));
            object.with("weight", one.weight());
            object.with("predicted", one.predicted());
            object.with("precision", one.precision());
            object.with("recall", one.recall());
            object.with("f1", one.f1());
            if (model.scores() > 1) {
                object.with("auc", classes.curves().get(k).area().value());
                area(object, classes.curves().get(k));
            }
        });
        json.with("confusion", List.of(classes.confusion()));
        json.with(
                "calibration",
                classes.calibration().stream()
                        .map(calibration -> calibration.bins().stream()
                                .map(bin -> JsonObject.of(one -> one.with("weight", bin.weight())
                                        .with("predicted", bin.predicted())
                                        .with("observed", bin.observed())))
                                .toList())
                        .toList());
    }

    private static void area(JsonObject json, ScoreCounts curve) {
        Area area = curve.area();
        json.with("aucLower", area.lower());
        json.with("aucUpper", area.upper());
        json.with("aucError", area.error());
        json.with("averagePrecision", curve.averagePrecision());
    }
}
