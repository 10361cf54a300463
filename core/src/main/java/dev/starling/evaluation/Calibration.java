package dev.starling.evaluation;

import java.io.Serializable;
import java.util.List;

/**
 * How well predicted probabilities match observed frequencies: rows are grouped by their predicted probability of a
 * class, in bins of equal width.
 *
 * @param bins the bins that have rows, by ascending probability
 */
public record Calibration(List<Bin> bins) implements Serializable {

    /** The number of bins, including empty ones. */
    public static final int COUNT = 10;

    /**
     * The rows whose predicted probabilities fall into one bin.
     *
     * @param weight the total weight of the rows
     * @param predicted their mean predicted probability
     * @param observed the fraction of them that belong to the class
     */
    public record Bin(double weight, double predicted, double observed) implements Serializable {}

    /** Copies the list. */
    public Calibration {
        bins = List.copyOf(bins);
    }

    public static int bin(double probability) {
        return Math.min((int) (probability * COUNT), COUNT - 1);
    }
}
