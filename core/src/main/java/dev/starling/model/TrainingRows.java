package dev.starling.model;

import java.util.List;

/**
 * What is known about the rows that a model was trained on.
 *
 * @param count the number of rows; 0 if it is not known
 * @param deviations the population standard deviation of each feature, in which rows count alike whatever their
 *     weights; empty if training did not need them, which is so without a free intercept and without standardising
 */
public record TrainingRows(long count, List<Double> deviations) {

    /** Rows about which nothing is known. */
    public static final TrainingRows UNKNOWN = new TrainingRows(0, List.of());

    /** Copies the list. */
    public TrainingRows {
        deviations = List.copyOf(deviations);
    }
}
