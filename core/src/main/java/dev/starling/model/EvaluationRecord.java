package dev.starling.model;

import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How well a model predicts rows that it was not trained on, as stored in its file.
 *
 * @param rows the number of rows
 * @param weight the sum of their weights
 * @param fingerprint digits that are the same for the same rows, in any order and whatever the model makes of them;
 *     empty if unknown, as for rows of several owners
 * @param measures the measures by name, in the order in which they are best shown; NaN if undefined
 */
public record EvaluationRecord(long rows, double weight, String fingerprint, Map<String, Double> measures) {

    /** The key of an evaluation on rows that were held out from training. */
    public static final String HOLDOUT = "holdout";

    /** The key of an evaluation on the rows of another file. */
    public static final String TEST = "test";

    /** Copies the map. */
    public EvaluationRecord {
        measures = Collections.unmodifiableMap(new LinkedHashMap<>(measures));
    }

    /**
     * Returns a copy with the fingerprint of the rows.
     *
     * @param keys the sum of the rows' keys, as {@link dev.starling.data.keys.RowKeys#sum} adds them up
     */
    public EvaluationRecord of(long keys) {
        return new EvaluationRecord(rows, weight, HexFormat.of().toHexDigits(keys), measures);
    }
}
