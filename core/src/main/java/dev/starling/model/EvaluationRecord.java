package dev.starling.model;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How well a model predicts rows that it was not trained on, as its file keeps it.
 *
 * @param rows how many there were
 * @param weight the sum of their weights
 * @param measures by name, in the order in which they are best read; NaN where undefined
 */
public record EvaluationRecord(long rows, double weight, Map<String, Double> measures) {

    /** By rows that were kept from training. */
    public static final String HOLDOUT = "holdout";

    /** By rows of another file. */
    public static final String TEST = "test";

    /** Copies the map. */
    public EvaluationRecord {
        measures = Collections.unmodifiableMap(new LinkedHashMap<>(measures));
    }
}
