package dev.starling.job;

import dev.starling.data.InvalidInputException;
import dev.starling.data.Standardizer;
import dev.starling.model.LinearModel;
import dev.starling.node.State;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;

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
    static RawWeights of(List<double[]> parameters, Agreement agreement) {
        float constant = agreement.constant();
        int features = agreement.features();
        Optional<Standardizer> standardizer = agreement.standardizer();
        List<double[]> scores = parameters.stream()
                .flatMap(parameter -> Arrays.stream(
                        agreement.settings().loss().scores(parameter, constant > 0 ? features + 1 : features)))
                .toList();
        double[][] weights = new double[scores.size()][];
        double[] intercepts = new double[weights.length];
        for (int k = 0; k < weights.length; k++) {
            double[] parameter = scores.get(k);
            weights[k] = Arrays.copyOf(parameter, features);
            intercepts[k] = constant > 0 ? constant * parameter[features] : 0;
            if (standardizer.isPresent()) {
                Standardizer.RawModel onRaw = standardizer.get().toRaw(weights[k], intercepts[k]);
                weights[k] = onRaw.weights();
                intercepts[k] = onRaw.intercept();
            }
            weights[k] = agreement.units().raw(weights[k]);
            intercepts[k] *= agreement.units().rawTarget();
        }
        return new RawWeights(weights, intercepts);
    }

    /** The parameter of a problem that corresponds to these weights; empty if they do not cover the problem. */
    Optional<double[]> parameter(int problem, Agreement agreement) {
        int outputs = agreement.outputs();
        int scores = outputs == 2 ? 1 : outputs;
        if ((problem + 1) * scores > weights.length) {
            return Optional.empty();
        }
        double[][] blocks = new double[scores][];
        Arrays.setAll(blocks, k -> block(problem * scores + k, agreement));
        if (outputs != 2) {
            return Optional.of(
                    Arrays.stream(blocks).flatMapToDouble(Arrays::stream).toArray());
        }
        // The regulariser is least if the blocks add up to 0.
        return Optional.of(DoubleStream.concat(
                        Arrays.stream(blocks[0]).map(value -> -value / 2),
                        Arrays.stream(blocks[0]).map(value -> value / 2))
                .toArray());
    }

    private double[] block(int score, Agreement agreement) {
        int features = agreement.features();
        Units units = agreement.units();
        if (weights[score].length != features) {
            throw new InvalidInputException("cannot resume training from " + weights[score].length
                    + " weights: the rows have " + features + " features; start over");
        }
        double[] own = units.fromRaw(weights[score]);
        double intercept = intercepts[score] / units.rawTarget();
        double[] scaled = agreement
                .standardizer()
                .map(scaling -> scaling.fromRaw(own, intercept))
                .orElseGet(() -> {
                    double[] same = Arrays.copyOf(own, features + 1);
                    same[features] = intercept;
                    return same;
                });
        float constant = agreement.constant();
        double[] parameter = Arrays.copyOf(scaled, constant > 0 ? features + 1 : features);
        if (constant > 0) {
            parameter[features] /= constant;
        }
        return parameter;
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
