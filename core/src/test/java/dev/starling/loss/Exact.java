package dev.starling.loss;

import java.math.BigDecimal;
import java.math.MathContext;

/** Elementary functions to 50 digits, slow and plain, to judge the fast ones by. */
final class Exact {

    static final MathContext DIGITS = new MathContext(50);

    private Exact() {}

    static BigDecimal of(double x) {
        return new BigDecimal(x);
    }

    /** e^x by its Taylor series at x/2^k, squared k times. */
    static BigDecimal exp(BigDecimal x) {
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

    /** log x by Newton's method on the exponential, from the double nearest to it. */
    static BigDecimal log(BigDecimal x) {
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
