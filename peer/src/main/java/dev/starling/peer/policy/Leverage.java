package dev.starling.peer.policy;

import dev.starling.loss.Loss;
import dev.starling.node.State;
import dev.starling.node.Stateful;
import dev.starling.node.SumRequest;
import dev.starling.problem.LocalProblem;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * How much of what the sums have revealed depends on a single row. Let S have one column of slopes per sum and s_jᵀ be
 * its row j; the damped leverage of row j is s_jᵀ(SᵀS + τ²I)⁻¹s_j. If it is near 1, some combination of the sums
 * consists of that row and little else.
 *
 * <p>It is ‖z_j‖² where Cz_j = s_j and CCᵀ = SᵀS + τ²I. A new sum adds a row to C and an entry to every z_j, so that
 * only these entries need to be kept. If there are more rows than memory allows, only every k-th row is considered, as
 * if there were no others.
 */
final class Leverage implements Stateful {

    /** τ, in units of the root mean square of the first column. */
    private static final double DAMPING = 0.2;

    /**
     * The largest root mean square of a column in units of that of the first. A multiple of a sum tells as much as the
     * sum itself; and beside far larger ones, what rounding leaves of an entry would look like a row that stands out.
     */
    private static final double LARGEST = 1024;

    private static final long MOST_BYTES = 128L << 20;
    private static final int FEWEST_ROWS = 1000;

    private final int stride;
    private final List<double[]> entries = new ArrayList<>();
    private final double[] leverages;
    private double damping;
    private double[] next = {};

    /**
     * Creates the leverage of rows before any sum.
     *
     * @param rows the number of rows of the site
     * @param mostSums the largest number of sums that there will be
     */
    Leverage(int rows, int mostSums) {
        long room = Math.max(FEWEST_ROWS, MOST_BYTES / Double.BYTES / Math.max(1, mostSums));
        this.stride = (int) ((rows + room - 1) / room);
        this.leverages = new double[(rows + stride - 1) / stride];
    }

    /**
     * Computes how much each sample contributes to sums at a point: by output and, for curvatures, by pair of outputs.
     *
     * @param stride the samples 0, stride, 2·stride, … contribute; the others have no share
     */
    static SumRequest.Shares shares(LocalProblem problem, double[] point, int stride, boolean curved) {
        int outputs = problem.loss().outputs();
        double[][] slopes = new double[outputs][problem.samples()];
        double[][] curvatures = new double[outputs * (outputs + 1) / 2][problem.samples()];
        if (outputs == 1) {
            evaluate(problem, point, slopes[0], curvatures[0]);
        } else {
            evaluateOutputs(problem, point, slopes, curvatures);
        }
        for (int j = 0; j < problem.samples(); j++) {
            if (j % stride != 0) {
                clear(slopes, j);
                clear(curvatures, j);
            }
        }
        return new SumRequest.Shares(List.of(slopes), curved ? List.of(curvatures) : List.of());
    }

    private static void clear(double[][] columns, int sample) {
        for (double[] column : columns) {
            column[sample] = 0;
        }
    }

    private static void evaluateOutputs(
            LocalProblem problem, double[] point, double[][] slopes, double[][] curvatures) {
        double[][] blocks = problem.blocks(point);
        double[] margins = new double[slopes.length];
        double[] slope = new double[slopes.length];
        double[] curvature = new double[curvatures.length];
        for (int j = 0; j < problem.samples(); j++) {
            problem.margins(j, blocks, margins);
            problem.loss().bend(margins, problem.label(j), slope, curvature);
            for (int k = 0; k < slope.length; k++) {
                slopes[k][j] = problem.weight(j) * slope[k];
            }
            for (int k = 0; k < curvature.length; k++) {
                curvatures[k][j] = problem.weight(j) * curvature[k];
            }
        }
    }

    /** Computes the slopes and curvatures of all rows at a point, for a loss of one margin. */
    private static void evaluate(LocalProblem problem, double[] point, double[] slopes, double[] curvatures) {
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

    /**
     * Returns the largest leverage of a row if a column, with one entry per row of the site, were added; {@link #add}
     * then adds it.
     */
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
        double most = LARGEST * LARGEST * damping / (DAMPING * DAMPING) * rows;
        double scale = squares > most && most > 0 ? Math.sqrt(most / squares) : 1;
        for (int j = 0; scale < 1 && j < rows; j++) {
            last[j] *= scale;
        }
        squares *= scale * scale;
        // The new row of C: the products of the earlier entries with the column, then the remainder on the diagonal.
        double pivot = squares + damping;
        for (double[] entry : entries) {
            double common = 0;
            for (int j = 0; j < rows; j++) {
                common += entry[j] * scale * column[j * stride];
            }
            for (int j = 0; j < rows; j++) {
                last[j] -= common * entry[j];
            }
            pivot -= common * common;
        }
        double root = Math.sqrt(Math.max(pivot, Math.max(damping, Double.MIN_NORMAL)));
        next = new double[rows];
        double largest = 0;
        for (int j = 0; j < rows; j++) {
            next[j] = last[j] / root;
            largest = Math.max(largest, leverages[j] + next[j] * next[j]);
        }
        return largest;
    }

    /** Adds the column that was last passed to {@link #with}. */
    void add() {
        append(next);
    }

    /** The largest leverage of a row so far. */
    double largest() {
        return Arrays.stream(leverages).max().orElse(0);
    }

    private void append(double[] entry) {
        entries.add(entry);
        for (int j = 0; j < entry.length; j++) {
            leverages[j] += entry[j] * entry[j];
        }
    }

    @Override
    public void state(State s) throws IOException {
        damping = s.number(damping);
        List<double[]> same = new ArrayList<>(entries);
        s.elements(same, new double[0], (state, entry) -> state.vector(entry, leverages.length));
        if (s.isRestoring()) {
            entries.clear();
            Arrays.fill(leverages, 0);
            same.forEach(this::append);
        }
    }
}
