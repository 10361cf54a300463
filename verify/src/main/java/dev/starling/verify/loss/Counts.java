package dev.starling.verify.loss;

import dev.starling.verify.digits.DoubleDoubles;
import java.util.Optional;
import org.apache.commons.numbers.core.DD;

/** Half the deviance of counts: with μ = y + s, ℓ*(s) = μ log μ − y log y − s for μ from 0. */
record Counts() implements Deviance {

    @Override
    public DD value(DD margin, double label) {
        DD excess = DoubleDoubles.exp(margin).add(-label);
        return excess.subtract(margin.multiply(label)).add(entropy(DD.of(label)));
    }

    /** x log x. */
    private static DD entropy(DD x) {
        return x.hi() > 0 ? x.multiply(DoubleDoubles.log(x)) : DD.ZERO;
    }

    @Override
    public DD conjugate(double slope, double label) {
        return entropy(DD.ofSum(label, slope)).subtract(entropy(DD.of(label))).add(-slope);
    }

    @Override
    public boolean allows(double label) {
        return label >= 0;
    }

    @Override
    public double termsOfValue(double margin, double label) {
        return StrictMath.exp(margin) + label * (1 + Math.abs(margin)) + size(label);
    }

    @Override
    public double termsOfConjugate(double slope, double label) {
        return size(label + slope) + size(label) + Math.abs(slope);
    }

    private static double size(double x) {
        return Math.abs(entropy(DD.of(x)).hi());
    }

    @Override
    public double slope(DD margin, double label) {
        return slopeAt(margin.hi(), label);
    }

    /** e^margin − y, which is −y or more whatever rounding does. */
    private static double slopeAt(double margin, double label) {
        return label == 0 ? StrictMath.exp(margin) : label * StrictMath.expm1(margin - StrictMath.log(label));
    }

    /**
     * Newton's method on v + step·e^v = point + step·y for v = log μ. The left side is convex and rises, so after the
     * first step v only falls.
     */
    @Override
    public double proximalSlope(double point, double step, double label) {
        double sum = point + step * label;
        double v = sum > step ? Math.min(sum, StrictMath.log(sum / step)) : sum;
        double solution = Deviance.settled(v, at -> {
            double rise = step * StrictMath.exp(at);
            return at - (at + rise - sum) / (1 + rise);
        });
        return slopeAt(solution, label);
    }

    @Override
    public double curvature(double slope, double step, double label) {
        return (label + slope) / (1 + step * (label + slope));
    }

    @Override
    public boolean isDispersionKnown() {
        return true;
    }

    @Override
    public Optional<CheckedLoss.Curved> curved() {
        return Optional.of(new CheckedLoss.Curved(
                (margin, y) -> DoubleDoubles.exp(margin).add(-y), (margin, y) -> DoubleDoubles.exp(margin), 1));
    }
}
