package dev.starling.spark;

import dev.starling.data.keys.RowSample;
import dev.starling.loss.Loss;
import dev.starling.recipe.Recipe;
import dev.starling.recipe.RecipeJson;
import dev.starling.settings.Settings;
import dev.starling.spark.frame.FitJob;
import dev.starling.spark.frame.RecipeLearning;
import dev.starling.spark.frame.WantedRecipe;
import dev.starling.spark.model.TrainedModel;
import dev.starling.spark.params.ColumnParams;
import dev.starling.spark.params.EarlyUid;
import dev.starling.spark.params.OwnParams;
import dev.starling.spark.params.ParamSettings;
import dev.starling.spark.params.PredictionColumns;
import dev.starling.spark.params.PredictionParams;
import dev.starling.spark.params.StarlingParams;
import dev.starling.spark.params.TableParams;
import org.apache.spark.ml.Estimator;
import org.apache.spark.ml.param.ParamMap;
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
        implements TableParams<StarlingTableEstimator>, DefaultParamsWritable {

    private final OwnParams ownParams;

    /** Creates an estimator with the defaults: logistic loss, λ = 1e-4, a gap of 1e-6. */
    public StarlingTableEstimator() {
        this(EarlyUid.random("starlingTable"));
    }

    /** Creates an estimator with a given uid. */
    public StarlingTableEstimator(String uid) {
        this.ownParams = new OwnParams(this, EarlyUid.of(uid), own -> {
            StarlingParams.addTo(own);
            ColumnParams.addTo(own);
            PredictionParams.addTo(own);
        });
    }

    @Override
    public OwnParams ownParams() {
        return ownParams;
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
        TrainedModel trained = FitJob.ofTable(frame, this, settings, recipe, start);
        return copyValues(new StarlingTableModel(uid(), trained), ParamMap.empty())
                .setParent(this);
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
