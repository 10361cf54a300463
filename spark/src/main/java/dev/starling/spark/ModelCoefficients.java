package dev.starling.spark;

import dev.starling.loss.Losses;
import dev.starling.model.LinearModel;
import dev.starling.model.Provenance;
import java.io.Serializable;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.apache.spark.ml.linalg.DenseMatrix;
import org.apache.spark.ml.linalg.DenseVector;
import org.apache.spark.ml.linalg.SparseVector;
import org.apache.spark.ml.linalg.Vector;

/**
 * A linear model in a form that can be sent to executors.
 *
 * @param loss the name of the loss
 * @param classes the number of classes; 0 for regression
 * @param weights one vector per score
 * @param intercepts one per score
 */
record ModelCoefficients(String loss, int classes, double[][] weights, double[] intercepts) implements Serializable {

    int features() {
        return weights[0].length;
    }

    /** Computes one of the scores of a row. */
    double score(int score, Vector features) {
        double[] w = weights[score];
        double sum = 0;
        if (features instanceof SparseVector sparse) {
            int[] indices = sparse.indices();
            double[] values = sparse.values();
            for (int k = 0; k < indices.length; k++) {
                sum += values[k] * w[indices[k]];
            }
        } else {
            double[] values = ((DenseVector) features).values();
            for (int k = 0; k < values.length; k++) {
                sum += values[k] * w[k];
            }
        }
        return sum + intercepts[score];
    }

    /** Computes what a regression predicts for a row. */
    double mean(Vector features) {
        return Losses.link(loss).mean(score(0, features));
    }

    /** Returns a copy with one more feature, whose coefficients are 1. */
    ModelCoefficients withUnit() {
        double[][] wider = new double[weights.length][];
        for (int k = 0; k < weights.length; k++) {
            wider[k] = Arrays.copyOf(weights[k], features() + 1);
            wider[k][features()] = 1;
        }
        return new ModelCoefficients(loss, classes, wider, intercepts);
    }

    /** The weights as a matrix with one row per score. */
    DenseMatrix matrix() {
        double[] flat = new double[weights.length * features()];
        for (int k = 0; k < weights.length; k++) {
            System.arraycopy(weights[k], 0, flat, k * features(), features());
        }
        return new DenseMatrix(weights.length, features(), flat, true);
    }

    /**
     * The model in the form that the rest of Starling uses, from which hashes are computed and model files are written.
     */
    LinearModel linearModel(Provenance provenance) {
        return new LinearModel(
                loss, IntStream.range(0, classes).mapToObj(k -> (double) k).toList(), weights, intercepts, provenance);
    }
}
