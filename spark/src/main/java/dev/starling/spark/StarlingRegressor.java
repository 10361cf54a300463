package dev.starling.spark;

import dev.starling.spark.frame.FitJob;
import dev.starling.spark.params.EarlyUid;
import dev.starling.spark.params.OwnParams;
import dev.starling.spark.params.StarlingEstimator;
import dev.starling.spark.params.StarlingParams;
import dev.starling.spark.rows.Decision;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.regression.Regressor;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.DefaultParamsWritable;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.sql.Dataset;

/**
 * Trains linear regression models (ridge, Huber, smooth support vector regression) to a certified gap.
 *
 * <pre>{@code
 * StarlingRegressionModel model = new StarlingRegressor().setLoss("huber(1.0)").setRegParam(1e-3).fit(training);
 * model.transform(test);
 * }</pre>
 */
public final class StarlingRegressor extends Regressor<Vector, StarlingRegressor, StarlingRegressionModel>
        implements StarlingEstimator<StarlingRegressor>, DefaultParamsWritable {

    private final OwnParams ownParams;

    /** Creates a regressor with the defaults: squared loss, λ = 1e-4, a gap of 1e-6. */
    public StarlingRegressor() {
        this(EarlyUid.random("starlingRegressor"));
    }

    /** Creates a regressor with a given uid. */
    public StarlingRegressor(String uid) {
        this(EarlyUid.of(uid));
    }

    private StarlingRegressor(EarlyUid early) {
        this.ownParams = new OwnParams(this, early, StarlingParams::addTo);
        setDefault(loss(), "squared");
    }

    @Override
    public OwnParams ownParams() {
        return ownParams;
    }

    @Override
    public StarlingRegressor copy(ParamMap extra) {
        return defaultCopy(extra);
    }

    @Override
    public StarlingRegressionModel train(Dataset<?> dataset) {
        return new StarlingRegressionModel(
                uid(),
                FitJob.ofVectors(dataset, this, getFeaturesCol(), getLabelCol(), false, Decision.NONE)
                        .model());
    }

    /** Reads regressors that were saved. */
    public static MLReader<StarlingRegressor> read() {
        return new DefaultParamsReader<>();
    }

    /** Reads a regressor that was saved. */
    public static StarlingRegressor load(String path) {
        return read().load(path);
    }
}
