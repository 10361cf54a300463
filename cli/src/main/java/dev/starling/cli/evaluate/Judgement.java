package dev.starling.cli.evaluate;

import dev.starling.cli.console.Json;
import dev.starling.cli.console.TextTable;
import dev.starling.cli.evaluate.Panel.Part;
import dev.starling.cli.show.CoefficientTable;
import dev.starling.cli.show.Question;
import dev.starling.internal.JsonObject;
import dev.starling.model.LinearModel;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * How good models are on some rows: on all of them, on those of each file, and on each group.
 *
 * @param files the measures on each file
 * @param groups the measures on each group; empty if there are no groups
 */
record Judgement(
        Panel panel, List<LabelledRows> places, ComparisonReport comparison, List<Part> files, List<Part> groups) {

    static Judgement of(Panel panel, List<LabelledRows> places) {
        // Each file on its own first, so that an error names the file.
        List<Part> files = places.stream().map(panel::on).toList();
        Part all = files.size() == 1 ? files.get(0) : panel.onAll(places);
        return new Judgement(
                panel, places, new ComparisonReport(panel, all, panel.pairs(places)), files, panel.onGroups(places));
    }

    private boolean isOfOne() {
        return panel.models().size() == 1;
    }

    private EvaluationReport only() {
        return comparison.all().ofModels().get(0);
    }

    void print(PrintWriter out) {
        if (isOfOne()) {
            out.printf("%-10s %d%n", "rows", only().measures().rows());
        }
        panel.threshold().ifPresent(threshold -> {
            LinearModel model = panel.models().get(0);
            out.printf(
                    "%-10s %s of class %s above %s%n",
                    "threshold",
                    model.hasProbabilities() ? "probability" : "score",
                    model.spelling(model.classes().get(1)),
                    Json.text(threshold));
        });
        if (isOfOne()) {
            only().print(out);
        } else {
            comparison.print(out);
        }
        if (files.size() > 1) {
            print(out, "file", files);
        }
        if (!groups.isEmpty()) {
            print(out, "group", groups);
        }
    }

    private void print(PrintWriter out, String what, List<Part> parts) {
        List<List<String>> lines = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of(what));
        if (!isOfOne()) {
            head.add("model");
        }
        head.add("rows");
        only().measures().values().keySet().forEach(name -> head.add(EvaluationReport.displayName(name)));
        lines.add(head);
        for (Part part : parts) {
            for (int k = 0; k < part.ofModels().size(); k++) {
                List<String> line = new ArrayList<>(List.of(k == 0 ? part.name() : ""));
                if (!isOfOne()) {
                    line.add(panel.names().get(k));
                }
                Map<String, Double> values = part.ofModels().get(k).measures().values();
                line.add(Long.toString(part.ofModels().get(k).measures().rows()));
                only().measures().values().keySet().forEach(name -> line.add(text(values.get(name))));
                lines.add(line);
            }
        }
        out.println();
        new TextTable(lines).print(out);
    }

    private static String text(double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.US, "%.4g", value);
    }

    /** Writes everything as members of an object: those of the model itself if there is one, or of each of several. */
    void write(JsonObject json) {
        if (isOfOne()) {
            panel.write(json, 0);
            only().write(json);
        } else {
            comparison.write(json);
        }
        write(json, "files", "data", files);
        if (!groups.isEmpty()) {
            write(json, "groups", "group", groups);
        }
    }

    private void write(JsonObject json, String member, String name, List<Part> parts) {
        json.objects(member, parts, (object, part) -> {
            object.with(name, part.name());
            if (isOfOne()) {
                part.ofModels().get(0).write(object);
            } else {
                object.objects(
                        "models",
                        part.ofModels().size(),
                        (one, k) -> part.ofModels()
                                .get(k)
                                .write(one.with("model", panel.names().get(k))));
            }
        });
    }

    /** Writes what the page shows: every model with its curves, its question and its coefficients. */
    void writePage(JsonObject json) {
        json.objects("models", panel.models().size(), (one, k) -> {
            LinearModel model = panel.models().get(k);
            EvaluationReport report = comparison.all().ofModels().get(k);
            panel.write(one, k);
            report.write(one);
            double threshold = panel.threshold().orElse(model.hasProbabilities() ? 0.5 : 0);
            new Curves(model, report.measures(), Panel.ofModel(places, k), threshold).write(one);
            one.with("trainedOnThese", places.stream().anyMatch(place -> panel.isTrainedOn(place, k)));
            one.object("about", new Question(model)::write);
            CoefficientTable.write(one, model);
        });
        ComparisonReport.write(json, comparison.pairs());
        json.with("places", places.stream().map(place -> place.name()).toList());
        write(json, "files", "data", files);
        write(json, "groups", "group", groups);
    }
}
