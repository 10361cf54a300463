package dev.starling.loss;

/**
 * A loss that is flat within ε of the label and straight on either side: ℓ(u; y) = h max(0, u − y − ε) + l min(0, u − y
 * + ε), where l ≤ 0 ≤ h are {@link #smallestSlope} and {@link #largestSlope}. Only by the label's sign do they depend
 * on the label.
 */
public interface PiecewiseLinearLoss extends Loss {

    /** ε, the distance from the label that costs nothing; zero or more. */
    default double tolerance() {
        return 0;
    }
}
