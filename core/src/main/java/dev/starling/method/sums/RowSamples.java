package dev.starling.method.sums;

import dev.starling.objective.Strides;

/**
 * The row samples that a method with Hessians starts with, so that few passes go over all rows. A sample consists of
 * every k-th row; k, the stride, falls by a factor of {@value #GROWTH} as soon as the optimum of the sample is known
 * more precisely than so few rows determine the optimum of all rows.
 */
public final class RowSamples {

    /** Samples grow by this factor. */
    public static final int GROWTH = Strides.GROWTH;

    /** The first sample has at least this many rows, and at least {@link #ROWS_PER_FEATURE} rows per feature. */
    private static final int FEWEST_ROWS = 2048;

    private static final int ROWS_PER_FEATURE = 16;

    /**
     * How precisely the optimum of a sample is found before the sample grows, in units of objective · features/rows.
     */
    private static final double PRECISION = 0.1;

    private RowSamples() {}

    /** Returns the stride of the first sample. */
    public static int first(int features, long samples) {
        int stride = 1;
        while (areMany(features, samples / (double) stride / GROWTH)) {
            stride *= GROWTH;
        }
        return stride;
    }

    /** Returns whether so many samples are enough to begin with. */
    public static boolean areMany(int features, double samples) {
        return samples >= Math.max(FEWEST_ROWS, (double) ROWS_PER_FEATURE * features);
    }

    /** Returns by how much a sample's objective may still fall when it is time to take a larger sample. */
    public static double enough(double objective, int features, int stride, long samples) {
        return PRECISION * objective * features * stride / samples;
    }
}
