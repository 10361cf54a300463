package dev.starling.objective.classes;

import dev.starling.cores.Blocks;
import dev.starling.node.SumWords;
import dev.starling.objective.PassLayout;
import dev.starling.objective.PassSums;
import dev.starling.objective.ProofBasis;
import dev.starling.objective.Strides;
import dev.starling.objective.Term;
import dev.starling.objective.WorkingSet;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Rounding;
import dev.starling.problem.RowBounds;
import dev.starling.problem.VectorSumRounding;
import java.util.Arrays;
import java.util.Optional;

/**
 * The negative log-likelihood of classes that are told apart all at once, Σ w (ln Σ_k e^η_k − η_y) with η_k = xᵀθ_k.
 *
 * <p>The slopes of a row are w p_k for the other classes and minus their sum for its own, never w (p − 1). So they add
 * up to 0 but for their own rounding, and stand for a point at which the conjugate, the negative entropy, is finite.
 */
final class SoftmaxTerm implements Term {

    /** The number of roundings in a slope besides those of adding up K exponentials, with room to spare. */
    static final int OPERATIONS = 8;

    private final LocalProblem problem;
    private final PassLayout layout;
    private final Strides strides;
    private final int classes;
    private final boolean reference;
    private RowBounds rowBounds;
    private VectorSumRounding lengths;
    private Optional<WorkingSet> workingSet = Optional.empty();

    SoftmaxTerm(LocalProblem problem, PassLayout layout, int fewestRows, boolean reference) {
        if (layout.parameters() != layout.outputs() * problem.features() || (layout.intercept() && reference)) {
            throw new IllegalArgumentException(layout.parameters() + " parameters for " + layout.outputs()
                    + " classes and rows of " + problem.features() + " features");
        }
        this.problem = problem;
        this.layout = layout;
        this.strides = new Strides(problem.samples(), fewestRows);
        this.classes = layout.outputs();
        this.reference = reference;
    }

    @Override
    public int visits(int stride) {
        return strides.visits(stride);
    }

    /** A row with v values takes 4v operations per class for a gradient, and v² per pair of classes for a Hessian. */
    @Override
    public double cost(PassSums what, int stride) {
        double values = problem.valuesPerRow();
        return visits(stride)
                * switch (what) {
                    case HESSIAN -> classes * (1 + (classes + 1) * values / 8);
                    case COLUMNS -> classes * (1 + (classes + 1) * values * part() * part() / 8);
                    case DIAGONAL -> 1.5 * classes;
                    default -> classes;
                };
    }

    /** The part of all parameters whose Hessian is computed. */
    private double part() {
        return workingSet
                .map(set -> (double) set.columns().length / layout.parameters())
                .orElse(1.0);
    }

    @Override
    public void choose(WorkingSet set) {
        workingSet = Optional.of(set);
    }

    @Override
    public double[] labels() {
        return ClassCounts.of(problem, classes);
    }

    @Override
    public void sum(PassSums what, double[] theta, int stride, boolean tight, double[] sums) {
        layout.require(theta);
        boolean bounded = tight && stride == 1;
        if (bounded && lengths == null) {
            lengths = new VectorSumRounding(problem);
        }
        double[][] blocks = problem.blocks(theta);
        double longest = 0;
        for (double[] block : blocks) {
            longest = Math.max(longest, Rounding.length(block));
        }
        SoftmaxSums.Visit visit =
                new SoftmaxSums.Visit(what, blocks, longest, strides.own(stride), bounded ? lengths : null, workingSet);
        int numbers = layout.length(what, workingSet);
        double values = problem.valuesPerRow();
        SoftmaxSums total = new SoftmaxSums(problem, layout, visit, sums);
        Blocks.sum(
                visits(stride),
                Blocks.rows(classes * values, 4 * values * cost(what, 1) / visits(1), numbers),
                numbers,
                total,
                () -> new SoftmaxSums(problem, layout, visit, new double[numbers]));
        total.finish();
        finishCurvature(what, sums);
        sums[PassLayout.LOSS] = total.loss();
        sums[PassLayout.WEIGHT] = total.weight();
        if (stride == 1) {
            if (bounded) {
                sums[PassLayout.SPREAD] = total.spread();
            } else {
                boundByLongestRow(total, longest, sums);
            }
            roundUp(sums);
        }
        strides.scale(stride, sums, PassLayout.LOSS, numbers);
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
        if (reference) {
            leaveOutFirst(what, sums);
        }
        for (int at = layout.hessian(); what == PassSums.DIAGONAL && at < layout.length(what); at++) {
            sums[at] = Math.min(sums[at], Math.nextDown(SumWords.TOO_LARGE));
        }
    }

    /** Sets what belongs to the first class to 0: other classes are compared with it. */
    private void leaveOutFirst(PassSums what, double[] sums) {
        int features = problem.features();
        Arrays.fill(sums, PassLayout.GRADIENT, PassLayout.GRADIENT + features, 0);
        for (int k = 0; what == PassSums.HESSIAN && k < classes; k++) {
            int at = layout.block(k, 0);
            Arrays.fill(sums, at, at + features * (features + 1) / 2, 0);
        }
    }

    /**
     * {@inheritDoc} A third derivative is a third central moment of numbers whose range is at most b, the length of the
     * longest difference of two blocks, so it is at most w b³/(6√3).
     */
    @Override
    public void prove(double[] theta, ProofBasis basis, double[] sums) {
        layout.require(theta);
        int numbers = layout.length(PassSums.PROOF);
        SoftmaxProof total = new SoftmaxProof(problem, layout, problem.blocks(theta), basis, sums);
        Blocks.sum(
                problem.samples(),
                Blocks.rows(
                        classes * problem.valuesPerRow(), (double) layout.parameters() * layout.parameters(), numbers),
                2 * numbers,
                total,
                () -> new SoftmaxProof(problem, layout, problem.blocks(theta), basis, new double[numbers]));
        total.finish();
        basis.roundUp(sums, layout, problem.samples());
    }

    /** Bounds rounding as if every row had the largest length, and every partial sum that of all its rows together. */
    private void boundByLongestRow(SoftmaxSums total, double longest, double[] sums) {
        rowBounds = rowBounds == null ? problem.bounds() : rowBounds;
        double distance = SoftmaxSums.distance(rowBounds.stored(), rowBounds.length() * longest);
        double bend = total.weight() * distance * distance;
        sums[PassLayout.ERROR] = total.slope() * distance + bend;
        sums[PassLayout.SLACK] = bend;
        sums[PassLayout.SPREAD] =
                Rounding.UNIT * (problem.samples() + classes + 2 * OPERATIONS) * total.slope() * rowBounds.length();
    }

    /** Adds what probabilities with relative errors ε do to the conjugate, and what rounding does to these bounds. */
    private void roundUp(double[] sums) {
        double slightlyMore = 1 + problem.samples() * 4 * Rounding.UNIT;
        sums[PassLayout.SLACK] += 2 * (classes + OPERATIONS) * Rounding.UNIT * sums[PassLayout.LOSS];
        for (int bound : new int[] {PassLayout.SPREAD, PassLayout.ERROR, PassLayout.SLACK}) {
            sums[bound] *= slightlyMore;
        }
        if (layout.intercept()) {
            double added = (problem.samples() + OPERATIONS) * Rounding.UNIT * sums[PassLayout.WEIGHT];
            rowBounds = rowBounds == null ? problem.bounds() : rowBounds;
            sums[layout.risingSpread()] = slightlyMore * added * rowBounds.length();
        }
        layout.roundUp(sums);
    }
}
