package dev.starling.loss;

/**
 * What Stirling's formula lacks: δ(x) = ln Γ(x + 1) − (x ln x − x + ½ ln 2πx). Saturated likelihoods are made of it, in
 * a form in which nothing large cancels.
 */
public final class Stirling {

    /** From here on, the series is exact up to rounding. */
    private static final double SERIES = 16;

    private static final double HALF_LOG_2PI = 0.91893853320467274178;

    private Stirling() {}

    /** δ(x), for x > 0. */
    public static double error(double x) {
        double from = x;
        double shifted = 0;
        while (from < SERIES) {
            // δ(x) − δ(x + 1)
            shifted += (from + 0.5) * Elementary.log1p(1 / from) - 1;
            from++;
        }
        double z = 1 / (from * from);
        double series = 1.0 / 1188 - z * (691.0 / 360_360);
        series = 1.0 / 1680 - z * series;
        series = 1.0 / 1260 - z * series;
        series = 1.0 / 360 - z * series;
        return shifted + (1.0 / 12 - z * series) / from;
    }

    /** ln Γ(x), for x > 0. */
    public static double logGamma(double x) {
        return (x - 0.5) * Elementary.log(x) - x + HALF_LOG_2PI + error(x);
    }

    /** The logarithm of the probability of y, if y has the Poisson distribution with mean y. */
    static double ofCount(double y) {
        return y == 0 ? 0 : -HALF_LOG_2PI - 0.5 * Elementary.log(y) - error(y);
    }

    /** The logarithm of the probability of a successes and b failures, if a/(a + b) is the probability of a success. */
    static double ofParts(double a, double b) {
        if (a == 0 || b == 0) {
            return 0;
        }
        double both = a + b;
        return 0.5 * Elementary.log(both / (a * b)) - HALF_LOG_2PI + error(both) - error(a) - error(b);
    }
}
