package dev.starling.node;

/**
 * Numbers as words that add up exactly, in any order and under masks: a number x is the integer nearest to x·2⁹⁶ (ties
 * to even), modulo 2¹⁹². A word is four limbs of 48 bits, the lowest first; a double holds each of them exactly, so
 * that words travel wherever vectors do.
 *
 * <p>Numbers below 2⁷⁹ and at most 65,535 of them cannot wrap.
 */
public final class SumWords {

    /** Limbs of a word. */
    public static final int LIMBS = 4;

    /** Bits of a limb. */
    public static final int LIMB_BITS = 48;

    /** What is added up must be less than this. */
    public static final double TOO_LARGE = 0x1p79;

    /** So many numbers can be added up. */
    public static final int MOST_ADDENDS = 65_535;

    /** How far from a number its word may be. */
    public static final double ROUNDING = 0x1p-97;

    private static final int FRACTION_BITS = 96;
    private static final double UNITS = 0x1p96;

    /** Numbers at least this large are multiples of 2⁻⁹⁶ as they are. */
    static final double EXACT = 0x1p-44;

    private static final long MASK = (1L << LIMB_BITS) - 1;
    private static final double LIMB = 0x1p48;
    private static final int MANTISSA_BITS = 53;

    private SumWords() {}

    /** The least number that is not less than one that is not negative and whose word is exact. */
    public static double up(double bound) {
        return bound < EXACT ? Math.ceil(bound * UNITS) / UNITS : bound;
    }

    /** How far from a number its own word may be: a word of 0 is exact. */
    public static double rounding(double number) {
        return number == 0 ? 0 : ROUNDING;
    }

    /** The number that the word of a number stands for. */
    static double nearest(double number) {
        // Zero is added because no word is negative zero.
        return Math.abs(number) < EXACT ? Math.rint(number * UNITS) / UNITS + 0.0 : number;
    }

    /** Whether all numbers between two indices have words. */
    static boolean haveWords(double[] numbers, int from, int to) {
        boolean have = true;
        for (int k = from; k < to; k++) {
            have &= Math.abs(numbers[k]) < TOO_LARGE;
        }
        return have;
    }

    /** Puts the word of a number at an index. */
    public static void encode(double number, double[] words, int at) {
        long bits = Double.doubleToRawLongBits(number);
        int exponent = (int) (bits >>> 52) & 0x7FF;
        long mantissa = bits & 0xFFFFFFFFFFFFFL;
        // A number is mantissa · 2^(shift − 96).
        int shift = Math.max(exponent, 1) - 1075 + FRACTION_BITS;
        mantissa = exponent == 0 ? mantissa : mantissa | (1L << 52);
        if (shift < 0) {
            mantissa = rounded(mantissa, -shift);
            shift = 0;
        }
        int limb = shift / LIMB_BITS;
        int offset = shift % LIMB_BITS;
        long low = (mantissa << offset) & MASK;
        long middle = (mantissa >>> (LIMB_BITS - offset)) & MASK;
        long high = offset > 2 * LIMB_BITS - MANTISSA_BITS ? mantissa >>> (2 * LIMB_BITS - offset) : 0;
        for (int k = 0; k < LIMBS; k++) {
            words[at + k] = k == limb ? low : k == limb + 1 ? middle : k == limb + 2 ? high : 0;
        }
        if (bits < 0) {
            negate(words, at);
        }
    }

    /** A whole number divided by a power of two, ties to even. */
    private static long rounded(long number, int shift) {
        if (shift > MANTISSA_BITS + 1) {
            return 0;
        }
        long floor = number >>> shift;
        long rest = number & ((1L << shift) - 1);
        long half = 1L << (shift - 1);
        return rest > half || (rest == half && (floor & 1) == 1) ? floor + 1 : floor;
    }

    /** Two's complement. */
    private static void negate(double[] words, int at) {
        double carry = 1;
        for (int k = at; k < at + LIMBS; k++) {
            double limb = LIMB - 1 - words[k] + carry;
            carry = limb == LIMB ? 1 : 0;
            words[k] = limb == LIMB ? 0 : limb;
        }
    }

    /** Adds words to others, modulo 2¹⁹². */
    public static void add(double[] sum, double[] words, int from, int to) {
        for (int at = from; at < to; at += LIMBS) {
            double carry = 0;
            for (int k = at; k < at + LIMBS; k++) {
                double limb = sum[k] + words[k] + carry;
                carry = limb >= LIMB ? 1 : 0;
                sum[k] = limb - carry * LIMB;
            }
        }
    }

    /** Takes words away from others, modulo 2¹⁹². */
    public static void subtract(double[] difference, double[] words, int from, int to) {
        for (int at = from; at < to; at += LIMBS) {
            double borrow = 0;
            for (int k = at; k < at + LIMBS; k++) {
                double limb = difference[k] - words[k] - borrow;
                borrow = limb < 0 ? 1 : 0;
                difference[k] = limb + borrow * LIMB;
            }
        }
    }

    /** Whether every limb is one: what comes from another machine may be anything. */
    static boolean areWords(double[] words, int from, int to) {
        boolean sane = (to - from) % LIMBS == 0;
        for (int k = from; k < to && sane; k++) {
            sane = words[k] >= 0 && words[k] < LIMB && words[k] == (long) words[k];
        }
        return sane;
    }

    /** The number nearest to the word at an index, ties to even. */
    public static double decode(double[] words, int at) {
        boolean negative = words[at + LIMBS - 1] >= LIMB / 2;
        double[] limbs = {words[at], words[at + 1], words[at + 2], words[at + 3]};
        if (negative) {
            negate(limbs, 0);
        }
        int top = LIMBS - 1;
        while (top > 0 && limbs[top] == 0) {
            top--;
        }
        // The highest 63 bits, of which the last also stands for whatever is below.
        long digits = (long) limbs[top];
        int used = Long.SIZE - Long.numberOfLeadingZeros(digits);
        int exponent = top * LIMB_BITS;
        boolean rest = false;
        for (int k = top - 1; k >= 0; k--) {
            int taken = Math.min(LIMB_BITS, Long.SIZE - 1 - used);
            long limb = (long) limbs[k];
            digits = (digits << taken) | (limb >>> (LIMB_BITS - taken));
            rest |= (limb & ((1L << (LIMB_BITS - taken)) - 1)) != 0;
            used += taken;
            exponent -= taken;
        }
        double value = Math.scalb((double) (digits | (rest ? 1 : 0)), exponent - FRACTION_BITS);
        return negative ? -value : value;
    }
}
