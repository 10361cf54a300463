package dev.starling.spark;

import java.io.Serializable;
import org.apache.spark.ml.param.IntParam;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.ParamValidators;
import org.apache.spark.ml.param.Params;
import org.apache.spark.ml.param.StringArrayParam;

/** The Params about the meaning of columns, with their documentation and defaults. */
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
        labelCol = new Param<>(owner, "labelCol", "label column name; labels may be strings or numbers");
        recipe = new Param<>(
                owner,
                "recipe",
                "what columns mean: a recipe in JSON or YAML, or the file that holds it; inferred from the rows if empty");
        study = new Param<>(
                owner,
                "study",
                "a study, in which several owners of tables have agreed on what columns mean and what is minimised: "
                        + "its text, or the file that holds it; none if empty");
        formula = new Param<>(
                owner,
                "formula",
                "formula of the features to make from the columns, such as y ~ age + sex + log(income) + age:sex; every "
                        + "column is used as it is if empty");
        inputCols = new StringArrayParam(
                owner,
                "inputCols",
                "columns to learn from; all except the label, the weight, the offset and the ids if empty");
        missing = new Param<>(
                owner,
                "missing",
                "how to treat missing values: refuse, drop, mean, median or most-frequent; for a single column, for "
                        + "example age=median; separate several by commas");
        rareBelow = new IntParam(
                owner,
                "rareBelow",
                "levels with fewer rows than this share one feature (>= 0)",
                ParamValidators.gtEq(0));
        unknownLevels = new Param<>(
                owner,
                "unknownLevels",
                "how to treat levels that did not occur in training: refuse, or reference to treat them as the reference "
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
