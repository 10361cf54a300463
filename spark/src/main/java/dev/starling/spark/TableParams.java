package dev.starling.spark;

import java.io.Serializable;
import org.apache.spark.ml.param.IntParam;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.ParamValidators;
import org.apache.spark.ml.param.Params;
import org.apache.spark.ml.param.StringArrayParam;

/** The Params that say what columns mean, with their documentation and defaults. */
final class TableParams implements Serializable {

    final Param<String> labelCol;
    final Param<String> recipe;
    final Param<String> study;
    final Param<String> formula;
    final StringArrayParam inputCols;
    final Param<String> missing;
    final IntParam rareBelow;
    final Param<String> unknownLevels;

    TableParams(Params owner) {
        labelCol = new Param<>(owner, "labelCol", "label column name; labels may be words or numbers");
        recipe = new Param<>(
                owner,
                "recipe",
                "what columns mean: a recipe in JSON or YAML, or the file that holds it; inferred from the rows if empty");
        study = new Param<>(
                owner,
                "study",
                "a study, which says what columns mean and what is minimised, as several owners of tables agreed on it: "
                        + "its text, or the file that holds it; none if empty");
        formula = new Param<>(
                owner,
                "formula",
                "features to make of the columns, as in y ~ age + sex + log(income) + age:sex; every column by itself "
                        + "if empty");
        inputCols = new StringArrayParam(
                owner,
                "inputCols",
                "columns to learn from; all but the label, the weight, the offset and the ids if empty");
        missing = new Param<>(
                owner,
                "missing",
                "what to do about missing values: refuse, drop, mean, median or most-frequent, for one column as in "
                        + "age=median; several with commas between them");
        rareBelow = new IntParam(
                owner, "rareBelow", "levels that fewer rows have share one feature (>= 0)", ParamValidators.gtEq(0));
        unknownLevels = new Param<>(
                owner,
                "unknownLevels",
                "levels that transform meets for the first time: refuse, or reference to treat them as the reference "
                        + "level",
                ParamValidators.inArray(
                        new String[] {StarlingTableEstimator.REFUSE, StarlingTableEstimator.REFERENCE}));
        owner.setDefault(labelCol, "label");
        owner.setDefault(recipe, "");
        owner.setDefault(study, "");
        owner.setDefault(formula, "");
        owner.setDefault(inputCols, new String[0]);
        owner.setDefault(missing, StarlingTableEstimator.REFUSE);
        owner.setDefault(rareBelow, 0);
        owner.setDefault(unknownLevels, StarlingTableEstimator.REFUSE);
    }
}
