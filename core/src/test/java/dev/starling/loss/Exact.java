package dev.starling.loss;

import java.math.BigDecimal;
import java.math.MathContext;

/** Elementary functions to 50 digits, slow and plain, to judge the fast ones by. */
public final class Exact {

    /** The precision of all results. */
    public static final MathContext DIGITS = new MathContext(50);

    private Exact() {}

    /** Returns x itself. */
    public static BigDecimal of(double x) {
        return new BigDecimal(x);
    }

    /** e^x by its Taylor series at x/2^k, squared k times. */
    public static BigDecimal exp(BigDecimal x) {
        int halvings = Math.max(0, Math.getExponent(x.doubleValue()) + 5);
        BigDecimal small = x.divide(BigDecimal.valueOf(2).pow(halvings), new MathContext(60));
        BigDecimal sum = BigDecimal.ONE;
        BigDecimal term = BigDecimal.ONE;
        for (int i = 1; i < 40; i++) {
            term = term.multiply(small, new MathContext(60)).divide(BigDecimal.valueOf(i), new MathContext(60));
            sum = sum.add(term, new MathContext(60));
        }
        for (int i = 0; i < halvings; i++) {
            sum = sum.multiply(sum, new MathContext(60));
        }
        return sum.round(DIGITS);
    }

    /** e^x − 1 to 50 digits of its own, by its Taylor series where x is small. */
    public static BigDecimal expm1(BigDecimal x) {
        if (x.abs().compareTo(BigDecimal.ONE) > 0) {
            return exp(x).subtract(BigDecimal.ONE);
        }
        BigDecimal sum = BigDecimal.ZERO;
        BigDecimal term = BigDecimal.ONE;
        for (int i = 1; i < 50; i++) {
            term = term.multiply(x, new MathContext(60)).divide(BigDecimal.valueOf(i), new MathContext(60));
            sum = sum.add(term, new MathContext(60));
        }
        return sum;
    }

    /** log x by Newton's method on the exponential, from the double nearest to it. */
    public static BigDecimal log(BigDecimal x) {
        BigDecimal log = new BigDecimal(StrictMath.log(x.doubleValue()));
        for (int i = 0; i < 3; i++) {
            BigDecimal ratio = x.multiply(exp(log.negate()), DIGITS);
            log = log.add(ratio.subtract(BigDecimal.ONE));
        }
        return log;
    }

    /** How many units in the last place a double is away from the truth. */
    static double ulps(double found, BigDecimal truth) {
        return new BigDecimal(found)
                .subtract(truth)
                .abs()
                .divide(new BigDecimal(Math.ulp(truth.doubleValue())), DIGITS)
                .doubleValue();
    }
}
