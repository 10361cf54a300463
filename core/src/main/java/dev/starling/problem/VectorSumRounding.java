package dev.starling.problem;

import dev.starling.data.Dataset;

/**
 * Bounds, as rows are added to it one by one, how far rounding may take a vector Σ a_j x_j from the exact sum. An
 * addition errs by no more than half a unit in the last place of the sum so far; its length is looked at every few
 * rows.
 */
public final class VectorSumRounding {

    private static final int FEWEST_ROWS = 4;

    /** Looking at the length of a sparse sum costs at most as much as adding the rows since the last look. */
    private static final double LOOK_COST = 1;

    /** Roundings that are not additions of rows, with room to spare. */
    private static final int OPERATIONS = 4;

    private final LocalProblem problem;
    private final int rowsPerLook;

    /** ‖x‖ of every sample, rounded up. */
    private final float[] lengths;

    private double reach;
    private double additions;
    private int rows;
    private double reachOfRows;

    /** For sums of the samples of a problem. */
    public VectorSumRounding(LocalProblem problem) {
        Dataset data = problem.data();
        this.problem = problem;
        double valuesPerRow = Math.max(1, data.storedValues() / Math.max(1.0, data.rows()));
        this.rowsPerLook = (int) Math.max(FEWEST_ROWS, LOOK_COST * problem.features() / valuesPerRow);
        this.lengths = new float[problem.samples()];
        for (int j = 0; j < lengths.length; j++) {
            lengths[j] = Math.nextUp((float) Math.sqrt(data.squaredNorm(problem.row(j))) * (1 + 0x1p-20f));
        }
    }

    /** ‖x‖ of a sample, rounded up. */
    public double length(int sample) {
        return lengths[sample];
    }

    /** Begins a new sum. */
    public void begin() {
        reach = 0;
        additions = 0;
        rows = 0;
        reachOfRows = 0;
    }

    /** A sample, times a scale, was added to the sum, which is at an offset of an array. */
    public void added(int sample, double scale, double[] vector, int offset) {
        reachOfRows += Math.abs(scale) * lengths[sample];
        if (++rows == rowsPerLook) {
            look(vector, offset);
        }
    }

    /** Since the last look no sum so far was longer than the sum now and all that was added since, together. */
    private void look(double[] vector, int offset) {
        additions += rows * (length(vector, offset) + reachOfRows);
        reach += reachOfRows;
        rows = 0;
        reachOfRows = 0;
    }

    private double length(double[] vector, int offset) {
        double squares0 = 0;
        double squares1 = 0;
        double squares2 = 0;
        double squares3 = 0;
        int c = offset;
        int end = offset + problem.features();
        for (; c + 3 < end; c += 4) {
            squares0 = Math.fma(vector[c], vector[c], squares0);
            squares1 = Math.fma(vector[c + 1], vector[c + 1], squares1);
            squares2 = Math.fma(vector[c + 2], vector[c + 2], squares2);
            squares3 = Math.fma(vector[c + 3], vector[c + 3], squares3);
        }
        for (; c < end; c++) {
            squares0 = Math.fma(vector[c], vector[c], squares0);
        }
        return Math.sqrt((squares0 + squares1) + (squares2 + squares3));
    }

    /**
     * How far the sum may be from the exact one, in the Euclidean norm, once those of all nodes are added up exactly
     * and the whole is rounded and divided by something.
     */
    public double bound(double[] vector, int offset) {
        look(vector, offset);
        // The lengths of the sums are rounded as well.
        double slightlyMore = 1 + (problem.features() + problem.samples()) * 4 * Rounding.UNIT;
        return Rounding.UNIT * slightlyMore * (additions + 2 * reach + OPERATIONS * length(vector, offset));
    }
}
