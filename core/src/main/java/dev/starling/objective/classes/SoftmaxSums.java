package dev.starling.objective.classes;

import dev.starling.cores.Blocks;
import dev.starling.data.Dataset;
import dev.starling.loss.Elementary;
import dev.starling.loss.Loss;
import dev.starling.objective.OuterProducts;
import dev.starling.objective.PassLayout;
import dev.starling.objective.PassSums;
import dev.starling.objective.WorkingSet;
import dev.starling.problem.CompensatedSum;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Rounding;
import dev.starling.problem.VectorSumRounding;
import java.util.Arrays;
import java.util.Optional;

/**
 * The sums of a {@link SoftmaxTerm} over a block of rows, or over several; blocks of Hessians without their signs.
 *
 * <p>It has more fields than most: scratch that nothing is to allocate per row, by class.
 */
final class SoftmaxSums implements Blocks.Part<SoftmaxSums> {

    /**
     * What a pass sums up, and where.
     *
     * @param blocks θ, by class
     * @param longest the length of the longest block, rounded up
     * @param stride the distance from one sample to the next
     * @param lengths knows the lengths of rows; null unless rounding is bounded row by row
     * @param workingSet the parameters whose Hessian is computed, if it is not that of all
     */
    record Visit(
            PassSums what,
            double[][] blocks,
            double longest,
            int stride,
            VectorSumRounding lengths,
            Optional<WorkingSet> workingSet) {

        boolean isBounded() {
            return lengths != null;
        }
    }

    private final LocalProblem problem;
    private final PassLayout layout;
    private final int classes;
    private final int features;
    private final OuterProducts outerProducts;

    private final int[] rows = new int[Loss.BLOCK];
    private final double[] weights = new double[Loss.BLOCK];
    private final double[] scales = new double[Loss.BLOCK];

    /** The sum of the absolute values of each row's slopes. */
    private final double[] norms = new double[Loss.BLOCK];

    /* By class, then by row: η, p, 1 − p and the slopes. */
    private final double[][] margins;
    private final double[][] likely;
    private final double[][] unlikely;
    private final double[][] slopes;

    private final Visit visit;
    private final int numbers;
    private final double[] sums;
    private final VectorSumRounding[] rounding;

    /* Σ w s and Σ w by class, if intercepts are free: the feasibility of a dual point depends on their last digits. */
    private final CompensatedSum[] slopesOf;
    private final CompensatedSum[] weightsOf;

    /** The Hessian of some parameters, if it is not that of all; null otherwise. */
    private final ChosenOutputs chosen;

    private CompensatedSum loss;
    private double weight;
    private double slope;

    /** Starts sums in a vector. */
    SoftmaxSums(LocalProblem problem, PassLayout layout, Visit visit, double[] sums) {
        this.problem = problem;
        this.layout = layout;
        this.classes = layout.outputs();
        this.features = problem.features();
        this.outerProducts = new OuterProducts(problem.data());
        this.margins = new double[classes][Loss.BLOCK];
        this.likely = new double[classes][Loss.BLOCK];
        this.unlikely = new double[classes][Loss.BLOCK];
        this.slopes = new double[classes][Loss.BLOCK];
        this.visit = visit;
        this.numbers = layout.length(visit.what, visit.workingSet);
        this.sums = sums;
        this.slopesOf = new CompensatedSum[layout.intercept() ? classes : 0];
        this.weightsOf = new CompensatedSum[slopesOf.length];
        this.chosen = visit.what == PassSums.COLUMNS
                ? new ChosenOutputs(problem.data(), classes, visit.workingSet.orElseThrow())
                : null;
        this.rounding = new VectorSumRounding[visit.isBounded() ? classes : 0];
        clear();
    }

    @Override
    public void clear() {
        Arrays.fill(sums, 0, numbers, 0);
        Arrays.setAll(slopesOf, k -> new CompensatedSum());
        Arrays.setAll(weightsOf, k -> new CompensatedSum());
        Arrays.setAll(rounding, k -> visit.lengths.another());
        loss = new CompensatedSum();
        weight = 0;
        slope = 0;
    }

    @Override
    public void sum(int first, int end) {
        for (int from = first; from < end; from += Loss.BLOCK) {
            int count = Math.min(Loss.BLOCK, end - from);
            weight += take(from, count);
            loss.add(evaluate(count));
            slope += visit.isBounded() ? addBoundedRows(from, count) : addRows(count);
            if (layout.intercept()) {
                addClasses(count);
            }
            if (visit.what == PassSums.COLUMNS) {
                chosen.add(count, rows, weights, likely, unlikely, sums, layout.hessian());
            } else if (visit.what == PassSums.HESSIAN) {
                addHessian(count);
            } else if (visit.what == PassSums.DIAGONAL) {
                addDiagonal(count);
            }
        }
    }

    @Override
    public void add(SoftmaxSums next) {
        for (int k = 0; k < rounding.length; k++) {
            rounding[k].measure(sums, gradient(k));
            next.rounding[k].measure(next.sums, gradient(k));
        }
        for (int k = PassLayout.LOSS; k < numbers; k++) {
            sums[k] += next.sums[k];
        }
        for (int k = 0; k < slopesOf.length; k++) {
            slopesOf[k].add(next.slopesOf[k]);
            weightsOf[k].add(next.weightsOf[k]);
        }
        for (int k = 0; k < rounding.length; k++) {
            rounding[k].add(next.rounding[k], sums, gradient(k));
        }
        loss.add(next.loss);
        weight += next.weight;
        slope += next.slope;
    }

    double loss() {
        return loss.value();
    }

    double weight() {
        return weight;
    }

    /** The sum of the slopes' absolute values. */
    double slope() {
        return slope;
    }

    /** Adds to what rows have added a bound on the error of adding them up, if it is bounded row by row. */
    double spread() {
        double spread = sums[PassLayout.SPREAD];
        for (int k = 0; k < rounding.length; k++) {
            spread += rounding[k].bound(sums, gradient(k));
        }
        return spread;
    }

    /** Loads a block of samples with their margins, and returns the sum of their weights. */
    private double take(int from, int count) {
        Dataset data = problem.data();
        double sum = 0;
        for (int j = 0; j < count; j++) {
            rows[j] = problem.row((from + j) * visit.stride);
            weights[j] = data.weight(rows[j]);
            sum += weights[j];
            for (int k = 0; k < classes; k++) {
                margins[k][j] = data.dot(rows[j], visit.blocks[k]);
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
    private double addRows(int count) {
        double size = 0;
        for (int j = 0; j < count; j++) {
            for (int k = 0; k < classes; k++) {
                problem.data().addTo(rows[j], slopes[k][j], sums, gradient(k));
            }
            size += norms[j];
        }
        return size;
    }

    /** Adds the rows of a block to the sums of their classes, of which those of intercepts are exact. */
    private void addClasses(int count) {
        for (int j = 0; j < count; j++) {
            int own = (int) problem.data().label(rows[j]);
            problem.data().addTo(rows[j], weights[j], sums, layout.rising() + own * features);
            weightsOf[own].add(weights[j]);
            for (int k = 0; k < classes; k++) {
                slopesOf[k].add(slopes[k][j]);
            }
        }
    }

    /** Writes the sums that belong to free intercepts. */
    void finish() {
        for (int k = 0; k < slopesOf.length; k++) {
            sums[gradient(k) + features - 1] = slopesOf[k].value();
            sums[layout.rising() + (k + 1) * features - 1] = weightsOf[k].value();
        }
    }

    private int gradient(int output) {
        return PassLayout.GRADIENT + output * features;
    }

    /** Every block is a sum of outer products with factors w p_k (1 − p_k) or, here without its sign, −w p_k p_l. */
    private void addHessian(int count) {
        for (int k = 0; k < classes; k++) {
            for (int l = 0; l <= k; l++) {
                scale(count, likely[k], l == k ? unlikely[k] : likely[l]);
                outerProducts.add(count, rows, scales, sums, layout.block(k, l));
            }
        }
    }

    private void addDiagonal(int count) {
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

    /** Bounds the error of every margin of a row, including that of comparing two of them and of an exponential. */
    static double distance(int stored, double magnitude) {
        return Rounding.ofMargin(stored, magnitude, 0) + Rounding.UNIT * (2 * magnitude + 4);
    }

    /**
     * Does the same as {@link #addRows} and bounds its rounding. If every margin is wrong by at most r, a loss bends by
     * half the variance, under p, of numbers between −r and r, so by at most r²/2; and its slope is at most ‖s‖₁ r.
     */
    private double addBoundedRows(int from, int count) {
        Dataset data = problem.data();
        double size = 0;
        for (int j = 0; j < count; j++) {
            double length = rounding[0].length(from + j);
            double distance = distance(data.end(rows[j]) - data.start(rows[j]), length * visit.longest);
            double bend = weights[j] * distance * distance;
            sums[PassLayout.ERROR] += norms[j] * distance + bend;
            sums[PassLayout.SLACK] += bend;
            sums[PassLayout.SPREAD] += (classes + SoftmaxTerm.OPERATIONS) * Rounding.UNIT * norms[j] * length;
            for (int k = 0; k < classes; k++) {
                data.addTo(rows[j], slopes[k][j], sums, gradient(k));
                rounding[k].added(from + j, slopes[k][j], sums, gradient(k));
            }
            size += norms[j];
        }
        return size;
    }
}
