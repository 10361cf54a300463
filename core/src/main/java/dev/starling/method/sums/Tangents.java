package dev.starling.method.sums;

import dev.starling.data.InvalidInputException;
import dev.starling.node.SavedState;
import dev.starling.node.SumWords;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What all nodes' losses are at the points so far, and lower bounds on them that gradients there give: a convex
 * function is nowhere below its tangents, so totals that say so are no sums over rows.
 */
public final class Tangents {

    /** What rounding may do to totals, relatively. */
    public static final double TOLERANCE = 0x1p-40;

    /** How far from the sum of numbers that of their words may be. */
    private static final double WORDS = SumWords.MOST_ADDENDS * SumWords.ROUNDING;

    /** Numbers that are kept. */
    private static final int MOST_NUMBERS = 1 << 23;

    /** Totals at a point; those over every k-th row are always over the same. */
    private record Tangent(int stride, double[] point, double loss, double height, double[] gradient) {}

    private final int features;
    private final List<Tangent> seen = new ArrayList<>();

    /** None is known yet. */
    public Tangents(int features) {
        this.features = features;
    }

    /** Whether a sum of what is never negative may be a total that a node's own part is in: words round a little. */
    public static boolean isAtLeast(double total, double own) {
        return total >= own * (1 - TOLERANCE) - SumWords.ROUNDING;
    }

    /** Refuses totals unless they meet a condition that sums over rows do. */
    public static void requireThat(boolean condition, String otherwise) {
        if (!condition) {
            throw new InvalidInputException("totals that cannot be right: " + otherwise
                    + "; some node adds what is no sum over rows, and which one cannot be told");
        }
    }

    /**
     * Refuses totals unless slopes of either sign add up to no less than this node's own.
     *
     * @param all where the sum of all slopes is
     * @param rising where that of the positive ones is
     */
    public static void requireSlopes(int all, int rising, double[] own, double[] totals) {
        double size = Math.abs(totals[rising]) + Math.abs(totals[rising] - totals[all]);
        requireThat(
                totals[rising] >= own[rising] - TOLERANCE * size
                        && totals[rising] - totals[all] >= own[rising] - own[all] - TOLERANCE * size,
                "the slopes of one sign add up to less than this node's own");
    }

    /**
     * Takes in the totals of a sum over every k-th row.
     *
     * @param loss what the losses are at the point
     * @param height of the tangent there: the loss if the gradient is its own, less if it is that of a bound
     * @param from where the gradient is in the totals
     * @throws InvalidInputException if they cannot be right beside earlier ones
     */
    public void add(int stride, double[] point, double loss, double height, double[] totals, int from) {
        double[] gradient = new double[features];
        System.arraycopy(totals, from, gradient, 0, features);
        Tangent now = new Tangent(stride, point, loss, height, gradient);
        for (Tangent before : seen) {
            if (before.stride == stride) {
                requireAbove(before, now);
                requireAbove(now, before);
            }
        }
        if (2L * features * (seen.size() + 1) <= MOST_NUMBERS) {
            seen.add(now);
        }
    }

    private static void requireAbove(Tangent tangent, Tangent other) {
        double rise = 0;
        double size = 0;
        for (int c = 0; c < tangent.gradient.length; c++) {
            double part = tangent.gradient[c] * (other.point[c] - tangent.point[c]);
            rise += part;
            size += Math.abs(part);
        }
        double slack = TOLERANCE * (Math.abs(other.loss) + Math.abs(tangent.loss) + size) + WORDS;
        requireThat(other.loss >= tangent.height + rise - slack, "they are those of no convex function");
    }

    /** Writes what was taken in. */
    public void save(DataOutput out) throws IOException {
        out.writeInt(seen.size());
        for (Tangent one : seen) {
            out.writeInt(one.stride);
            SavedState.writeDoubles(out, one.point);
            out.writeDouble(one.loss);
            out.writeDouble(one.height);
            SavedState.writeDoubles(out, one.gradient);
        }
    }

    /** Takes up what {@link #save} wrote. */
    public void restore(DataInput in) throws IOException {
        seen.clear();
        for (int left = in.readInt(); left > 0; left--) {
            seen.add(new Tangent(
                    in.readInt(),
                    SavedState.readDoubles(in, features),
                    in.readDouble(),
                    in.readDouble(),
                    SavedState.readDoubles(in, features)));
        }
    }
}
