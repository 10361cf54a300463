package dev.starling.internal;

/** Scalar products in a fixed order of operations: four independent sums, which a CPU can compute at the same time. */
public final class Dot {

    private Dot() {}

    /** xᵀy. */
    public static double of(double[] x, double[] y) {
        return of(x, 0, y, 0, x.length);
    }

    /**
     * The scalar product of {@code length} entries of x, starting at {@code fromX}, and of y, starting at
     * {@code fromY}.
     */
    public static double of(double[] x, int fromX, double[] y, int fromY, int length) {
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
}
