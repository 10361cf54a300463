package dev.starling.method.multipliers;

import dev.starling.node.HiddenSum;
import dev.starling.node.SumKind;
import dev.starling.objective.PassLayout;
import dev.starling.objective.PassSums;
import java.util.stream.Stream;

/**
 * The layout of the sums of {@link SumKind#GRADIENT}: those of a pass for a gradient, followed by what only this method
 * adds up. The sums of the other kinds all start at {@link #FIRST}.
 *
 * @param pass the layout of a pass
 */
record GradientLayout(PassLayout pass) {

    /** The index of the first sum of the other kinds. */
    static final int FIRST = HiddenSum.HEAD;

    /** How many numbers follow those of a pass. */
    private static final int MORE = 5;

    /**
     * Creates a layout.
     *
     * @param features d, the number of features, including that of the intercept
     * @param intercept whether the last feature is that of a free intercept
     */
    GradientLayout(int features, boolean intercept) {
        this(new PassLayout(features, intercept));
    }

    int features() {
        return pass.parameters();
    }

    boolean intercept() {
        return pass.intercept();
    }

    /** Returns the index of Σ w (ℓ(m) + ℓ*(s) − sm): how far slopes are from the loss's own, as a part of the gap. */
    int excess() {
        return pass.length(PassSums.GRADIENT);
    }

    /** Returns the index of Σ w (s − a)²: how far slopes are from the multipliers. */
    int distance() {
        return excess() + 1;
    }

    /** Returns the index of the number of samples whose rows were visited. */
    int visits() {
        return excess() + 2;
    }

    /** Returns the index of the number of samples that are held by their kinks. */
    int held() {
        return excess() + 3;
    }

    /** Returns the index of the number of nodes on which kinks hold some samples, but too few to release them. */
    int tooFewHeld() {
        return excess() + 4;
    }

    /** Returns how many weights are regularised: all, or all but the intercept. */
    int regularised() {
        return intercept() ? features() - 1 : features();
    }

    /** Returns the kinds of sums that a run makes, with Hessians or without. */
    static Stream<SumKind> kinds(boolean direct) {
        return Stream.of(SumKind.GRADIENT, SumKind.HESSIAN, SumKind.LINE)
                .filter(kind -> direct || kind != SumKind.HESSIAN);
    }

    /**
     * Returns how many numbers are added up: for a gradient what the layout lists, for a Hessian its lower triangle,
     * row by row, over the samples that are held by their kinks, and for a line its slopes at several steps.
     */
    int numbers(SumKind kind) {
        return switch (kind) {
            case GRADIENT -> pass.numbers(PassSums.GRADIENT) + MORE;
            case HESSIAN -> features() * (features() + 1) / 2;
            case LINE -> SearchLine.TRIALS;
            default -> throw unknown(kind);
        };
    }

    static IllegalArgumentException unknown(SumKind kind) {
        return new IllegalArgumentException("the method of multipliers has no sums of kind " + kind);
    }
}
