package dev.starling.peer.policy;

import dev.starling.loss.Loss;
import dev.starling.node.SavedState;
import dev.starling.problem.LocalProblem;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * How much of what sums have told depends on a single row. With a column of slopes per sum, S, the damped leverage of
 * row j is s_jᵀ(SᵀS + τ²I)⁻¹s_j: near 1, some combination of the sums is that row and little else.
 *
 * <p>It is ‖z_j‖² where Cz_j = s_j and CCᵀ = SᵀS + τ²I. A new sum gives C a row and every z_j an entry, so that only
 * those entries are kept. Of more rows than there is room for every k-th is looked at, as if there were no others.
 */
final class Leverage {

    /** τ, in units of the root mean square of the first column. */
    private static final double DAMPING = 0.2;

    private static final long MOST_BYTES = 64L << 20;
    private static final int FEWEST_ROWS = 1000;

    private final int stride;
    private final List<float[]> entries = new ArrayList<>();
    private final double[] leverages;
    private double damping;
    private float[] next = {};

    /**
     * Of no sums yet.
     *
     * @param rows of the site
     * @param mostSums that there will be
     */
    Leverage(int rows, int mostSums) {
        long room = Math.max(FEWEST_ROWS, MOST_BYTES / Float.BYTES / Math.max(1, mostSums));
        this.stride = (int) ((rows + room - 1) / room);
        this.leverages = new double[(rows + stride - 1) / stride];
    }

    /** Slopes and curvatures of all rows at a point. */
    static void evaluate(LocalProblem problem, double[] point, double[] slopes, double[] curvatures) {
        Loss loss = problem.loss();
        double[] margins = new double[Loss.BLOCK];
        double[] labels = new double[Loss.BLOCK];
        double[] weights = new double[Loss.BLOCK];
        double[] slope = new double[Loss.BLOCK];
        double[] curvature = new double[Loss.BLOCK];
        for (int from = 0; from < problem.samples(); from += Loss.BLOCK) {
            int count = Math.min(Loss.BLOCK, problem.samples() - from);
            for (int k = 0; k < count; k++) {
                margins[k] = problem.margin(from + k, point);
                labels[k] = problem.label(from + k);
                weights[k] = problem.weight(from + k);
            }
            loss.evaluate(count, margins, labels, weights, slope, curvature);
            System.arraycopy(slope, 0, slopes, from, count);
            System.arraycopy(curvature, 0, curvatures, from, count);
        }
    }

    /** The largest leverage of a row if a column, an entry per row of the site, were added; {@link #add} then does. */
    double with(double[] column) {
        int rows = leverages.length;
        double[] last = new double[rows];
        double squares = 0;
        for (int j = 0; j < rows; j++) {
            last[j] = column[j * stride];
            squares += last[j] * last[j];
        }
        if (entries.isEmpty()) {
            damping = DAMPING * DAMPING * squares / Math.max(1, rows);
        }
        // The new row of C: what earlier entries have in common with the column, then what is left on the diagonal.
        double pivot = squares + damping;
        for (float[] entry : entries) {
            double common = 0;
            for (int j = 0; j < rows; j++) {
                common += entry[j] * column[j * stride];
            }
            for (int j = 0; j < rows; j++) {
                last[j] -= common * entry[j];
            }
            pivot -= common * common;
        }
        double root = Math.sqrt(Math.max(pivot, Math.max(damping, Double.MIN_NORMAL)));
        next = new float[rows];
        double largest = 0;
        for (int j = 0; j < rows; j++) {
            next[j] = (float) (last[j] / root);
            largest = Math.max(largest, leverages[j] + (double) next[j] * next[j]);
        }
        return largest;
    }

    /** Adds the column that was last asked about. */
    void add() {
        append(next);
    }

    /** The largest leverage of a row so far. */
    double largest() {
        return Arrays.stream(leverages).max().orElse(0);
    }

    private void append(float[] entry) {
        entries.add(entry);
        for (int j = 0; j < entry.length; j++) {
            leverages[j] += (double) entry[j] * entry[j];
        }
    }

    void save(DataOutput out) throws IOException {
        out.writeDouble(damping);
        out.writeInt(entries.size());
        for (float[] entry : entries) {
            double[] wide = new double[entry.length];
            for (int j = 0; j < wide.length; j++) {
                wide[j] = entry[j];
            }
            SavedState.writeDoubles(out, wide);
        }
    }

    void restore(DataInput in) throws IOException {
        damping = in.readDouble();
        entries.clear();
        Arrays.fill(leverages, 0);
        for (int left = in.readInt(); left > 0; left--) {
            double[] wide = SavedState.readDoubles(in, leverages.length);
            float[] entry = new float[wide.length];
            for (int j = 0; j < entry.length; j++) {
                entry[j] = (float) wide[j];
            }
            append(entry);
        }
    }
}
