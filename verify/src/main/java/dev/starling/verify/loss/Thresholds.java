package dev.starling.verify.loss;

import dev.starling.verify.digits.DoubleDoubles;
import java.util.Optional;
import org.apache.commons.numbers.core.DD;

/**
 * Half the deviance of shares of successes whose chance is F(u): −y log F − (1 − y) log(1 − F) + y log y + (1 − y)
 * log(1 − y), with F the normal distribution or 1 − exp(−e^u).
 *
 * @param normal whether F is the normal distribution
 */
record Thresholds(boolean normal) implements Undualised {

    static final DD PI = DD.ofSum(Math.PI, 1.2246467991473532e-16);

    /** Below this, the normal distribution is computed by a continued fraction, above it by a series. */
    private static final double TAIL = -7;

    private static final int FRACTIONS = 120;

    /** The normal density. */
    static DD density(DD u) {
        return DoubleDoubles.exp(u.square().scalb(-1).negate())
                .divide(PI.multiply(2).sqrt());
    }

    /** The normal distribution: 1/2 + φ(u)(u + u³/3 + u⁵/15 + …), or φ(x)/(x + 1/(x + 2/(x + …))) for x = −u. */
    static DD chance(DD u) {
        if (u.hi() > 0) {
            return DD.ONE.subtract(chance(u.negate()));
        }
        if (u.hi() < TAIL) {
            DD x = u.negate();
            DD fraction = x;
            for (int k = FRACTIONS; k > 0; k--) {
                fraction = x.add(DD.of(k).divide(fraction));
            }
            return density(u).divide(fraction);
        }
        DD square = u.square();
        DD term = u;
        DD sum = u;
        for (int k = 3; Math.abs(term.hi()) > 0x1p-110 * Math.abs(sum.hi()); k += 2) {
            term = term.multiply(square).divide(k);
            sum = sum.add(term);
        }
        return density(u).multiply(sum).add(0.5);
    }

    /** e^x − 1. */
    static DD expm1(DD x) {
        if (Math.abs(x.hi()) > 0.1) {
            return DoubleDoubles.exp(x).subtract(1);
        }
        DD term = x;
        DD sum = x;
        for (int k = 2; Math.abs(term.hi()) > 0x1p-115 * Math.abs(sum.hi()); k++) {
            term = term.multiply(x).divide(k);
            sum = sum.add(term);
        }
        return sum;
    }

    /** −log of the chance of a success, or of a failure. */
    private DD surprise(DD u, boolean success) {
        if (normal) {
            DD side = success ? u : u.negate();
            return (side.hi() > 0
                            ? DoubleDoubles.log1p(chance(side.negate()).negate())
                            : DoubleDoubles.log(chance(side)))
                    .negate();
        }
        DD rate = DoubleDoubles.exp(u);
        return success ? DoubleDoubles.log(expm1(rate.negate()).negate()).negate() : rate;
    }

    /** The first derivative of {@link #surprise}, and with it the second. */
    private DD[] bends(DD u, boolean success) {
        if (normal) {
            DD side = success ? u : u.negate();
            DD ratio = density(side).divide(chance(side));
            return new DD[] {success ? ratio.negate() : ratio, ratio.multiply(ratio.add(side))};
        }
        DD rate = DoubleDoubles.exp(u);
        if (!success) {
            return new DD[] {rate, rate};
        }
        DD b = rate.hi() == 0 ? DD.ONE : rate.divide(expm1(rate));
        return new DD[] {b.negate(), b.multiply(b.add(rate).subtract(1))};
    }

    private static DD mixed(double label, DD success, DD failure) {
        DD rest = DD.ofSum(1, -label);
        DD own = label == 0 ? DD.ZERO : success.multiply(label);
        return label == 1 ? own : own.add(failure.multiply(rest));
    }

    private static DD entropy(double label) {
        DD rest = DD.ofSum(1, -label);
        return label == 0 || label == 1
                ? DD.ZERO
                : DoubleDoubles.log(DD.of(label))
                        .multiply(label)
                        .add(DoubleDoubles.log(rest).multiply(rest));
    }

    @Override
    public DD value(DD margin, double label) {
        return mixed(label, surprise(margin, true), surprise(margin, false)).add(entropy(label));
    }

    @Override
    public double termsOfValue(double margin, double label) {
        return 2 + 2 * value(DD.of(margin), label).hi() + Math.abs(margin);
    }

    private DD bend(DD margin, double label, int which) {
        return mixed(label, bends(margin, true)[which], bends(margin, false)[which]);
    }

    @Override
    public double slope(DD margin, double label) {
        return bend(margin, label, 0).hi();
    }

    @Override
    public boolean allows(double label) {
        return label >= 0 && label <= 1;
    }

    @Override
    public boolean isDispersionKnown() {
        return true;
    }

    /**
     * The curvature grows at most at the rate 0.35 + |u| of the normal distribution, or max(1, e^u), so that within a
     * radius it is at most as much greater as the rate at the worse end says.
     */
    private double third(double margin, double label, double radius) {
        double rate = normal ? 0.35 + Math.abs(margin) + radius : Math.max(1, StrictMath.exp(margin + radius));
        return rate
                * StrictMath.exp(rate * radius)
                * Math.max(0, bend(DD.of(margin), label, 1).hi());
    }

    @Override
    public Optional<Curved> curved() {
        return Optional.of(new Curved(
                (margin, y) -> bend(margin, y, 0),
                (margin, y) -> bend(margin, y, 1),
                Double.POSITIVE_INFINITY,
                this::third,
                true));
    }
}
