package dev.starling.lab.baseline.gossip;

import dev.starling.lab.baseline.node.Gossip;
import dev.starling.lab.baseline.node.LaplacianRow;
import dev.starling.lab.conversation.EdgeDraw;
import dev.starling.lab.conversation.EdgeSampling;
import dev.starling.network.Network;
import dev.starling.network.Spectrum;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * The gossip matrices W of rounds that each draw their edges at random: the Laplacian of the drawn edges, divided by
 * the largest eigenvalue that it can have.
 *
 * <p>As 0 ≤ W ≤ I, ‖x − Wx‖² ≤ ‖x‖² − xᵀWx, so that E‖x − Wx‖² ≤ (1 − 1/χ)‖x‖² where Σx_i = 0, with χ = 1/λ_min⁺(E W).
 * That is what a theorem for changing graphs needs if W occurs in its proof only in squares and in products with what
 * was known before the round: its inequalities then hold in expectation, even though no single round connects all
 * nodes.
 *
 * @param groups the groups of edges of which a round draws one; empty if edges are drawn individually
 * @param probabilities probability of each group, or that of any edge if edges are drawn individually
 * @param scales 1/λ_max of the Laplacian of each group, or of all edges if they are drawn individually
 * @param conditioning χ
 */
public record ChangingGossip(
        Network network,
        List<List<Integer>> groups,
        List<Double> probabilities,
        List<Double> scales,
        double conditioning) {

    /**
     * The matrices of a network's rounds, with the probabilities for nodes that have these shares of the regulariser.
     */
    public static ChangingGossip of(Network network, EdgeSampling rounds, double[] sigmas) {
        List<List<Integer>> groups = rounds.groups();
        List<Double> probabilities = network.size() == 1 ? List.of(1.0) : rounds.probabilities(network, sigmas);
        List<Double> scales = groups.size() <= 1
                ? List.of(1 / Gossip.of(network).largest())
                : groups.stream().map(group -> 1 / largest(network, group)).toList();
        double[] expected = new double[network.edges()];
        for (int e = 0; e < expected.length; e++) {
            int edge = e;
            int group = IntStream.range(0, groups.size())
                    .filter(g -> groups.get(g).contains(edge))
                    .findFirst()
                    .orElse(0);
            expected[e] = probabilities.get(group) * scales.get(group) * network.weight(e);
        }
        return new ChangingGossip(network, groups, probabilities, scales, conditioning(network.withWeights(expected)));
    }

    /** λ_max of a matching, a set of edges no two of which share a node. */
    private static double largest(Network network, List<Integer> matching) {
        return 2 * matching.stream().mapToDouble(network::weight).max().orElseThrow();
    }

    private static double conditioning(Network expected) {
        double[] ones = new double[expected.size()];
        Arrays.fill(ones, 1);
        return expected.size() == 1 ? 1 : Math.max(1, 1 / Spectrum.smallest(expected, ones));
    }

    /** One node's rows of the matrices W, in the order in which a stream draws them. */
    Row row(int node, UniformRandomProvider stream) {
        return new Row(node, new EdgeDraw(stream, groups, probabilities, network.edges()));
    }

    /** One node's row of W, round by round. */
    final class Row {

        private final int node;
        private final EdgeDraw draw;
        private final List<LaplacianRow> ofGroups;
        private LaplacianRow current;
        private double scale;

        private Row(int node, EdgeDraw draw) {
            this.node = node;
            this.draw = draw;
            this.ofGroups = groups.stream()
                    .map(edges -> LaplacianRow.of(network, node, edges))
                    .toList();
        }

        /** Draws the edges of the next round and returns the row of their Laplacian. */
        LaplacianRow next() {
            EdgeDraw.Round round = draw.next();
            scale = scales.get(round.group());
            current = groups.isEmpty() ? LaplacianRow.of(network, node, round.edges()) : ofGroups.get(round.group());
            return current;
        }

        /** Writes (Wv)_i of the current round, given this node's v_i and the v_k of its neighbours in that round. */
        void times(double[] own, double[][] messages, double[] result) {
            current.laplacian(own, messages, result);
            for (int c = 0; c < result.length; c++) {
                result[c] *= scale;
            }
        }
    }
}
