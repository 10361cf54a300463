package dev.starling.objective;

import dev.starling.cores.Blocks;
import dev.starling.loss.Loss;
import dev.starling.problem.CompensatedSum;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Rounding;
import dev.starling.problem.VectorSumRounding;
import java.util.Arrays;
import java.util.Optional;

/**
 * The sums of a {@link RowPass} over a block of rows, or over several.
 *
 * <p>Rows are visited a few at a time: first all products with θ, then all losses, then their contributions. No row
 * waits for the one before it, and a loss can work on all of them.
 */
final class RowSums implements Blocks.Part<RowSums> {

    /**
     * What a pass sums up, and where.
     *
     * @param workingSet the columns whose Hessian is computed, if it is not that of all
     * @param length ‖θ‖, rounded up
     * @param sample the samples to visit
     * @param lengths knows the lengths of rows; null unless rounding is bounded row by row
     * @param compensated whether the gradient is added up with its rounding errors, if they are bounded row by row
     */
    record Visit(
            PassSums what,
            Optional<WorkingSet> workingSet,
            double[] theta,
            double length,
            RowSample sample,
            VectorSumRounding lengths,
            boolean compensated) {

        boolean isBounded() {
            return lengths != null;
        }
    }

    private final LocalProblem problem;
    private final PassLayout layout;
    private final RowBlock block;

    /* Hessians are computed from the rows themselves, or from their coordinates in the span of all rows. */
    private final OuterProducts outerProducts;
    private final SpanRows spanRows;

    private final Visit visit;
    private final int numbers;
    private final double[] sums;

    /** The gradient; null unless it is compensated. */
    private final CompensatedVector gradient;

    /** The bound on the rounding of the gradient; null unless it is computed row by row. */
    private VectorSumRounding rounding;

    private CompensatedSum loss;

    /* Σ w s and the part of it with positive slopes; the feasibility of a dual point depends on their last digits. */
    private CompensatedSum slopes;
    private CompensatedSum rising;

    private double weight;
    private double slope;
    private double curvature;

    /**
     * Starts sums.
     *
     * @param spanRows the rows in the span of all rows; null if Hessians are those of all parameters
     * @param sums where they are
     */
    RowSums(LocalProblem problem, PassLayout layout, SpanRows spanRows, Visit visit, double[] sums) {
        this.problem = problem;
        this.layout = layout;
        this.block = new RowBlock(problem, visit.sample.isEven());
        this.outerProducts = spanRows == null ? new OuterProducts(problem.data()) : null;
        this.spanRows = spanRows;
        this.visit = visit;
        this.numbers = layout.length(visit.what, visit.workingSet);
        if (visit.what == PassSums.COLUMNS) {
            outerProducts.choose(visit.workingSet.orElseThrow().columns());
        }
        this.sums = sums;
        this.gradient =
                visit.compensated ? new CompensatedVector(sums, PassLayout.GRADIENT, layout.parameters()) : null;
        clear();
    }

    @Override
    public void clear() {
        Arrays.fill(sums, 0, numbers, 0);
        if (visit.compensated) {
            gradient.clear();
        }
        rounding = visit.isBounded() ? visit.lengths.another() : null;
        loss = new CompensatedSum();
        slopes = new CompensatedSum();
        rising = new CompensatedSum();
        weight = 0;
        slope = 0;
        curvature = 0;
    }

    @Override
    public void sum(int first, int end) {
        for (int from = first; from < end; from += Loss.BLOCK) {
            int count = Math.min(Loss.BLOCK, end - from);
            weight += block.take(visit.theta, visit.sample, from, count);
            loss.add(block.evaluate(count));
            if (visit.isBounded()) {
                addBoundedRows(from, count);
                addRounding(from, count);
            } else {
                addRows(count);
                curvature += block.curvature(count);
            }
            if (layout.intercept()) {
                addRising(count);
            }
            if (visit.what == PassSums.COLUMNS) {
                block.raiseCurvatures(count, visit.workingSet.orElseThrow().caution());
            }
            if (visit.what == PassSums.HESSIAN || visit.what == PassSums.COLUMNS) {
                addHessian(from, count);
            } else if (visit.what == PassSums.DIAGONAL) {
                outerProducts.addDiagonal(count, block.rows, block.curvatures, sums, layout.hessian());
            }
        }
    }

    @Override
    public void add(RowSums next) {
        if (visit.isBounded()) {
            rounding.measure(sums, PassLayout.GRADIENT);
            next.rounding.measure(next.sums, PassLayout.GRADIENT);
        }
        int length = visit.what == PassSums.SPAN ? layout.hessian() : numbers;
        if (visit.compensated) {
            gradient.add(next.gradient);
        } else {
            add(next, PassLayout.GRADIENT, PassLayout.GRADIENT + layout.parameters());
        }
        add(next, PassLayout.LOSS, PassLayout.GRADIENT);
        add(next, PassLayout.GRADIENT + layout.parameters(), length);
        if (visit.isBounded()) {
            rounding.add(next.rounding, sums, PassLayout.GRADIENT);
        }
        loss.add(next.loss);
        slopes.add(next.slopes);
        rising.add(next.rising);
        weight += next.weight;
        slope += next.slope;
        curvature += next.curvature;
    }

    private void add(RowSums next, int from, int to) {
        for (int k = from; k < to; k++) {
            sums[k] += next.sums[k];
        }
    }

    /** Adds to the gradient what is known of its rounding errors. */
    void finish() {
        if (visit.compensated) {
            gradient.finish();
        }
    }

    double loss() {
        return loss.value();
    }

    double weight() {
        return weight;
    }

    /** The sum of the slopes' absolute values; only if rounding is not bounded row by row. */
    double slope() {
        return slope;
    }

    /** A bound on w·ℓ'' of all rows together within a distance of their margins. */
    double curvatureWithin(double distance) {
        return block.curvatureWithin(weight, curvature, distance);
    }

    double slopes() {
        return slopes.value();
    }

    double rising() {
        return rising.value();
    }

    VectorSumRounding rounding() {
        return rounding;
    }

    private void addHessian(int from, int count) {
        if (!problem.loss().isConvex()) {
            outerProducts.addSigned(count, block.rows, block.curvatures, sums, layout.hessian());
        } else if (spanRows == null) {
            outerProducts.add(count, block.rows, block.curvatures, sums, layout.hessian());
        } else {
            spanRows.addOuterProducts(from, count, block.curvatures, sums);
        }
    }

    private void addBoundedRows(int from, int count) {
        for (int k = 0; k < count; k++) {
            if (visit.compensated) {
                gradient.add(problem.data(), block.rows[k], block.slopes[k]);
            } else {
                problem.data().addTo(block.rows[k], block.slopes[k], sums, PassLayout.GRADIENT);
            }
            rounding.added(from + k, block.slopes[k], sums, PassLayout.GRADIENT);
        }
    }

    private void addRows(int count) {
        double size = 0;
        for (int k = 0; k < count; k++) {
            problem.data().addTo(block.rows[k], block.slopes[k], sums, PassLayout.GRADIENT);
            size += Math.abs(block.slopes[k]);
        }
        slope += size;
    }

    private void addRising(int count) {
        for (int k = 0; k < count; k++) {
            slopes.add(block.slopes[k]);
            if (block.slopes[k] > 0) {
                rising.add(block.slopes[k]);
                problem.data().addTo(block.rows[k], block.slopes[k], sums, layout.rising());
            }
        }
    }

    /** Adds what a proof has to add for the rounding of margins, using Σ |x_c θ_c| ≤ ‖x‖ ‖θ‖. */
    private void addRounding(int from, int count) {
        double error = 0;
        double slack = 0;
        for (int k = 0; k < count; k++) {
            double distance = Rounding.ofMargin(problem, block.rows[k], rounding.length(from + k) * visit.length);
            double bend = block.curvatureWithin(k, distance) * distance * distance;
            error += Math.abs(block.slopes[k]) * distance + bend;
            slack += bend;
        }
        sums[PassLayout.ERROR] += error;
        sums[PassLayout.SLACK] += slack;
    }
}
