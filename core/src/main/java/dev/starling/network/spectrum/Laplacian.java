package dev.starling.network.spectrum;

import dev.starling.network.Network;

/** The weighted Laplacian L = A Aᵀ of a graph, in compressed rows. */
public final class Laplacian {

    final int size;
    final int[] offsets;
    final int[] columns;
    final double[] weights;
    /** Sum of the weights at each node, the diagonal of L. */
    final double[] strengths;

    public Laplacian(int size, int[] offsets, int[] columns, double[] weights) {
        this.size = size;
        this.offsets = offsets;
        this.columns = columns;
        this.weights = weights;
        this.strengths = new double[size];
        for (int i = 0; i < size; i++) {
            for (int k = offsets[i]; k < offsets[i + 1]; k++) {
                strengths[i] += weights[k];
            }
        }
    }

    public static Laplacian of(Network network) {
        int size = network.size();
        int[] offsets = new int[size + 1];
        int[] columns = new int[2 * network.edges()];
        double[] weights = new double[columns.length];
        for (int i = 0; i < size; i++) {
            int degree = network.degree(i);
            System.arraycopy(network.neighbours(i), 0, columns, offsets[i], degree);
            System.arraycopy(network.edgeWeights(i), 0, weights, offsets[i], degree);
            offsets[i + 1] = offsets[i] + degree;
        }
        return new Laplacian(size, offsets, columns, weights);
    }

    /** out = L x, by differences along edges so that constants vanish exactly. */
    public void multiply(double[] x, double[] out) {
        for (int i = 0; i < size; i++) {
            double own = x[i];
            double sum = 0;
            for (int k = offsets[i]; k < offsets[i + 1]; k++) {
                sum += weights[k] * (own - x[columns[k]]);
            }
            out[i] = sum;
        }
    }
}
