package dev.starling.lab.conversation;

import dev.starling.method.adfs.tuning.FamilyForecast;
import dev.starling.method.adfs.tuning.Tuning;
import java.util.List;

/**
 * The parameters of S-ADFS with rounds on some of the edges, see {@link EdgeSampling}.
 *
 * @param tuning the parameters in {@link Tuning}; {@code communicationProbability} is that of a round, whatever its
 *     edges
 * @param groups the groups of edges, one of which is drawn per round; empty if edges are drawn independently, and for a
 *     single node
 * @param probabilities q_b of each group, given that there is a round, or the probability of any edge if edges are
 *     drawn independently
 * @param projections r_b of each group
 * @param sigmas σ_i of every node
 * @param shares the share of the computation steps in which each node computes: 1 if all nodes are equally fast
 * @param shareSum the sum of the shares, which every node asks for
 * @param timePerFactor the predicted idealised time in which the error shrinks by a factor e
 * @param samples the number of samples of all nodes
 */
public record PartialTuning(
        Tuning tuning,
        List<List<Integer>> groups,
        List<Double> probabilities,
        List<Double> projections,
        List<Double> sigmas,
        List<Double> shares,
        double shareSum,
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

    /** Returns whether edges are drawn independently. */
    public boolean isIndependent() {
        return groups.isEmpty();
    }

    /** Returns the number of steps in which an average node takes as many proximal steps as it has samples. */
    public long stepsPerEpoch() {
        return (long) Math.ceil(samples / (sigmas.size() * computationProbability()));
    }

    /** Returns the average share of steps in which a node computes. */
    @Override
    public double computationProbability() {
        return tuning.computationProbability() * shareSum / shares.size();
    }

    @Override
    public double communicationProbability() {
        return tuning.communicationProbability();
    }
}
