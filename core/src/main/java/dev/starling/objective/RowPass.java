package dev.starling.objective;

import dev.starling.data.Dataset;
import dev.starling.loss.Loss;
import dev.starling.node.SumWords;
import dev.starling.problem.CompensatedSum;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Rounding;
import dev.starling.problem.RowBounds;
import dev.starling.problem.VectorSumRounding;
import java.util.Arrays;

/**
 * One node's pass over its samples, or over every k-th of them: computes the sum of their losses, their weight, the
 * gradient and, on request, the Hessian of that sum, in one vector that nodes can add up.
 *
 * <p>Rows are processed in blocks: first all products with θ, then all losses, then their contributions. Within a block
 * no row waits for the one before it, and a loss can work on the whole block.
 */
final class RowPass {

    /** The number of roundings in a sum of rows that are not additions, with room to spare. */
    private static final int OPERATIONS = 8;

    private final LocalProblem problem;
    private final int features;
    private final PassLayout layout;
    private final Strides strides;
    private VectorSumRounding rounding;
    private RowBounds rowBounds;
    private final RowBlock block;

    /* Hessians are computed from the rows themselves, or from their coordinates in the span of all rows. */
    private final OuterProducts outerProducts;
    private final SpanRows spanRows;

    RowPass(LocalProblem problem, PassLayout layout, Strides strides) {
        this.problem = problem;
        this.features = problem.features();
        this.layout = layout;
        this.strides = strides;
        this.block = new RowBlock(problem);
        this.outerProducts = layout.inSpan() ? null : new OuterProducts(problem.data());
        this.spanRows = layout.inSpan() ? new SpanRows(problem, layout) : null;
    }

    /** Makes all later passes compute Hessians in this span. */
    void project(Span span) {
        spanRows.project(span);
    }

    /**
     * Overwrites the sums with those over the samples 0, stride, 2·stride, … at a point.
     *
     * @param tight whether to bound rounding row by row instead of by the longest row
     */
    void sum(PassSums passSums, double[] theta, int stride, boolean tight, double[] sums) {
        Arrays.fill(sums, 0, layout.length(passSums), 0);
        int ownStride = strides.own(stride);
        int visits = strides.visits(stride);
        boolean bounded = tight && stride == 1;
        if (bounded) {
            rounding = rounding == null ? new VectorSumRounding(problem) : rounding;
            rounding.begin();
        }
        CompensatedSum loss = new CompensatedSum();
        SlopeSums slopeSums = new SlopeSums();
        double length = Rounding.length(theta);
        double weight = 0;
        double slope = 0;
        double curvature = 0;
        for (int from = 0; from < visits; from += Loss.BLOCK) {
            int count = Math.min(Loss.BLOCK, visits - from);
            weight += block.take(theta, from, ownStride, count);
            loss.add(block.evaluate(count));
            if (bounded) {
                addBoundedRows(from, count, sums);
                addRounding(length, from, count, sums);
            } else {
                slope += addRows(count, sums);
                curvature += block.curvature(count);
            }
            if (layout.intercept()) {
                addRising(count, slopeSums, sums);
            }
            if (passSums == PassSums.HESSIAN) {
                addHessian(from, count, sums);
            } else if (passSums == PassSums.DIAGONAL) {
                outerProducts.addDiagonal(count, block.rows, block.curvatures, sums, layout.hessian());
            }
        }
        if (passSums == PassSums.SPAN) {
            spanRows.addCombinations(sums);
        }
        if (passSums == PassSums.DIAGONAL) {
            keepDiagonalSummable(sums);
        }
        sums[PassLayout.LOSS] = loss.value();
        sums[PassLayout.WEIGHT] = weight;
        if (layout.intercept()) {
            finishRising(slopeSums, sums);
        }
        if (bounded) {
            sums[PassLayout.SPREAD] = rounding.bound(sums, PassLayout.GRADIENT);
        } else if (stride == 1) {
            boundRounding(length, slope, weight, curvature, sums);
        }
        if (stride == 1) {
            addRoundingToWords(sums);
        }
        strides.scale(stride, sums, PassLayout.LOSS, layout.length(passSums));
    }

    private void addHessian(int from, int count, double[] sums) {
        if (spanRows == null) {
            outerProducts.add(count, block.rows, block.curvatures, sums, layout.hessian());
        } else {
            spanRows.addOuterProducts(from, count, block.curvatures, sums);
        }
    }

    /**
     * A diagonal only says where steps should be short, so entries that are too large for a word are clipped instead of
     * ending the run.
     */
    private void keepDiagonalSummable(double[] sums) {
        for (int k = layout.hessian(); k < layout.length(PassSums.DIAGONAL); k++) {
            sums[k] = Math.min(sums[k], Math.nextDown(SumWords.TOO_LARGE));
        }
    }

    private void addBoundedRows(int from, int count, double[] sums) {
        for (int k = 0; k < count; k++) {
            problem.data().addTo(block.rows[k], block.slopes[k], sums, PassLayout.GRADIENT);
            rounding.added(from + k, block.slopes[k], sums, PassLayout.GRADIENT);
        }
    }

    /** Adds the rows of a block times their slopes, and returns the sum of the slopes' absolute values. */
    private double addRows(int count, double[] sums) {
        Dataset data = problem.data();
        double size = 0;
        for (int k = 0; k < count; k++) {
            data.addTo(block.rows[k], block.slopes[k], sums, PassLayout.GRADIENT);
            size += Math.abs(block.slopes[k]);
        }
        return size;
    }

    /**
     * Σ w s and the part of it with positive slopes; the feasibility of a dual point depends on the last digit of
     * these.
     */
    private record SlopeSums(CompensatedSum all, CompensatedSum rising) {
        SlopeSums() {
            this(new CompensatedSum(), new CompensatedSum());
        }
    }

    private void addRising(int count, SlopeSums slopeSums, double[] sums) {
        for (int k = 0; k < count; k++) {
            slopeSums.all.add(block.slopes[k]);
            if (block.slopes[k] > 0) {
                slopeSums.rising.add(block.slopes[k]);
                problem.data().addTo(block.rows[k], block.slopes[k], sums, layout.rising());
            }
        }
    }

    private void finishRising(SlopeSums slopeSums, double[] sums) {
        sums[layout.rising() - 1] = slopeSums.all.value();
        sums[layout.risingSpread() - 1] = slopeSums.rising.value();
        sums[layout.risingSpread()] = spread(slopeSums.rising.value());
    }

    /**
     * Computes what a proof has to add for rounding as if every row had the largest possible length, and every partial
     * sum were as long as the lengths of all its rows together. That is far too much, and usually still far less than
     * the gap.
     */
    private void boundRounding(double length, double slope, double weight, double curvature, double[] sums) {
        double longest = rowBounds().length();
        double distance = Rounding.ofMargin(rowBounds.stored(), longest * length, rowBounds.label());
        double bend = block.curvatureWithin(weight, curvature, distance) * distance * distance;
        double slightlyMore = 1 + problem.samples() * 4 * Rounding.UNIT;
        sums[PassLayout.ERROR] = slightlyMore * slope * distance + bend;
        sums[PassLayout.SLACK] = bend;
        sums[PassLayout.SPREAD] = spread(slope);
    }

    /** Bounds the rounding error of a sum of rows times slopes whose absolute values add up to {@code slope}. */
    private double spread(double slope) {
        double slightlyMore = 1 + problem.samples() * 4 * Rounding.UNIT;
        return Rounding.UNIT
                * slightlyMore
                * (problem.samples() + OPERATIONS)
                * slope
                * rowBounds().length();
    }

    private RowBounds rowBounds() {
        rowBounds = rowBounds == null ? problem.bounds() : rowBounds;
        return rowBounds;
    }

    /** Adds what a proof has to add for the rounding of a block's margins, using Σ |x_c θ_c| ≤ ‖x‖ ‖θ‖. */
    private void addRounding(double length, int from, int count, double[] sums) {
        double error = 0;
        double slack = 0;
        for (int k = 0; k < count; k++) {
            double distance = Rounding.ofMargin(problem, block.rows[k], rounding.length(from + k) * length);
            double bend = block.curvatureWithin(k, distance) * distance * distance;
            error += Math.abs(block.slopes[k]) * distance + bend;
            slack += bend;
        }
        sums[PassLayout.ERROR] += error;
        sums[PassLayout.SLACK] += slack;
    }

    /** Adds what a proof has to add for the rounding of numbers to the words in which they are added up. */
    private void addRoundingToWords(double[] sums) {
        double misfit = 0;
        for (int c = PassLayout.GRADIENT; c < PassLayout.GRADIENT + features; c++) {
            misfit = sums[c] == 0 ? misfit : Math.sqrt(features) * SumWords.ROUNDING;
        }
        sums[PassLayout.SPREAD] = SumWords.up(sums[PassLayout.SPREAD] + misfit);
        if (layout.intercept()) {
            double words = Math.sqrt(features) * SumWords.ROUNDING;
            sums[layout.risingSpread()] = SumWords.up(sums[layout.risingSpread()] + words);
        }
        sums[PassLayout.ERROR] = SumWords.up(sums[PassLayout.ERROR] + SumWords.rounding(sums[PassLayout.LOSS]));
        sums[PassLayout.SLACK] = SumWords.up(sums[PassLayout.SLACK]);
    }
}
