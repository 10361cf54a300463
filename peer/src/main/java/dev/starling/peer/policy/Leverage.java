package dev.starling.peer.policy;

import dev.starling.internal.Cholesky;
import dev.starling.loss.Loss;
import dev.starling.node.SavedState;
import dev.starling.problem.LocalProblem;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * How much of what sums have told depends on a single row. With a column of slopes per sum, S, the damped leverage of
 * row j is s_jᵀ(SᵀS + τ²I)⁻¹s_j: near 1, some combination of the sums is that row and little else.
 */
final class Leverage {

    /** τ, in units of the root mean square of the first column. */
    private static final double DAMPING = 0.2;

    private static final long MOST_BYTES = 64L << 20;

    private final int rows;
    private final List<float[]> columns = new ArrayList<>();

    /** SᵀS by rows, up to the diagonal. */
    private final List<double[]> gram = new ArrayList<>();

    private double damping;
    private double most;

    Leverage(int rows) {
        this.rows = rows;
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
                margins[k] = problem.data().dot(problem.row(from + k), point);
                labels[k] = problem.label(from + k);
                weights[k] = problem.weight(from + k);
            }
            loss.evaluate(count, margins, labels, weights, slope, curvature);
            System.arraycopy(slope, 0, slopes, from, count);
            System.arraycopy(curvature, 0, curvatures, from, count);
        }
    }

    /** The largest leverage of a row if a column were added. Once there is no room to tell, what it was. */
    double with(double[] column) {
        if (isFull()) {
            return most;
        }
        float[] last = floats(column);
        double tau = columns.isEmpty() ? DAMPING * rootMeanSquare(column) : damping;
        return largest(last, products(last), tau);
    }

    private boolean isFull() {
        return (columns.size() + 2L) * rows * Float.BYTES > MOST_BYTES;
    }

    /** Adds a column. */
    void add(double[] column) {
        most = Math.max(most, with(column));
        if (columns.isEmpty()) {
            damping = DAMPING * rootMeanSquare(column);
        }
        if (!isFull()) {
            append(floats(column));
        }
    }

    private void append(float[] column) {
        gram.add(products(column));
        columns.add(column);
    }

    /** A column times those so far and itself. */
    private double[] products(float[] column) {
        double[] products = new double[columns.size() + 1];
        for (int a = 0; a < columns.size(); a++) {
            products[a] = dot(columns.get(a), column);
        }
        products[columns.size()] = dot(column, column);
        return products;
    }

    private static float[] floats(double[] column) {
        float[] result = new float[column.length];
        for (int j = 0; j < result.length; j++) {
            result[j] = (float) column[j];
        }
        return result;
    }

    private static double rootMeanSquare(double[] column) {
        double squares = 0;
        for (double value : column) {
            squares += value * value;
        }
        return Math.sqrt(squares / Math.max(1, column.length));
    }

    private double largest(float[] last, double[] lastProducts, double tau) {
        int k = columns.size() + 1;
        double[] factor = new double[k * k];
        for (int a = 0; a < k; a++) {
            double[] products = a < k - 1 ? gram.get(a) : lastProducts;
            System.arraycopy(products, 0, factor, a * k, a + 1);
            factor[a * k + a] += Math.max(tau * tau, Double.MIN_NORMAL);
        }
        Cholesky.factorise(factor, k);
        double[] row = new double[k];
        double largest = 0;
        for (int j = 0; j < rows; j++) {
            for (int a = 0; a < k - 1; a++) {
                row[a] = columns.get(a)[j];
            }
            row[k - 1] = last[j];
            largest = Math.max(largest, leverage(factor, k, row));
        }
        return largest;
    }

    /** ‖C⁻¹s‖², where CCᵀ is SᵀS + τ²I. */
    private static double leverage(double[] factor, int k, double[] row) {
        double squares = 0;
        for (int a = 0; a < k; a++) {
            double value = row[a];
            for (int b = 0; b < a; b++) {
                value -= factor[a * k + b] * row[b];
            }
            row[a] = value / factor[a * k + a];
            squares += row[a] * row[a];
        }
        return squares;
    }

    private static double dot(float[] one, float[] other) {
        double sum = 0;
        for (int j = 0; j < one.length; j++) {
            sum += (double) one[j] * other[j];
        }
        return sum;
    }

    void save(DataOutput out) throws IOException {
        out.writeDouble(damping);
        out.writeDouble(most);
        out.writeInt(columns.size());
        for (float[] column : columns) {
            double[] wide = new double[column.length];
            for (int j = 0; j < wide.length; j++) {
                wide[j] = column[j];
            }
            SavedState.writeDoubles(out, wide);
        }
    }

    void restore(DataInput in) throws IOException {
        damping = in.readDouble();
        most = in.readDouble();
        columns.clear();
        gram.clear();
        for (int left = in.readInt(); left > 0; left--) {
            append(floats(SavedState.readDoubles(in, rows)));
        }
    }
}
