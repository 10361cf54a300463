package dev.starling.objective;

import dev.starling.loss.Loss;

/**
 * How a loss bends.
 *
 * @param typical β, an upper bound on ℓ''; if there is none, ℓ'' at the margin 0
 * @param selfConcordance the smallest M with |ℓ'''| ≤ M ℓ''; infinite if there is none
 * @param isThirdBounded whether |ℓ'''| is bounded near every margin, so that curvature can prove a result
 * @param isConvex whether ℓ is convex
 */
public record Smoothness(double typical, double selfConcordance, boolean isThirdBounded, boolean isConvex) {

    /** Returns how a loss of one margin bends. */
    public static Smoothness of(Loss loss) {
        return new Smoothness(
                loss.hasBoundedCurvature() ? loss.smoothness() : loss.curvature(0, 1),
                loss.selfConcordance(),
                loss.isThirdBounded(),
                loss.isConvex());
    }

    /** Returns whether it bends so evenly that curvature at one point says something about all others. */
    public boolean isSelfConcordant() {
        return selfConcordance < Double.POSITIVE_INFINITY;
    }
}
