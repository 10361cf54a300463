package dev.starling.loss;

/**
 * Exponentials and logarithms computed with IEEE operations only (including fused multiply-adds), so that every Java
 * runtime and processor computes the same bits; {@code Math.exp} may differ between them in the last bit.
 *
 * <p>Each function is within one unit in the last place of the true value, two for {@link #sigmoid} and
 * {@link #softplus}, four for {@link #expm2}, and is defined for every double: overflow gives infinity, underflow
 * subnormals and then zero, NaN gives NaN.
 */
public final class Elementary {

    private static final int STEPS_LOG2 = 6;
    private static final int STEPS = 1 << STEPS_LOG2;
    private static final double STEPS_PER_LN2 = 0x1.71547652b82fep+6;

    /** ln 2 / 64 in two parts; the first has 34 bits, so its product with any k of 18 bits is exact. */
    private static final double STEP_HIGH = 0x1.62e42fef80000p-7;

    private static final double STEP_LOW = 0x1.1cf79abc9e3b4p-42;

    /** Adding 1.5 · 2⁵² rounds to an integer and leaves it in the low bits. */
    private static final double ROUNDER = 0x1.8p52;

    /** (e^r − 1 − r)/r² on |r| ≤ ln 2 / 128, interpolated at Chebyshev points: an error of 5e-18 in e^r. */
    private static final double EXP_2 = 0x1.ffffffffff57dp-2;

    private static final double EXP_3 = 0x1.5555555555255p-3;
    private static final double EXP_4 = 0x1.55556b342389bp-5;
    private static final double EXP_5 = 0x1.11111d90623e3p-7;

    private static final double EXP_FAST_LIMIT = 707;
    private static final double EXP_OVERFLOW = 0x1.62e42fefa39efp+9;
    private static final double EXP_UNDERFLOW = -746;

    /** Below this, e^x − 1 is summed as a series, whose first term left out is x¹⁵/15!. */
    private static final double SERIES_LIMIT = 0.3;

    /* 1/k!, from k = 3 to 14. */
    private static final double SERIES_3 = 1.0 / 6;
    private static final double SERIES_4 = 1.0 / 24;
    private static final double SERIES_5 = 1.0 / 120;
    private static final double SERIES_6 = 1.0 / 720;
    private static final double SERIES_7 = 1.0 / 5_040;
    private static final double SERIES_8 = 1.0 / 40_320;
    private static final double SERIES_9 = 1.0 / 362_880;
    private static final double SERIES_10 = 1.0 / 3_628_800;
    private static final double SERIES_11 = 1.0 / 39_916_800;
    private static final double SERIES_12 = 1.0 / 479_001_600;
    private static final double SERIES_13 = 1.0 / 6_227_020_800L;
    private static final double SERIES_14 = 1.0 / 87_178_291_200L;

    /** ln 2 in two parts; the first has 32 bits, so its product with any exponent is exact. */
    private static final double LN2_HIGH = 0x1.62e42ff000000p-1;

    private static final double LN2_LOW = -0x1.718432a1b0e26p-35;

    /** (2 atanh(s) − 2s)/s³ in s², interpolated at Chebyshev points on |s| ≤ 3 − 2√2: an error of 5e-18 in the log. */
    private static final double LOG_1 = 0x1.5555555555558p-1;

    private static final double LOG_2 = 0x1.9999999994e76p-2;
    private static final double LOG_3 = 0x1.2492492e6dfddp-2;
    private static final double LOG_4 = 0x1.c71c6247410e3p-3;
    private static final double LOG_5 = 0x1.7462e17b4cdd0p-3;
    private static final double LOG_6 = 0x1.39f8963ccbdc2p-3;
    private static final double LOG_7 = 0x1.2b9f7fb3de73fp-3;

    private static final long SQRT_HALF_BITS = 0x3fe6a09e667f3bcdL;
    private static final double TWO_54 = 0x1p54;

    /**
     * For i = 0..63, at 2i the relative error of rounding 2^(i/64), at 2i + 1 the bits of the rounded value minus
     * i·2⁴⁶.
     */
    private static final long[] POWERS = powers();

    private Elementary() {}

    /**
     * Computes the powers as sums of two doubles, which hold 106 bits: 2^(1/64) by square roots, the others as
     * products.
     */
    private static long[] powers() {
        double high = 2;
        double low = 0;
        for (int i = 0; i < STEPS_LOG2; i++) {
            double root = Math.sqrt(high);
            low = (Math.fma(-root, root, high) + low) / (2 * root);
            high = root;
        }
        double rootHigh = high;
        double rootLow = low;
        long[] table = new long[2 * STEPS];
        high = 1;
        low = 0;
        for (int i = 0; i < STEPS; i++) {
            double rounded = high + low;
            low = (high - rounded) + low;
            high = rounded;
            table[2 * i] = Double.doubleToRawLongBits(low / high);
            table[2 * i + 1] = Double.doubleToRawLongBits(high) - ((long) i << (52 - STEPS_LOG2));
            double product = high * rootHigh;
            low = Math.fma(high, rootHigh, -product) + Math.fma(high, rootLow, low * rootHigh);
            high = product;
        }
        return table;
    }

    /** e^x. */
    public static double exp(double x) {
        // x = k ln2/64 + r, so e^x = 2^(k/64) e^r; the table has 2^(i/64) for i = k mod 64, the rest is exponent.
        double shifted = Math.fma(x, STEPS_PER_LN2, ROUNDER);
        double k = shifted - ROUNDER;
        double r = Math.fma(-k, STEP_LOW, Math.fma(-k, STEP_HIGH, x));
        long kBits = Double.doubleToRawLongBits(shifted);
        int slot = 2 * ((int) kBits & (STEPS - 1));
        double lost = Double.longBitsToDouble(POWERS[slot]);
        long scaleBits = POWERS[slot + 1] + (kBits << (52 - STEPS_LOG2));
        double r2 = r * r;
        double bend = Math.fma(r2, Math.fma(r, EXP_5, EXP_4), Math.fma(r, EXP_3, EXP_2));
        double tail = Math.fma(r2, bend, lost + r);
        if (Math.abs(x) < EXP_FAST_LIMIT) {
            double scale = Double.longBitsToDouble(scaleBits);
            return Math.fma(scale, tail, scale);
        }
        return expNearTheLimits(x, scaleBits, tail);
    }

    /** e^x if 2^(k/64) may not be a normal number: scales in two steps. */
    private static double expNearTheLimits(double x, long scaleBits, double tail) {
        if (x > EXP_OVERFLOW) {
            return Double.POSITIVE_INFINITY;
        }
        if (x < EXP_UNDERFLOW) {
            return 0;
        }
        if (x > 0) {
            double scale = Double.longBitsToDouble(scaleBits - (1009L << 52));
            return 0x1p1009 * Math.fma(scale, tail, scale);
        }
        // NaN also ends up here: its tail is NaN.
        double scale = Double.longBitsToDouble(scaleBits + (1000L << 52));
        return 0x1p-1000 * Math.fma(scale, tail, scale);
    }

    /** e^x − 1, accurate where x is small. */
    public static double expm1(double x) {
        if (Math.abs(x) < SERIES_LIMIT) {
            return Math.fma(x * x, series(x), x);
        }
        if (!(Math.abs(x) < EXP_FAST_LIMIT)) {
            return x > 0 ? exp(x) : x < 0 ? -1 : x;
        }
        // As in exp, 2^(k/64) + 2^(k/64)·tail; what rounding 2^(k/64) − 1 loses is added to the second part.
        double shifted = Math.fma(x, STEPS_PER_LN2, ROUNDER);
        double k = shifted - ROUNDER;
        double r = Math.fma(-k, STEP_LOW, Math.fma(-k, STEP_HIGH, x));
        long kBits = Double.doubleToRawLongBits(shifted);
        int slot = 2 * ((int) kBits & (STEPS - 1));
        double scale = Double.longBitsToDouble(POWERS[slot + 1] + (kBits << (52 - STEPS_LOG2)));
        double r2 = r * r;
        double bend = Math.fma(r2, Math.fma(r, EXP_5, EXP_4), Math.fma(r, EXP_3, EXP_2));
        double tail = Math.fma(r2, bend, Double.longBitsToDouble(POWERS[slot]) + r);
        double whole = scale - 1;
        double rounded = scale > 1 ? -1 - (whole - scale) : scale - (whole + 1);
        return whole + Math.fma(scale, tail, rounded);
    }

    /** e^x − 1 − x, within four units in the last place. */
    public static double expm2(double x) {
        return Math.abs(x) < SERIES_LIMIT ? x * x * series(x) : expm1(x) - x;
    }

    /** The same, given e^x − 1. */
    static double expm2(double x, double expm1) {
        return Math.abs(x) < SERIES_LIMIT ? x * x * series(x) : expm1 - x;
    }

    /** (e^x − 1 − x)/x², as two sums over every other term, which a processor can compute at the same time. */
    private static double series(double x) {
        double z = x * x;
        double even = Math.fma(z, SERIES_14, SERIES_12);
        double odd = Math.fma(z, SERIES_13, SERIES_11);
        even = Math.fma(z, even, SERIES_10);
        odd = Math.fma(z, odd, SERIES_9);
        even = Math.fma(z, even, SERIES_8);
        odd = Math.fma(z, odd, SERIES_7);
        even = Math.fma(z, even, SERIES_6);
        odd = Math.fma(z, odd, SERIES_5);
        even = Math.fma(z, even, SERIES_4);
        odd = Math.fma(z, odd, SERIES_3);
        return Math.fma(x, odd, Math.fma(z, even, 0.5));
    }

    /** The natural logarithm: NaN below zero, −∞ at zero. */
    public static double log(double x) {
        if (!(x >= Double.MIN_NORMAL && x <= Double.MAX_VALUE)) {
            return logOfUnusual(x);
        }
        return logOfNormal(x, 0);
    }

    private static double logOfUnusual(double x) {
        if (x > 0 && x < Double.MIN_NORMAL) {
            return logOfNormal(x * TWO_54, -54);
        }
        return x == 0 ? Double.NEGATIVE_INFINITY : x > 0 ? x : Double.NaN;
    }

    private static double logOfNormal(double x, int exponentBias) {
        // x = 2^k (1 + f) with √½ ≤ 1 + f < √2
        long bits = Double.doubleToRawLongBits(x) - SQRT_HALF_BITS;
        int k = (int) (bits >> 52);
        double f = Double.longBitsToDouble((bits & ((1L << 52) - 1)) + SQRT_HALF_BITS) - 1;
        return logOfProduct(k + exponentBias, f, 0);
    }

    /** k ln 2 + log(1 + f) + correction, for √½ ≤ 1 + f < √2. */
    private static double logOfProduct(int k, double f, double correction) {
        // log(1+f) = 2 atanh(s) with s = f/(2+f), and 2s = f − s f: written as f − (f²/2 − s (f²/2 + R)), f is exact.
        double s = f / (2 + f);
        double z = s * s;
        double w = z * z;
        double even = w * Math.fma(w, Math.fma(w, LOG_6, LOG_4), LOG_2);
        double odd = z * Math.fma(w, Math.fma(w, Math.fma(w, LOG_7, LOG_5), LOG_3), LOG_1);
        double half = 0.5 * f * f;
        double low = Math.fma(s, half + (even + odd), Math.fma(k, LN2_LOW, correction));
        return Math.fma(k, LN2_HIGH, f - (half - low));
    }

    /** log(1 + x), accurate where x is small: NaN below −1, −∞ at −1. */
    public static double log1p(double x) {
        if (!(x > -1 && x < TWO_54)) {
            return x == -1 ? Double.NEGATIVE_INFINITY : log(x);
        }
        if (Math.abs(x) < 0x1p-54) {
            return x;
        }
        if (x > -0.29 && x < 0.41) {
            return logOfProduct(0, x, 0);
        }
        // log(1+x) = log(u) + log(1 + c/u), where c is the error of rounding 1 + x to u
        double u = 1 + x;
        double c = x > 1 ? 1 - (u - x) : x - (u - 1);
        long bits = Double.doubleToRawLongBits(u) - SQRT_HALF_BITS;
        double f = Double.longBitsToDouble((bits & ((1L << 52) - 1)) + SQRT_HALF_BITS) - 1;
        return logOfProduct((int) (bits >> 52), f, c / u);
    }

    /** The logistic function 1/(1 + e^−x). */
    public static double sigmoid(double x) {
        double e = exp(-Math.abs(x));
        return (x >= 0 ? 1 : e) / (1 + e);
    }

    /** log(1 + e^x), the integral of {@link #sigmoid}. */
    public static double softplus(double x) {
        return Math.max(x, 0) + log1p(exp(-Math.abs(x)));
    }
}
