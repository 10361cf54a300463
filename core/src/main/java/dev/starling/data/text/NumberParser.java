package dev.starling.data.text;

import java.nio.charset.StandardCharsets;

/**
 * Parses decimal numbers straight from bytes; the results are exactly those of {@link Double#parseDouble}.
 *
 * <p>The text must be followed by a byte that cannot belong to a number (a line end will do), so that no bound is
 * checked per byte. Only plain decimals are numbers here: no hexadecimal, no type suffix, no {@code NaN} or
 * {@code Infinity}.
 */
public final class NumberParser {

    /** Powers of ten that a double holds exactly. */
    private static final double[] TEN = {
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22
    };

    private static final long EXACT_INTEGERS = 1L << 53;
    private static final int EXPONENT_LIMIT = 100_000;
    private static final long MANTISSA_ROOM = Long.MAX_VALUE / 10 - 1;

    private int end;

    private boolean negative;
    private long mantissa;
    private int exponent;
    private boolean digitsDropped;

    /** 10^power, exactly, for powers from 0 to 22. */
    public static double ten(int power) {
        return TEN[power];
    }

    /** Position after the number that was read last. */
    public int end() {
        return end;
    }

    /** The number that starts at a position; NaN if none does. Infinite if it is beyond the range of a double. */
    public double parseDouble(byte[] bytes, int from) {
        if (!scan(bytes, from)) {
            return Double.NaN;
        }
        if (isExact()) {
            double size = exponent < 0 ? mantissa / TEN[-exponent] : mantissa * TEN[exponent];
            return negative ? -size : size;
        }
        return slow(bytes, from);
    }

    private boolean isExact() {
        return mantissa <= EXACT_INTEGERS && !digitsDropped && exponent >= -22 && exponent <= 22;
    }

    private double slow(byte[] bytes, int from) {
        return Double.parseDouble(new String(bytes, from, end - from, StandardCharsets.ISO_8859_1));
    }

    /** Splits the number into sign, up to 18 or 19 leading digits, decimal exponent. */
    private boolean scan(byte[] bytes, int from) {
        int at = from;
        byte c = bytes[at];
        negative = c == '-';
        if (c == '-' || c == '+') {
            c = bytes[++at];
        }
        int firstDigit = at;
        long digits = 0;
        int scale = 0;
        boolean dropped = false;
        for (; c >= '0' && c <= '9'; c = bytes[++at]) {
            if (digits <= MANTISSA_ROOM) {
                digits = digits * 10 + (c - '0');
            } else {
                dropped |= c != '0';
                scale++;
            }
        }
        int count = at - firstDigit;
        if (c == '.') {
            int firstDecimal = at + 1;
            for (c = bytes[++at]; c >= '0' && c <= '9'; c = bytes[++at]) {
                if (digits <= MANTISSA_ROOM) {
                    digits = digits * 10 + (c - '0');
                    scale--;
                } else {
                    dropped |= c != '0';
                }
            }
            count += at - firstDecimal;
        }
        end = at;
        if (count == 0) {
            return false;
        }
        mantissa = digits;
        exponent = scale;
        digitsDropped = dropped;
        if ((c | 0x20) == 'e' && !scanExponent(bytes, at + 1)) {
            return false;
        }
        if (mantissa > EXACT_INTEGERS) {
            dropTrailingZeros();
        }
        return true;
    }

    private boolean scanExponent(byte[] bytes, int from) {
        int at = from;
        byte c = bytes[at];
        boolean down = c == '-';
        if (c == '-' || c == '+') {
            c = bytes[++at];
        }
        int firstDigit = at;
        int power = 0;
        for (; c >= '0' && c <= '9'; c = bytes[++at]) {
            power = Math.min(EXPONENT_LIMIT, power * 10 + (c - '0'));
        }
        end = at;
        // An exponent that was capped must not be offset by a long run of digits: leave it to the slow path.
        exponent = power == EXPONENT_LIMIT ? EXPONENT_LIMIT : exponent + (down ? -power : power);
        return at > firstDigit;
    }

    /** Numbers printed with many trailing zeros, such as 1.500000000000000000e+00, are exact without them. */
    private void dropTrailingZeros() {
        while (!digitsDropped && mantissa % 10 == 0) {
            mantissa /= 10;
            exponent++;
        }
    }
}
