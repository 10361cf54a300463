package dev.starling.verify.loss;

import dev.starling.verify.digits.DoubleDoubles;
import java.util.Optional;
import org.apache.commons.numbers.core.DD;

/**
 * Half the deviance of the gamma family, y e^−u − 1 − log y + u: ℓ*(s) = s log y + s + (1 − s) log(1 − s), s up to 1.
 */
record Lifetimes() implements Deviance {

    @Override
    public DD value(DD margin, double label) {
        return DoubleDoubles.exp(margin.negate())
                .multiply(label)
                .add(-1)
                .subtract(DoubleDoubles.log(DD.of(label)))
                .add(margin);
    }

    @Override
    public DD conjugate(double slope, double label) {
        DD rest = DD.ofSum(1, -slope);
        DD entropy = rest.hi() > 0 ? rest.multiply(DoubleDoubles.log(rest)) : DD.ZERO;
        return DoubleDoubles.log(DD.of(label)).multiply(slope).add(slope).add(entropy);
    }

    @Override
    public double termsOfValue(double margin, double label) {
        return label * StrictMath.exp(-margin) + 1 + Math.abs(StrictMath.log(label)) + Math.abs(margin);
    }

    @Override
    public double termsOfConjugate(double slope, double label) {
        double rest = Math.abs(1 - slope);
        return Math.abs(slope) * (1 + Math.abs(StrictMath.log(label)))
                + (rest > 0 ? rest * Math.abs(StrictMath.log(rest)) : 0);
    }

    @Override
    public boolean allows(double label) {
        return label > 0;
    }

    private static double slopeAt(double margin, double label) {
        return -StrictMath.expm1(StrictMath.log(label) - margin);
    }

    @Override
    public double slope(DD margin, double label) {
        return slopeAt(margin.hi(), label);
    }

    /**
     * Newton's method on u + step·(1 − y e^−u) = point. The left side is concave and rises, so from below the solution
     * u only rises.
     */
    @Override
    public double proximalSlope(double point, double step, double label) {
        double log = StrictMath.log(label);
        double u = point < log ? point : Math.max(log, point - step);
        double solution = Deviance.settled(u, at -> {
            double part = step * StrictMath.exp(log - at);
            return at - (at + step - part - point) / (1 + part);
        });
        return slopeAt(solution, label);
    }

    @Override
    public double curvature(double slope, double step, double label) {
        return (1 - slope) / (1 + step * (1 - slope));
    }

    @Override
    public Optional<CheckedLoss.Curved> curved() {
        return Optional.of(new CheckedLoss.Curved(
                (margin, y) ->
                        DD.ONE.subtract(DoubleDoubles.exp(margin.negate()).multiply(y)),
                (margin, y) -> DoubleDoubles.exp(margin.negate()).multiply(y),
                1));
    }
}
