package dev.starling.model;

import dev.starling.model.CrossValidation.Estimate;
import dev.starling.model.CrossValidation.FoldScores;
import dev.starling.model.CrossValidation.Line;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads and writes the results of cross-validation as a JSON object. */
final class ValidationJson {

    private static final String WEIGHT = "weight";

    private static final Line NO_LINE = new Line(Double.NaN, Double.NaN, Map.of());
    private static final Estimate NO_ESTIMATE = new Estimate(Double.NaN, Double.NaN);

    static final CrossValidation NONE =
            new CrossValidation(0, "", "", false, false, 0, List.of(), 0, 0, FoldScores.UNKNOWN);

    private ValidationJson() {}

    static CrossValidation members(JsonMembers m, CrossValidation v) {
        int folds = m.count("folds", v.folds());
        String by = m.text("by", v.by());
        String rule = m.text("rule", v.rule());
        boolean certified = m.truth("certified", v.certified());
        boolean stalled = m.truth("stalled", v.stalled());
        double epochs = m.number("epochs", v.epochs());
        int best = m.count("best", v.best());
        int chosen = m.count("chosen", v.chosen());
        List<Line> lines = m.objects("lines", v.lines(), NO_LINE, ValidationJson::line);
        for (int line : new int[] {best, chosen}) {
            m.require(
                    line >= 0 && line < lines.size(),
                    "cross-validation refers to line " + line + " but has " + lines.size() + " lines");
        }
        FoldScores scores = m.has("ofFolds", !v.ofFolds().equals(FoldScores.UNKNOWN))
                ? m.object("ofFolds", v.ofFolds(), ValidationJson::scores)
                : FoldScores.UNKNOWN;
        scores.means()
                .forEach((measure, means) -> m.require(
                        means.size() == folds && scores.weights().size() == folds,
                        "cross-validation has " + means.size() + " scores and "
                                + scores.weights().size() + " weights for " + folds + " folds"));
        return new CrossValidation(folds, by, rule, certified, stalled, epochs, lines, best, chosen, scores);
    }

    private static FoldScores scores(JsonMembers m, FoldScores scores) {
        List<Double> weights = m.someNumbers(WEIGHT, scores.weights());
        Map<String, List<Double>> means = new LinkedHashMap<>();
        for (String measure : m.namesBeside(scores.means().keySet(), WEIGHT)) {
            means.put(measure, m.someNumbers(measure, scores.means().getOrDefault(measure, List.of())));
        }
        return new FoldScores(weights, means);
    }

    private static Line line(JsonMembers m, Line line) {
        double lambda = m.number("lambda", line.lambda());
        double l1 = m.number("l1", line.l1());
        Map<String, Estimate> measures = new LinkedHashMap<>();
        for (String measure : m.namesBeside(line.measures().keySet(), "lambda", "l1")) {
            measures.put(
                    measure,
                    m.object(
                            measure,
                            line.measures().getOrDefault(measure, NO_ESTIMATE),
                            (e, estimate) -> new Estimate(
                                    e.number("mean", estimate.mean()), e.number("standardError", estimate.error()))));
        }
        m.require(
                Double.isFinite(lambda + l1) && measures.containsKey(CrossValidation.LOSS),
                "a line of cross-validation needs \"lambda\", \"l1\" and \"loss\"");
        return new Line(lambda, l1, measures);
    }
}
