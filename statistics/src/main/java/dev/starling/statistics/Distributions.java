package dev.starling.statistics;

import dev.starling.loss.Elementary;
import dev.starling.loss.Normal;
import dev.starling.loss.Stirling;
import java.util.function.DoubleUnaryOperator;

/**
 * Tails and quantiles of the distributions that tests refer to, to nearly full relative accuracy where tails are small,
 * by continued fractions for the incomplete beta and gamma functions.
 */
final class Distributions {

    private static final double LOG_2PI = 1.8378770664093454836;
    private static final double TINY = 1e-300;
    private static final double MANY_DEGREES = 1e4;
    private static final int MOST_TERMS = 1_000_000;
    private static final int HALVINGS = 200;

    private Distributions() {}

    /** The probability that a standard normal number is at least this far from 0. */
    static double normalTails(double z) {
        return 2 * Normal.cumulative(-Math.abs(z));
    }

    /** The probability that a number with Student's distribution is at least this far from 0. */
    static double tTails(double t, double degrees) {
        if (degrees < MANY_DEGREES) {
            return fTail(t * t, 1, degrees);
        }
        // Hill's expansion in normal numbers, whose next term is of the order of degrees to the power of −6
        double a = degrees - 0.5;
        double b = 48 * a * a;
        double square = a * Elementary.log1p(t * t / degrees);
        double z = Math.sqrt(square);
        double next = (((4 * square + 33) * square + 240) * square + 855) * z;
        return normalTails(z + ((square + 3) * z - next / (10 * (b + 0.8 * square * square + 100))) / b);
    }

    /** The density of Student's distribution. */
    static double tDensity(double t, double degrees) {
        double half = degrees / 2;
        double logBeta = Stirling.logGamma(half + 0.5) - Stirling.logGamma(half) - 0.5 * (LOG_2PI - Elementary.log(2));
        return Elementary.exp(
                logBeta - 0.5 * Elementary.log(degrees) - (half + 0.5) * Elementary.log1p(t * t / degrees));
    }

    /** The probability that a number with an F distribution is at least this large. */
    static double fTail(double f, double numerator, double denominator) {
        if (!(f > 0)) {
            return Double.isNaN(f) ? f : 1;
        }
        double ratio = numerator * f / denominator;
        double logAll = Elementary.log1p(ratio);
        return beta(denominator / 2, numerator / 2, -logAll, Elementary.log(ratio) - logAll);
    }

    /** The regularised incomplete beta function, given the logarithms of x and 1 − x. */
    private static double beta(double a, double b, double logX, double logRest) {
        double x = Elementary.exp(logX);
        if (x > (a + 1) / (a + b + 2)) {
            return 1 - beta(b, a, logRest, logX);
        }
        double both = a + b;
        double power = a * (logX + Elementary.log1p(b / a))
                + b * (logRest + Elementary.log1p(a / b))
                + 0.5 * (Elementary.log(a / both * b) - LOG_2PI)
                + Stirling.error(both)
                - Stirling.error(a)
                - Stirling.error(b);
        double c = 1;
        double d = 1 / apart(1 - both * x / (a + 1));
        double fraction = d;
        for (int m = 1; m < MOST_TERMS; m++) {
            double even = m * (b - m) * x / ((a + 2.0 * m - 1) * (a + 2.0 * m));
            d = 1 / apart(1 + even * d);
            c = apart(1 + even / c);
            fraction *= d * c;
            double odd = -(a + m) * (both + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1));
            d = 1 / apart(1 + odd * d);
            c = apart(1 + odd / c);
            fraction *= d * c;
            if (Math.abs(d * c - 1) < 0x1p-53) {
                break;
            }
        }
        return Elementary.exp(power) * fraction / a;
    }

    private static double apart(double value) {
        return Math.abs(value) < TINY ? TINY : value;
    }

    /** The probability that a χ² number is at least this large. */
    static double chiSquareTail(double x, double degrees) {
        if (!(x > 0)) {
            return Double.isNaN(x) ? x : 1;
        }
        double a = degrees / 2;
        double half = x / 2;
        double density = Elementary.exp(a * (Elementary.log(half / a) - (half - a) / a)
                + 0.5 * (Elementary.log(a) - LOG_2PI)
                - Stirling.error(a));
        return half < a + 1 ? 1 - density * series(a, half) / a : density * fraction(a, half);
    }

    private static double series(double a, double x) {
        double term = 1;
        double sum = 1;
        for (int n = 1; n < MOST_TERMS && term > sum * 0x1p-54; n++) {
            term *= x / (a + n);
            sum += term;
        }
        return sum;
    }

    private static double fraction(double a, double x) {
        double b = x + 1 - a;
        double c = 1 / TINY;
        double d = 1 / b;
        double result = d;
        for (int n = 1; n < MOST_TERMS; n++) {
            double an = -n * (n - a);
            b += 2;
            d = 1 / apart(an * d + b);
            c = apart(b + an / c);
            result *= d * c;
            if (Math.abs(d * c - 1) < 0x1p-53) {
                break;
            }
        }
        return result;
    }

    /** The z such that a standard normal number is at least this far from 0 with a probability. */
    static double normalQuantile(double tails) {
        return -Normal.quantile(tails / 2);
    }

    /** The same for Student's distribution. */
    static double tQuantile(double tails, double degrees) {
        return quantile(t -> tTails(t, degrees), tails);
    }

    /** The x at which a falling tail is a probability. */
    static double quantile(DoubleUnaryOperator tail, double probability) {
        double high = 1;
        while (tail.applyAsDouble(high) > probability) {
            high *= 2;
        }
        double low = 0;
        for (int k = 0; k < HALVINGS; k++) {
            double middle = (low + high) / 2;
            if (tail.applyAsDouble(middle) > probability) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return (low + high) / 2;
    }
}
