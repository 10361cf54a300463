package dev.starling.method.adfs;

import java.util.List;

/**
 * The parameters of S-ADFS with rounds on part of the edges, see {@link EdgeSampling}.
 *
 * @param tuning those of {@link Tuning}; its {@code communicationProbability} is that of a round, whatever its edges
 * @param groups what a round draws one of; empty if every edge is drawn for itself, and for a single node
 * @param probabilities q_b of each group, given that there is a round; of any edge, if edges are drawn for themselves
 * @param projections r_b of each group
 * @param sigmas σ_i of every node
 * @param shares in which part of the steps that compute each node does: all where nodes are equally fast
 * @param timePerFactor predicted idealised time in which the error shrinks by a factor e
 * @param samples of all nodes
 */
public record PartialTuning(
        Tuning tuning,
        List<List<Integer>> groups,
        List<Double> probabilities,
        List<Double> projections,
        List<Double> sigmas,
        List<Double> shares,
        double timePerFactor,
        long samples)
        implements FamilyForecast {

    /** Copies the lists. */
    public PartialTuning {
        groups = List.copyOf(groups);
        probabilities = List.copyOf(probabilities);
        projections = List.copyOf(projections);
        sigmas = List.copyOf(sigmas);
        shares = List.copyOf(shares);
    }

    /** Whether every edge is drawn for itself. */
    public boolean isIndependent() {
        return groups.isEmpty();
    }

    /** Steps in which a node takes as many proximal steps as there are samples at a node, on average. */
    public long stepsPerEpoch() {
        return (long) Math.ceil(samples / (sigmas.size() * computationProbability()));
    }

    /** The share of steps in which a node computes, on average. */
    @Override
    public double computationProbability() {
        double sum = 0;
        for (double share : shares) {
            sum += share;
        }
        return tuning.computationProbability() * sum / shares.size();
    }

    @Override
    public double communicationProbability() {
        return tuning.communicationProbability();
    }
}
