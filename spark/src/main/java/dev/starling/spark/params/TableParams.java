package dev.starling.spark.params;

import org.apache.spark.ml.param.IntParam;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.ParamValidators;
import org.apache.spark.ml.param.StringArrayParam;

/**
 * The Params about the meaning of columns, with their getters and setters.
 *
 * @param <E> the estimator
 */
public interface TableParams<E extends TableParams<E>> extends StarlingEstimator<E>, PredictionColumns<E> {

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

    /** Param for the label column, of strings or numbers. */
    default Param<String> labelCol() {
        return ownParams().text("labelCol");
    }

    /** Param for what columns mean: a recipe in JSON or YAML, or the file that holds it; empty to infer it. */
    default Param<String> recipe() {
        return ownParams().text("recipe");
    }

    /**
     * Param for a study, which says what columns mean and what is minimised: its text, or the file that holds it; empty
     * for none.
     */
    default Param<String> study() {
        return ownParams().text("study");
    }

    /** Param for the formula of the features to make from columns; if empty, every column is used as it is. */
    default Param<String> formula() {
        return ownParams().text("formula");
    }

    /** Param for the columns to learn from; empty for all except the label, the weight, the offset and the ids. */
    default StringArrayParam inputCols() {
        return ownParams().texts("inputCols");
    }

    /** Param for how to treat missing values. */
    default Param<String> missing() {
        return ownParams().text("missing");
    }

    /** Param for how many rows a level must have to get a feature of its own. */
    default IntParam rareBelow() {
        return ownParams().whole("rareBelow");
    }

    /** Param for how to treat levels that did not occur in training: refuse or reference. */
    default Param<String> unknownLevels() {
        return ownParams().text("unknownLevels");
    }

    /** Returns the label column. */
    default String getLabelCol() {
        return getOrDefault(labelCol());
    }

    /** Returns what columns mean: a recipe in JSON or YAML, or the file that holds it; empty to infer it. */
    default String getRecipe() {
        return getOrDefault(recipe());
    }

    /** Returns the study, which says what columns mean and what is minimised, or its file; empty for none. */
    default String getStudy() {
        return getOrDefault(study());
    }

    /** Returns the formula of the features to make from columns; if empty, every column is used as it is. */
    default String getFormula() {
        return getOrDefault(formula());
    }

    /** Returns the columns to learn from; empty for all except the label, the weight, the offset and the ids. */
    default String[] getInputCols() {
        return getOrDefault(inputCols());
    }

    /** Returns how to treat missing values. */
    default String getMissing() {
        return getOrDefault(missing());
    }

    /** Returns how many rows a level must have to get a feature of its own. */
    default int getRareBelow() {
        return (Integer) getOrDefault(rareBelow());
    }

    /** Returns how to treat levels that did not occur in training: refuse or reference. */
    default String getUnknownLevels() {
        return getOrDefault(unknownLevels());
    }

    /** Sets the label column, of strings or numbers. */
    default E setLabelCol(String value) {
        return with(labelCol(), value);
    }

    /** Sets what columns mean: a recipe in JSON or YAML, or the file that holds it. */
    default E setRecipe(String value) {
        return with(recipe(), value);
    }

    /** Sets a study, which says what columns mean and what is minimised: its text, or the file that holds it. */
    default E setStudy(String value) {
        return with(study(), value);
    }

    /** Sets the formula of the features to make from columns, such as {@code y ~ age + sex + log(income) + age:sex}. */
    default E setFormula(String value) {
        return with(formula(), value);
    }

    /** Sets the columns to learn from. */
    default E setInputCols(String[] value) {
        return with(inputCols(), value);
    }

    /** Sets how to treat missing values, for example {@code median} or {@code drop,age=median}. */
    default E setMissing(String value) {
        return with(missing(), value);
    }

    /** Sets how many rows a level must have to get a feature of its own. */
    default E setRareBelow(int value) {
        return with(rareBelow(), value);
    }

    /** Sets how to treat levels that did not occur in training: refuse or reference. */
    default E setUnknownLevels(String value) {
        return with(unknownLevels(), value);
    }
}
