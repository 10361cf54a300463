package dev.starling.verify.loss;

import dev.starling.verify.digits.DoubleDoubles;
import java.util.Optional;
import org.apache.commons.numbers.core.DD;

/**
 * Half the deviance of shares q of successes, n times: n (log(1 + e^z) − qz + H(q)) with H(q) = q log q + (1 − q) log(1
 * − q), so that ℓ*(s) = n (H(q + s/n) − H(q)) + s c where z = u − c. Labels are the shares themselves, n = 1 and c = 0,
 * or counts y with variance μ + μ²/k, for which q = y/(y + k), n = y + k and c = log k.
 *
 * @param size k; 0 if labels are shares
 * @param isDispersionKnown whether standard errors follow from the curvature alone
 */
public record Shares(double size, boolean isDispersionKnown) implements Deviance {

    private DD trials(double label) {
        return size == 0 ? DD.ONE : DD.ofSum(label, size);
    }

    private DD share(double label) {
        return size == 0 ? DD.of(label) : DD.of(label).divide(trials(label));
    }

    private DD shift() {
        return size == 0 ? DD.ZERO : DoubleDoubles.log(DD.of(size));
    }

    /** H. */
    private static DD entropy(DD share) {
        DD rest = DD.ONE.subtract(share);
        DD own = share.hi() > 0 ? share.multiply(DoubleDoubles.log(share)) : DD.ZERO;
        return rest.hi() > 0 ? own.add(rest.multiply(DoubleDoubles.log(rest))) : own;
    }

    @Override
    public DD value(DD margin, double label) {
        DD z = margin.subtract(shift());
        DD small = DoubleDoubles.log1p(DoubleDoubles.exp(z.abs().negate()));
        DD softplus = DoubleDoubles.isNegative(z) ? small : small.add(z);
        DD share = share(label);
        return softplus.subtract(share.multiply(z)).add(entropy(share)).multiply(trials(label));
    }

    @Override
    public DD conjugate(double slope, double label) {
        DD share = share(label);
        DD moved = share.add(DD.of(slope).divide(trials(label)));
        DD within = moved.hi() < 0 ? DD.ZERO : moved.hi() > 1 ? DD.ONE : moved;
        return entropy(within).subtract(entropy(share)).multiply(trials(label)).add(shift().multiply(slope));
    }

    @Override
    public double termsOfValue(double margin, double label) {
        return trials(label).hi() * (2 + Math.abs(margin) + Math.abs(shift().hi()));
    }

    @Override
    public double termsOfConjugate(double slope, double label) {
        return 2 * trials(label).hi() + Math.abs(slope * shift().hi());
    }

    @Override
    public boolean allows(double label) {
        return label >= 0 && (size > 0 ? label == Math.rint(label) : label <= 1);
    }

    /** n times the chance less the share, which is within the domain whatever rounding does. */
    private double slopeAt(double margin, double label) {
        double z = margin - shift().hi();
        double small = StrictMath.exp(-Math.abs(z));
        double larger = 1 / (1 + small);
        double chance = z < 0 ? small * larger : larger;
        double rest = z < 0 ? larger : small * larger;
        return size == 0 ? (1 - label) * chance - label * rest : size * chance - label * rest;
    }

    @Override
    public double slope(DD margin, double label) {
        return slopeAt(margin.hi(), label);
    }

    @Override
    public double proximalSlope(double point, double step, double label) {
        return Deviance.between(
                -label,
                size == 0 ? 1 - label : size,
                step,
                slope -> slopeAt(point - step * slope, label),
                slope -> bend(slope, label));
    }

    /** The curvature where the slope is a given one: n p (1 − p) with p = q + s/n. */
    private double bend(double slope, double label) {
        double trials = trials(label).hi();
        return Math.max(0, (label + slope) * (trials - label - slope) / trials);
    }

    @Override
    public double curvature(double slope, double step, double label) {
        double own = bend(slope, label);
        return own / (1 + step * own);
    }

    @Override
    public double roundness() {
        return size == 0 ? 4 : 0;
    }

    @Override
    public Optional<CheckedLoss.Curved> curved() {
        return Optional.of(new CheckedLoss.Curved(
                (margin, y) -> DoubleDoubles.sigmoid(margin.subtract(shift()))
                        .subtract(share(y))
                        .multiply(trials(y)),
                (margin, y) -> DoubleDoubles.sigmoid(margin.subtract(shift()))
                        .multiply(DoubleDoubles.sigmoid(shift().subtract(margin)))
                        .multiply(trials(y)),
                1));
    }
}
