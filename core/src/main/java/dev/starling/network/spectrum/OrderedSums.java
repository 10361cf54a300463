package dev.starling.network.spectrum;

/** Sums over vectors in a fixed order, with partial sums that do not depend on the machine. */
public final class OrderedSums {

    private OrderedSums() {}

    public static double dot(double[] a, double[] b) {
        double s0 = 0;
        double s1 = 0;
        double s2 = 0;
        double s3 = 0;
        int n = a.length;
        int i = 0;
        for (; i + 3 < n; i += 4) {
            s0 += a[i] * b[i];
            s1 += a[i + 1] * b[i + 1];
            s2 += a[i + 2] * b[i + 2];
            s3 += a[i + 3] * b[i + 3];
        }
        for (; i < n; i++) {
            s0 += a[i] * b[i];
        }
        return (s0 + s1) + (s2 + s3);
    }

    public static double norm(double[] a) {
        return Math.sqrt(dot(a, a));
    }

    public static double sum(double[] a) {
        double s0 = 0;
        double s1 = 0;
        int i = 0;
        for (; i + 1 < a.length; i += 2) {
            s0 += a[i];
            s1 += a[i + 1];
        }
        return i < a.length ? s0 + s1 + a[i] : s0 + s1;
    }

    /** target += scale · x. */
    public static void add(double[] target, double scale, double[] x) {
        for (int i = 0; i < target.length; i++) {
            target[i] += scale * x[i];
        }
    }

    public static void scale(double[] target, double scale) {
        for (int i = 0; i < target.length; i++) {
            target[i] *= scale;
        }
    }
}
