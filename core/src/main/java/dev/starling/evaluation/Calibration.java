package dev.starling.evaluation;

import java.io.Serializable;
import java.util.List;

/**
 * Whether probabilities come true: rows by their predicted probability of a class, in bins of equal width.
 *
 * @param bins those that have rows, by ascending probability
 */
public record Calibration(List<Bin> bins) implements Serializable {

    /** How many bins there are, with rows or without. */
    static final int COUNT = 10;

    /**
     * The rows whose probabilities are alike.
     *
     * @param weight the rows
     * @param predicted their mean predicted probability
     * @param observed the share of them that are of the class
     */
    public record Bin(double weight, double predicted, double observed) implements Serializable {}

    /** Copies the list. */
    public Calibration {
        bins = List.copyOf(bins);
    }

    static int bin(double probability) {
        return Math.min((int) (probability * COUNT), COUNT - 1);
    }
}
