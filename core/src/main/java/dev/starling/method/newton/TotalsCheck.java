package dev.starling.method.newton;

import dev.starling.data.InvalidInputException;
import dev.starling.loss.Loss;
import dev.starling.method.newton.NewtonDecisions.Decision;
import dev.starling.node.HiddenSum;
import dev.starling.node.SavedState;
import dev.starling.problem.LocalProblem;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What totals must satisfy if every node's addend is a sum over rows, as far as this node can tell. Whoever adds
 * something else can choose the points that all nodes look at their rows from, so every node looks for it.
 */
final class TotalsCheck {

    private static final double TOLERANCE = 0x1p-40;

    /** Numbers of earlier passes that are kept. */
    private static final int MOST_NUMBERS = 1 << 23;

    /** Totals of an earlier pass; those over every k-th row are always over the same. */
    private record Seen(int stride, double[] point, double loss, double[] gradient) {}

    private final Loss loss;
    private final PassLayout layout;
    private final int features;
    private final double weight;

    /** Whether curvature is greatest at 0, and the loss there is the same for every label. */
    private final boolean steepestAtZero;

    private final List<Seen> seen = new ArrayList<>();

    /** The diagonal of the Hessian at 0, and the stride it was summed up with; none if 0. */
    private double[] diagonalAtZero = {};

    private int strideAtZero;

    TotalsCheck(LocalProblem problem, TunedNewton tuned) {
        this.loss = problem.loss();
        this.layout = tuned.layout();
        this.features = layout.features();
        this.weight = tuned.totals().weight();
        this.steepestAtZero = loss.isClassification() && isSteepestAtZero(loss);
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
     * Takes in the totals of a pass.
     *
     * @throws InvalidInputException if they cannot be right
     */
    void require(Decision asked, double[] own, double[] totals) {
        if (HiddenSum.isTooLarge(totals)) {
            return;
        }
        double[] point = asked.point();
        boolean zero = isZero(point);
        double total = totals[NewtonPass.LOSS];
        require(total >= own[NewtonPass.LOSS] * (1 - TOLERANCE), "the sum of all losses is less than this node's own");
        double passed = totals[NewtonPass.WEIGHT];
        require(asked.every() > 1 || isNear(passed, weight), "the sum of all weights is not what nodes said of theirs");
        if (zero && steepestAtZero) {
            require(isNear(total, passed * loss.value(0, 1)), "the losses at 0 are not those of so many rows");
        }
        if (asked.order() == PassSums.PROOF) {
            requireProof(own, totals);
        } else if (layout.intercept()) {
            requireSlopes(own, totals);
        }
        requireConvex(asked.every(), point, totals);
        if (asked.order() == PassSums.HESSIAN) {
            requireDiagonal(asked, zero, own, totals);
        }
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new InvalidInputException("totals that cannot be right: " + otherwise
                    + "; some node adds what is no sum over rows, and which one cannot be told");
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

    /** A convex function is nowhere below its tangents. */
    private void requireConvex(int stride, double[] point, double[] totals) {
        Seen now = new Seen(stride, point, totals[NewtonPass.LOSS], gradient(totals));
        for (Seen before : seen) {
            if (before.stride == stride) {
                requireAbove(before, now);
                requireAbove(now, before);
            }
        }
        if (2L * features * (seen.size() + 1) <= MOST_NUMBERS) {
            seen.add(now);
        }
    }

    private static void requireAbove(Seen tangent, Seen other) {
        double rise = 0;
        double size = 0;
        for (int c = 0; c < tangent.gradient.length; c++) {
            double part = tangent.gradient[c] * (other.point[c] - tangent.point[c]);
            rise += part;
            size += Math.abs(part);
        }
        double slack = TOLERANCE * (Math.abs(other.loss) + Math.abs(tangent.loss) + size);
        require(other.loss >= tangent.loss + rise - slack, "they are those of no convex function");
    }

    private double[] gradient(double[] totals) {
        double[] gradient = new double[features];
        System.arraycopy(totals, NewtonPass.GRADIENT, gradient, 0, features);
        return gradient;
    }

    /** Slopes of either sign add up to no less than this node's own. */
    private void requireSlopes(double[] own, double[] totals) {
        int rising = layout.risingSpread() - 1;
        int all = layout.rising() - 1;
        double size = Math.abs(totals[rising]) + Math.abs(totals[rising] - totals[all]);
        require(
                totals[rising] >= own[rising] - TOLERANCE * size
                        && totals[rising] - totals[all] >= own[rising] - own[all] - TOLERANCE * size,
                "the slopes of one sign add up to less than this node's own");
    }

    private void requireProof(double[] own, double[] totals) {
        for (int k = layout.proof(); k < layout.length(PassSums.PROOF); k++) {
            require(totals[k] >= own[k] * (1 - TOLERANCE), "the leverages add up to less than this node's own");
        }
    }

    private void requireDiagonal(Decision asked, boolean zero, double[] own, double[] totals) {
        boolean comparable = diagonalAtZero.length > 0 && strideAtZero == asked.every();
        double[] diagonal = new double[features];
        int at = layout.hessian();
        for (int c = 0; c < features; c++) {
            diagonal[c] = totals[at];
            require(
                    diagonal[c] >= own[at] * (1 - TOLERANCE),
                    "the curvature of feature " + (c + 1) + " is less than this node's own");
            require(
                    !comparable || diagonal[c] <= diagonalAtZero[c] * (1 + TOLERANCE),
                    "the curvature of feature " + (c + 1) + " is more than it was at 0");
            at += c + 2;
        }
        if (zero && steepestAtZero) {
            diagonalAtZero = diagonal;
            strideAtZero = asked.every();
        }
    }

    void save(DataOutput out) throws IOException {
        SavedState.writeDoubles(out, diagonalAtZero);
        out.writeInt(strideAtZero);
        out.writeInt(seen.size());
        for (Seen one : seen) {
            out.writeInt(one.stride);
            SavedState.writeDoubles(out, one.point);
            out.writeDouble(one.loss);
            SavedState.writeDoubles(out, one.gradient);
        }
    }

    void restore(DataInput in) throws IOException {
        diagonalAtZero = SavedState.readDoubles(in, features);
        strideAtZero = in.readInt();
        seen.clear();
        for (int left = in.readInt(); left > 0; left--) {
            seen.add(new Seen(
                    in.readInt(),
                    SavedState.readDoubles(in, features),
                    in.readDouble(),
                    SavedState.readDoubles(in, features)));
        }
    }
}
