package dev.starling.spark;

import dev.starling.network.SpanningTree;
import java.util.Arrays;
import java.util.function.BinaryOperator;

/**
 * Small facts, gathered over the spanning tree of the network and told to everyone, in an order that depends on the
 * network alone.
 */
final class Tree {

    private final Neighbourhood neighbours;
    private final SpanningTree tree;
    private final int node;
    private final int size;

    Tree(Neighbourhood neighbours, SpanningTree tree, int node, int size) {
        this.neighbours = neighbours;
        this.tree = tree;
        this.node = node;
        this.size = size;
    }

    /** What every node says, by node. */
    double[][] gather(double[] own) {
        double[] flat = new double[own.length + 2];
        flat[0] = node;
        flat[1] = own.length;
        System.arraycopy(own, 0, flat, 2, own.length);
        double[] all = fold(flat, Tree::joined);
        double[][] result = new double[size][];
        for (int at = 0; at < all.length; ) {
            int length = (int) all[at + 1];
            result[(int) all[at]] = Arrays.copyOfRange(all, at + 2, at + 2 + length);
            at += 2 + length;
        }
        return result;
    }

    private static double[] joined(double[] first, double[] second) {
        double[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    /** The vectors of all nodes, put together: a node's own, then its children's in their order. */
    double[] fold(double[] own, BinaryOperator<double[]> merge) {
        double[] sum = own;
        for (int child : tree.children(node)) {
            sum = merge.apply(sum, neighbours.await(child));
        }
        int parent = tree.parent(node);
        if (parent >= 0) {
            neighbours.send(parent, sum, sum.length);
            sum = neighbours.await(parent);
        }
        for (int child : tree.children(node)) {
            neighbours.send(child, sum, sum.length);
        }
        return sum;
    }
}
