package dev.starling.spark;

import dev.starling.data.InvalidInputException;
import dev.starling.evaluation.Measures;
import dev.starling.model.LinearModel;
import dev.starling.recipe.Recipe;
import dev.starling.spark.rows.TableColumns;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.spark.ml.Model;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.DefaultParamsWriter;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.ml.util.MLWritable;
import org.apache.spark.ml.util.MLWriter;
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
public final class StarlingTableModel extends Model<StarlingTableModel> implements PredictionColumns.Owner, MLWritable {

    private static final String FILE = "model.json";

    private final String uid;
    private final String text;
    private final StarlingSummary summary;
    private final Measures judgement;
    private final PredictionColumns predictionColumns;
    private transient LinearModel model;

    /** @param summary null for a model that was read from a file, like the judgement */
    StarlingTableModel(String uid, LinearModel model, StarlingSummary summary, Measures judgement) {
        this.uid = uid;
        this.text = ModelText.of(model);
        this.summary = summary;
        this.judgement = judgement;
        this.model = model;
        this.predictionColumns = new PredictionColumns(this);
    }

    /**
     * Creates a model from one that was trained elsewhere: by the command line, between sites, or in one process.
     *
     * @throws InvalidInputException if it has no recipe
     */
    public static StarlingTableModel of(LinearModel model) {
        return of(EarlyUid.random("starlingTable"), model, "the model");
    }

    /**
     * Reads Starling's model file, as {@code starling train} writes it.
     *
     * @param file a file on any file system that Spark can reach
     * @throws InvalidInputException if it is not a model, or has no recipe
     */
    public static StarlingTableModel ofFile(String file) {
        String json = TextFiles.read(file, "a model file of Starling, in JSON", SparkSession.active());
        return of(EarlyUid.random("starlingTable"), ModelText.model(json, file), file);
    }

    private static StarlingTableModel of(String uid, LinearModel model, String name) {
        if (model.recipe().isEmpty()) {
            throw new InvalidInputException(name + " has no recipe, so it is unknown from which columns its "
                    + model.features() + " features are made; train it on a table with named columns");
        }
        return new StarlingTableModel(uid, model, null, null);
    }

    @Override
    public String uid() {
        return uid;
    }

    @Override
    public PredictionColumns predictionColumns() {
        return predictionColumns;
    }

    /** Sets the column of predictions. */
    public StarlingTableModel setPredictionCol(String value) {
        set(predictionCol(), value);
        return this;
    }

    /** Sets the column of probabilities; empty for none. */
    public StarlingTableModel setProbabilityCol(String value) {
        set(probabilityCol(), value);
        return this;
    }

    /** Sets the column of scores; empty for none. */
    public StarlingTableModel setRawPredictionCol(String value) {
        set(rawPredictionCol(), value);
        return this;
    }

    /**
     * The same model in the form that the rest of Starling uses, from which hashes are computed and model files are
     * written.
     */
    public LinearModel linearModel() {
        if (model == null) {
            model = ModelText.model(text);
        }
        return model;
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

    /** Whether it was trained in this session rather than read from a file. */
    public boolean hasSummary() {
        return summary != null;
    }

    /** What training took, and what is proven about the result. As with Spark's own models, it is not saved. */
    public StarlingSummary summary() {
        if (summary == null) {
            throw new IllegalStateException("the model was read from a file, which has no summary of its training; "
                    + "linearModel().provenance() says how it was trained");
        }
        return summary;
    }

    /**
     * How well it predicts the rows that were held out from training; empty if no rows were held out, or if it was read
     * from a file.
     */
    public Optional<Measures> judgement() {
        return Optional.ofNullable(judgement);
    }

    /**
     * How well it predicts the labels of rows, which count according to their weights: the measures that
     * {@code starling evaluate} reports.
     *
     * @throws InvalidInputException if a column is missing, a cell does not fit the recipe, or there are no rows
     */
    public Measures evaluate(Dataset<?> frame) {
        recipe().requireColumns(FrameRows.SOURCE, List.of(frame.columns()), true);
        return DataFrameEvaluator.all(linearModel(), FrameRows.ofTable(frame, recipe(), List.of()));
    }

    @Override
    public Dataset<Row> transform(Dataset<?> frame) {
        StructType schema = transformSchema(frame.schema());
        TableColumns needed = TableColumns.of(frame.schema(), recipe().needed(false));
        boolean classes = linearModel().isClassifier();
        Predicting predicting = new Predicting(
                text,
                needed,
                classes && !getRawPredictionCol().isEmpty(),
                linearModel().hasProbabilities() && !getProbabilityCol().isEmpty(),
                !getPredictionCol().isEmpty());
        return frame.toDF().withColumn(uid + "-cells", needed.cells()).mapPartitions(predicting, Encoders.row(schema));
    }

    @Override
    public StructType transformSchema(StructType schema) {
        recipe().requireColumns(FrameRows.SOURCE, List.of(schema.fieldNames()), false);
        return PredictionColumns.added(
                this, schema, linearModel().isClassifier(), linearModel().hasProbabilities());
    }

    @Override
    public StarlingTableModel copy(ParamMap extra) {
        return copyValues(new StarlingTableModel(uid, linearModel(), summary, judgement), extra)
                .setParent(parent());
    }

    @Override
    public MLWriter write() {
        return new Writer(this);
    }

    /** Reads models that were saved. */
    public static MLReader<StarlingTableModel> read() {
        return new Reader();
    }

    /** Reads a model that was saved. */
    public static StarlingTableModel load(String path) {
        return read().load(path);
    }

    @Override
    public String toString() {
        return "StarlingTableModel: uid=" + uid + ", " + linearModel();
    }

    private static final class Writer extends MLWriter {
        private final StarlingTableModel model;

        Writer(StarlingTableModel model) {
            this.model = model;
        }

        @Override
        public void saveImpl(String path) {
            DefaultParamsWriter.saveMetadata(model, path, sparkSession());
            TextFiles.write(model.text, new Path(path, FILE), sparkSession());
        }
    }

    private static final class Reader extends MLReader<StarlingTableModel> {
        @Override
        public StarlingTableModel load(String path) {
            DefaultParamsReader.Metadata metadata =
                    DefaultParamsReader.loadMetadata(path, sparkSession(), StarlingTableModel.class.getName());
            String file = new Path(path, FILE).toString();
            String json = TextFiles.read(file, "the folder of a saved model", sparkSession());
            StarlingTableModel model = of(metadata.uid(), ModelText.model(json, file), file);
            metadata.getAndSetParams(model, scala.Option.empty());
            return model;
        }
    }
}
