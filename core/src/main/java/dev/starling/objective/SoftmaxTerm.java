package dev.starling.objective;

import dev.starling.data.Dataset;
import dev.starling.loss.Elementary;
import dev.starling.loss.Loss;
import dev.starling.node.SumWords;
import dev.starling.problem.CompensatedSum;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Rounding;
import dev.starling.problem.RowBounds;
import dev.starling.problem.VectorSumRounding;
import java.util.Arrays;

/**
 * The negative log-likelihood of classes that are told apart all at once, Σ w (ln Σ_k e^η_k − η_y) with η_k = xᵀθ_k.
 *
 * <p>The slopes of a row are w p_k for the other classes and minus their sum for its own, never w (p − 1). So they add
 * up to 0 but for their own rounding, and stand for a point at which the conjugate, the negative entropy, is finite.
 */
final class SoftmaxTerm implements Term {

    /** The number of roundings in a slope besides those of adding up K exponentials, with room to spare. */
    private static final int OPERATIONS = 8;

    private final LocalProblem problem;
    private final PassLayout layout;
    private final Strides strides;
    private final int classes;
    private final int features;
    private final OuterProducts outerProducts;

    private final int[] rows = new int[Loss.BLOCK];
    private final double[] weights = new double[Loss.BLOCK];
    private final double[] scales = new double[Loss.BLOCK];

    /** The sum of the absolute values of each row's slopes. */
    private final double[] norms = new double[Loss.BLOCK];

    /* By class, then by row of the block: η, p, 1 − p and the slopes. */
    private final double[][] margins;
    private final double[][] likely;
    private final double[][] unlikely;
    private final double[][] slopes;

    /** θ, by class. */
    private final double[][] blocks;

    private RowBounds rowBounds;
    private VectorSumRounding[] rounding;

    SoftmaxTerm(LocalProblem problem, PassLayout layout, int fewestRows) {
        if (layout.parameters() != layout.outputs() * problem.features() || layout.intercept()) {
            throw new IllegalArgumentException(layout.parameters() + " parameters, all of them regularised, for "
                    + layout.outputs() + " classes and rows of " + problem.features() + " features");
        }
        this.problem = problem;
        this.layout = layout;
        this.strides = new Strides(problem.samples(), fewestRows);
        this.classes = layout.outputs();
        this.features = problem.features();
        this.outerProducts = new OuterProducts(problem.data());
        this.margins = new double[classes][Loss.BLOCK];
        this.likely = new double[classes][Loss.BLOCK];
        this.unlikely = new double[classes][Loss.BLOCK];
        this.slopes = new double[classes][Loss.BLOCK];
        this.blocks = new double[classes][features];
    }

    @Override
    public int visits(int stride) {
        return strides.visits(stride);
    }

    /** A row with v values takes 4v operations per class for a gradient, and v² per pair of classes for a Hessian. */
    @Override
    public double cost(PassSums what, int stride) {
        double values = (double) problem.data().storedValues()
                / Math.max(1, problem.data().rows());
        return visits(stride)
                * switch (what) {
                    case HESSIAN -> classes * (1 + (classes + 1) * values / 8);
                    case DIAGONAL -> 1.5 * classes;
                    default -> classes;
                };
    }

    @Override
    public void sum(PassSums what, double[] theta, int stride, boolean tight, double[] sums) {
        layout.require(theta);
        Arrays.fill(sums, 0, layout.length(what), 0);
        int visits = visits(stride);
        boolean bounded = tight && stride == 1;
        double longest = load(theta);
        if (bounded) {
            beginBounds();
        }
        CompensatedSum loss = new CompensatedSum();
        double weight = 0;
        double slope = 0;
        for (int from = 0; from < visits; from += Loss.BLOCK) {
            int count = Math.min(Loss.BLOCK, visits - from);
            weight += take(from, strides.own(stride), count);
            loss.add(evaluate(count));
            slope += bounded ? addBoundedRows(from, count, longest, sums) : addRows(count, sums);
            if (what == PassSums.HESSIAN) {
                addHessian(count, sums);
            } else if (what == PassSums.DIAGONAL) {
                addDiagonal(count, sums);
            }
        }
        finishCurvature(what, sums);
        sums[PassLayout.LOSS] = loss.value();
        sums[PassLayout.WEIGHT] = weight;
        if (stride == 1) {
            if (bounded) {
                finishBounds(sums);
            } else {
                boundByLongestRow(longest, slope, weight, sums);
            }
            addRoundingToWords(sums);
        }
        strides.scale(stride, sums, PassLayout.LOSS, layout.length(what));
    }

    /** Splits the parameter into blocks and returns the length of the longest one, rounded up. */
    private double load(double[] theta) {
        double longest = 0;
        for (int k = 0; k < classes; k++) {
            System.arraycopy(theta, k * features, blocks[k], 0, features);
            longest = Math.max(longest, Rounding.length(blocks[k]));
        }
        return longest;
    }

    /** Loads a block of samples with their margins, and returns the sum of their weights. */
    private double take(int from, int stride, int count) {
        Dataset data = problem.data();
        double sum = 0;
        for (int j = 0; j < count; j++) {
            rows[j] = problem.row((from + j) * stride);
            weights[j] = data.weight(rows[j]);
            sum += weights[j];
            for (int k = 0; k < classes; k++) {
                margins[k][j] = data.dot(rows[j], blocks[k]);
            }
        }
        return sum;
    }

    /** Computes p, 1 − p and slopes, and returns the sum of the losses; no addend of either is negative. */
    private double evaluate(int count) {
        double sum = 0;
        for (int j = 0; j < count; j++) {
            int own = (int) problem.data().label(rows[j]);
            int top = 0;
            for (int k = 1; k < classes; k++) {
                top = margins[k][j] > margins[top][j] ? k : top;
            }
            double most = margins[top][j];
            double others = 0;
            for (int k = 0; k < classes; k++) {
                likely[k][j] = k == top ? 1 : Elementary.exp(margins[k][j] - most);
                others += k == top ? 0 : likely[k][j];
            }
            double share = 1 / (1 + others);
            double rest = 0;
            for (int k = 0; k < classes; k++) {
                likely[k][j] *= share;
                unlikely[k][j] = k == top ? others * share : 1 - likely[k][j];
                slopes[k][j] = weights[j] * likely[k][j];
                rest += k == own ? 0 : slopes[k][j];
            }
            slopes[own][j] = -rest;
            norms[j] = 2 * rest;
            sum += weights[j] * ((most - margins[own][j]) + Elementary.log1p(others));
        }
        return sum;
    }

    /** Adds the rows of a block times their slopes, and returns the sum of the slopes' absolute values. */
    private double addRows(int count, double[] sums) {
        double size = 0;
        for (int j = 0; j < count; j++) {
            for (int k = 0; k < classes; k++) {
                problem.data().addTo(rows[j], slopes[k][j], sums, gradient(k));
            }
            size += norms[j];
        }
        return size;
    }

    private int gradient(int output) {
        return PassLayout.GRADIENT + output * features;
    }

    /** Every block is a sum of outer products with factors w p_k (1 − p_k) or, here without its sign, −w p_k p_l. */
    private void addHessian(int count, double[] sums) {
        for (int k = 0; k < classes; k++) {
            for (int l = 0; l <= k; l++) {
                scale(count, likely[k], l == k ? unlikely[k] : likely[l]);
                outerProducts.add(count, rows, scales, sums, layout.block(k, l));
            }
        }
    }

    private void addDiagonal(int count, double[] sums) {
        for (int k = 0; k < classes; k++) {
            scale(count, likely[k], unlikely[k]);
            outerProducts.addDiagonal(count, rows, scales, sums, layout.hessian() + k * features);
        }
    }

    private void scale(int count, double[] one, double[] other) {
        for (int j = 0; j < count; j++) {
            scales[j] = weights[j] * one[j] * other[j];
        }
    }

    /**
     * Gives the blocks beside the diagonal their sign. A diagonal only says where steps should be short, so its entries
     * are clipped if they are too large for a word.
     */
    private void finishCurvature(PassSums what, double[] sums) {
        for (int k = 0; what == PassSums.HESSIAN && k < classes; k++) {
            for (int at = layout.block(k, 0); at < layout.block(k, k); at++) {
                sums[at] = -sums[at];
            }
        }
        for (int at = layout.hessian(); what == PassSums.DIAGONAL && at < layout.length(what); at++) {
            sums[at] = Math.min(sums[at], Math.nextDown(SumWords.TOO_LARGE));
        }
    }

    private void beginBounds() {
        if (rounding == null) {
            rounding = new VectorSumRounding[classes];
            Arrays.setAll(rounding, k -> new VectorSumRounding(problem));
        }
        for (VectorSumRounding one : rounding) {
            one.begin();
        }
    }

    /** Bounds the error of every margin of a row, including that of comparing two of them and of an exponential. */
    private static double distance(int stored, double magnitude) {
        return Rounding.ofMargin(stored, magnitude, 0) + Rounding.UNIT * (2 * magnitude + 4);
    }

    /**
     * Does the same as {@link #addRows} and bounds its rounding. If every margin is wrong by at most r, a loss bends by
     * half the variance, under p, of numbers between −r and r, so by at most r²/2; and its slope is at most ‖s‖₁ r.
     */
    private double addBoundedRows(int from, int count, double longest, double[] sums) {
        Dataset data = problem.data();
        double size = 0;
        for (int j = 0; j < count; j++) {
            double length = rounding[0].length(from + j);
            double distance = distance(data.end(rows[j]) - data.start(rows[j]), length * longest);
            double bend = weights[j] * distance * distance;
            sums[PassLayout.ERROR] += norms[j] * distance + bend;
            sums[PassLayout.SLACK] += bend;
            sums[PassLayout.SPREAD] += (classes + OPERATIONS) * Rounding.UNIT * norms[j] * length;
            for (int k = 0; k < classes; k++) {
                data.addTo(rows[j], slopes[k][j], sums, gradient(k));
                rounding[k].added(from + j, slopes[k][j], sums, gradient(k));
            }
            size += norms[j];
        }
        return size;
    }

    private void finishBounds(double[] sums) {
        for (int k = 0; k < classes; k++) {
            sums[PassLayout.SPREAD] += rounding[k].bound(sums, gradient(k));
        }
    }

    /** Bounds rounding as if every row had the largest length, and every partial sum that of all its rows together. */
    private void boundByLongestRow(double longest, double slope, double weight, double[] sums) {
        rowBounds = rowBounds == null ? problem.bounds() : rowBounds;
        double distance = distance(rowBounds.stored(), rowBounds.length() * longest);
        double bend = weight * distance * distance;
        sums[PassLayout.ERROR] = slope * distance + bend;
        sums[PassLayout.SLACK] = bend;
        sums[PassLayout.SPREAD] =
                Rounding.UNIT * (problem.samples() + classes + 2 * OPERATIONS) * slope * rowBounds.length();
    }

    /** Adds what rounding to words may do, and what probabilities with relative errors ε do to the conjugate. */
    private void addRoundingToWords(double[] sums) {
        double slightlyMore = 1 + problem.samples() * 4 * Rounding.UNIT;
        sums[PassLayout.SLACK] += 2 * (classes + OPERATIONS) * Rounding.UNIT * sums[PassLayout.LOSS];
        double words = Math.sqrt(layout.parameters()) * SumWords.ROUNDING;
        sums[PassLayout.SPREAD] = SumWords.up(slightlyMore * sums[PassLayout.SPREAD] + words);
        sums[PassLayout.ERROR] =
                SumWords.up(slightlyMore * sums[PassLayout.ERROR] + SumWords.rounding(sums[PassLayout.LOSS]));
        sums[PassLayout.SLACK] = SumWords.up(slightlyMore * sums[PassLayout.SLACK]);
    }
}
