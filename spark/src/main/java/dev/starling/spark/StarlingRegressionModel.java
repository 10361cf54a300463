package dev.starling.spark;

import dev.starling.model.LinearModel;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.regression.RegressionModel;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.ml.util.MLWritable;
import org.apache.spark.ml.util.MLWriter;

/** A linear regression with the proof of how good it is. */
public final class StarlingRegressionModel extends RegressionModel<Vector, StarlingRegressionModel>
        implements StarlingParams, MLWritable {

    private final String uid;
    private final TrainingParams trainingParams;
    private final ModelCoefficients coefficients;
    private final StarlingSummary summary;

    StarlingRegressionModel(String uid, ModelCoefficients coefficients, StarlingSummary summary) {
        this(EarlyUid.of(uid), coefficients, summary);
    }

    private StarlingRegressionModel(EarlyUid early, ModelCoefficients coefficients, StarlingSummary summary) {
        this.uid = early.keep();
        this.trainingParams = new TrainingParams(this, "squared");
        this.coefficients = coefficients;
        this.summary = summary;
    }

    @Override
    public String uid() {
        return uid == null ? EarlyUid.current() : uid;
    }

    @Override
    public TrainingParams trainingParams() {
        return trainingParams;
    }

    /** What training took and what is proven of the result. */
    public StarlingSummary summary() {
        return summary;
    }

    /** The coefficients. */
    public Vector coefficients() {
        return Vectors.dense(coefficients.weights()[0].clone());
    }

    /** The intercept. */
    public double intercept() {
        return coefficients.intercepts()[0];
    }

    /** The same model as the rest of Starling knows it: what it hashes, and writes to model files. */
    public LinearModel linearModel() {
        return coefficients.linearModel(SparkModelFiles.provenance(this, summary));
    }

    @Override
    public int numFeatures() {
        return coefficients.features();
    }

    @Override
    public double predict(Vector features) {
        return coefficients.score(0, features);
    }

    @Override
    public StarlingRegressionModel copy(ParamMap extra) {
        StarlingRegressionModel copied = new StarlingRegressionModel(uid, coefficients, summary);
        return copyValues(copied, extra).setParent(parent());
    }

    @Override
    public MLWriter write() {
        return new SparkModelFiles.Writer(this, coefficients, summary);
    }

    /** Reads models that were saved. */
    public static MLReader<StarlingRegressionModel> read() {
        return new SparkModelFiles.Reader<>(StarlingRegressionModel.class, StarlingRegressionModel::new);
    }

    /** Reads a model that was saved. */
    public static StarlingRegressionModel load(String path) {
        return read().load(path);
    }

    @Override
    public String toString() {
        return "StarlingRegressionModel: uid=" + uid + ", numFeatures=" + numFeatures();
    }
}
