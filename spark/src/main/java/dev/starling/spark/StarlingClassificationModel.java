package dev.starling.spark;

import dev.starling.loss.Link;
import dev.starling.spark.frame.OffsetFeature;
import dev.starling.spark.model.ModelFolder;
import dev.starling.spark.model.TrainedModel;
import dev.starling.spark.params.EarlyUid;
import dev.starling.spark.params.OwnParams;
import dev.starling.spark.params.StarlingParams;
import org.apache.spark.ml.classification.ProbabilisticClassificationModel;
import org.apache.spark.ml.linalg.DenseVector;
import org.apache.spark.ml.linalg.Matrix;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructType;

/**
 * A linear classifier with a certificate of how close to optimal it is. For two classes, the raw prediction is
 * (−margin, margin); for more, it has one score per class, and for classes in an order their probabilities.
 * Probabilities are available if the loss is logistic; with other losses their column is left out.
 */
public final class StarlingClassificationModel
        extends ProbabilisticClassificationModel<Vector, StarlingClassificationModel>
        implements StarlingModel<StarlingClassificationModel> {

    private final OwnParams ownParams;
    private final TrainedModel trained;

    StarlingClassificationModel(String uid, TrainedModel trained) {
        this(EarlyUid.of(uid), trained);
    }

    private StarlingClassificationModel(EarlyUid early, TrainedModel trained) {
        this.ownParams = new OwnParams(this, early, StarlingParams::addTo);
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

    /** The coefficients, one row per score: one row for two classes, otherwise one per class. */
    public Matrix coefficientMatrix() {
        return trained.matrix();
    }

    /** The intercepts, one per score. */
    public Vector interceptVector() {
        return trained.intercepts();
    }

    /** The coefficients of a model of two classes. */
    public Vector coefficients() {
        requireBinary();
        return trained.coefficients(0);
    }

    /** The intercept of a model of two classes. */
    public double intercept() {
        requireBinary();
        return linearModel().intercept(0);
    }

    private void requireBinary() {
        if (numClasses() > 2) {
            throw new UnsupportedOperationException("a model of " + numClasses()
                    + " classes has several vectors of coefficients; use coefficientMatrix and interceptVector");
        }
    }

    @Override
    public int numClasses() {
        return linearModel().classes().size();
    }

    @Override
    public int numFeatures() {
        return linearModel().features();
    }

    /** Whether scores are log-odds, which depends on the loss. */
    public boolean hasProbabilities() {
        return linearModel().hasProbabilities();
    }

    /** Whether classes have an order, and so no scores of their own: their probabilities stand for these. */
    private boolean isOrdered() {
        return linearModel().link().equals(Link.CUMULATIVE);
    }

    @Override
    public Vector predictRaw(Vector features) {
        double[] scores = trained.scores(features);
        if (isOrdered()) {
            return new DenseVector(linearModel().probabilitiesOf(scores));
        }
        return new DenseVector(numClasses() == 2 ? new double[] {-scores[0], scores[0]} : scores);
    }

    @Override
    public Vector raw2probabilityInPlace(Vector rawPrediction) {
        double[] values = ((DenseVector) rawPrediction).values();
        if (!isOrdered()) {
            double[] scores = values.length == 2 ? new double[] {values[1]} : values;
            System.arraycopy(linearModel().probabilitiesOf(scores), 0, values, 0, values.length);
        }
        return rawPrediction;
    }

    @Override
    public Dataset<Row> transform(Dataset<?> dataset) {
        if (leavesProbabilitiesOut()) {
            return withoutProbabilities().transform(dataset);
        }
        return getOffsetCol().isEmpty()
                ? super.transform(dataset)
                : OffsetFeature.applied(this, dataset, params -> copyValues(of(trained.withUnit()), params));
    }

    @Override
    public StructType transformSchema(StructType schema) {
        return leavesProbabilitiesOut()
                ? withoutProbabilities().transformSchema(schema)
                : super.transformSchema(schema);
    }

    private boolean leavesProbabilitiesOut() {
        return !getProbabilityCol().isEmpty() && !hasProbabilities();
    }

    private StarlingClassificationModel withoutProbabilities() {
        return copy(ParamMap.empty()).setProbabilityCol("");
    }

    /**
     * The model and the columns that its evaluation reads. Spark's base classes declare this method with types that are
     * compatible in Scala but not in Java, so it has to be declared again without them.
     */
    @Override
    @SuppressWarnings({"rawtypes", "unchecked"})
    public scala.Tuple3 findSummaryModel() {
        return new scala.Tuple3<>(this, getProbabilityCol(), getPredictionCol());
    }

    @Override
    public StarlingClassificationModel copy(ParamMap extra) {
        return copyValues(of(trained), extra).setParent(parent());
    }

    private StarlingClassificationModel of(TrainedModel other) {
        return new StarlingClassificationModel(uid(), other);
    }

    /** Reads models that were saved. */
    public static MLReader<StarlingClassificationModel> read() {
        return ModelFolder.reader(StarlingClassificationModel.class, StarlingClassificationModel::new);
    }

    /** Reads a model that was saved. */
    public static StarlingClassificationModel load(String path) {
        return read().load(path);
    }

    @Override
    public String toString() {
        return "StarlingClassificationModel: uid=" + uid() + ", numClasses=" + numClasses() + ", numFeatures="
                + numFeatures();
    }
}
