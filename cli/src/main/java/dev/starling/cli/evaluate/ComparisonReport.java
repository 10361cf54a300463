package dev.starling.cli.evaluate;

import dev.starling.cli.console.TextTable;
import dev.starling.cli.evaluate.Panel.Pair;
import dev.starling.cli.evaluate.Panel.Part;
import dev.starling.evaluation.ClassMeasures;
import dev.starling.evaluation.Comparison.Difference;
import dev.starling.internal.JsonObject;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Several models side by side: their measures, and which differences are more than chance. */
record ComparisonReport(Panel panel, Part all, List<Pair> pairs) {

    void print(PrintWriter out) {
        out.printf(
                "%-10s %d, the same for all models%n%n",
                "rows", all.ofModels().get(0).measures().rows());
        sideBySide().print(out);
        out.println();
        print(out, pairs);
        if (panel.threshold().isPresent()) {
            for (int k = 0; k < panel.names().size(); k++) {
                EvaluationReport report = all.ofModels().get(k);
                out.printf("%n%s%n", panel.names().get(k));
                report.confusion((ClassMeasures) report.measures()).print(out);
            }
        }
    }

    private TextTable sideBySide() {
        Set<String> measures = new LinkedHashSet<>();
        all.ofModels()
                .forEach(report -> measures.addAll(report.measures().values().keySet()));
        boolean oneLoss =
                panel.models().stream().map(model -> model.loss()).distinct().count() == 1;
        List<List<String>> lines = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of(""));
        head.addAll(panel.names());
        lines.add(head);
        for (String measure : measures) {
            List<String> line = new ArrayList<>(List.of(EvaluationReport.displayName(measure)));
            all.ofModels()
                    .forEach(report -> line.add(
                            EvaluationReport.number(report.measures().values().getOrDefault(measure, Double.NaN))));
            boolean known = line.stream().skip(1).anyMatch(text -> !text.equals("-"));
            if (known && (oneLoss || !measure.equals("loss"))) {
                lines.add(line);
            }
        }
        return new TextTable(lines);
    }

    /** Prints differences with their intervals, and what follows from them. */
    static void print(PrintWriter out, List<Pair> pairs) {
        List<List<String>> lines = new ArrayList<>(List.of(List.of(
                "compared", "measure", "difference", "lower 95%", "upper 95%", "better", "by more than chance")));
        String before = "";
        for (Pair pair : pairs) {
            Difference difference = pair.difference();
            String what = pair.second() + " - " + pair.first();
            lines.add(List.of(
                    what.equals(before) ? "" : what,
                    EvaluationReport.displayName(difference.measure()),
                    signed(difference.value()),
                    signed(difference.lower()),
                    signed(difference.upper()),
                    difference.value() == 0 ? "-" : pair.better(),
                    Double.isNaN(difference.lower()) ? "-" : difference.isMoreThanChance() ? "yes" : "no"));
            before = what;
        }
        new TextTable(lines).print(out);
    }

    private static String signed(double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.US, "%+.4g", value);
    }

    void write(JsonObject json) {
        json.objects("models", panel.names().size(), (one, k) -> {
            panel.write(one, k);
            all.ofModels().get(k).write(one);
        });
        write(json, pairs);
    }

    static void write(JsonObject json, List<Pair> pairs) {
        json.objects("differences", pairs, (one, pair) -> {
            Difference difference = pair.difference();
            one.with("first", pair.first());
            one.with("second", pair.second());
            one.with("measure", difference.measure());
            one.with("ofFirst", difference.first());
            one.with("ofSecond", difference.second());
            one.with("difference", difference.value());
            one.with("standardError", difference.standardError());
            one.with("lower", difference.lower());
            one.with("upper", difference.upper());
            one.with("moreThanChance", difference.isMoreThanChance());
            if (difference.value() != 0) {
                one.with("better", pair.better());
            }
        });
    }
}
