package dev.starling.evaluation;

import dev.starling.data.Dataset;
import dev.starling.model.LinearModel;

/**
 * Sums and counts over rows that a model has predicted, from which every measure follows. Those of several places are
 * added entry by entry, so that nobody has to show a row: areas under curves are then known within the bounds that
 * counts in bins leave.
 */
public sealed interface Tally permits ClassTally, NumberTally {

    /**
     * A tally of no rows.
     *
     * @param bins for scores; the same wherever tallies are to be added
     * @param centre a number near the mean label, the same wherever tallies are to be added: it keeps sums of squares
     *     from cancelling, and means nothing to models of classes
     */
    static Tally of(LinearModel model, ScoreBins bins, double centre) {
        return model.isClassifier() ? new ClassTally(model, bins) : new NumberTally(model, centre);
    }

    /** How many sums there are, for a model of so many classes; 0 for one that predicts numbers. */
    static int length(int classes, ScoreBins bins) {
        return classes == 0 ? NumberTally.LENGTH : ClassTally.length(classes, bins);
    }

    /**
     * Counts a row in.
     *
     * @throws dev.starling.data.InvalidInputException if its label is none that the model knows
     */
    void add(Dataset rows, int row);

    /** Counts all rows in. */
    default void addAll(Dataset rows) {
        for (int i = 0; i < rows.rows(); i++) {
            add(rows, i);
        }
    }

    /** The sums so far: a copy. */
    double[] sums();

    /** Adds the sums of another tally of the same kind. */
    void add(double[] others);

    /** What follows from the sums. */
    Measures measures();
}
