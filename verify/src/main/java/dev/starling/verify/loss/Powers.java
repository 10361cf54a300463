package dev.starling.verify.loss;

import dev.starling.verify.digits.DoubleDoubles;
import java.util.Optional;
import org.apache.commons.numbers.core.DD;

/**
 * Half the deviance of numbers whose variance is a power q of their mean μ = e^u: y I(1 − q) − I(2 − q), with I(p) the
 * integral of t^(p − 1) from μ to y. Tweedie's family has 1 < q < 2, the inverse Gaussian q = 3.
 *
 * @param power q
 */
record Powers(double power) implements Undualised {

    private DD rest() {
        return DD.of(2).add(-power);
    }

    /** x^p, where log x is given. */
    private static DD power(DD log, DD p) {
        return DoubleDoubles.exp(log.multiply(p));
    }

    /** The integral of t^(p − 1) from μ to y, where both logarithms are given and p is not 0. */
    private static DD integral(DD logMean, DD logLabel, DD p) {
        return power(logLabel, p).subtract(power(logMean, p)).divide(p);
    }

    @Override
    public DD value(DD margin, double label) {
        if (label == 0) {
            return power(margin, rest()).divide(rest());
        }
        DD log = DoubleDoubles.log(DD.of(label));
        return integral(margin, log, DD.of(1).add(-power)).multiply(label).subtract(integral(margin, log, rest()));
    }

    @Override
    public double termsOfValue(double margin, double label) {
        double rest = 2 - power;
        double mean = StrictMath.exp(rest * margin);
        return 4
                * (mean + (label == 0 ? 0 : StrictMath.pow(label, rest) + label * StrictMath.exp((1 - power) * margin)))
                / Math.min(Math.abs(rest), Math.abs(1 - power));
    }

    /** μ^(2 − q) − y μ^(1 − q). */
    private DD slopeAt(DD margin, double label) {
        return power(margin, rest())
                .subtract(power(margin, DD.of(1).add(-power)).multiply(label));
    }

    @Override
    public double slope(DD margin, double label) {
        return slopeAt(margin, label).hi();
    }

    @Override
    public boolean allows(double label) {
        return power < 2 ? label >= 0 : label > 0;
    }

    private DD bend(DD margin, double label) {
        DD less = DD.of(1).add(-power);
        return rest().multiply(power(margin, rest()))
                .subtract(less.multiply(power(margin, less)).multiply(label));
    }

    /** Each of the two powers has its own third derivative, greatest at one of the ends. */
    private double third(double margin, double label, double radius) {
        double rest = 2 - power;
        double less = 1 - power;
        return rest * rest * StrictMath.exp(rest * margin + Math.abs(rest) * radius)
                + label * less * less * StrictMath.exp(less * margin + Math.abs(less) * radius);
    }

    /** Of two positive terms with the rates 2 − q and 1 − q, the curvature changes at no faster rate than either. */
    @Override
    public Optional<Curved> curved() {
        boolean convex = power < 2;
        return Optional.of(new Curved(
                this::slopeAt,
                this::bend,
                convex ? Math.max(2 - power, power - 1) : Double.POSITIVE_INFINITY,
                this::third,
                convex));
    }
}
