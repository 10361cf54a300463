package dev.starling.job;

import dev.starling.data.InvalidInputException;
import dev.starling.data.Standardizer;
import dev.starling.model.LinearModel;
import dev.starling.node.SavedState;
import dev.starling.settings.Settings;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Weights and an intercept on raw features for each problem: the contents of a model, and a point from which training
 * can start even if the scaling of the features has changed since.
 */
public final class RawWeights {

    private static final int MOST = 100_000_000;

    private final double[][] weights;
    private final double[] intercepts;

    private RawWeights(double[][] weights, double[] intercepts) {
        this.weights = weights;
        this.intercepts = intercepts;
    }

    /** The weights of a model. */
    public static RawWeights of(LinearModel model) {
        double[][] weights = new double[model.scores()][];
        double[] intercepts = new double[weights.length];
        for (int k = 0; k < weights.length; k++) {
            weights[k] = model.weights(k);
            intercepts[k] = model.intercept(k);
        }
        return new RawWeights(weights, intercepts);
    }

    /** Converts the parameters of problems to raw features. */
    static RawWeights of(
            List<double[]> parameters, Settings settings, int features, Optional<Standardizer> standardizer) {
        double[][] weights = new double[parameters.size()][];
        double[] intercepts = new double[weights.length];
        for (int k = 0; k < weights.length; k++) {
            double[] parameter = parameters.get(k);
            weights[k] = Arrays.copyOf(parameter, features);
            float constant = settings.constantFeature();
            intercepts[k] = constant > 0 ? constant * parameter[features] : 0;
            if (standardizer.isPresent()) {
                Standardizer.RawModel onRaw = standardizer.get().toRaw(weights[k], intercepts[k]);
                weights[k] = onRaw.weights();
                intercepts[k] = onRaw.intercept();
            }
        }
        return new RawWeights(weights, intercepts);
    }

    /** The parameter of a problem that corresponds to these weights; empty if they do not cover the problem. */
    Optional<double[]> parameter(int problem, Settings settings, int features, Optional<Standardizer> standardizer) {
        if (problem >= weights.length) {
            return Optional.empty();
        }
        if (weights[problem].length != features) {
            throw new InvalidInputException("cannot resume training from " + weights[problem].length
                    + " weights: the rows have " + features + " features; start over");
        }
        double[] scaled = standardizer
                .map(scaling -> scaling.fromRaw(weights[problem], intercepts[problem]))
                .orElseGet(() -> {
                    double[] same = Arrays.copyOf(weights[problem], features + 1);
                    same[features] = intercepts[problem];
                    return same;
                });
        float constant = settings.constantFeature();
        double[] parameter = Arrays.copyOf(scaled, constant > 0 ? features + 1 : features);
        if (constant > 0) {
            parameter[features] /= constant;
        }
        return Optional.of(parameter);
    }

    double[][] weights() {
        return weights;
    }

    double[] intercepts() {
        return intercepts;
    }

    /** Writes the weights for {@link #restore}. */
    public void save(DataOutput out) throws IOException {
        out.writeInt(weights.length);
        for (int k = 0; k < weights.length; k++) {
            SavedState.writeDoubles(out, weights[k]);
            out.writeDouble(intercepts[k]);
        }
    }

    /** Reads what {@link #save} wrote. */
    public static RawWeights restore(DataInput in) throws IOException {
        int problems = in.readInt();
        if (problems < 1 || problems > MOST) {
            throw new IOException(problems + " problems");
        }
        double[][] weights = new double[problems][];
        double[] intercepts = new double[problems];
        for (int k = 0; k < problems; k++) {
            weights[k] = SavedState.readDoubles(in, MOST);
            intercepts[k] = in.readDouble();
        }
        return new RawWeights(weights, intercepts);
    }
}
