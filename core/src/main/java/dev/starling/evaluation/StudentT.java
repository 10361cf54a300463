package dev.starling.evaluation;

/** The 97.5 % quantile of Student's distribution, for 95 % confidence intervals. */
final class StudentT {

    private static final double NORMAL = 1.959963984540054;
    private static final double PROBABILITY = 0.95;

    /** From so many degrees of freedom on, a series around the normal quantile is exact to nine digits. */
    private static final int MANY = 200;

    private StudentT() {}

    /** The quantile for some degrees of freedom, which are rounded down. */
    static double quantile(double degrees) {
        if (!(degrees >= 1)) {
            return Double.NaN;
        }
        double n = Math.floor(degrees);
        if (n >= MANY) {
            double z = NORMAL;
            double cubed = z * z * z;
            return z
                    + (cubed + z) / (4 * n)
                    + (5 * cubed * z * z + 16 * cubed + 3 * z) / (96 * n * n)
                    + (3 * cubed * cubed * z + 19 * cubed * z * z + 17 * cubed - 15 * z) / (384 * n * n * n);
        }
        double low = 0;
        double high = Math.PI / 2;
        for (double middle = high / 2; middle > low && middle < high; middle = low + (high - low) / 2) {
            if (within(middle, (int) n) < PROBABILITY) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return Math.sqrt(n) * StrictMath.tan(low);
    }

    /** The probability that |t| is at most √n tan θ (Abramowitz and Stegun 26.7.3 and 26.7.4). */
    private static double within(double theta, int n) {
        double cosine = StrictMath.cos(theta);
        double sine = StrictMath.sin(theta);
        boolean odd = n % 2 == 1;
        double term = odd ? cosine : 1;
        double sum = n == 1 ? 0 : term;
        for (int k = odd ? 3 : 2; k <= n - 2; k += 2) {
            term *= cosine * cosine * (k - 1) / k;
            sum += term;
        }
        return odd ? (theta + sine * sum) * 2 / Math.PI : sine * sum;
    }
}
