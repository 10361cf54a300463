package dev.starling.node;

/** Sums of vectors that are all in this process, with the same bits as adding up their {@link SumWords}. */
public final class ExactSum {

    /** The slack for rounding in the second part of a sum, relative to it, once that part is inexact. */
    private static final double REST = 0x1p-52;

    private ExactSum() {}

    /** The sums of the entries from index {@code from} up to {@code length}; the entries before are 0. */
    public static double[] of(double[][] vectors, int from, int length) {
        double[] totals = new double[length];
        double[] rests = new double[length];
        double[] doubts = new double[length];
        for (double[] vector : vectors) {
            add(vector, from, totals, rests, doubts);
        }
        for (int k = from; k < length; k++) {
            if (doubts[k] == 0) {
                totals[k] += rests[k];
            } else {
                double slack = 2 * doubts[k] + REST * Math.abs(rests[k]);
                double low = totals[k] + (rests[k] - slack);
                double high = totals[k] + (rests[k] + slack);
                totals[k] = low == high ? low : byWords(vectors, k);
            }
        }
        return totals;
    }

    /**
     * Adds a vector to sums of two parts, accumulating in {@code doubts} what both parts lose to rounding. It is one
     * plain loop over all entries because the first sums of a run are computed before the JIT has compiled anything.
     */
    private static void add(double[] vector, int from, double[] totals, double[] rests, double[] doubts) {
        for (int k = from; k < totals.length; k++) {
            double next = vector[k];
            if (next == 0) {
                continue;
            }
            if (next < SumWords.EXACT && next > -SumWords.EXACT) {
                next = SumWords.nearest(next);
            }
            double sum = totals[k];
            double both = sum + next;
            double back = both - sum;
            double error = (sum - (both - back)) + (next - back);
            totals[k] = both;
            if (error != 0) {
                double rest = rests[k];
                double whole = rest + error;
                double part = whole - rest;
                rests[k] = whole;
                doubts[k] += Math.abs((rest - (whole - part)) + (error - part));
            }
        }
    }

    private static double byWords(double[][] vectors, int k) {
        double[] sum = new double[SumWords.LIMBS];
        double[] word = new double[SumWords.LIMBS];
        for (double[] vector : vectors) {
            SumWords.encode(vector[k], word, 0);
            SumWords.add(sum, word, 0, SumWords.LIMBS);
        }
        return SumWords.decode(sum, 0);
    }
}
