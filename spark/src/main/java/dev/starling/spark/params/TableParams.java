package dev.starling.spark.params;

/**
 * The Params about the meaning of columns, with their getters and setters.
 *
 * @param <E> the estimator
 */
public interface TableParams<E extends TableParams<E>>
        extends StarlingEstimator<E>, ColumnParams<E>, PredictionColumns<E> {

    /** The value of {@link #missing} and {@link #unknownLevels} that allows nothing. */
    String REFUSE = "refuse";

    /** The value of {@link #unknownLevels} that treats them as the reference level. */
    String REFERENCE = "reference";
}
