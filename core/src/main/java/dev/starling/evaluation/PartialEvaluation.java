package dev.starling.evaluation;

import dev.starling.data.Dataset;
import dev.starling.model.LinearModel;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The evaluation of a model on some of the rows, for rows that belong to one owner but are in several places. Added up
 * over all places, it gives the model's measures, with exact areas under curves. It holds sums, and the number of rows
 * with each score.
 */
public final class PartialEvaluation implements Serializable {

    private final double[] sums;
    private final ArrayList<ScoreCounts> curves;

    private PartialEvaluation(double[] sums, List<ScoreCounts> curves) {
        this.sums = sums;
        this.curves = new ArrayList<>(curves);
    }

    /**
     * Evaluates a model on some of the rows.
     *
     * @param centre a number near the mean label, the same at all places, as {@link Tally#of} takes it
     * @throws dev.starling.data.InvalidInputException if a label is not one of the model's classes
     */
    public static PartialEvaluation of(LinearModel model, List<Dataset> rows, double centre) {
        Tally tally = Tally.of(model, ScoreBins.USUAL, centre);
        rows.forEach(tally::addAll);
        return new PartialEvaluation(tally.sums(), model.isClassifier() ? Evaluation.curves(model, rows) : List.of());
    }

    /** The evaluation on these rows and others together. */
    public PartialEvaluation plus(PartialEvaluation other) {
        double[] all = sums.clone();
        IntStream.range(0, all.length).forEach(k -> all[k] += other.sums[k]);
        return new PartialEvaluation(
                all,
                IntStream.range(0, curves.size())
                        .mapToObj(k -> curves.get(k).plus(other.curves.get(k)))
                        .toList());
    }

    /** The measures, once all rows have been added. */
    public Measures measures(LinearModel model, double centre) {
        Tally tally = Tally.of(model, ScoreBins.USUAL, centre);
        tally.add(sums);
        return tally.measures() instanceof ClassMeasures classes ? classes.with(curves) : tally.measures();
    }
}
