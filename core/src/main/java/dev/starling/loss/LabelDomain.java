package dev.starling.loss;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;

/** The labels that a loss is defined for. */
public enum LabelDomain {
    /** Two classes, passed to the loss as −1 and +1, or more classes, one against the rest at a time. */
    CLASSES("a class"),

    /** Any number. */
    REAL("a number"),

    /** 0, 1, 2, …: how often something happened. */
    COUNTS("a count: 0, 1, 2 and so on"),

    /** Numbers of 0 or more. */
    NOT_NEGATIVE("a number of 0 or more"),

    /** Numbers greater than 0. */
    POSITIVE("a number greater than 0"),

    /** Times, negative where nothing is known of what followed. */
    TIMES("a time other than 0, positive if the event was seen then and negative if not"),

    /** Numbers from 0 to 1, such as shares. */
    UNIT("a number from 0 to 1"),

    /** Shares of successes in as many trials as the weight of the row says. */
    SHARES("0, 1, or the share of successes in as many trials as the row weighs");

    /** The number of successes is a product of rounded numbers. */
    private static final double WHOLE = 1e-6;

    private final String description;

    LabelDomain(String description) {
        this.description = description;
    }

    /** Returns whether a label belongs to it; every finite number may stand for a class. */
    public boolean contains(double label) {
        return switch (this) {
            case CLASSES, REAL -> Double.isFinite(label);
            case COUNTS -> label >= 0 && label < Double.POSITIVE_INFINITY && label == Math.rint(label);
            case NOT_NEGATIVE -> label >= 0 && label < Double.POSITIVE_INFINITY;
            case POSITIVE -> label > 0 && label < Double.POSITIVE_INFINITY;
            case TIMES -> Double.isFinite(label) && label != 0;
            case UNIT, SHARES -> label >= 0 && label <= 1;
        };
    }

    /** Returns whether a share is one of a whole number of trials; for 0 and 1, any weight will do. */
    private static boolean isWhole(double share, double weight) {
        double successes = share * weight;
        return share == 0 || share == 1 || Math.abs(successes - Math.rint(successes)) <= WHOLE;
    }

    /** Returns whether it leaves out some finite numbers. */
    private boolean isRestricted() {
        return this != CLASSES && this != REAL;
    }

    /** Returns whether labels may be shifted and scaled, as standardising does: counts would be none afterwards. */
    public boolean isScalable() {
        return this == REAL;
    }

    /**
     * Refuses rows of a dataset if the label of one of them does not belong to it.
     *
     * @param first the first row
     * @param end the row after the last
     * @param loss the name of the loss, for the message
     * @throws InvalidInputException naming the row, its label and what the loss takes
     */
    public void require(Dataset rows, int first, int end, String loss) {
        for (int row = first; isRestricted() && row < end; row++) {
            if (!contains(rows.label(row))) {
                throw new InvalidInputException("row " + (row + 1) + " has the label " + rows.label(row) + "; the loss "
                        + loss + " takes " + description + " for every row");
            }
            if (this == SHARES && !isWhole(rows.label(row), rows.weight(row))) {
                throw new InvalidInputException("row " + (row + 1) + " has the label " + rows.label(row)
                        + " and the weight " + rows.weight(row) + "; the loss " + loss + " takes " + description
                        + ", so give the numbers of trials as weights, or use quasi-" + loss);
            }
        }
    }
}
