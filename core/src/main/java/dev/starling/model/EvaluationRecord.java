package dev.starling.model;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How well a model predicts rows that it was not trained on, as stored in its file.
 *
 * @param rows the number of rows
 * @param weight the sum of their weights
 * @param measures the measures by name, in the order in which they are best shown; NaN if undefined
 */
public record EvaluationRecord(long rows, double weight, Map<String, Double> measures) {

    /** The key of an evaluation on rows that were held out from training. */
    public static final String HOLDOUT = "holdout";

    /** The key of an evaluation on the rows of another file. */
    public static final String TEST = "test";

    /** Copies the map. */
    public EvaluationRecord {
        measures = Collections.unmodifiableMap(new LinkedHashMap<>(measures));
    }
}
