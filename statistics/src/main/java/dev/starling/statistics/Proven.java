package dev.starling.statistics;

import dev.starling.loss.Elementary;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.function.DoubleUnaryOperator;

/**
 * A number with a bound on its error.
 *
 * @param value the number
 * @param error a bound on its distance from the true one; infinite if nothing is known, and then nothing is printed
 */
public record Proven(double value, double error) {

    /** What is printed of a number of which no digit is proven. */
    public static final String UNKNOWN = "?";

    /** A number that is not there. */
    static final Proven NONE = new Proven(Double.NaN, 0);

    /** From this exponent on, and below minus this, numbers have an exponent. */
    private static final int PLAIN = 6;

    /** Whether there is such a number. */
    public boolean exists() {
        return !Double.isNaN(value);
    }

    /**
     * The number with at most so many significant digits, and only those that are the same for all numbers within the
     * error.
     */
    public String text(int most) {
        if (!exists()) {
            return "";
        }
        if (error == 0 && value == Math.rint(value)) {
            return Long.toString((long) value);
        }
        if (!Double.isFinite(value) || !Double.isFinite(error)) {
            return UNKNOWN;
        }
        BigDecimal exact = new BigDecimal(value);
        BigDecimal off = new BigDecimal(error);
        for (int digits = most; digits > 0; digits--) {
            MathContext context = new MathContext(digits, RoundingMode.HALF_EVEN);
            BigDecimal low = exact.subtract(off).round(context);
            if (low.compareTo(exact.add(off).round(context)) == 0 && low.signum() != 0) {
                return plain(low.setScale(scale(low, digits), RoundingMode.UNNECESSARY));
            }
        }
        return UNKNOWN;
    }

    /** Enough places for all digits, zeros at the end included. */
    private static int scale(BigDecimal number, int digits) {
        return digits - (number.precision() - number.scale());
    }

    private static String plain(BigDecimal number) {
        int exponent = number.precision() - number.scale() - 1;
        return exponent >= -PLAIN + 1 && exponent < PLAIN + 3 && number.scale() >= 0
                ? number.toPlainString()
                : number.unscaledValue().signum() < 0
                        ? "-" + scientific(number.negate(), exponent)
                        : scientific(number, exponent);
    }

    private static String scientific(BigDecimal number, int exponent) {
        String digits = number.unscaledValue().toString();
        return digits.charAt(0) + (digits.length() > 1 ? "." + digits.substring(1) : "") + "e" + exponent;
    }

    /** It less another. */
    Proven minus(Proven other) {
        return with(value - other.value, error + other.error);
    }

    /** It divided by another; nothing is known if that may be 0. */
    Proven over(Proven other) {
        double least = Math.abs(other.value) - other.error;
        double quotient = value / other.value;
        return with(
                quotient, least > 0 ? (error + Math.abs(quotient) * other.error) / least : Double.POSITIVE_INFINITY);
    }

    /** It times a number that is known. */
    Proven times(double factor) {
        return with(factor * value, Math.abs(factor) * error);
    }

    /** What a function makes of it that only rises or only falls. */
    Proven map(DoubleUnaryOperator monotone) {
        double at = monotone.applyAsDouble(value);
        if (!Double.isFinite(error)) {
            return new Proven(at, error);
        }
        double below = monotone.applyAsDouble(value - error);
        double above = monotone.applyAsDouble(value + error);
        double off = Math.max(Math.abs(below - at), Math.abs(above - at));
        return with(at, Double.isNaN(off) ? Double.POSITIVE_INFINITY : off);
    }

    private static Proven with(double value, double error) {
        return new Proven(value, error + Coefficient.ROUNDING * Math.abs(value));
    }

    /** e to it. */
    Proven exponential() {
        double power = Elementary.exp(value);
        return new Proven(power, power * Elementary.expm1(error) + 2 * Math.ulp(power));
    }
}
