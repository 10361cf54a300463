package dev.starling.method.sums;

/**
 * Samples of the rows that a method with Hessians begins with: every k-th row, and {@value #GROWTH} times as many as
 * soon as the optimum of those at hand is known better than they determine it, so that few passes go over all rows.
 */
public final class RowSamples {

    /** Samples grow by this factor, a power of two so that sums of some can be scaled exactly. */
    public static final int GROWTH = 8;

    /** The first sample has at least this many rows, and this many times as many as there are features. */
    private static final int FEWEST_ROWS = 2048;

    private static final int ROWS_PER_FEATURE = 16;

    /** How well the optimum of a sample is found, in units of objective · features/rows, before more rows are taken. */
    private static final double PRECISION = 0.1;

    private RowSamples() {}

    /** The k of the first sample. */
    public static int first(int features, long samples) {
        double fewest = Math.max(FEWEST_ROWS, (double) ROWS_PER_FEATURE * features);
        int every = 1;
        while (samples / (double) every / GROWTH >= fewest) {
            every *= GROWTH;
        }
        return every;
    }

    /** What a sample's objective may still fall by once it has told what it can. */
    public static double enough(double objective, int features, int every, long samples) {
        return PRECISION * objective * features * every / samples;
    }
}
