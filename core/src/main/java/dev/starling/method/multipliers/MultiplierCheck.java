package dev.starling.method.multipliers;

import static dev.starling.method.sums.ConvexityCheck.TOLERANCE;

import dev.starling.method.sums.ConvexityCheck;
import dev.starling.node.HiddenSum;
import dev.starling.node.State;
import dev.starling.node.Stateful;
import dev.starling.objective.PassLayout;
import java.io.IOException;

/**
 * Checks conditions that totals must satisfy if every node's addend is a sum over rows, as far as this node can tell.
 */
final class MultiplierCheck implements Stateful {

    private final GradientLayout layout;
    private final double weight;
    private final ConvexityCheck convexity;

    /**
     * Creates a check at the start of a run.
     *
     * @param weight the weight of the samples of all nodes
     */
    MultiplierCheck(GradientLayout layout, double weight) {
        this.layout = layout;
        this.weight = weight;
        this.convexity = new ConvexityCheck(layout.features());
    }

    void require(SumInstructions instructions, double[] own, double[] totals) {
        if (HiddenSum.isTooLarge(totals)) {
            return;
        }
        switch (instructions.kind()) {
            case GRADIENT -> requireGradient(instructions, own, totals);
            case HESSIAN -> requireDiagonal(own, totals);
            case LINE -> requireRising(instructions.trials().length, totals);
            default -> throw new IllegalStateException("multipliers make no sums of kind " + instructions.kind());
        }
    }

    private void requireGradient(SumInstructions instructions, double[] own, double[] totals) {
        for (int k : new int[] {PassLayout.LOSS, layout.excess(), layout.distance(), layout.held()}) {
            ConvexityCheck.requireThat(
                    ConvexityCheck.isAtLeast(totals[k], own[k]),
                    "a sum of numbers that are never negative is less than this node's own");
        }
        if (layout.intercept()) {
            ConvexityCheck.requireSlopes(
                    layout.pass().rising() - 1, layout.pass().risingSpread() - 1, own, totals);
        }
        if (instructions.stride() > 1) {
            return;
        }
        ConvexityCheck.requireThat(
                Math.abs(totals[PassLayout.WEIGHT] - weight) <= TOLERANCE * weight,
                "the sum of all weights is not what the nodes declared");
        double loss = totals[PassLayout.LOSS];
        convexity.add(1, instructions.point(), loss, loss - totals[layout.excess()], totals, PassLayout.GRADIENT);
    }

    private void requireDiagonal(double[] own, double[] totals) {
        int at = GradientLayout.FIRST;
        for (int c = 0; c < layout.features(); c++) {
            ConvexityCheck.requireThat(
                    ConvexityCheck.isAtLeast(totals[at], own[at]),
                    "the curvature of feature " + (c + 1) + " is less than this node's own");
            at += c + 2;
        }
    }

    /** Along a line the slope of a convex function never falls. */
    private static void requireRising(int trials, double[] totals) {
        for (int k = GradientLayout.FIRST + 1; k < GradientLayout.FIRST + trials; k++) {
            double slack = TOLERANCE * (Math.abs(totals[k]) + Math.abs(totals[k - 1]));
            ConvexityCheck.requireThat(totals[k] >= totals[k - 1] - slack, "they do not belong to a convex function");
        }
    }

    @Override
    public void state(State s) throws IOException {
        convexity.state(s);
    }
}
