package dev.starling.spark;

import dev.starling.loss.Losses;
import dev.starling.spark.frame.FitJob;
import dev.starling.spark.params.EarlyUid;
import dev.starling.spark.params.OwnParams;
import dev.starling.spark.params.StarlingEstimator;
import dev.starling.spark.params.StarlingParams;
import dev.starling.spark.rows.Decision;
import org.apache.spark.ml.classification.ProbabilisticClassifier;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.DefaultParamsWritable;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.types.StructType;

/**
 * Trains linear classifiers (logistic regression, smooth support vector machines) to a certified gap: for two classes,
 * or for more, which the logistic loss tells apart all at once and the others one from the rest at a time. Labels are
 * 0, 1, 2, … as {@code StringIndexer} makes them.
 *
 * <pre>{@code
 * StarlingClassificationModel model = new StarlingClassifier()
 *         .setRegParam(1e-4)
 *         .setTol(1e-6)
 *         .fit(training);
 * model.transform(test);
 * }</pre>
 */
public final class StarlingClassifier
        extends ProbabilisticClassifier<Vector, StarlingClassifier, StarlingClassificationModel>
        implements StarlingEstimator<StarlingClassifier>, DefaultParamsWritable {

    private final OwnParams ownParams;

    /** Creates a classifier with the defaults: logistic loss, λ = 1e-4, a gap of 1e-6. */
    public StarlingClassifier() {
        this(EarlyUid.random("starlingClassifier"));
    }

    /** Creates a classifier with a given uid. */
    public StarlingClassifier(String uid) {
        this(EarlyUid.of(uid));
    }

    private StarlingClassifier(EarlyUid early) {
        this.ownParams = new OwnParams(this, early, StarlingParams::addTo);
    }

    @Override
    public OwnParams ownParams() {
        return ownParams;
    }

    @Override
    public StarlingClassifier copy(ParamMap extra) {
        return defaultCopy(extra);
    }

    @Override
    public StructType transformSchema(StructType schema) {
        return getProbabilityCol().isEmpty() || hasProbabilities(getLoss())
                ? super.transformSchema(schema)
                : copy(ParamMap.empty()).setProbabilityCol("").transformSchema(schema);
    }

    /** Whether a loss gives probabilities. */
    static boolean hasProbabilities(String loss) {
        return Losses.link(loss).givesProbabilities();
    }

    @Override
    public StarlingClassificationModel train(Dataset<?> dataset) {
        return new StarlingClassificationModel(
                uid(),
                FitJob.ofVectors(dataset, this, getFeaturesCol(), getLabelCol(), true, Decision.NONE)
                        .model());
    }

    /** Reads classifiers that were saved. */
    public static MLReader<StarlingClassifier> read() {
        return new DefaultParamsReader<>();
    }

    /** Reads a classifier that was saved. */
    public static StarlingClassifier load(String path) {
        return read().load(path);
    }
}
