package dev.starling.method.sums;

import dev.starling.data.InvalidInputException;
import dev.starling.node.State;
import dev.starling.node.Stateful;
import dev.starling.node.SumWords;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The total losses at the points so far, and the tangents there, which the gradients give. A convex function is nowhere
 * below its tangents, so totals that contradict this cannot be sums over rows.
 */
public final class ConvexityCheck implements Stateful {

    /** The relative error that rounding may cause in totals. */
    public static final double TOLERANCE = 0x1p-40;

    /** How far the sum of fixed-point words may be from the sum of the numbers they stand for. */
    private static final double WORDS = SumWords.MOST_ADDENDS * SumWords.ROUNDING;

    /** No more numbers than this are kept. */
    private static final int MOST_NUMBERS = 1 << 23;

    /**
     * The totals at a point. Samples with the same stride always consist of the same rows, so their totals can be
     * compared.
     */
    private record Tangent(int stride, double[] point, double loss, double height, double[] gradient) {
        private static final Tangent NONE = new Tangent(0, new double[0], 0, 0, new double[0]);
    }

    private final int features;
    private final List<Tangent> seen = new ArrayList<>();

    /** Creates an empty collection of tangents. */
    public ConvexityCheck(int features) {
        this.features = features;
    }

    /**
     * Returns whether the total of addends that are never negative is plausible given this node's own addend: words are
     * rounded a little.
     */
    public static boolean isAtLeast(double total, double own) {
        return total >= own * (1 - TOLERANCE) - SumWords.ROUNDING;
    }

    /** Rejects totals that violate a condition which holds for all sums over rows. */
    public static void requireThat(boolean condition, String otherwise) {
        if (!condition) {
            throw new InvalidInputException("totals that cannot be right: " + otherwise
                    + "; some node added something that is not a sum over its rows, and there is no way to tell which");
        }
    }

    /**
     * Rejects totals whose slopes of one sign add up to less than this node's own.
     *
     * @param all the index of the sum of all slopes
     * @param rising the index of the sum of the positive slopes
     */
    public static void requireSlopes(int all, int rising, double[] own, double[] totals) {
        double size = Math.abs(totals[rising]) + Math.abs(totals[rising] - totals[all]);
        requireThat(
                totals[rising] >= own[rising] - TOLERANCE * size
                        && totals[rising] - totals[all] >= own[rising] - own[all] - TOLERANCE * size,
                "the slopes of one sign add up to less than this node's own");
    }

    /**
     * Adds the totals of a sum over every k-th row, after comparing them with earlier ones.
     *
     * @param stride k
     * @param loss the total loss at the point
     * @param height the height of the tangent there: the loss itself if the gradient is that of the loss, less if it is
     *     the gradient of a lower bound
     * @param from the index of the gradient in the totals
     * @throws InvalidInputException if they contradict earlier ones
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
        requireThat(other.loss >= tangent.height + rise - slack, "they do not belong to a convex function");
    }

    @Override
    public void state(State s) throws IOException {
        s.elements(
                seen,
                Tangent.NONE,
                (state, one) -> new Tangent(
                        state.number(one.stride),
                        state.vector(one.point, features),
                        state.number(one.loss),
                        state.number(one.height),
                        state.vector(one.gradient, features)));
    }
}
