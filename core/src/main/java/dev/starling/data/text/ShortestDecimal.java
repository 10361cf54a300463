package dev.starling.data.text;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * Writes the shortest decimal that reads back as the same number. The text is the same on every JDK; that of
 * {@code toString} is the shortest only since JDK 19.
 */
public final class ShortestDecimal {

    private static final int MOST_DIGITS = 17;
    private static final int EXACT_DIGITS = 15;
    private static final int EXACT_POWER = 22;
    private static final long LARGEST_PLAIN_INTEGER = 1_000_000_000_000_000L;

    private ShortestDecimal() {}

    public static void append(StringBuilder out, double value) {
        if (!(Math.abs(value) <= Double.MAX_VALUE)) {
            throw new IllegalArgumentException(value + " has no decimal form");
        }
        if (value < 0) {
            out.append('-');
        }
        double size = Math.abs(value);
        if (size < LARGEST_PLAIN_INTEGER && size == (long) size) {
            out.append((long) size);
            return;
        }
        int magnitude = magnitude(size);
        for (int digits = 1; digits <= MOST_DIGITS; digits++) {
            int scale = digits - 1 - magnitude;
            long mantissa = mantissa(size, digits, scale);
            if (reads(mantissa, scale, digits, size)) {
                print(out, mantissa, scale);
                return;
            }
        }
        throw new AssertionError("no decimal of " + MOST_DIGITS + " digits for " + value);
    }

    /** The power of ten of the leading digit, or one less because of rounding. */
    private static int magnitude(double size) {
        if (size >= 1e-7 && size < 1e15) {
            int power = size >= 1 ? 0 : -7;
            while (power < 0 ? size >= 1 / NumberParser.ten(-power - 1) : size >= NumberParser.ten(power + 1)) {
                power++;
            }
            return power;
        }
        BigDecimal exact = new BigDecimal(size);
        return exact.precision() - exact.scale() - 1;
    }

    private static long mantissa(double size, int digits, int scale) {
        if (digits <= EXACT_DIGITS && Math.abs(scale) <= EXACT_POWER) {
            return (long) Math.rint(scale < 0 ? size / NumberParser.ten(-scale) : size * NumberParser.ten(scale));
        }
        BigDecimal rounded = new BigDecimal(size).setScale(scale, RoundingMode.HALF_EVEN);
        return rounded.unscaledValue().longValueExact();
    }

    private static boolean reads(long mantissa, int scale, int digits, double size) {
        double read;
        if (digits <= EXACT_DIGITS && Math.abs(scale) <= EXACT_POWER) {
            read = scale < 0 ? mantissa * NumberParser.ten(-scale) : mantissa / NumberParser.ten(scale);
        } else {
            read = Double.parseDouble(mantissa + "e" + -scale);
        }
        return read == size;
    }

    private static void print(StringBuilder out, long mantissa, int scale) {
        long stripped = mantissa;
        int places = scale;
        while (stripped % 10 == 0) {
            stripped /= 10;
            places--;
        }
        int start = out.length();
        out.append(stripped);
        int length = out.length() - start;
        int exponent = length - 1 - places;
        if (exponent < -5 || exponent >= 10) {
            if (length > 1) {
                out.insert(start + 1, '.');
            }
            out.append('e').append(exponent);
        } else if (places <= 0) {
            out.append("0".repeat(-places));
        } else if (places < length) {
            out.insert(start + length - places, '.');
        } else {
            out.insert(start, "0." + "0".repeat(places - length));
        }
    }
}
