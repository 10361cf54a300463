package dev.starling.table;

import java.io.Serializable;
import java.math.BigInteger;

/**
 * The exact sum of numbers, each rounded to a multiple of 2⁻¹⁰⁰. As {@link #parts} it can be added to other sums
 * without rounding, so that the total does not depend on how the numbers were distributed.
 */
public final class ExactTotal implements Serializable {

    /** The number of whole numbers that a total is sent as. */
    public static final int PARTS = 5;

    private static final int PART_BITS = 40;
    private static final int FRACTION_BITS = 100;
    private static final int MANTISSA_BITS = 52;

    /** The smallest magnitude all of whose digits count. */
    private static final double WHOLE = 0x1p-47;

    private BigInteger units;

    private ExactTotal(BigInteger units) {
        this.units = units;
    }

    public static ExactTotal zero() {
        return new ExactTotal(BigInteger.ZERO);
    }

    /** Creates a total from its parts, which may be sums of the parts of several totals. */
    public static ExactTotal of(double[] parts, int from) {
        BigInteger units = BigInteger.ZERO;
        for (int k = PARTS - 1; k >= 0; k--) {
            units = units.shiftLeft(PART_BITS).add(BigInteger.valueOf((long) parts[from + k]));
        }
        return new ExactTotal(units);
    }

    /** Adds a finite number. */
    public void add(double number) {
        if (Math.abs(number) < WHOLE) {
            units = units.add(BigInteger.valueOf((long) Math.rint(Math.scalb(number, FRACTION_BITS))));
            return;
        }
        int exponent = Math.getExponent(number);
        long mantissa = (long) Math.scalb(number, MANTISSA_BITS - exponent);
        units = units.add(BigInteger.valueOf(mantissa).shiftLeft(exponent - MANTISSA_BITS + FRACTION_BITS));
    }

    /** Adds another total. */
    public void add(ExactTotal other) {
        units = units.add(other.units);
    }

    /** The total, rounded once. */
    public double value() {
        return Math.scalb(units.doubleValue(), -FRACTION_BITS);
    }

    /** Whether the total is small enough for {@link #parts}. */
    public boolean hasParts() {
        return units.bitLength() <= PARTS * PART_BITS;
    }

    /** The total as whole numbers below 2⁴⁰, the least significant first, all with its sign. */
    public double[] parts() {
        BigInteger rest = units.abs();
        BigInteger base = BigInteger.ONE.shiftLeft(PART_BITS);
        double[] parts = new double[PARTS];
        for (int k = 0; k < PARTS; k++) {
            BigInteger[] split = rest.divideAndRemainder(base);
            parts[k] = units.signum() * split[1].doubleValue();
            rest = split[0];
        }
        return parts;
    }
}
