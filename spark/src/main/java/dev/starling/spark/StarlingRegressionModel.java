package dev.starling.spark;

import dev.starling.evaluation.Measures;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.regression.RegressionModel;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** A linear regression model with a certificate of how close to optimal it is. */
public final class StarlingRegressionModel extends RegressionModel<Vector, StarlingRegressionModel>
        implements StarlingModel {

    private final TrainedState trained;

    StarlingRegressionModel(String uid, ModelCoefficients coefficients, StarlingSummary summary, Measures judgement) {
        this(EarlyUid.of(uid), coefficients, summary, judgement);
    }

    private StarlingRegressionModel(
            EarlyUid early, ModelCoefficients coefficients, StarlingSummary summary, Measures judgement) {
        this.trained = new TrainedState(new TrainingParams(this, "squared", early), coefficients, summary, judgement);
    }

    @Override
    public TrainedState trained() {
        return trained;
    }

    /** The coefficients. */
    public Vector coefficients() {
        return Vectors.dense(trained.coefficients().weights()[0].clone());
    }

    /** The intercept. */
    public double intercept() {
        return trained.coefficients().intercepts()[0];
    }

    @Override
    public int numFeatures() {
        return trained.coefficients().features();
    }

    @Override
    public double predict(Vector features) {
        return trained.coefficients().mean(features);
    }

    @Override
    public Dataset<Row> transform(Dataset<?> dataset) {
        return getOffsetCol().isEmpty()
                ? super.transform(dataset)
                : OffsetFeature.applied(
                        this,
                        dataset,
                        params -> copyValues(of(trained.coefficients().withUnit()), params));
    }

    @Override
    public StarlingRegressionModel copy(ParamMap extra) {
        return copyValues(of(trained.coefficients()), extra).setParent(parent());
    }

    private StarlingRegressionModel of(ModelCoefficients coefficients) {
        return new StarlingRegressionModel(uid(), coefficients, trained.summary(), trained.judgement());
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
        return "StarlingRegressionModel: uid=" + uid() + ", numFeatures=" + numFeatures();
    }
}
