package dev.starling.method;

import dev.starling.loss.Loss;
import dev.starling.problem.Regulariser;

/**
 * The function to minimise, as far as it is known before any rows are read.
 *
 * @param loss the loss of a sample
 * @param regulariser the regulariser, which λ multiplies
 * @param intercept whether there is a free intercept: the last feature is 1 in every row and its weight is not
 *     regularised
 */
public record Objective(Loss loss, Regulariser regulariser, boolean intercept) {

    /** Creates an objective that regularises all weights. */
    public Objective(Loss loss, Regulariser regulariser) {
        this(loss, regulariser, false);
    }

    /** Returns whether neither the loss nor the regulariser has a kink, a point where its slope jumps. */
    public boolean isSmooth() {
        return loss.isDifferentiable() && regulariser.isSmooth();
    }

    /** Returns whether λ is greater than 0. */
    public boolean isRegularised() {
        return !(regulariser instanceof Regulariser.None || regulariser instanceof Regulariser.Lasso);
    }

    /** Names the part that has kinks, for messages; only for an objective that is not smooth. */
    public String kinks() {
        return loss.isDifferentiable() ? "an l1 term" : "the loss " + loss.name();
    }
}
