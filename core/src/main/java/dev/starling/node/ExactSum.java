package dev.starling.node;

/** Sums of vectors that are all at hand, with the bits that adding up their {@link SumWords} gives. */
final class ExactSum {

    /** What is left of a sum, after its two highest parts, is less than this part of the second. */
    private static final double REST = 0x1p-48;

    private ExactSum() {}

    /** The sums of the entries between two indices; those before them are 0. */
    static double[] of(double[][] vectors, int from, int length) {
        double[] totals = new double[length];
        double[] rests = new double[length];
        double[] sizes = new double[length];
        for (double[] vector : vectors) {
            add(vector, from, totals, rests, sizes);
        }
        for (int k = from; k < length; k++) {
            if (sizes[k] != 0) {
                // The errors are few, so their own sum is nearly exact; where that might decide, words tell.
                double slack = vectors.length * REST * sizes[k];
                double low = totals[k] + (rests[k] - slack);
                double high = totals[k] + (rests[k] + slack);
                totals[k] = low == high ? low : byWords(vectors, k);
            }
        }
        return totals;
    }

    /** One plain loop for all entries: the first sums of a run are added up before anything is compiled. */
    private static void add(double[] vector, int from, double[] totals, double[] rests, double[] sizes) {
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
            rests[k] += error;
            sizes[k] += Math.abs(error);
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
