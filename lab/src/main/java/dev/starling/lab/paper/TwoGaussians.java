package dev.starling.lab.paper;

import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;

/**
 * The rows on which the paper's authors test their own program: two classes of equal size, Gaussian with identity
 * covariance around (1, …, 1) and (−1, …, −1), in random order.
 */
public final class TwoGaussians {

    /** The number of nodes, in a grid. */
    public static final int NODES = 9;

    /** The rows of every node. */
    public static final int SAMPLES_PER_NODE = 300;

    /** The number of features. */
    public static final int FEATURES = 30;

    /** σ. */
    public static final double SIGMA = 0.1;

    private TwoGaussians() {}

    /** Generates rows with labels 1 and −1; the same seed gives the same rows on every machine. */
    public static Dataset rows(int rows, int features, long seed) {
        Dataset centred = Generator.regression(rows, features)
                .noise(0)
                .seed(seed)
                .generate()
                .laidOut(true);
        double[] labels = labels(rows, seed);
        float[] values = new float[rows * features];
        for (int k = 0; k < values.length; k++) {
            int row = k / features;
            values[k] = (float) centred.value(row, centred.start(row) + k % features) + (float) labels[row];
        }
        return Dataset.dense(features, values, labels);
    }

    /** Half of them 1, the others −1, shuffled: rows go to nodes in turn, and every node should have both. */
    private static double[] labels(int rows, long seed) {
        UniformRandomProvider random = RandomSource.XO_SHI_RO_256_PP.create(seed);
        double[] labels = new double[rows];
        for (int r = 0; r < rows; r++) {
            int other = random.nextInt(r + 1);
            labels[r] = labels[other];
            labels[other] = r % 2 == 0 ? 1 : -1;
        }
        return labels;
    }
}
