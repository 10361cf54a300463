package dev.starling.evaluation;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.model.LinearModel;
import java.util.ArrayList;
import java.util.List;

/** Evaluates a model on rows that are all in this process, so that areas under curves are exact. */
public final class Evaluation {

    private Evaluation() {}

    /**
     * Measures how well a model predicts the labels of rows, each counted with its weight.
     *
     * @throws InvalidInputException if there are no rows, or if a label is not one of the model's classes
     */
    public static Measures of(LinearModel model, Dataset rows) {
        return of(model, List.of(rows));
    }

    /** Measures the same over several sets of rows together. */
    public static Measures of(LinearModel model, List<Dataset> places) {
        Tally tally = Tally.of(model, ScoreBins.USUAL, meanLabel(places));
        places.forEach(tally::addAll);
        return tally.measures() instanceof ClassMeasures classes
                ? classes.with(curves(model, places))
                : tally.measures();
    }

    private static double meanLabel(List<Dataset> places) {
        double sum = 0;
        double weight = 0;
        for (Dataset rows : places) {
            for (int i = 0; i < rows.rows(); i++) {
                sum += rows.weight(i) * rows.label(i);
                weight += rows.weight(i);
            }
        }
        if (!(weight > 0)) {
            throw new InvalidInputException("no rows to judge the model by; at least one is needed");
        }
        return sum / weight;
    }

    static List<ScoreCounts> curves(LinearModel model, List<Dataset> places) {
        int count = places.stream().mapToInt(Dataset::rows).sum();
        List<ScoreCounts> curves = new ArrayList<>();
        for (int k = 0; k < model.scores(); k++) {
            double positive = model.classes().get(model.scores() == 1 ? 1 : k);
            double[] scores = new double[count];
            boolean[] positives = new boolean[count];
            double[] weights = new double[count];
            int at = 0;
            for (Dataset rows : places) {
                for (int i = 0; i < rows.rows(); i++, at++) {
                    scores[at] = model.score(rows, i, k);
                    positives[at] = rows.label(i) == positive;
                    weights[at] = rows.weight(i);
                }
            }
            curves.add(ScoreCounts.of(scores, positives, weights));
        }
        return curves;
    }
}
