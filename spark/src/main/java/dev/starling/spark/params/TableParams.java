package dev.starling.spark.params;

import org.apache.spark.ml.param.ParamValidators;

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

    /** Adds them to those of an estimator. */
    static void addTo(OwnParams own) {
        own.text("labelCol", "label", "label column name; labels may be strings or numbers")
                .text(
                        "recipe",
                        "",
                        "what columns mean: a recipe in JSON or YAML, or the file that holds it; inferred from the rows if empty")
                .text(
                        "study",
                        "",
                        "a study, in which several owners of tables have agreed on what columns mean and what is minimised: "
                                + "its text, or the file that holds it; none if empty")
                .text(
                        "formula",
                        "",
                        "formula of the features to make from the columns, such as y ~ age + sex + log(income) + age:sex; every "
                                + "column is used as it is if empty")
                .texts(
                        "inputCols",
                        "columns to learn from; all except the label, the weight, the offset and the ids if empty")
                .text(
                        "missing",
                        REFUSE,
                        "how to treat missing values: refuse, drop, mean, median or most-frequent; for a single column, for "
                                + "example age=median; separate several by commas")
                .whole(
                        "rareBelow",
                        0,
                        "levels with fewer rows than this share one feature (>= 0)",
                        ParamValidators.gtEq(0))
                .text(
                        "unknownLevels",
                        REFUSE,
                        "how to treat levels that did not occur in training: refuse, or reference to treat them as the reference "
                                + "level",
                        ParamValidators.inArray(new String[] {REFUSE, REFERENCE}));
    }
}
