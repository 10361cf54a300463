package dev.starling.method.multipliers;

import static dev.starling.method.sums.Tangents.TOLERANCE;

import dev.starling.method.sums.Tangents;
import dev.starling.node.HiddenSum;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** What totals must satisfy if every node's addend is a sum over rows, as far as this node can tell. */
final class MultiplierCheck {

    private final GradientLayout layout;
    private final double weight;
    private final Tangents tangents;

    /**
     * Nothing is known yet.
     *
     * @param weight that of all nodes' samples
     */
    MultiplierCheck(GradientLayout layout, double weight) {
        this.layout = layout;
        this.weight = weight;
        this.tangents = new Tangents(layout.features());
    }

    void require(SumInstructions order, double[] own, double[] totals) {
        if (HiddenSum.isTooLarge(totals)) {
            return;
        }
        switch (order.ask()) {
            case GRADIENT -> requireGradient(order, own, totals);
            case HESSIAN -> requireDiagonal(own, totals);
            case LINE -> requireRising(order.trials().length, totals);
        }
    }

    private void requireGradient(SumInstructions order, double[] own, double[] totals) {
        for (int k :
                new int[] {GradientLayout.LOSS, GradientLayout.EXCESS, GradientLayout.DISTANCE, GradientLayout.HELD}) {
            Tangents.requireThat(
                    Tangents.isAtLeast(totals[k], own[k]),
                    "a sum of what is never negative is less than this node's own");
        }
        if (layout.intercept()) {
            Tangents.requireSlopes(layout.rising() - 1, layout.risingSpread() - 1, own, totals);
        }
        if (order.every() > 1) {
            return;
        }
        Tangents.requireThat(
                Math.abs(totals[GradientLayout.WEIGHT] - weight) <= TOLERANCE * weight,
                "the sum of all weights is not what nodes said of theirs");
        double loss = totals[GradientLayout.LOSS];
        tangents.add(1, order.point(), loss, loss - totals[GradientLayout.EXCESS], totals, GradientLayout.GRADIENT);
    }

    private void requireDiagonal(double[] own, double[] totals) {
        int at = GradientLayout.FIRST;
        for (int c = 0; c < layout.features(); c++) {
            Tangents.requireThat(
                    Tangents.isAtLeast(totals[at], own[at]),
                    "the curvature of feature " + (c + 1) + " is less than this node's own");
            at += c + 2;
        }
    }

    /** Along a line the slope of a convex function grows. */
    private static void requireRising(int trials, double[] totals) {
        for (int k = GradientLayout.FIRST + 1; k < GradientLayout.FIRST + trials; k++) {
            double slack = TOLERANCE * (Math.abs(totals[k]) + Math.abs(totals[k - 1]));
            Tangents.requireThat(totals[k] >= totals[k - 1] - slack, "they are those of no convex function");
        }
    }

    void save(DataOutput out) throws IOException {
        tangents.save(out);
    }

    void restore(DataInput in) throws IOException {
        tangents.restore(in);
    }
}
