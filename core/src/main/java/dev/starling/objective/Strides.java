package dev.starling.objective;

/**
 * Which of a node's samples a pass over every k-th sample visits. A node with few samples visits more of them, and
 * scales their sums down accordingly.
 *
 * @param samples the number of its samples
 * @param fewestRows the smallest number of rows to sum over: fewer would reveal too much about each
 */
public record Strides(int samples, int fewestRows) {

    /** Strides are powers of this, which is a power of two, so that sums can be scaled exactly. */
    public static final int GROWTH = 8;

    /** Returns the stride that this node uses in a pass with a given stride. */
    public int own(int stride) {
        int own = stride;
        while (own > 1 && samples / own < fewestRows) {
            own /= GROWTH;
        }
        return own;
    }

    /** Returns the number of samples that this node visits in a pass with a given stride. */
    public int visits(int stride) {
        int own = own(stride);
        return (int) ((samples + own - 1L) / own);
    }

    /** Scales the sums over this node's samples as if it had visited only those that were asked for. */
    public void scale(int stride, double[] sums, int from, int to) {
        double factor = (double) own(stride) / stride;
        for (int k = from; factor < 1 && k < to; k++) {
            sums[k] *= factor;
        }
    }
}
