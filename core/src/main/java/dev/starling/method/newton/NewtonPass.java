package dev.starling.method.newton;

import dev.starling.data.Dataset;
import dev.starling.loss.Loss;
import dev.starling.method.sums.OuterProducts;
import dev.starling.method.sums.RowSamples;
import dev.starling.node.HiddenSum;
import dev.starling.node.SumWords;
import dev.starling.problem.CompensatedSum;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Rounding;
import dev.starling.problem.RowBounds;
import dev.starling.problem.VectorSumRounding;
import java.util.Arrays;

/**
 * One node's pass over its samples, or over every k-th of them: the sum of their losses, their weight, the gradient
 * and, when asked for, the Hessian of that sum, in one vector that nodes can add up.
 *
 * <p>Rows are taken a block at a time: all products with θ, then all losses, then what they add. Within a block no row
 * waits for the one before, and a loss may work on the whole block.
 */
final class NewtonPass {

    /* Where the sums are. */
    static final int LOSS = HiddenSum.HEAD;
    static final int WEIGHT = LOSS + 1;
    /** What rounding of margins may have taken from the losses, and may have put between slopes and margins. */
    static final int ERROR = LOSS + 2;

    static final int SLACK = LOSS + 3;

    /** What rounding may have added to the length of the gradient. */
    static final int SPREAD = LOSS + 4;

    static final int GRADIENT = LOSS + 5;

    /** Roundings of a sum of rows that are not additions, with room to spare. */
    private static final int OPERATIONS = 8;

    /** Where nobody wants more, a sum over fewer rows of a node tells too much about each. */
    static final int FEWEST_ROWS = 50;

    private final LocalProblem problem;
    private final int fewestRows;
    private final int features;
    private final PassLayout layout;
    private VectorSumRounding rounding;
    private RowBounds rowBounds;
    private final RowBlock block;

    /* Hessians are of the rows as they are, or of their coordinates in the span of all rows. */
    private final OuterProducts outerProducts;
    private final SpanRows spanRows;

    /**
     * Passes over the samples of a node.
     *
     * @param fewestRows a sum over fewer of them would tell too much about each
     */
    NewtonPass(LocalProblem problem, PassLayout layout, int fewestRows) {
        this.problem = problem;
        this.fewestRows = fewestRows;
        this.features = problem.features();
        this.layout = layout;
        this.block = new RowBlock(problem);
        this.outerProducts = layout.inSpan() ? null : new OuterProducts(problem.data());
        this.spanRows = layout.inSpan() ? new SpanRows(problem, layout) : null;
    }

    /** From now on Hessians are summed up in this span. */
    void project(Span span) {
        spanRows.project(span);
    }

    /**
     * Every how many-th sample of this node a pass over every k-th takes: a node with few takes more of them, and their
     * sums count so much less.
     */
    int ownStride(int every) {
        int own = every;
        while (own > 1 && problem.samples() / own < fewestRows) {
            own /= RowSamples.GROWTH;
        }
        return own;
    }

    /** The number of samples that a pass over every k-th visits. */
    int visits(int every) {
        int own = ownStride(every);
        return (int) ((problem.samples() + own - 1L) / own);
    }

    /**
     * Overwrites the sums with those of the samples 0, every, 2·every, … at a point.
     *
     * @param tight whether to bound rounding row by row; otherwise by the largest that a row could be
     */
    void sum(PassSums order, double[] theta, int every, boolean tight, double[] sums) {
        Arrays.fill(sums, 0, layout.length(order), 0);
        int stride = ownStride(every);
        int visits = visits(every);
        boolean bounded = tight && every == 1;
        if (bounded) {
            rounding = rounding == null ? new VectorSumRounding(problem) : rounding;
            rounding.begin();
        }
        CompensatedSum loss = new CompensatedSum();
        SlopeSums slopeSums = new SlopeSums();
        double length = Rounding.length(theta);
        double weight = 0;
        double slope = 0;
        for (int from = 0; from < visits; from += Loss.BLOCK) {
            int count = Math.min(Loss.BLOCK, visits - from);
            weight += block.take(theta, from, stride, count);
            loss.add(block.evaluate(count));
            if (bounded) {
                addBoundedRows(from, count, sums);
                addRounding(length, from, count, sums);
            } else {
                slope += addRows(count, sums);
            }
            if (layout.intercept()) {
                addRising(count, slopeSums, sums);
            }
            if (order == PassSums.HESSIAN) {
                addHessian(from, count, sums);
            } else if (order == PassSums.DIAGONAL) {
                outerProducts.addDiagonal(count, block.rows, block.curvatures, sums, layout.hessian());
            }
        }
        if (order == PassSums.SPAN) {
            spanRows.addCombinations(sums);
        }
        if (order == PassSums.DIAGONAL) {
            keepDiagonalSummable(sums);
        }
        sums[LOSS] = loss.value();
        sums[WEIGHT] = weight;
        if (layout.intercept()) {
            finishRising(slopeSums, sums);
        }
        if (bounded) {
            sums[SPREAD] = rounding.bound(sums, GRADIENT);
        } else if (every == 1) {
            boundRounding(length, slope, weight, sums);
        }
        if (every == 1) {
            addRoundingToWords(sums);
        }
        if (stride < every) {
            scale(sums, layout.length(order), (double) stride / every);
        }
    }

    /** By a power of two, which is exact. */
    private static void scale(double[] sums, int length, double factor) {
        for (int k = LOSS; k < length; k++) {
            sums[k] *= factor;
        }
    }

    private void addHessian(int from, int count, double[] sums) {
        if (spanRows == null) {
            outerProducts.add(count, block.rows, block.curvatures, sums, layout.hessian());
        } else {
            spanRows.addOuterProducts(from, count, block.curvatures, sums);
        }
    }

    /** A diagonal only says where steps are to be short, so squares that have no words need not end a run. */
    private void keepDiagonalSummable(double[] sums) {
        for (int k = layout.hessian(); k < layout.length(PassSums.DIAGONAL); k++) {
            sums[k] = Math.min(sums[k], Math.nextDown(SumWords.TOO_LARGE));
        }
    }

    private void addBoundedRows(int from, int count, double[] sums) {
        for (int k = 0; k < count; k++) {
            problem.data().addTo(block.rows[k], block.slopes[k], sums, GRADIENT);
            rounding.added(from + k, block.slopes[k], sums, GRADIENT);
        }
    }

    /** Adds the rows of a block times their slopes, and returns how large those are together. */
    private double addRows(int count, double[] sums) {
        Dataset data = problem.data();
        double size = 0;
        for (int k = 0; k < count; k++) {
            data.addTo(block.rows[k], block.slopes[k], sums, GRADIENT);
            size += Math.abs(block.slopes[k]);
        }
        return size;
    }

    /** Σ w s, and its part that is positive, of which a dual point's feasibility depends on the last digit. */
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
     * What a proof has to add for rounding if every row were as long as the longest could be, and every sum so far as
     * long as all rows added to it together: much too much, and most often still far less than the gap.
     */
    private void boundRounding(double length, double slope, double weight, double[] sums) {
        double longest = rowBounds().length();
        double distance = Rounding.ofMargin(rowBounds.stored(), longest * length, rowBounds.label());
        double bend = weight * problem.loss().smoothness() * distance * distance;
        double slightlyMore = 1 + problem.samples() * 4 * Rounding.UNIT;
        sums[ERROR] = slightlyMore * slope * distance + bend;
        sums[SLACK] = bend;
        sums[SPREAD] = spread(slope);
    }

    /** How far a sum of rows, times slopes that are so large together, may be from the exact one. */
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

    /** What a proof has to add for the rounding of a block's margins, of which Σ |x_c θ_c| ≤ ‖x‖ ‖θ‖. */
    private void addRounding(double length, int from, int count, double[] sums) {
        Dataset data = problem.data();
        double beta = problem.loss().smoothness();
        double error = 0;
        double slack = 0;
        for (int k = 0; k < count; k++) {
            double weight = block.weight(k);
            double distance = Rounding.ofMargin(data, block.rows[k], rounding.length(from + k) * length);
            double bend = weight * beta * distance * distance;
            error += Math.abs(block.slopes[k]) * distance + bend;
            slack += bend;
        }
        sums[ERROR] += error;
        sums[SLACK] += slack;
    }

    /** Numbers are added up as words, whose own rounding a proof has to add too. */
    private void addRoundingToWords(double[] sums) {
        double misfit = 0;
        for (int c = GRADIENT; c < GRADIENT + features; c++) {
            misfit = sums[c] == 0 ? misfit : Math.sqrt(features) * SumWords.ROUNDING;
        }
        sums[SPREAD] = SumWords.up(sums[SPREAD] + misfit);
        if (layout.intercept()) {
            double words = Math.sqrt(features) * SumWords.ROUNDING;
            sums[layout.risingSpread()] = SumWords.up(sums[layout.risingSpread()] + words);
        }
        sums[ERROR] = SumWords.up(sums[ERROR] + SumWords.rounding(sums[LOSS]));
        sums[SLACK] = SumWords.up(sums[SLACK]);
    }
}
