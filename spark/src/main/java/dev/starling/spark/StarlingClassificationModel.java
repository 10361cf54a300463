package dev.starling.spark;

import dev.starling.evaluation.Measures;
import dev.starling.loss.Elementary;
import org.apache.spark.ml.classification.ProbabilisticClassificationModel;
import org.apache.spark.ml.linalg.DenseVector;
import org.apache.spark.ml.linalg.Matrix;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructType;

/**
 * A linear classifier with a certificate of how close to optimal it is. For two classes, the raw prediction is
 * (−margin, margin); for more, it has one score per class. Probabilities are available if the loss is logistic; with
 * other losses their column is left out.
 */
public final class StarlingClassificationModel
        extends ProbabilisticClassificationModel<Vector, StarlingClassificationModel> implements StarlingModel {

    private final TrainedState trained;

    StarlingClassificationModel(
            String uid, ModelCoefficients coefficients, StarlingSummary summary, Measures judgement) {
        this(EarlyUid.of(uid), coefficients, summary, judgement);
    }

    private StarlingClassificationModel(
            EarlyUid early, ModelCoefficients coefficients, StarlingSummary summary, Measures judgement) {
        this.trained = new TrainedState(new TrainingParams(this, "logistic", early), coefficients, summary, judgement);
    }

    @Override
    public TrainedState trained() {
        return trained;
    }

    /** The coefficients, one row per score: one row for two classes, otherwise one per class. */
    public Matrix coefficientMatrix() {
        return trained.coefficients().matrix();
    }

    /** The intercepts, one per score. */
    public Vector interceptVector() {
        return Vectors.dense(trained.coefficients().intercepts().clone());
    }

    /** The coefficients of a model of two classes. */
    public Vector coefficients() {
        requireBinary();
        return Vectors.dense(trained.coefficients().weights()[0].clone());
    }

    /** The intercept of a model of two classes. */
    public double intercept() {
        requireBinary();
        return trained.coefficients().intercepts()[0];
    }

    private void requireBinary() {
        if (trained.coefficients().classes() > 2) {
            throw new UnsupportedOperationException(
                    "a model of " + trained.coefficients().classes()
                            + " classes has several vectors of coefficients; use coefficientMatrix and interceptVector");
        }
    }

    @Override
    public int numClasses() {
        return trained.coefficients().classes();
    }

    @Override
    public int numFeatures() {
        return trained.coefficients().features();
    }

    /** Whether scores are log-odds, which depends on the loss. */
    public boolean hasProbabilities() {
        return StarlingClassifier.hasProbabilities(trained.coefficients().loss());
    }

    @Override
    public Vector predictRaw(Vector features) {
        if (trained.coefficients().classes() == 2) {
            double margin = trained.coefficients().score(0, features);
            return new DenseVector(new double[] {-margin, margin});
        }
        double[] scores = new double[trained.coefficients().classes()];
        for (int k = 0; k < scores.length; k++) {
            scores[k] = trained.coefficients().score(k, features);
        }
        return new DenseVector(scores);
    }

    @Override
    public Vector raw2probabilityInPlace(Vector rawPrediction) {
        if (!hasProbabilities()) {
            throw new UnsupportedOperationException(
                    "a model trained with the " + trained.coefficients().loss()
                            + " loss gives no probabilities; train with the logistic loss for them");
        }
        double[] values = ((DenseVector) rawPrediction).values();
        double sum = 0;
        for (int k = 0; k < values.length; k++) {
            values[k] = Elementary.sigmoid(values[k]);
            sum += values[k];
        }
        if (values.length > 2) {
            for (int k = 0; k < values.length; k++) {
                values[k] = sum > 0 ? values[k] / sum : 1.0 / values.length;
            }
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
                : OffsetFeature.applied(
                        this,
                        dataset,
                        params -> copyValues(of(trained.coefficients().withUnit()), params));
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
        return copyValues(of(trained.coefficients()), extra).setParent(parent());
    }

    private StarlingClassificationModel of(ModelCoefficients coefficients) {
        return new StarlingClassificationModel(uid(), coefficients, trained.summary(), trained.judgement());
    }

    /** Reads models that were saved. */
    public static MLReader<StarlingClassificationModel> read() {
        return new SparkModelFiles.Reader<>(StarlingClassificationModel.class, StarlingClassificationModel::new);
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
