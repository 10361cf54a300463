package dev.starling.node;

/** Sums of vectors that are all at hand, with the bits that adding up their {@link SumWords} gives. */
final class ExactSum {

    /** How much of the second part of a sum may be lost where the third is taken into account. */
    private static final double REST = 0x1p-52;

    private ExactSum() {}

    /** The sums of the entries between two indices; those before them are 0. */
    static double[] of(double[][] vectors, int from, int length) {
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
     * Adds a vector to sums of two parts, whose errors are doubts. One plain loop for all entries: the first sums of a
     * run are added up before anything is compiled.
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
