package dev.starling.network;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntToDoubleFunction;
import java.util.function.ToDoubleFunction;

/**
 * Weights μ² of edges with which a network may mix faster than with equal ones: whoever tunes for it predicts with each
 * and takes the best.
 */
public final class EdgeWeights {

    /** Beyond this size another look at the eigenvalues takes longer than most runs. */
    private static final int MOST_NODES = 1_000;

    /** Other weights are taken where the predicted time falls by this part of it. */
    private static final double LEAST_GAIN = 0.05;

    private EdgeWeights() {}

    /**
     * What is made of the network with the weights that suit it.
     *
     * @param time predicted for what was made
     */
    public static <T> T best(Network network, Timing timing, Function<Network, T> make, ToDoubleFunction<T> time) {
        List<Network> candidates = candidates(network, timing);
        T best = make.apply(network);
        for (Network weighted : candidates.subList(1, candidates.size())) {
            T other = make.apply(weighted);
            if (time.applyAsDouble(other) <= (1 - LEAST_GAIN) * time.applyAsDouble(best)) {
                best = other;
            }
        }
        return best;
    }

    /**
     * The network as it is, first, and with weights worth trying: μ² = 1/√(d_k d_l), d being the degrees, which keeps
     * the largest eigenvalue of the Laplacian from being that of its best connected node; and where edges differ in
     * speed the slow ones lighter, so that they are used less. A network that came with weights keeps them.
     */
    public static List<Network> candidates(Network network, Timing timing) {
        List<Network> candidates = new ArrayList<>(List.of(network));
        if (network.size() > MOST_NODES || isWeighted(network)) {
            return candidates;
        }
        IntToDoubleFunction byDegree = e -> 1 / Math.sqrt((double) degree(network, e));
        if (!isRegular(network)) {
            candidates.add(weighted(network, byDegree));
        }
        if (!timing.edges().isEmpty()) {
            IntToDoubleFunction bySpeed =
                    e -> timing.delay() / Math.max(timing.delay(), timing.message(network.tail(e), network.head(e)));
            candidates.add(weighted(network, bySpeed));
            candidates.add(weighted(network, e -> bySpeed.applyAsDouble(e) * byDegree.applyAsDouble(e)));
        }
        return candidates;
    }

    private static boolean isWeighted(Network network) {
        for (int e = 0; e < network.edges(); e++) {
            if (network.weight(e) != 1) {
                return true;
            }
        }
        return false;
    }

    private static boolean isRegular(Network network) {
        for (int i = 1; i < network.size(); i++) {
            if (network.degree(i) != network.degree(0)) {
                return false;
            }
        }
        return true;
    }

    private static long degree(Network network, int edge) {
        return (long) network.degree(network.tail(edge)) * network.degree(network.head(edge));
    }

    private static Network weighted(Network network, IntToDoubleFunction weight) {
        double[] weights = new double[network.edges()];
        for (int e = 0; e < weights.length; e++) {
            weights[e] = weight.applyAsDouble(e);
        }
        return network.withWeights(weights);
    }
}
