package dev.starling.lab.baseline.node;

/**
 * A fixed number of gossip rounds, w_0 = v, w_1, …, w_K, that bring the nodes' vectors closer to their mean: w_K is a
 * polynomial of the graph's Laplacian L, applied to v, that preserves the mean.
 */
public interface Averaging {

    /** K. */
    int rounds();

    /** Goes from w_k, w_{k−1} and Lw_k to w_{k+1} and w_k, in place; w_{−1} is w_0. */
    void step(int k, double[] current, double[] previous, double[] laplacian);
}
