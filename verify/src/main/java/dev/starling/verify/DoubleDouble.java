package dev.starling.verify;

import java.math.BigDecimal;

/**
 * A number with about 32 digits: the unevaluated sum of two doubles, the second at most half a unit in the last place
 * of the first. Sums, products, quotients and roots have relative errors of a few times 2⁻¹⁰⁴, as long as nothing
 * overflows or underflows; exponentials and logarithms are correct to about 30 digits.
 *
 * @param high the number, rounded to a double
 * @param low the rounding error
 */
record DoubleDouble(double high, double low) {

    static final DoubleDouble ZERO = of(0);
    static final DoubleDouble ONE = of(1);

    private static final DoubleDouble LN2 = new DoubleDouble(0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56);

    /** Exponentials are computed for 2⁻⁹ times the argument, and squared nine times. */
    private static final int SQUARINGS = 9;

    /** Beyond these arguments the exponential overflows, or underflows to 0. */
    private static final double LARGEST_EXPONENT = 709;

    private static final double SMALLEST_EXPONENT = -745;

    /** Below this size, log(1 + x) is computed by a series, because adding the 1 would lose digits. */
    private static final double SMALL = 0x1p-6;

    static DoubleDouble of(double value) {
        return new DoubleDouble(value, 0);
    }

    /** Knuth's two-sum. */
    static DoubleDouble sum(double a, double b) {
        double sum = a + b;
        double back = sum - a;
        return new DoubleDouble(sum, (a - (sum - back)) + (b - back));
    }

    /** The exact product. */
    static DoubleDouble product(double a, double b) {
        double product = a * b;
        return new DoubleDouble(product, Math.fma(a, b, -product));
    }

    /** The two-sum of numbers of which the first is the larger in absolute value, or zero. */
    private static DoubleDouble normalised(double large, double small) {
        double sum = large + small;
        return new DoubleDouble(sum, small - (sum - large));
    }

    DoubleDouble plus(DoubleDouble other) {
        DoubleDouble highs = sum(high, other.high);
        DoubleDouble lows = sum(low, other.low);
        DoubleDouble first = normalised(highs.high, highs.low + lows.high);
        return normalised(first.high, first.low + lows.low);
    }

    DoubleDouble plus(double other) {
        DoubleDouble highs = sum(high, other);
        return normalised(highs.high, highs.low + low);
    }

    DoubleDouble minus(DoubleDouble other) {
        return plus(other.negated());
    }

    DoubleDouble negated() {
        return new DoubleDouble(-high, -low);
    }

    DoubleDouble abs() {
        return isNegative() ? negated() : this;
    }

    DoubleDouble times(DoubleDouble other) {
        DoubleDouble highs = product(high, other.high);
        return normalised(highs.high, highs.low + Math.fma(high, other.low, low * other.high));
    }

    DoubleDouble times(double other) {
        DoubleDouble highs = product(high, other);
        return normalised(highs.high, Math.fma(low, other, highs.low));
    }

    DoubleDouble squared() {
        return times(this);
    }

    DoubleDouble half() {
        return new DoubleDouble(high / 2, low / 2);
    }

    /** Long division: three digits of 53 bits each. */
    DoubleDouble over(DoubleDouble divisor) {
        double first = high / divisor.high;
        DoubleDouble rest = minus(divisor.times(first));
        double second = rest.high / divisor.high;
        rest = rest.minus(divisor.times(second));
        return normalised(first, second).plus(rest.high / divisor.high);
    }

    DoubleDouble over(double divisor) {
        return over(of(divisor));
    }

    /** The square root of a number that is not negative, by one step of Newton's method. */
    DoubleDouble sqrt() {
        if (high == 0) {
            return ZERO;
        }
        double root = Math.sqrt(high);
        return sum(root, minus(product(root, root)).high / (2 * root));
    }

    /** e to the power of this; 0 or infinity if it is out of the range of doubles. */
    DoubleDouble exp() {
        if (high > LARGEST_EXPONENT || high < SMALLEST_EXPONENT) {
            return of(high > 0 ? Double.POSITIVE_INFINITY : 0);
        }
        double twos = Math.rint(high / LN2.high);
        DoubleDouble reduced = minus(LN2.times(twos)).times(Math.scalb(1.0, -SQUARINGS));
        // e^x − 1 rather than e^x: nothing is lost to the 1 until the end.
        DoubleDouble term = reduced;
        DoubleDouble less = reduced;
        for (int k = 2; Math.abs(term.high) > 0x1p-120 * Math.abs(less.high); k++) {
            term = term.times(reduced).over(k);
            less = less.plus(term);
        }
        for (int k = 0; k < SQUARINGS; k++) {
            less = less.times(less.plus(2));
        }
        DoubleDouble result = less.plus(1);
        int exponent = (int) twos;
        return new DoubleDouble(Math.scalb(result.high, exponent), Math.scalb(result.low, exponent));
    }

    /** The natural logarithm of a positive number. */
    DoubleDouble log() {
        if (Math.abs(high - 1) < SMALL) {
            return plus(-1).log1p();
        }
        DoubleDouble guess = of(StrictMath.log(high));
        // One step of Newton's method on e^y = x doubles the digits of a double.
        return guess.plus(times(guess.negated().exp()).plus(-1));
    }

    /** log(1 + x), accurate for small x too. */
    DoubleDouble log1p() {
        if (Math.abs(high) >= SMALL) {
            return plus(1).log();
        }
        // 2 artanh(x/(2 + x))
        DoubleDouble ratio = over(plus(2));
        DoubleDouble square = ratio.squared();
        DoubleDouble power = ratio;
        DoubleDouble sum = ratio;
        for (int k = 3; Math.abs(power.high) > 0x1p-120 * Math.abs(sum.high); k += 2) {
            power = power.times(square);
            sum = sum.plus(power.over(k));
        }
        return sum.times(2);
    }

    boolean isNegative() {
        return high < 0 || (high == 0 && low < 0);
    }

    boolean isMoreThan(DoubleDouble other) {
        return other.minus(this).isNegative();
    }

    BigDecimal exact() {
        return new BigDecimal(high).add(new BigDecimal(low));
    }
}
