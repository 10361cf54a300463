package dev.starling.method.newton;

import static dev.starling.method.sums.Tangents.requireThat;

import dev.starling.loss.Loss;
import dev.starling.method.newton.NewtonDecisions.Decision;
import dev.starling.method.sums.Tangents;
import dev.starling.node.HiddenSum;
import dev.starling.node.State;
import dev.starling.node.Stateful;
import dev.starling.problem.LocalProblem;
import java.io.IOException;

/**
 * Checks conditions that totals must satisfy if every node's addend is a sum over rows, as far as this node can tell. A
 * node that adds something else could choose the points at which all nodes evaluate their rows, so every node checks
 * the totals.
 */
final class TotalsCheck implements Stateful {

    private static final double TOLERANCE = Tangents.TOLERANCE;

    private final Loss loss;
    private final PassLayout layout;
    private final int features;
    private final double weight;

    /** Whether curvature is greatest at margin 0, and the loss there is the same for every label. */
    private final boolean steepestAtZero;

    private final Tangents tangents;

    /** The diagonal of the Hessian at θ = 0, if known, and the stride of the pass that computed it. */
    private double[] diagonalAtZero = {};

    private int strideAtZero;

    TotalsCheck(LocalProblem problem, TunedNewton tuned) {
        this.loss = problem.loss();
        this.layout = tuned.layout();
        this.features = layout.features();
        this.tangents = new Tangents(features);
        this.weight = tuned.totals().weight();
        this.steepestAtZero = loss.isClassification() && !problem.data().isShifted() && isSteepestAtZero(loss);
    }

    private static boolean isSteepestAtZero(Loss loss) {
        double[] curvatures = new double[Loss.BLOCK];
        double[] labels = new double[Loss.BLOCK];
        labels[0] = 1;
        labels[1] = -1;
        loss.evaluate(2, new double[Loss.BLOCK], labels, null, new double[Loss.BLOCK], curvatures);
        return curvatures[0] == loss.smoothness() && curvatures[1] == loss.smoothness();
    }

    /**
     * Checks the totals of a pass.
     *
     * @throws dev.starling.data.InvalidInputException if they cannot be right
     */
    void require(Decision asked, double[] own, double[] totals) {
        if (HiddenSum.isTooLarge(totals)) {
            return;
        }
        double[] point = asked.point();
        boolean zero = isZero(point);
        double total = totals[NewtonPass.LOSS];
        requireThat(
                Tangents.isAtLeast(total, own[NewtonPass.LOSS]), "the sum of all losses is less than this node's own");
        double passed = totals[NewtonPass.WEIGHT];
        requireThat(
                asked.stride() > 1 || isNear(passed, weight), "the sum of all weights is not what the nodes declared");
        if (zero && steepestAtZero) {
            requireThat(
                    isNear(total, passed * loss.value(0, 1)), "the losses at 0 do not match the weight of the rows");
        }
        if (asked.passSums() == PassSums.PROOF) {
            requireProof(own, totals);
        } else if (layout.intercept()) {
            Tangents.requireSlopes(layout.rising() - 1, layout.risingSpread() - 1, own, totals);
        }
        tangents.add(asked.stride(), point, total, total, totals, NewtonPass.GRADIENT);
        if (asked.passSums().isCurved()) {
            requireDiagonal(asked, zero, own, totals);
        }
    }

    private static boolean isNear(double value, double expected) {
        return Math.abs(value - expected) <= TOLERANCE * Math.abs(expected);
    }

    private static boolean isZero(double[] point) {
        for (double value : point) {
            if (value != 0) {
                return false;
            }
        }
        return true;
    }

    private void requireProof(double[] own, double[] totals) {
        for (int k = layout.proof(); k < layout.length(PassSums.PROOF); k++) {
            requireThat(Tangents.isAtLeast(totals[k], own[k]), "the leverages add up to less than this node's own");
        }
    }

    private void requireDiagonal(Decision asked, boolean zero, double[] own, double[] totals) {
        boolean comparable = diagonalAtZero.length > 0 && strideAtZero == asked.stride();
        double[] diagonal = new double[features];
        int at = layout.hessian();
        for (int c = 0; c < features; c++) {
            diagonal[c] = totals[at];
            requireThat(
                    Tangents.isAtLeast(diagonal[c], own[at]),
                    "the curvature of feature " + (c + 1) + " is less than this node's own");
            requireThat(
                    !comparable || diagonal[c] <= diagonalAtZero[c] * (1 + TOLERANCE),
                    "the curvature of feature " + (c + 1) + " is more than it was at 0");
            // In the lower triangle of a matrix, row by row, the next diagonal entry is one row further.
            at += asked.passSums() == PassSums.HESSIAN ? c + 2 : 1;
        }
        if (zero && steepestAtZero) {
            diagonalAtZero = diagonal;
            strideAtZero = asked.stride();
        }
    }

    @Override
    public void state(State s) throws IOException {
        diagonalAtZero = s.vector(diagonalAtZero, features);
        strideAtZero = s.number(strideAtZero);
        tangents.state(s);
    }
}
