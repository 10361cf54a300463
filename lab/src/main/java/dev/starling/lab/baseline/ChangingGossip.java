package dev.starling.lab.baseline;

import dev.starling.method.adfs.EdgeDraw;
import dev.starling.method.adfs.EdgeSampling;
import dev.starling.network.Network;
import dev.starling.network.Spectrum;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * The gossip matrices W of rounds that draw their edges anew: the Laplacian of those drawn over the largest eigenvalue
 * that it can have.
 *
 * <p>As 0 ≤ W ≤ I, ‖x − Wx‖² ≤ ‖x‖² − xᵀWx, so that E‖x − Wx‖² ≤ (1 − 1/χ)‖x‖² where Σx_i = 0, with χ = 1/λ_min⁺(E W).
 * That is what a theorem for graphs that change asks of W where its proof has W in squares and in products with what
 * was known before the round: its inequalities then hold in expectation, though no single round connects all nodes.
 *
 * @param groups what a round draws one of; empty if every edge is drawn for itself
 * @param probabilities of each group; of any edge, if edges are drawn for themselves
 * @param scales 1/λ_max of the Laplacian of each group; of all edges, if they are drawn for themselves
 * @param conditioning χ
 */
record ChangingGossip(
        Network network,
        List<List<Integer>> groups,
        List<Double> probabilities,
        List<Double> scales,
        double conditioning) {

    /** The matrices of a network's rounds, drawn as often as nodes with such shares of the regulariser draw them. */
    static ChangingGossip of(Network network, EdgeSampling rounds, double[] sigmas) {
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

    /** λ_max of edges that do not meet. */
    private static double largest(Network network, List<Integer> matching) {
        return 2 * matching.stream().mapToDouble(network::weight).max().orElseThrow();
    }

    private static double conditioning(Network expected) {
        double[] ones = new double[expected.size()];
        Arrays.fill(ones, 1);
        return expected.size() == 1 ? 1 : Math.max(1, 1 / Spectrum.smallest(expected, ones));
    }

    /** A node's row of every W, in the order in which a stream draws them. */
    Row row(int node, UniformRandomProvider stream) {
        return new Row(node, new EdgeDraw(stream, groups, probabilities, network.edges()));
    }

    /** One node's row of W, round after round. */
    final class Row {

        private final int node;
        private final EdgeDraw draw;
        private final List<LaplacianRow> ofGroups;
        private LaplacianRow present;
        private double scale;

        private Row(int node, EdgeDraw draw) {
            this.node = node;
            this.draw = draw;
            this.ofGroups = groups.stream()
                    .map(edges -> LaplacianRow.of(network, node, edges))
                    .toList();
        }

        /** Draws the edges of the next round: the row of their Laplacian. */
        LaplacianRow next() {
            EdgeDraw.Round round = draw.next();
            scale = scales.get(round.group());
            present = groups.isEmpty() ? LaplacianRow.of(network, node, round.edges()) : ofGroups.get(round.group());
            return present;
        }

        /** Writes (Wv)_i of the present round, given this node's v_i and the v_k of those it is in touch with. */
        void times(double[] own, double[][] messages, double[] result) {
            present.laplacian(own, messages, result);
            for (int c = 0; c < result.length; c++) {
                result[c] *= scale;
            }
        }
    }
}
