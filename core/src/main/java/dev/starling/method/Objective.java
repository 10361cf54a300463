package dev.starling.method;

import dev.starling.loss.Loss;
import dev.starling.problem.Regulariser;

/**
 * What is minimised, as far as it is known before there are rows.
 *
 * @param loss the loss of a sample
 * @param regulariser what λ multiplies
 * @param intercept whether the last feature is 1 in every row and its weight an intercept that is not regularised
 */
public record Objective(Loss loss, Regulariser regulariser, boolean intercept) {

    /** An objective that regularises all weights. */
    public Objective(Loss loss, Regulariser regulariser) {
        this(loss, regulariser, false);
    }

    /** Whether neither the loss nor the regulariser has a kink, a point where its slope jumps. */
    public boolean isSmooth() {
        return loss.smoothness() < Double.POSITIVE_INFINITY && regulariser.isSmooth();
    }

    /** Whether λ is more than 0. */
    public boolean isRegularised() {
        return !(regulariser instanceof Regulariser.None || regulariser instanceof Regulariser.Lasso);
    }

    /** What has kinks, in words; for an objective that is not smooth. */
    public String kinks() {
        return loss.smoothness() == Double.POSITIVE_INFINITY ? "the loss " + loss.name() : "an l1 term";
    }
}
