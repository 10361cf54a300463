package dev.starling.spark;

import dev.starling.data.RowSample;
import dev.starling.evaluation.Measures;
import dev.starling.loss.Loss;
import dev.starling.model.LinearModel;
import dev.starling.model.RecipeJson;
import dev.starling.settings.Settings;
import dev.starling.spark.node.NodeOutcome;
import dev.starling.table.Recipe;
import java.util.Arrays;
import org.apache.spark.ml.Estimator;
import org.apache.spark.ml.param.IntParam;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.param.StringArrayParam;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.DefaultParamsWritable;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.types.StructType;

/**
 * Trains linear models to a certified gap on DataFrames as they are, with columns of strings, numbers, booleans and
 * dates, in which values may be null. A recipe says what the columns mean; it is given or inferred from the rows, and
 * becomes part of the model. The loss determines whether classes or numbers are predicted.
 *
 * <pre>{@code
 * StarlingTableModel model = new StarlingTableEstimator()
 *         .setLabelCol("income")
 *         .setMissing("most-frequent,age=median")
 *         .fit(people);
 * model.transform(others);
 * }</pre>
 */
public final class StarlingTableEstimator extends Estimator<StarlingTableModel>
        implements StarlingEstimator<StarlingTableEstimator>, PredictionColumns.Owner, DefaultParamsWritable {

    static final String REFUSE = "refuse";
    static final String REFERENCE = "reference";

    private final TrainingParams trainingParams;
    private final TableParams tableParams;
    private final PredictionColumns predictionColumns;

    /** Creates an estimator with the defaults: logistic loss, λ = 1e-4, a gap of 1e-6. */
    public StarlingTableEstimator() {
        this(EarlyUid.random("starlingTable"));
    }

    /** Creates an estimator with a given uid. */
    public StarlingTableEstimator(String uid) {
        this.trainingParams = new TrainingParams(this, "logistic", EarlyUid.of(uid));
        this.tableParams = new TableParams(this);
        this.predictionColumns = new PredictionColumns(this);
    }

    @Override
    public TrainingParams trainingParams() {
        return trainingParams;
    }

    @Override
    public PredictionColumns predictionColumns() {
        return predictionColumns;
    }

    /** Param for the label column, of strings or numbers. */
    public Param<String> labelCol() {
        return tableParams.labelCol;
    }

    /** Param for what columns mean: a recipe in JSON or YAML, or the file that holds it; empty to infer it. */
    public Param<String> recipe() {
        return tableParams.recipe;
    }

    /**
     * Param for a study, which says what columns mean and what is minimised: its text, or the file that holds it; empty
     * for none.
     */
    public Param<String> study() {
        return tableParams.study;
    }

    /** Param for the formula of the features to make from columns; if empty, every column is used as it is. */
    public Param<String> formula() {
        return tableParams.formula;
    }

    /** Param for the columns to learn from; empty for all except the label, the weight, the offset and the ids. */
    public StringArrayParam inputCols() {
        return tableParams.inputCols;
    }

    /** Param for how to treat missing values. */
    public Param<String> missing() {
        return tableParams.missing;
    }

    /** Param for how many rows a level must have to get a feature of its own. */
    public IntParam rareBelow() {
        return tableParams.rareBelow;
    }

    /** Param for how to treat levels that did not occur in training: refuse or reference. */
    public Param<String> unknownLevels() {
        return tableParams.unknownLevels;
    }

    /** Returns the label column. */
    public String getLabelCol() {
        return getOrDefault(labelCol());
    }

    /** Returns what columns mean: a recipe in JSON or YAML, or the file that holds it; empty to infer it. */
    public String getRecipe() {
        return getOrDefault(recipe());
    }

    /** Returns the study, which says what columns mean and what is minimised, or its file; empty for none. */
    public String getStudy() {
        return getOrDefault(study());
    }

    /** Returns the formula of the features to make from columns; if empty, every column is used as it is. */
    public String getFormula() {
        return getOrDefault(formula());
    }

    /** Returns the columns to learn from; empty for all except the label, the weight, the offset and the ids. */
    public String[] getInputCols() {
        return getOrDefault(inputCols());
    }

    /** Returns how to treat missing values. */
    public String getMissing() {
        return getOrDefault(missing());
    }

    /** Returns how many rows a level must have to get a feature of its own. */
    public int getRareBelow() {
        return (Integer) getOrDefault(rareBelow());
    }

    /** Returns how to treat levels that did not occur in training: refuse or reference. */
    public String getUnknownLevels() {
        return getOrDefault(unknownLevels());
    }

    /** Sets the label column, of strings or numbers. */
    public StarlingTableEstimator setLabelCol(String value) {
        set(labelCol(), value);
        return this;
    }

    /** Sets what columns mean: a recipe in JSON or YAML, or the file that holds it. */
    public StarlingTableEstimator setRecipe(String value) {
        set(recipe(), value);
        return this;
    }

    /** Sets a study, which says what columns mean and what is minimised: its text, or the file that holds it. */
    public StarlingTableEstimator setStudy(String value) {
        set(study(), value);
        return this;
    }

    /** Sets the formula of the features to make from columns, such as {@code y ~ age + sex + log(income) + age:sex}. */
    public StarlingTableEstimator setFormula(String value) {
        set(formula(), value);
        return this;
    }

    /** Sets the columns to learn from. */
    public StarlingTableEstimator setInputCols(String[] value) {
        set(inputCols(), value);
        return this;
    }

    /** Sets how to treat missing values, for example {@code median} or {@code drop,age=median}. */
    public StarlingTableEstimator setMissing(String value) {
        set(missing(), value);
        return this;
    }

    /** Sets how many rows a level must have to get a feature of its own. */
    public StarlingTableEstimator setRareBelow(int value) {
        set(rareBelow(), value);
        return this;
    }

    /** Sets how to treat levels that did not occur in training: refuse or reference. */
    public StarlingTableEstimator setUnknownLevels(String value) {
        set(unknownLevels(), value);
        return this;
    }

    /** Sets the column of predictions. */
    public StarlingTableEstimator setPredictionCol(String value) {
        set(predictionCol(), value);
        return this;
    }

    /** Sets the column of probabilities; empty for none. */
    public StarlingTableEstimator setProbabilityCol(String value) {
        set(probabilityCol(), value);
        return this;
    }

    /** Sets the column of scores; empty for none. */
    public StarlingTableEstimator setRawPredictionCol(String value) {
        set(rawPredictionCol(), value);
        return this;
    }

    /**
     * Returns the recipe for a DataFrame as JSON, to be read, edited and set as a Param: what {@code starling describe}
     * writes for a file with the same columns.
     *
     * @throws dev.starling.data.InvalidInputException if a column does not fit what the Params say about it
     */
    public String describe(Dataset<?> frame) {
        return RecipeJson.indented(new RecipeLearning(new WantedRecipe(this)).learnt(frame));
    }

    @Override
    public StarlingTableModel fit(Dataset<?> frame) {
        long start = System.nanoTime();
        transformSchema(frame.schema());
        ParamSettings.check(this);
        WantedRecipe wanted = new WantedRecipe(this);
        Recipe recipe = new RecipeLearning(wanted).toTrain(frame, new RowSample(getHoldout(), getSeed()));
        Settings settings = wanted.settings(recipe);
        FrameRows rows = FrameRows.ofTable(frame, recipe, settings.folds().columns());
        FitJob.Fitted fitted =
                new FitJob(this, settings, false, frame.sparkSession().sparkContext()).run(rows, start);
        LinearModel model = model(fitted, recipe);
        Measures judgement =
                DataFrameEvaluator.heldOut(model, rows, settings.heldOut()).orElse(null);
        return copyValues(new StarlingTableModel(uid(), model, fitted.summary(), judgement), ParamMap.empty())
                .setParent(this);
    }

    private LinearModel model(FitJob.Fitted fitted, Recipe recipe) {
        NodeOutcome.Trained trained = fitted.trained();
        return new LinearModel(
                        fitted.settings().loss().name(),
                        Arrays.stream(trained.classes()).boxed().toList(),
                        recipe.features(),
                        trained.weights(),
                        trained.intercepts(),
                        SparkModelFiles.provenance(this, fitted.settings(), fitted.summary()))
                .with(recipe);
    }

    @Override
    public StructType transformSchema(StructType schema) {
        WantedRecipe wanted = new WantedRecipe(this);
        wanted.columns(schema);
        Loss loss = wanted.loss();
        return PredictionColumns.added(
                this, schema, loss.isClassification(), StarlingClassifier.hasProbabilities(loss.name()));
    }

    @Override
    public StarlingTableEstimator copy(ParamMap extra) {
        return defaultCopy(extra);
    }

    /** Reads estimators that were saved. */
    public static MLReader<StarlingTableEstimator> read() {
        return new DefaultParamsReader<>();
    }

    /** Reads an estimator that was saved. */
    public static StarlingTableEstimator load(String path) {
        return read().load(path);
    }
}
