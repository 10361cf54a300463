package dev.starling.spark;

import dev.starling.data.InvalidInputException;
import dev.starling.evaluation.Measures;
import dev.starling.model.LinearModel;
import dev.starling.recipe.Recipe;
import dev.starling.spark.frame.FrameRows;
import dev.starling.spark.frame.Predicting;
import dev.starling.spark.model.ModelFolder;
import dev.starling.spark.model.ModelText;
import dev.starling.spark.model.TextFiles;
import dev.starling.spark.model.TrainedModel;
import dev.starling.spark.params.EarlyUid;
import dev.starling.spark.params.OwnParams;
import dev.starling.spark.params.PredictionColumns;
import dev.starling.spark.params.PredictionParams;
import dev.starling.spark.rows.TableColumns;
import java.util.List;
import java.util.Optional;
import org.apache.spark.ml.Model;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;

/**
 * A linear model of raw columns, with the recipe that makes features from them and a certificate of how close to
 * optimal it is. Columns are found by name; rows that the recipe drops are kept without a prediction. It is saved as
 * Params and Starling's model file, {@code model.json}, which the command line can read as well.
 */
public final class StarlingTableModel extends Model<StarlingTableModel>
        implements PredictionColumns<StarlingTableModel>, CertifiedModel {

    private final OwnParams ownParams;
    private final TrainedModel trained;

    StarlingTableModel(String uid, TrainedModel trained) {
        this.ownParams = new OwnParams(this, EarlyUid.of(uid), PredictionParams::addTo);
        this.trained = trained;
    }

    @Override
    public OwnParams ownParams() {
        return ownParams;
    }

    @Override
    public TrainedModel trained() {
        return trained;
    }

    /**
     * Creates a model from one that was trained elsewhere: by the command line, between sites, or in one process.
     *
     * @throws InvalidInputException if it has no recipe
     */
    public static StarlingTableModel of(LinearModel model) {
        return of(model, "the model");
    }

    /**
     * Reads Starling's model file, as {@code starling train} writes it.
     *
     * @param file a file on any file system that Spark can reach
     * @throws InvalidInputException if it is not a model, or has no recipe
     */
    public static StarlingTableModel ofFile(String file) {
        String json = TextFiles.read(file, "a model file of Starling, in JSON", SparkSession.active());
        return of(ModelText.model(json, file), file);
    }

    private static StarlingTableModel of(LinearModel model, String name) {
        if (model.recipe().isEmpty()) {
            throw new InvalidInputException(name + " has no recipe, so it is unknown from which columns its "
                    + model.features() + " features are made; train it on a table with named columns");
        }
        return new StarlingTableModel(EarlyUid.random("starlingTable"), TrainedModel.of(model, Optional.empty()));
    }

    /** The recipe that makes features from columns. */
    public Recipe recipe() {
        return Recipe.of(linearModel()).orElseThrow();
    }

    /**
     * The classes as they are written in the label column, in the order of probabilities and scores; empty for
     * regression.
     */
    public List<String> labels() {
        return linearModel().classes().stream().map(linearModel()::spelling).toList();
    }

    /** Whether it was trained on Spark rather than elsewhere. */
    public boolean hasSummary() {
        return trained.cost().isPresent();
    }

    @Override
    public Measures evaluate(Dataset<?> frame) {
        recipe().requireColumns(FrameRows.SOURCE, List.of(frame.columns()), true);
        return FrameRows.ofTable(frame, recipe(), List.of()).measures(trained);
    }

    @Override
    public Dataset<Row> transform(Dataset<?> frame) {
        StructType schema = transformSchema(frame.schema());
        TableColumns needed = TableColumns.of(frame.schema(), recipe().needed(false));
        boolean classes = linearModel().isClassifier();
        Predicting predicting = new Predicting(
                trained,
                needed,
                classes && !getRawPredictionCol().isEmpty(),
                linearModel().hasProbabilities() && !getProbabilityCol().isEmpty(),
                !getPredictionCol().isEmpty());
        return frame.toDF()
                .withColumn(uid() + "-cells", needed.cells())
                .mapPartitions(predicting, Encoders.row(schema));
    }

    @Override
    public StructType transformSchema(StructType schema) {
        recipe().requireColumns(FrameRows.SOURCE, List.of(schema.fieldNames()), false);
        return PredictionColumns.added(
                this, schema, linearModel().isClassifier(), linearModel().hasProbabilities());
    }

    @Override
    public StarlingTableModel copy(ParamMap extra) {
        return copyValues(new StarlingTableModel(uid(), trained), extra).setParent(parent());
    }

    /** Reads models that were saved. */
    public static MLReader<StarlingTableModel> read() {
        return ModelFolder.reader(StarlingTableModel.class, StarlingTableModel::new);
    }

    /** Reads a model that was saved. */
    public static StarlingTableModel load(String path) {
        return read().load(path);
    }

    @Override
    public String toString() {
        return "StarlingTableModel: uid=" + uid() + ", " + linearModel();
    }
}
