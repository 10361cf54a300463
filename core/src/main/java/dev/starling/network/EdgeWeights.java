package dev.starling.network;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntToDoubleFunction;
import java.util.function.ToDoubleFunction;

/**
 * Weights μ² of edges with which a network may mix faster than with equal ones: tuning predicts the time with each
 * candidate and takes the best.
 */
public final class EdgeWeights {

    /** Beyond this size, computing more eigenvalues takes longer than most runs. */
    private static final int MOST_NODES = 1_000;

    /** Other weights are used only if they reduce the predicted time by at least this fraction. */
    private static final double LEAST_GAIN = 0.05;

    private EdgeWeights() {}

    /**
     * Returns the result of {@code make} for the network with the best weights.
     *
     * @param time the predicted time of what was made
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
     * The network as it is, followed by the same network with other weights worth trying. With μ² = 1/√(d_k d_l), where
     * d are the degrees, the best-connected node no longer determines the largest eigenvalue of the Laplacian; and if
     * edges differ in speed, smaller weights make slow edges used less. A network that came with weights keeps them.
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
