package dev.starling.node;

/**
 * Fixed-point words for numbers, which add up exactly, in any order and under masks: the word of a number x is the
 * integer nearest to x·2⁹⁶ (ties to even), modulo 2¹⁹². A word is four limbs of 48 bits, lowest first; a double holds
 * each limb exactly, so that words can be sent like any vector.
 *
 * <p>Sums of at most 65,535 numbers, each below 2⁷⁹ in absolute value, cannot wrap around.
 */
public final class SumWords {

    /** The number of limbs of a word. */
    public static final int LIMBS = 4;

    /** The number of bits of a limb. */
    public static final int LIMB_BITS = 48;

    /** Numbers must be smaller than this in absolute value. */
    public static final double TOO_LARGE = 0x1p79;

    /** The most numbers that can be added up. */
    public static final int MOST_ADDENDS = 65_535;

    /** The largest distance between a number and its word. */
    public static final double ROUNDING = 0x1p-97;

    private static final int FRACTION_BITS = 96;
    private static final double UNITS = 0x1p96;

    /** Numbers of at least this absolute value are multiples of 2⁻⁹⁶ already. */
    static final double EXACT = 0x1p-44;

    private static final long MASK = (1L << LIMB_BITS) - 1;
    private static final double LIMB = 0x1p48;
    private static final int MANTISSA_BITS = 53;

    private SumWords() {}

    /** The smallest number that has an exact word and is at least {@code bound}, which must not be negative. */
    public static double up(double bound) {
        return bound < EXACT ? Math.ceil(bound * UNITS) / UNITS : bound;
    }

    /** The largest distance between this number and its word: 0 is exact. */
    public static double rounding(double number) {
        return number == 0 ? 0 : ROUNDING;
    }

    /** The number that a number's word represents. */
    static double nearest(double number) {
        // Adding 0 turns −0 into 0: no word represents −0.
        return Math.abs(number) < EXACT ? Math.rint(number * UNITS) / UNITS + 0.0 : number;
    }

    /** Whether all numbers between two indices can be represented as words. */
    static boolean haveWords(double[] numbers, int from, int to) {
        boolean have = true;
        for (int k = from; k < to; k++) {
            have &= Math.abs(numbers[k]) < TOO_LARGE;
        }
        return have;
    }

    /** Writes the word of a number at an index. */
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

    /** An integer divided by a power of two, rounded to the nearest integer, ties to even. */
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

    /** Adds words in place, modulo 2¹⁹². */
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

    /** Subtracts words in place, modulo 2¹⁹². */
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

    /** Whether these are whole words of valid limbs, which must be checked if they come from another machine. */
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
        // The highest 63 bits; the last of them is set if any lower bit is (a sticky bit, so that rounding is right).
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
