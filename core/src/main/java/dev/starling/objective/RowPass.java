package dev.starling.objective;

import dev.starling.cores.Blocks;
import dev.starling.node.SumWords;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Rounding;
import dev.starling.problem.RowBounds;
import dev.starling.problem.VectorSumRounding;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * One node's pass over its samples, or over every k-th of them: computes the sum of their losses, their weight, the
 * gradient and, on request, the Hessian of that sum, in one vector that nodes can add up.
 */
final class RowPass {

    /** The number of roundings in a sum of rows that are not additions of rows, with room to spare. */
    private static final int OPERATIONS = 8;

    private final LocalProblem problem;
    private final int features;
    private final PassLayout layout;
    private final Strides strides;

    /** The samples that passes with a stride visit. */
    private final Map<Integer, RowSample> samples = new HashMap<>();

    private final SpanRows spanRows;
    private final boolean boundedOnlyByRow;
    private boolean keepsRareColumns;
    private VectorSumRounding lengths;
    private RowBounds rowBounds;
    private Optional<WorkingSet> workingSet = Optional.empty();

    RowPass(LocalProblem problem, PassLayout layout, Strides strides) {
        this.problem = problem;
        this.features = problem.features();
        this.layout = layout;
        this.strides = strides;
        this.boundedOnlyByRow = new RowBlock(problem, true).isBoundedOnlyByRow();
        this.spanRows = layout.inSpan() ? new SpanRows(problem, layout) : null;
    }

    /** Makes samples contain all values in columns that have hardly any in every k-th one. */
    void keepRareColumns() {
        keepsRareColumns = true;
    }

    /** The samples that a pass with a given stride visits. */
    RowSample sample(int stride) {
        int own = strides.own(stride);
        return samples.computeIfAbsent(
                own,
                every -> keepsRareColumns
                        ? RowSample.withRareColumns(every, problem)
                        : RowSample.every(every, problem.samples()));
    }

    /** Makes all later passes for a working set compute the Hessian of this one. */
    void choose(WorkingSet set) {
        workingSet = Optional.of(set);
    }

    /** Makes all later passes compute Hessians in this span. */
    void project(Span span) {
        spanRows.project(span);
    }

    /**
     * Overwrites the sums with those over the samples of a stride at a point.
     *
     * @param tight whether to bound rounding row by row instead of by the longest row, and to compensate for it in the
     *     gradient
     */
    void sum(PassSums passSums, double[] theta, int stride, boolean tight, double[] sums) {
        boolean bounded = (tight || boundedOnlyByRow) && stride == 1;
        boolean compensated = tight && bounded;
        if (bounded && lengths == null) {
            lengths = new VectorSumRounding(problem);
        }
        double length = Rounding.length(theta);
        RowSample sample = sample(stride);
        RowSums.Visit visit =
                new RowSums.Visit(passSums, workingSet, theta, length, sample, bounded ? lengths : null, compensated);
        int numbers = layout.length(passSums, workingSet);
        RowSums total = new RowSums(problem, layout, spanRows, visit, sums);
        Blocks.sum(
                sample.size(),
                rowsPerBlock(passSums, numbers),
                numbers,
                total,
                () -> new RowSums(problem, layout, spanRows, visit, new double[numbers]));
        total.finish();
        if (passSums == PassSums.SPAN) {
            spanRows.addCombinations(sums);
        }
        if (passSums == PassSums.DIAGONAL) {
            keepDiagonalSummable(sums);
        }
        sums[PassLayout.LOSS] = total.loss();
        sums[PassLayout.WEIGHT] = total.weight();
        if (layout.intercept()) {
            finishRising(total, sums);
        }
        if (bounded) {
            sums[PassLayout.SPREAD] = compensated
                    ? total.rounding().boundCompensated()
                    : total.rounding().bound(sums, PassLayout.GRADIENT);
        } else if (stride == 1) {
            boundRounding(total, length, sums);
        }
        if (stride == 1) {
            layout.roundUp(sums);
        }
        strides.scale(stride, sums, PassLayout.LOSS, numbers);
    }

    private int rowsPerBlock(PassSums passSums, int numbers) {
        double values = problem.valuesPerRow();
        double curved = layout.inSpan() ? layout.curved() : values;
        double part =
                workingSet.map(set -> (double) set.columns().length / features).orElse(1.0);
        double work = 4 * values
                + switch (passSums) {
                    case HESSIAN -> curved * curved / 2;
                    case COLUMNS -> part * part * curved * curved / 2;
                    default -> 0;
                };
        return Blocks.rows(values, work, passSums == PassSums.SPAN ? layout.hessian() : numbers);
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

    private void finishRising(RowSums total, double[] sums) {
        sums[layout.rising() - 1] = total.slopes();
        sums[layout.risingSpread() - 1] = total.rising();
        sums[layout.risingSpread()] = spread(total.rising());
    }

    /**
     * Computes what a proof has to add for rounding as if every row had the largest possible length, and every partial
     * sum were as long as the lengths of all its rows together. That is far too much, and usually still far less than
     * the gap.
     */
    private void boundRounding(RowSums total, double length, double[] sums) {
        double longest = rowBounds().length();
        double distance = Rounding.ofMargin(rowBounds.stored(), longest * length, rowBounds.label());
        double bend = total.curvatureWithin(distance) * distance * distance;
        double slightlyMore = 1 + problem.samples() * 4 * Rounding.UNIT;
        sums[PassLayout.ERROR] = slightlyMore * total.slope() * distance + bend;
        sums[PassLayout.SLACK] = bend;
        sums[PassLayout.SPREAD] = spread(total.slope());
    }

    /**
     * Bounds the rounding error of a sum of rows times slopes whose absolute values add up to {@code slope}. A row goes
     * through no more additions than there are rows in its block and blocks after it.
     */
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
}
