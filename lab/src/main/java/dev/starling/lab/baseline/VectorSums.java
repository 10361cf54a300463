package dev.starling.lab.baseline;

/** Sums over vectors, in index order. */
final class VectorSums {

    private VectorSums() {}

    static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int c = 0; c < a.length; c++) {
            sum += a[c] * b[c];
        }
        return sum;
    }

    static double norm(double[] a) {
        return Math.sqrt(dot(a, a));
    }

    static void copy(double[] from, double[] to) {
        System.arraycopy(from, 0, to, 0, from.length);
    }
}
