package dev.starling.method.adfs;

/**
 * The vectors u and z of a node, of which y, x and the estimate are combinations. They are interleaved: entry 2c is u_c
 * and entry 2c+1 is z_c. Steps on a sample work directly on the entries.
 */
public final class PairedVectors {

    public final double[] entries;

    /** @param padding the number of unused entries at the end */
    public PairedVectors(int features, int padding) {
        this.entries = new double[2 * features + padding];
    }

    /** Writes (f u + z)·scale. */
    public void combine(double f, double scale, double[] into) {
        for (int c = 0; c < into.length; c++) {
            into[c] = (f * entries[2 * c] + entries[2 * c + 1]) * scale;
        }
    }

    /** Starts at u = 0 and z = −Σ s x, given the sum. */
    public void beginAt(double[] sum) {
        for (int c = 0; c < sum.length; c++) {
            entries[2 * c + 1] = -sum[c];
        }
    }

    /** Multiplies u by a number. */
    public void scaleU(double by) {
        for (int c = 0; c < entries.length; c += 2) {
            entries[c] *= by;
        }
    }

    /**
     * Takes the gradient step along edges: with h = Σ_k μ_k²(g − g_k), u += toU · h and z += toZ · h.
     *
     * @param mine g
     * @param theirs g_k of every neighbour that takes part
     * @param edgeWeights μ_k²
     */
    public void communicate(double[] mine, double[][] theirs, double[] edgeWeights, double toU, double toZ) {
        for (int c = 0; c < mine.length; c++) {
            double disagreement = 0;
            for (int k = 0; k < theirs.length; k++) {
                disagreement += edgeWeights[k] * (mine[c] - theirs[k][c]);
            }
            entries[2 * c] += toU * disagreement;
            entries[2 * c + 1] += toZ * disagreement;
        }
    }
}
