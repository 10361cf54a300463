package dev.starling.table;

/**
 * How many numbers there are in each of equally wide bins. Bins of whole numbers hold equally many of them, so that
 * none looks rarer than it is.
 *
 * @param low where the first bin begins
 * @param width the width of a bin
 * @param counts the number of values in each bin
 */
public record Histogram(double low, double width, long[] counts) {

    /** Counts numbers, which are in order. */
    static Histogram of(double[] sorted, int most) {
        double smallest = sorted[0];
        double largest = sorted[sorted.length - 1];
        double range = largest - smallest;
        boolean whole = range < 1L << Integer.SIZE;
        for (int i = 0; i < sorted.length && whole; i++) {
            whole = sorted[i] == Math.rint(sorted[i]);
        }
        double width = whole ? Math.ceil((range + 1) / most) : range / most;
        double low = whole ? smallest - 0.5 : smallest;
        int bins = whole ? (int) Math.ceil((range + 1) / width) : width > 0 ? most : 1;
        long[] counts = new long[bins];
        for (double number : sorted) {
            counts[width > 0 ? (int) Math.min(bins - 1.0, (number - low) / width) : 0]++;
        }
        return new Histogram(low, width, counts);
    }
}
