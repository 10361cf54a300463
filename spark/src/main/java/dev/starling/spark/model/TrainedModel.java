package dev.starling.spark.model;

import dev.starling.evaluation.Measures;
import dev.starling.loss.Link;
import dev.starling.model.LinearModel;
import dev.starling.model.Provenance;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.spark.ml.linalg.DenseMatrix;
import org.apache.spark.ml.linalg.SparseVector;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;

/** What Spark's models carry: Starling's model file, which can be sent to executors, and what its training took. */
public final class TrainedModel implements Serializable {

    private final String file;
    private final TrainingCost cost;
    private final Measures judgement;
    private transient LinearModel model;

    private TrainedModel(String file, LinearModel model, TrainingCost cost, Measures judgement) {
        this.file = file;
        this.model = model;
        this.cost = cost;
        this.judgement = judgement;
    }

    /** A model that was trained in this session. */
    public static TrainedModel of(LinearModel model, TrainingCost cost, Optional<Measures> judgement) {
        return new TrainedModel(ModelText.of(model), model, cost, judgement.orElse(null));
    }

    /** A model from a file. */
    public static TrainedModel of(LinearModel model, Optional<TrainingCost> cost) {
        return new TrainedModel(ModelText.of(model), model, cost.orElse(null), null);
    }

    /** The model file. */
    public String file() {
        return file;
    }

    /** The model. */
    public LinearModel model() {
        if (model == null) {
            model = ModelText.model(file);
        }
        return model;
    }

    /** What training took; empty if it was trained elsewhere. */
    public Optional<TrainingCost> cost() {
        return Optional.ofNullable(cost);
    }

    /** How well it predicts rows that were held out; empty if there were none, or if it was read from a file. */
    public Optional<Measures> judgement() {
        return Optional.ofNullable(judgement);
    }

    /** The model with one more feature, which is added to scores as offsets are: it predicts, but nobody trained it. */
    public TrainedModel withUnit() {
        LinearModel narrow = model();
        double[][] wider = new double[narrow.scores()][];
        double sign = narrow.link().equals(Link.CUMULATIVE) ? -1 : 1;
        for (int k = 0; k < wider.length; k++) {
            wider[k] = Arrays.copyOf(narrow.weights(k), narrow.features() + 1);
            wider[k][narrow.features()] = sign;
        }
        return of(
                new LinearModel(
                        narrow.loss(), narrow.classes(), wider, intercepts().toArray(), Provenance.UNKNOWN),
                cost());
    }

    /** The scores of a row. */
    public double[] scores(Vector features) {
        return features instanceof SparseVector sparse
                ? model().scores(sparse.indices(), sparse.values())
                : model().scores(features.toArray());
    }

    /** The weights of one score. */
    public Vector coefficients(int score) {
        return Vectors.dense(model().weights(score).clone());
    }

    /** The weights as a matrix with one row per score. */
    public DenseMatrix matrix() {
        double[] flat = IntStream.range(0, model().scores())
                .mapToObj(model()::weights)
                .flatMapToDouble(Arrays::stream)
                .toArray();
        return new DenseMatrix(model().scores(), model().features(), flat, true);
    }

    /** One intercept per score. */
    public Vector intercepts() {
        return Vectors.dense(IntStream.range(0, model().scores())
                .mapToDouble(model()::intercept)
                .toArray());
    }
}
