package dev.starling.job;

import dev.starling.data.InvalidInputException;
import dev.starling.data.Standardizer;
import dev.starling.model.LinearModel;
import dev.starling.node.State;
import dev.starling.settings.Settings;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Weights and an intercept on raw features for each problem: the contents of a model, and a point from which training
 * can start even if the scaling of the features has changed since.
 */
public final class RawWeights {

    /** The weights of no problem. */
    public static final RawWeights NONE = new RawWeights(new double[0][], new double[0]);

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

    /** Returns these weights if they are saved, the saved ones if they are restored. */
    public RawWeights state(State s) throws IOException {
        int problems = s.number(weights.length);
        if (problems < 1 || problems > MOST) {
            throw new IOException(problems + " problems");
        }
        RawWeights same = s.isRestoring() ? new RawWeights(new double[problems][0], new double[problems]) : this;
        for (int k = 0; k < problems; k++) {
            same.weights[k] = s.vector(same.weights[k], MOST);
            same.intercepts[k] = s.number(same.intercepts[k]);
        }
        return same;
    }
}
