package dev.starling.verify.digits;

import org.apache.commons.numbers.core.DD;

/** Exponentials and logarithms of double-doubles, correct to about 30 digits; and how they compare. */
public final class DoubleDoubles {

    /** What doubles resolve: no certificate claims a smaller relative gap, since training computes in them. */
    public static final double RESOLUTION = 0x1p-48;

    /**
     * Numbers that are not 0 lie between these: then no product or quotient that the checker forms is lost below the
     * smallest double.
     */
    public static final double SMALLEST = 0x1p-200;

    public static final double LARGEST = 0x1p150;

    private static final DD LN2 = DD.ofSum(0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56);

    /** Exponentials are computed for 2⁻⁹ times the argument, and squared nine times. */
    private static final int SQUARINGS = 9;

    /** Beyond these arguments the exponential overflows, or underflows to 0. */
    private static final double LARGEST_EXPONENT = 709;

    private static final double SMALLEST_EXPONENT = -745;

    /** Below this size, log(1 + x) is computed by a series, because adding the 1 would lose digits. */
    private static final double SMALL = 0x1p-6;

    private DoubleDoubles() {}

    /** e to the power of x; 0 or infinity if it is out of the range of doubles. */
    public static DD exp(DD x) {
        if (x.hi() > LARGEST_EXPONENT || x.hi() < SMALLEST_EXPONENT) {
            return x.hi() > 0 ? DD.of(Double.POSITIVE_INFINITY) : DD.ZERO;
        }
        double twos = Math.rint(x.hi() / LN2.hi());
        DD reduced = x.subtract(LN2.multiply(twos)).scalb(-SQUARINGS);
        // e^x − 1 rather than e^x: nothing is lost to the 1 until the end.
        DD term = reduced;
        DD less = reduced;
        for (int k = 2; Math.abs(term.hi()) > 0x1p-120 * Math.abs(less.hi()); k++) {
            term = term.multiply(reduced).divide(k);
            less = less.add(term);
        }
        for (int k = 0; k < SQUARINGS; k++) {
            less = less.multiply(less.add(2));
        }
        return less.add(1).scalb((int) twos);
    }

    /** The natural logarithm of a positive number. */
    public static DD log(DD x) {
        if (Math.abs(x.hi() - 1) < SMALL) {
            return log1p(x.subtract(1));
        }
        DD guess = DD.of(StrictMath.log(x.hi()));
        // One step of Newton's method on e^y = x doubles the digits of a double.
        return guess.add(x.multiply(exp(guess.negate())).subtract(1));
    }

    /** log(1 + x), accurate for small x too. */
    public static DD log1p(DD x) {
        if (Math.abs(x.hi()) >= SMALL) {
            return log(x.add(1));
        }
        // 2 artanh(x/(2 + x))
        DD ratio = x.divide(x.add(2));
        DD square = ratio.square();
        DD power = ratio;
        DD sum = ratio;
        for (int k = 3; Math.abs(power.hi()) > 0x1p-120 * Math.abs(sum.hi()); k += 2) {
            power = power.multiply(square);
            sum = sum.add(power.divide(k));
        }
        return sum.multiply(2);
    }

    public static boolean isNegative(DD x) {
        return x.hi() < 0;
    }

    public static boolean isMore(DD x, DD than) {
        return isNegative(than.subtract(x));
    }

    /** Whether x is at most a limit; false if either is not a number, or not finite. */
    public static boolean isAtMost(DD x, DD limit) {
        return limit.subtract(x).hi() >= 0;
    }

    /** 1/(1 + e^−z). */
    public static DD sigmoid(DD z) {
        DD e = exp(z.abs().negate());
        DD larger = DD.ONE.divide(DD.ONE.add(e));
        return isNegative(z) ? e.multiply(larger) : larger;
    }
}
