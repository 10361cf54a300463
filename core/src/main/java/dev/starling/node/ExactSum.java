package dev.starling.node;

/** Sums of vectors that are all at hand, with the bits that adding up their {@link SumWords} gives. */
final class ExactSum {

    /** What is left of a sum, after its two highest parts, is less than this part of the second. */
    private static final double REST = 0x1p-48;

    private ExactSum() {}

    /** The sums of the entries between two indices; those before them are 0. */
    static double[] of(double[][] vectors, int from, int length) {
        double[] totals = new double[length];
        for (int k = from; k < length; k++) {
            totals[k] = entry(vectors, k, vectors.length);
        }
        return totals;
    }

    private static double entry(double[][] vectors, int k, int count) {
        double sum = SumWords.nearest(vectors[0][k]);
        double rest = 0;
        double size = 0;
        for (int i = 1; i < count; i++) {
            double next = SumWords.nearest(vectors[i][k]);
            double both = sum + next;
            double back = both - sum;
            double error = (sum - (both - back)) + (next - back);
            sum = both;
            rest += error;
            size += Math.abs(error);
        }
        if (size == 0) {
            return sum;
        }
        // The errors are few, so their own sum is nearly exact; where that might decide, words tell.
        double slack = count * REST * size;
        double low = sum + (rest - slack);
        double high = sum + (rest + slack);
        return low == high ? low : byWords(vectors, k);
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
