package dev.starling.loss;

/**
 * A loss that is zero within ε of the label and linear on either side: ℓ(u; y) = h max(0, u − y − ε) + l min(0, u − y +
 * ε), where l ≤ 0 ≤ h are {@link #smallestSlope} and {@link #largestSlope}, which depend at most on the sign of the
 * label.
 */
public interface PiecewiseLinearLoss extends Loss {

    /** ε, the distance from the label within which the loss is zero; zero or more. */
    default double tolerance() {
        return 0;
    }
}
