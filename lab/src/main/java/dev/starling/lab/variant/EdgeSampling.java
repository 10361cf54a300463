package dev.starling.lab.variant;

import dev.starling.data.InvalidInputException;
import dev.starling.method.adfs.Tuning;
import dev.starling.network.EffectiveResistance;
import dev.starling.network.Network;
import dev.starling.network.Spectrum;
import dev.starling.problem.Conditioning;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Which edges a communication round uses: a random subgraph b in which every edge has the same probability q.
 *
 * <p>A round then moves along L_b instead of L. In the paper's terms P_b⁺ = U_b/p_e with p_e = q·p_comm, and the rate
 * needs ρ² ≤ σ_A p_e²/(λ_b r_b) for every b that may occur, where λ_b = λ_max(A_bᵀ diag(σ)⁻¹ A_b) and r_b = λ_max of
 * the block (A⁺A)_bb. The paper's W̃_b = A P_b⁺ A⁺ would let distant edges of b act on each other; the number r_b/p_e
 * in its place needs no message and keeps the bound: the proof asks of the point x only that q_A(y) − q_A(x) ≥ (ρη/2)
 * gᵀA⁺A g for g = P_b⁺∇q_A(y), and the step ρη r_b/p_e along g gives ρη(r_b − r_b/2)‖g‖² ≥ (ρη/2) gᵀA⁺A g. For all
 * edges (r = 1), single edges (r = R_kl), trees and matchings of a complete graph the two are the same.
 *
 * @param groups what a round draws one of, each as likely: disjoint lists of edges that together are all; empty if
 *     every edge is drawn for itself
 * @param probability q
 * @param label the name on the command line
 */
public record EdgeSampling(List<List<Integer>> groups, double probability, String label) {

    /** Copies the lists. */
    public EdgeSampling {
        groups = groups.stream().map(List::copyOf).toList();
        if (!(probability > 0 && probability <= 1)) {
            throw new InvalidInputException(
                    "edge probability " + probability + " must be more than 0 and at most 1, for example 0.5");
        }
    }

    /** Every edge in every round. */
    public static EdgeSampling all(Network network) {
        return partition(Collections.nCopies(network.edges(), 0), "all");
    }

    /** One edge per round. */
    public static EdgeSampling pairs(Network network) {
        List<Integer> numbers = new ArrayList<>();
        for (int e = 0; e < network.edges(); e++) {
            numbers.add(e);
        }
        return partition(numbers, "pairs");
    }

    /**
     * A matching per round, so that a node talks to one neighbour at most: the colours of a greedy edge colouring, of
     * which there are fewer than twice the largest degree.
     */
    public static EdgeSampling matchings(Network network) {
        List<Integer> colours = new ArrayList<>();
        int degree = 0;
        for (int i = 0; i < network.size(); i++) {
            degree = Math.max(degree, network.degree(i));
        }
        boolean[][] used = new boolean[network.size()][2 * degree];
        for (int e = 0; e < network.edges(); e++) {
            int colour = 0;
            while (used[network.tail(e)][colour] || used[network.head(e)][colour]) {
                colour++;
            }
            used[network.tail(e)][colour] = true;
            used[network.head(e)][colour] = true;
            colours.add(colour);
        }
        return partition(colours, "matchings");
    }

    /** Every edge for itself with probability q. */
    public static EdgeSampling independent(double probability) {
        return new EdgeSampling(List.of(), probability, "independent(" + probability + ")");
    }

    private static EdgeSampling partition(List<Integer> groupOfEdge, String label) {
        int count = groupOfEdge.isEmpty() ? 1 : Collections.max(groupOfEdge) + 1;
        List<List<Integer>> groups = new ArrayList<>();
        for (int g = 0; g < count; g++) {
            groups.add(new ArrayList<>());
        }
        for (int e = 0; e < groupOfEdge.size(); e++) {
            groups.get(groupOfEdge.get(e)).add(e);
        }
        return new EdgeSampling(groups, 1.0 / count, label);
    }

    /** r of each edge: what stands for A⁺A on the blocks it is in, the same for all edges of a block. */
    public List<Double> projections(Network network) {
        double[] values = new double[network.edges()];
        int largestGroup = groups.stream().mapToInt(List::size).max().orElse(network.edges());
        if (largestGroup == 1) {
            values = EffectiveResistance.of(network);
        } else {
            // (A⁺A)_bb = A_bᵀ L⁺ A_b ⪯ A_bᵀ A_b/λ_min⁺(L), and a projection is at most 1.
            double[] ones = new double[network.size()];
            Arrays.fill(ones, 1);
            boolean wide = groups.size() <= 1;
            double bound = wide ? 1 : largestOfBlocks(network, ones) / Spectrum.smallest(network, ones);
            Arrays.fill(values, Math.min(1, bound));
        }
        return Arrays.stream(values).boxed().toList();
    }

    /** max over b of λ_b, or a bound on it: Gershgorin's, exact for matchings. */
    private double largestOfBlocks(Network network, double[] diagonal) {
        double largest = 0;
        for (List<Integer> group : groups) {
            double[] load = new double[network.size()];
            for (int e : group) {
                load[network.tail(e)] += Math.sqrt(network.weight(e)) / diagonal[network.tail(e)];
                load[network.head(e)] += Math.sqrt(network.weight(e)) / diagonal[network.head(e)];
            }
            for (int e : group) {
                double sum = Math.sqrt(network.weight(e)) * (load[network.tail(e)] + load[network.head(e)]);
                largest = Math.max(largest, sum);
            }
        }
        return largest;
    }

    /**
     * The parameters of S-ADFS with these rounds: C_comm = max_b √(λ_b r_b/σ_A)/q, the rest as in {@link Tuning}. Their
     * {@code communicationProbability} is that of a round; an edge has q times that.
     */
    public Tuning tune(Network network, List<Conditioning> facts, double delay) {
        Tuning whole = Tuning.of(network, facts, delay);
        if (facts.size() == 1) {
            return whole;
        }
        double[] sigmas = facts.stream().mapToDouble(Conditioning::sigma).toArray();
        double communication = Math.sqrt(smoothness(network, sigmas) / whole.strongConvexity()) / probability;
        double rate = 1 / (communication + whole.computationConstant());
        return new Tuning(
                delay,
                whole.balance(),
                whole.strongConvexity(),
                whole.computationConstant(),
                communication,
                communication * rate,
                rate,
                rate / whole.strongConvexity());
    }

    private double smoothness(Network network, double[] sigmas) {
        if (groups.size() <= 1) {
            return Spectrum.largest(network, sigmas);
        }
        List<Double> projections = projections(network);
        if (groups.stream().anyMatch(group -> group.size() > 1)) {
            return largestOfBlocks(network, sigmas) * projections.get(0);
        }
        double largest = 0;
        for (int e = 0; e < network.edges(); e++) {
            double own = network.weight(e) * (1 / sigmas[network.tail(e)] + 1 / sigmas[network.head(e)]);
            largest = Math.max(largest, own * projections.get(e));
        }
        return largest;
    }
}
