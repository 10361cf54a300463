package dev.starling.method.newton;

import static dev.starling.method.sums.ConvexityCheck.requireThat;

import dev.starling.method.newton.NewtonDecisions.Decision;
import dev.starling.method.sums.ConvexityCheck;
import dev.starling.node.HiddenSum;
import dev.starling.node.State;
import dev.starling.node.Stateful;
import dev.starling.objective.PassLayout;
import dev.starling.objective.PassSums;
import dev.starling.problem.LocalProblem;
import java.io.IOException;
import java.util.OptionalDouble;

/**
 * Checks conditions that totals must satisfy if every node's addend is a sum over rows, as far as this node can tell. A
 * node that adds something else could choose the points at which all nodes evaluate their rows, so every node checks
 * the totals.
 */
final class TotalsCheck implements Stateful {

    private static final double TOLERANCE = ConvexityCheck.TOLERANCE;

    private final PassLayout layout;
    private final int parameters;
    private final double weight;

    /** Whether curvature is greatest at the parameter 0. */
    private final boolean steepestAtZero;

    /** The loss of every row at the parameter 0, if it is the same for all. */
    private final OptionalDouble valueAtZero;

    private final ConvexityCheck convexity;

    /** The diagonal of the Hessian at θ = 0, if known, and the stride of the pass that computed it. */
    private double[] diagonalAtZero = {};

    private int strideAtZero;
    private final boolean convex;

    TotalsCheck(LocalProblem problem, TunedNewton tuned) {
        this.layout = tuned.layout();
        this.parameters = layout.parameters();
        this.convexity = new ConvexityCheck(parameters);
        this.convex = tuned.family().smoothness().isConvex();
        this.weight = tuned.totals().weight();
        boolean shifted = problem.data().hasOffsets();
        this.steepestAtZero = !shifted && tuned.family().isSteepestAtZero();
        this.valueAtZero = shifted ? OptionalDouble.empty() : tuned.family().valueAtZero();
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
        double total = totals[PassLayout.LOSS];
        requireThat(
                ConvexityCheck.isAtLeast(total, own[PassLayout.LOSS]),
                "the sum of all losses is less than this node's own");
        double passed = totals[PassLayout.WEIGHT];
        requireThat(
                asked.stride() > 1 || isNear(passed, weight), "the sum of all weights is not what the nodes declared");
        if (zero && valueAtZero.isPresent()) {
            requireThat(
                    isNear(total, passed * valueAtZero.getAsDouble()),
                    "the losses at 0 do not match the weight of the rows");
        }
        if (asked.passSums() == PassSums.PROOF) {
            requireProof(own, totals);
        } else if (layout.intercept() && layout.outputs() > 1) {
            requireClasses(own, totals);
        } else if (layout.intercept()) {
            ConvexityCheck.requireSlopes(layout.rising() - 1, layout.risingSpread() - 1, own, totals);
        }
        if (!convex) {
            return;
        }
        convexity.add(asked.stride(), point, total, total, totals, PassLayout.GRADIENT);
        if (asked.workingSet().isPresent()) {
            requireDiagonalOf(asked.workingSet().get().columns(), own, totals);
        } else if (asked.passSums().isCurved()) {
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
            requireThat(
                    ConvexityCheck.isAtLeast(totals[k], own[k]), "the leverages add up to less than this node's own");
        }
    }

    /** No class can have less weight, nor less probability, than this node's rows have. */
    private void requireClasses(double[] own, double[] totals) {
        int width = parameters / layout.outputs();
        for (int last = width - 1; last < parameters; last += width) {
            int rows = layout.rising() + last;
            int slopes = PassLayout.GRADIENT + last;
            requireThat(
                    ConvexityCheck.isAtLeast(totals[rows], own[rows])
                            && totals[rows] + totals[slopes]
                                    >= own[rows] + own[slopes] - TOLERANCE * totals[PassLayout.WEIGHT],
                    "the rows of class " + (last / width + 1)
                            + ", or their probabilities, add up to less than this node's own");
        }
    }

    private void requireDiagonalOf(int[] columns, double[] own, double[] totals) {
        for (int k = 0; k < columns.length; k++) {
            int at = layout.hessian() + k * (k + 3) / 2;
            requireThat(
                    ConvexityCheck.isAtLeast(totals[at], own[at]),
                    "the curvature of feature " + (columns[k] + 1) + " is less than this node's own");
        }
    }

    private void requireDiagonal(Decision asked, boolean zero, double[] own, double[] totals) {
        boolean comparable = diagonalAtZero.length > 0 && strideAtZero == asked.stride();
        double[] diagonal = new double[parameters];
        for (int c = 0; c < parameters; c++) {
            int at = layout.diagonal(asked.passSums(), c);
            diagonal[c] = totals[at];
            requireThat(
                    ConvexityCheck.isAtLeast(diagonal[c], own[at]),
                    "the curvature of feature " + (c + 1) + " is less than this node's own");
            requireThat(
                    !comparable || diagonal[c] <= diagonalAtZero[c] * (1 + TOLERANCE),
                    "the curvature of feature " + (c + 1) + " is more than it was at 0");
        }
        if (zero && steepestAtZero) {
            diagonalAtZero = diagonal;
            strideAtZero = asked.stride();
        }
    }

    @Override
    public void state(State s) throws IOException {
        diagonalAtZero = s.vector(diagonalAtZero, parameters);
        strideAtZero = s.number(strideAtZero);
        convexity.state(s);
    }
}
