package dev.starling.spark;

import dev.starling.spark.frame.OffsetFeature;
import dev.starling.spark.model.ModelFolder;
import dev.starling.spark.model.TrainedModel;
import dev.starling.spark.params.EarlyUid;
import dev.starling.spark.params.OwnParams;
import dev.starling.spark.params.StarlingParams;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.regression.RegressionModel;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** A linear regression model with a certificate of how close to optimal it is. */
public final class StarlingRegressionModel extends RegressionModel<Vector, StarlingRegressionModel>
        implements StarlingModel<StarlingRegressionModel> {

    private final OwnParams ownParams;
    private final TrainedModel trained;

    StarlingRegressionModel(String uid, TrainedModel trained) {
        this(EarlyUid.of(uid), trained);
    }

    private StarlingRegressionModel(EarlyUid early, TrainedModel trained) {
        this.ownParams = new OwnParams(this, early, StarlingParams::addTo);
        setDefault(loss(), "squared");
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

    /** The coefficients. */
    public Vector coefficients() {
        return trained.coefficients(0);
    }

    /** The intercept. */
    public double intercept() {
        return linearModel().intercept(0);
    }

    @Override
    public int numFeatures() {
        return linearModel().features();
    }

    @Override
    public double predict(Vector features) {
        return linearModel().link().mean(trained.scores(features)[0]);
    }

    @Override
    public Dataset<Row> transform(Dataset<?> dataset) {
        return getOffsetCol().isEmpty()
                ? super.transform(dataset)
                : OffsetFeature.applied(this, dataset, params -> copyValues(of(trained.withUnit()), params));
    }

    @Override
    public StarlingRegressionModel copy(ParamMap extra) {
        return copyValues(of(trained), extra).setParent(parent());
    }

    private StarlingRegressionModel of(TrainedModel other) {
        return new StarlingRegressionModel(uid(), other);
    }

    /** Reads models that were saved. */
    public static MLReader<StarlingRegressionModel> read() {
        return ModelFolder.reader(StarlingRegressionModel.class, StarlingRegressionModel::new);
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
