package dev.starling.problem;

import dev.starling.cores.Loops;
import dev.starling.data.Dataset;

/**
 * Bounds the rounding error of a vector Σ a_j x_j to which rows are added one by one. An addition errs by at most half
 * a unit in the last place of the sum so far, whose length is measured every few rows.
 */
public final class VectorSumRounding {

    private static final int FEWEST_ROWS = 4;

    /** The cost of measuring a sparse sum, at most, relative to adding the rows since it was last measured. */
    private static final double MEASURING_COST = 1;

    /** An upper bound on the roundings other than those of adding rows. */
    private static final int OPERATIONS = 4;

    private final LocalProblem problem;
    private final int rowsPerMeasurement;

    /** ‖x‖ of every sample, rounded up. */
    private final float[] lengths;

    /** Σ |a_j| ‖x_j‖ over the rows before the last measurement. */
    private double reach;

    /** A bound on the sum, over all additions before the last measurement, of the length of their result. */
    private double additions;

    /** The number of rows added since the last measurement. */
    private int rows;

    /** Σ |a_j| ‖x_j‖ over the rows since the last measurement. */
    private double reachOfRows;

    /** Creates bounds for sums of the samples of a problem. */
    public VectorSumRounding(LocalProblem problem) {
        Dataset data = problem.data();
        this.problem = problem;
        this.rowsPerMeasurement =
                (int) Math.max(FEWEST_ROWS, MEASURING_COST * problem.features() / problem.valuesPerRow());
        this.lengths = new float[problem.samples()];
        Loops.overRows(lengths.length, Loops.rows(problem.valuesPerRow()), (from, to) -> {
            for (int j = from; j < to; j++) {
                lengths[j] = Math.nextUp((float) Math.sqrt(data.squaredNorm(problem.row(j))) * (1 + 0x1p-20f));
            }
        });
    }

    private VectorSumRounding(VectorSumRounding other) {
        this.problem = other.problem;
        this.rowsPerMeasurement = other.rowsPerMeasurement;
        this.lengths = other.lengths;
    }

    /** Returns bounds for another sum of the same samples. */
    public VectorSumRounding another() {
        return new VectorSumRounding(this);
    }

    /** ‖x‖ of a sample, rounded up. */
    public double length(int sample) {
        return lengths[sample];
    }

    /** Takes note that a sample, multiplied by a scale, was added to the sum, which starts at an offset of an array. */
    public void added(int sample, double scale, double[] vector, int offset) {
        reachOfRows += Math.abs(scale) * lengths[sample];
        if (++rows == rowsPerMeasurement) {
            measure(vector, offset);
        }
    }

    /**
     * Takes note of the sum so far: no sum since the last measurement was longer than it is plus everything that was
     * added since.
     */
    public void measure(double[] vector, int offset) {
        additions += rows * (length(vector, offset) + reachOfRows);
        reach += reachOfRows;
        rows = 0;
        reachOfRows = 0;
    }

    /** Takes note that another sum, measured like this one, was added to this one, with this result. */
    public void add(VectorSumRounding other, double[] vector, int offset) {
        additions += other.additions + length(vector, offset);
        reach += other.reach;
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
     * A bound, in the Euclidean norm, on the error of the sum, including this node's share of the rounding once the
     * sums of all nodes have been added up exactly, rounded and divided by a number.
     */
    public double bound(double[] vector, int offset) {
        measure(vector, offset);
        // The lengths of the sums are rounded as well.
        double slightlyMore = 1 + (problem.features() + problem.samples()) * 4 * Rounding.UNIT;
        return Rounding.UNIT * slightlyMore * (additions + 2 * reach + OPERATIONS * length(vector, offset));
    }

    /**
     * The same bound if rounding errors were added up too: each row counts with the roundings of its products, of its
     * errors and of the result.
     */
    public double boundCompensated() {
        double samples = problem.samples();
        double operations = 2 * OPERATIONS + 4 * samples * samples * Rounding.UNIT;
        return Rounding.UNIT * (1 + samples * 4 * Rounding.UNIT) * operations * (reach + reachOfRows);
    }
}
