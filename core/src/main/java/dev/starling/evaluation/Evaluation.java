package dev.starling.evaluation;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.evaluation.tally.PartialEvaluation;
import dev.starling.model.LinearModel;
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
        List<PartialEvaluation> parts = places.stream()
                .filter(rows -> rows.rows() > 0)
                .map(rows -> PartialEvaluation.of(model, rows))
                .toList();
        if (parts.isEmpty()) {
            throw new InvalidInputException("no rows to evaluate the model on; at least one is needed");
        }
        return PartialEvaluation.sum(parts).measures(model);
    }
}
