package dev.starling.problem;

import dev.starling.data.Dataset;
import dev.starling.data.Values;
import dev.starling.internal.Vectors;
import dev.starling.loss.Loss;

/**
 * Upper bounds on the rounding errors of margins and losses, which proofs of optimality add so that they hold for the
 * exact values. They are derived in docs/correctness.md.
 */
public final class Rounding {

    /** The largest relative rounding error of one operation. */
    public static final double UNIT = 0x1p-53;

    /** An upper bound on the roundings of a margin other than those of adding every fourth product. */
    private static final int MARGIN_OPERATIONS = 10;

    private Rounding() {}

    /**
     * A bound on the error of a margin xᵀθ computed by {@link Dataset#dot}, including those of adding a shift to it and
     * of comparing it with y in a loss.
     */
    public static double ofMargin(LocalProblem problem, int row, double[] theta) {
        return ofMargin(problem, row, magnitude(problem.data(), row, theta));
    }

    /** The same bound if Σ |x_c θ_c| is known to be at most some magnitude, such as ‖x‖ ‖θ‖. */
    public static double ofMargin(LocalProblem problem, int row, double magnitude) {
        Dataset data = problem.data();
        double label = problem.loss().labelSize(data.label(row));
        return ofMargin(data.end(row) - data.start(row), magnitude, label + Math.abs(data.offset(row)));
    }

    /**
     * The same bound for a row of which only sizes are known.
     *
     * @param stored the number of its stored values
     * @param magnitude an upper bound on Σ |x_c θ_c|
     * @param label {@link Loss#labelSize} plus the absolute value of the shift
     */
    public static double ofMargin(int stored, double magnitude, double label) {
        double additions = stored / 4 + MARGIN_OPERATIONS;
        return UNIT * (additions * magnitude + 4 * label);
    }

    /** An upper bound on the absolute slope of a loss within a distance of a margin. */
    public static double steepest(Loss loss, double margin, double distance, double label) {
        double beta = loss.smoothness();
        return Double.isInfinite(beta)
                ? Math.max(
                        Math.abs(loss.derivative(margin - distance, label)),
                        Math.abs(loss.derivative(margin + distance, label)))
                : Math.abs(loss.derivative(margin, label)) + beta * distance;
    }

    /** An upper bound on the absolute slope of a loss anywhere; infinite if there is none. */
    public static double steepest(Loss loss) {
        return loss.smoothness() < Double.POSITIVE_INFINITY ? Double.POSITIVE_INFINITY : steepest(loss, 0, 1e18, 1);
    }

    /** ‖v‖, rounded up. */
    public static double length(double[] vector) {
        return Vectors.norm(vector) * (1 + 0x1p-20);
    }

    /** Σ |x_c θ_c|, as four sums like those of {@link Dataset#dot}. */
    private static double magnitude(Dataset data, int row, double[] theta) {
        if (theta.length != data.features()) {
            throw new IllegalArgumentException(
                    "a parameter of " + theta.length + " numbers for rows of " + data.features() + " features");
        }
        return data.isDense()
                ? denseMagnitude(data.values(row), data.start(row), theta)
                : sparseMagnitude(data.columns(row), data.values(row), data.start(row), data.end(row), theta);
    }

    private static double denseMagnitude(Values values, int start, double[] theta) {
        double sum0 = 0;
        double sum1 = 0;
        double sum2 = 0;
        double sum3 = 0;
        int c = 0;
        for (; c + 3 < theta.length; c += 4) {
            sum0 += Math.abs(values.at(start + c) * theta[c]);
            sum1 += Math.abs(values.at(start + c + 1) * theta[c + 1]);
            sum2 += Math.abs(values.at(start + c + 2) * theta[c + 2]);
            sum3 += Math.abs(values.at(start + c + 3) * theta[c + 3]);
        }
        for (; c < theta.length; c++) {
            sum0 += Math.abs(values.at(start + c) * theta[c]);
        }
        return (sum0 + sum1) + (sum2 + sum3);
    }

    private static double sparseMagnitude(int[] columns, Values values, int start, int end, double[] theta) {
        double sum0 = 0;
        double sum1 = 0;
        double sum2 = 0;
        double sum3 = 0;
        int k = start;
        for (; k + 3 < end; k += 4) {
            sum0 += Math.abs(values.at(k) * theta[columns[k]]);
            sum1 += Math.abs(values.at(k + 1) * theta[columns[k + 1]]);
            sum2 += Math.abs(values.at(k + 2) * theta[columns[k + 2]]);
            sum3 += Math.abs(values.at(k + 3) * theta[columns[k + 3]]);
        }
        for (; k < end; k++) {
            sum0 += Math.abs(values.at(k) * theta[columns[k]]);
        }
        return (sum0 + sum1) + (sum2 + sum3);
    }
}
