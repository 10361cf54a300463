package dev.starling.evaluation;

import dev.starling.data.Dataset;
import dev.starling.model.LinearModel;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What some of the rows that a model is judged by say of it, where they are in several places with one owner; what all
 * say together are the model's measures, with exact areas under curves. It holds sums, and how many rows have each
 * score.
 */
public final class PartialEvaluation implements Serializable {

    private final double[] sums;
    private final ArrayList<ScoreCounts> curves;

    private PartialEvaluation(double[] sums, List<ScoreCounts> curves) {
        this.sums = sums;
        this.curves = new ArrayList<>(curves);
    }

    /**
     * What rows say.
     *
     * @param centre a number near the mean label, the same at all places, as {@link Tally#of} takes it
     * @throws dev.starling.data.InvalidInputException if a label is none that the model knows
     */
    public static PartialEvaluation of(LinearModel model, List<Dataset> rows, double centre) {
        Tally tally = Tally.of(model, ScoreBins.USUAL, centre);
        rows.forEach(tally::addAll);
        return new PartialEvaluation(tally.sums(), model.isClassifier() ? Evaluation.curves(model, rows) : List.of());
    }

    /** What these rows and others say together. */
    public PartialEvaluation plus(PartialEvaluation other) {
        double[] all = sums.clone();
        IntStream.range(0, all.length).forEach(k -> all[k] += other.sums[k]);
        return new PartialEvaluation(
                all,
                IntStream.range(0, curves.size())
                        .mapToObj(k -> curves.get(k).plus(other.curves.get(k)))
                        .toList());
    }

    /** The measures, where these are all rows. */
    public Measures measures(LinearModel model, double centre) {
        Tally tally = Tally.of(model, ScoreBins.USUAL, centre);
        tally.add(sums);
        return tally.measures() instanceof ClassMeasures classes ? classes.with(curves) : tally.measures();
    }
}
