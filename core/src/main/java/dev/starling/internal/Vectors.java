package dev.starling.internal;

/** Arithmetic with vectors in a fixed order of operations, so that the bits depend on no machine. */
public final class Vectors {

    private Vectors() {}

    /** xᵀy. */
    public static double dot(double[] x, double[] y) {
        return dot(x, 0, y, 0, x.length);
    }

    /**
     * The scalar product of {@code length} entries of x, starting at {@code fromX}, and of y, starting at
     * {@code fromY}: four independent sums, which a CPU can compute at the same time.
     */
    public static double dot(double[] x, int fromX, double[] y, int fromY, int length) {
        double sum0 = 0;
        double sum1 = 0;
        double sum2 = 0;
        double sum3 = 0;
        int k = 0;
        for (; k + 3 < length; k += 4) {
            sum0 = Math.fma(x[fromX + k], y[fromY + k], sum0);
            sum1 = Math.fma(x[fromX + k + 1], y[fromY + k + 1], sum1);
            sum2 = Math.fma(x[fromX + k + 2], y[fromY + k + 2], sum2);
            sum3 = Math.fma(x[fromX + k + 3], y[fromY + k + 3], sum3);
        }
        for (; k < length; k++) {
            sum0 = Math.fma(x[fromX + k], y[fromY + k], sum0);
        }
        return (sum0 + sum1) + (sum2 + sum3);
    }

    /** The scalar product of the first entries of x and y, added up one after another. */
    public static double dotInTurn(double[] x, double[] y, int length) {
        double sum = 0;
        for (int c = 0; c < length; c++) {
            sum = Math.fma(x[c], y[c], sum);
        }
        return sum;
    }

    /** ‖x‖. */
    public static double norm(double[] x) {
        return Math.sqrt(dot(x, x));
    }

    /** The sum of all entries. */
    public static double sum(double[] x) {
        double sum0 = 0;
        double sum1 = 0;
        int k = 0;
        for (; k + 1 < x.length; k += 2) {
            sum0 += x[k];
            sum1 += x[k + 1];
        }
        return k < x.length ? sum0 + sum1 + x[k] : sum0 + sum1;
    }

    /** target += factor · x. */
    public static void add(double[] target, double factor, double[] x) {
        for (int c = 0; c < target.length; c++) {
            target[c] += factor * x[c];
        }
    }

    /** target *= factor. */
    public static void scale(double[] target, double factor) {
        for (int c = 0; c < target.length; c++) {
            target[c] *= factor;
        }
    }

    /** Copies all entries. */
    public static void copy(double[] from, double[] to) {
        System.arraycopy(from, 0, to, 0, from.length);
    }
}
