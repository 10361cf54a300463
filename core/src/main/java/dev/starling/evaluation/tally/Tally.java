package dev.starling.evaluation.tally;

import dev.starling.data.Dataset;
import dev.starling.evaluation.Measures;
import dev.starling.model.LinearModel;

/**
 * Sums and counts over rows that a model has predicted, from which every measure follows. Tallies of several places are
 * added entry by entry, so that nobody has to reveal a row; areas under curves are then known within bounds, because
 * scores are counted in bins.
 */
public sealed interface Tally permits ClassTally, NumberTally {

    /**
     * Creates an empty tally.
     *
     * @param bins the bins for scores; the same for all tallies that are added up
     * @param centre a number near the mean label, the same for all tallies that are added up: it prevents cancellation
     *     in sums of squares. Classifiers ignore it
     */
    static Tally of(LinearModel model, ScoreBins bins, double centre) {
        return model.isClassifier() ? new ClassTally(model, bins) : new NumberTally(model, centre);
    }

    /** The number of sums in a tally for a model with this many classes, or 0 classes for one that predicts numbers. */
    static int length(int classes, ScoreBins bins) {
        return classes == 0 ? NumberTally.LENGTH : ClassTally.length(classes, bins);
    }

    /**
     * Adds a row.
     *
     * @throws dev.starling.data.InvalidInputException if its label is not valid for the model
     */
    void add(Dataset rows, int row);

    /** Adds all rows. */
    default void addAll(Dataset rows) {
        for (int i = 0; i < rows.rows(); i++) {
            add(rows, i);
        }
    }

    /** A copy of the sums so far. */
    double[] sums();

    /** Adds the sums of another tally of the same kind. */
    void add(double[] others);

    /** The measures that follow from the sums. */
    Measures measures();
}
