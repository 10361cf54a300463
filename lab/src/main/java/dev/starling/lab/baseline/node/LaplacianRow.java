package dev.starling.lab.baseline.node;

import dev.starling.lab.conversation.Edges;
import dev.starling.network.Network;
import dev.starling.node.Exchange;
import java.util.Arrays;
import java.util.List;

/** A node's neighbours and the weights μ² of the edges to them: its row of the graph's Laplacian L. */
public record LaplacianRow(int[] neighbours, double[] weights) {

    public static LaplacianRow of(Network network, int node) {
        return new LaplacianRow(network.neighbours(node), network.edgeWeights(node));
    }

    /** The row for the graph with only some of the edges. */
    public static LaplacianRow of(Network network, int node, List<Integer> edges) {
        int[] own = Edges.of(network, node, edges);
        return new LaplacianRow(
                Arrays.stream(own)
                        .map(e -> network.tail(e) + network.head(e) - node)
                        .toArray(),
                Arrays.stream(own).mapToDouble(network::weight).toArray());
    }

    /** A communication round with all neighbours, after some work; only the work if there are none. */
    public Exchange round(Exchange exchange, double[] payload, double work) {
        return exchange.set(Exchange.Kind.ROUND, neighbours, payload, payload.length, neighbours, work);
    }

    /** Writes (Lv)_i = Σ_k μ_ik² (v_i − v_k), given this node's v_i and the neighbours' v_k. */
    public void laplacian(double[] own, double[][] messages, double[] result) {
        Arrays.fill(result, 0);
        for (int k = 0; k < weights.length; k++) {
            double weight = weights[k];
            double[] message = messages[k];
            for (int c = 0; c < own.length; c++) {
                result[c] += weight * (own[c] - message[c]);
            }
        }
    }
}
