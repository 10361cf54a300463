package dev.starling.method.newton;

import dev.starling.internal.Cholesky;
import dev.starling.method.sums.FreeIntercept;
import dev.starling.method.sums.RowSamples;
import dev.starling.node.HiddenSum;
import dev.starling.node.State;
import dev.starling.objective.PassLayout;
import dev.starling.objective.PassSums;
import java.io.IOException;
import java.util.Arrays;

/**
 * Newton's method with a factorised Hessian, for few features. Since a gradient costs much less than a Hessian, a
 * factor is kept, and improved with what later gradients reveal, for as long as each step reduces the gap to
 * {@value #GOOD} of what it was or less.
 *
 * <p>It starts with {@link RowSamples}. A step that does not lower the objective is shortened, which makes the method
 * converge from any starting point.
 */
class DirectNewton extends Newton {

    private static final double GOOD = 0.5;

    /** A sample with at most this many rows per feature needs a ridge of its own. */
    private static final int ROWS_WITHOUT_A_RIDGE = 30;

    /** The Hessian of a sample with this many rows per feature is nearly that of a larger one. */
    private static final int ROWS_FOR_A_HESSIAN = 500;

    /** After a step predicted to lower the objective by no more than this part, the Hessian has hardly changed. */
    private static final double SMALL_STEP = 0.01;

    private final long samples;

    /** The dimension of the Hessian. */
    final int curved;

    /** The factor of the last Hessian, or whatever else {@link #prepare} has turned it into. */
    final double[] matrix;

    /** The totals of the last pass, if it was one over all samples; otherwise empty. */
    private double[] totals = {};

    /** Totals from an earlier problem that include the Hessian to use with the first gradient; otherwise empty. */
    private double[] givenHessian = {};

    /** The lower triangle of the last Hessian computed in this run, of the mean loss; empty if there was none. */
    private double[] summed = {};

    private PassSums passSums;
    private int stride;

    /** Whether the next point is the first one on its sample, so that there is nothing to compare it with. */
    private boolean fresh = true;

    /** Whether the last direction was computed with the Hessian of another point. */
    private boolean borrowed;

    private double ridge;
    private double curvature = Double.NaN;
    private double slope;

    /**
     * Whether a Hessian is as much work as a few gradients, and of so many rows that it serves for more than one step.
     * Then one of all rows soon replaces that of a sample, which is far off where columns have few values.
     */
    private boolean cheap;

    /** Whether no more Hessians may be computed: the last one, improved with gradients, has to suffice. */
    private boolean frugal;

    private double step;

    DirectNewton(PassLayout layout, long samples, double lambda) {
        this(layout, samples, lambda, PassSums.HESSIAN);
    }

    /**
     * Creates the method at its start.
     *
     * @param first what the first pass sums up
     */
    DirectNewton(PassLayout layout, long samples, double lambda, PassSums first) {
        super(layout, lambda);
        this.samples = samples;
        this.curved = layout.curved();
        this.matrix = new double[curved * curved];
        this.passSums = first;
        this.stride = RowSamples.first(parameters, samples);
    }

    /** Returns the same, knowing that a Hessian is as much work as a few gradients. */
    final DirectNewton withCheapHessians() {
        cheap = hasRowsForAHessian(1);
        return this;
    }

    private boolean hasRowsForAHessian(int every) {
        return samples >= (double) ROWS_FOR_A_HESSIAN * parameters * every;
    }

    /** Starting from a good parameter, uses all rows at once: the optimum of a sample would lead away from it. */
    @Override
    void beginAt(double[] start) {
        super.beginAt(start);
        doWithoutSamples();
    }

    @Override
    PassSums passSums() {
        return passSums;
    }

    @Override
    int stride() {
        return stride;
    }

    @Override
    void useAllSamples() {
        fresh |= stride > 1;
        stride = 1;
        passSums = PassSums.GRADIENT;
    }

    @Override
    void doWithoutSamples() {
        stride = 1;
    }

    @Override
    void doWithoutHessians() {
        frugal = true;
        passSums = PassSums.GRADIENT;
    }

    @Override
    void begin(NewtonStart start) {
        super.begin(start);
        if (start.hessian().length == 0) {
            return;
        }
        givenHessian = start.hessian();
        passSums = PassSums.GRADIENT;
        if (start.totals().length > 0) {
            take(start.totals());
            advance();
            passSums = start.stale() && !frugal ? PassSums.HESSIAN : PassSums.GRADIENT;
        }
    }

    @Override
    void take(double[] sums) {
        if (fresh) {
            ridge = ridge(sums);
        }
        take(sums, ridge, stride > 1);
        totals = stride == 1 ? Arrays.copyOf(sums, layout.length(PassSums.GRADIENT)) : new double[0];
        if (passSums == PassSums.HESSIAN) {
            load(sums);
            summed = lowerTriangle();
            addRidge();
            prepare();
        } else if (givenHessian.length > 0) {
            load(givenHessian);
            addRidge();
            prepare();
        } else if (fresh && stride == 1 && layout.intercept() && summed.length > 0) {
            // Where columns add up to the intercept, its ridge on a sample is most of the curvature that they share.
            restore();
            addRidge();
            prepare();
        }
        givenHessian = new double[0];
    }

    @Override
    double[] warmStart() {
        if (totals.length == 0 || HiddenSum.isTooLarge(totals)) {
            return new double[0];
        }
        double[] hessian = hessian();
        if (hessian.length == 0) {
            return totals;
        }
        double[] warmStart = Arrays.copyOf(totals, layout.length(PassSums.HESSIAN) + 1);
        layout.store(hessian, totals[PassLayout.WEIGHT], warmStart);
        warmStart[warmStart.length - 1] = isStale() ? 1 : 0;
        return warmStart;
    }

    /**
     * Returns the lower triangle, row by row, of the Hessian of the mean loss that steps use; empty if it is not known.
     */
    double[] hessian() {
        return summed;
    }

    /** Returns whether the next problem should start with a new Hessian. */
    boolean isStale() {
        return false;
    }

    /**
     * Returns λ or, for a sample, at least a ridge that keeps weights from growing without bound where rows are so few
     * that they seem separable: the curvature of the rows divided by their number, and less the more rows per feature
     * there are.
     */
    private double ridge(double[] sums) {
        if (stride == 1) {
            return lambda;
        }
        double weight = sums[PassLayout.WEIGHT];
        if (Double.isNaN(curvature)) {
            curvature = trace(sums) / weight;
            if (curvature == 0) {
                curvature = guessed(sums);
            }
        }
        double need = Math.min(1, ROWS_WITHOUT_A_RIDGE * parameters / weight);
        return Math.max(lambda, need * curvature / weight);
    }

    /**
     * Returns the curvature to assume if all losses are linear at the start: with it, a step down the gradient would
     * bring the objective to 0.
     */
    private double guessed(double[] sums) {
        double squares = 0;
        for (int c = 0; c < parameters; c++) {
            double mean = sums[PassLayout.GRADIENT + c] / sums[PassLayout.WEIGHT];
            squares += mean * mean;
        }
        return sums[PassLayout.LOSS] > 0 ? squares * sums[PassLayout.WEIGHT] / (2 * sums[PassLayout.LOSS]) : 0;
    }

    private double trace(double[] sums) {
        double trace = 0;
        for (int c = 0; c < curved; c++) {
            trace += sums[layout.diagonal(PassSums.HESSIAN, c)];
        }
        return trace;
    }

    /** Loads the lower triangle of the Hessian of the mean loss. */
    private void load(double[] sums) {
        layout.load(sums, sums[PassLayout.WEIGHT], matrix);
    }

    final double[] lowerTriangle() {
        double[] half = new double[curved * (curved + 1) / 2];
        int at = 0;
        for (int i = 0; i < curved; i++) {
            System.arraycopy(matrix, i * curved, half, at, i + 1);
            at += i + 1;
        }
        return half;
    }

    /** Loads the lower triangle of the last Hessian of this run. */
    private void restore() {
        int at = 0;
        for (int i = 0; i < curved; i++) {
            System.arraycopy(summed, at, matrix, i * curved, i + 1);
            at += i + 1;
        }
    }

    /** On a sample intercepts are regularised too, since all rows of the sample may be of one class. */
    private void addRidge() {
        boolean free = layout.intercept() && stride == 1;
        int side = curved / layout.outputs();
        int own = parameters / layout.outputs();
        for (int i = 0; i < curved; i++) {
            int at = i * curved + i;
            boolean last = (i + 1) % side == 0;
            matrix[at] = free && last
                    ? FreeIntercept.curvature(matrix[at], gradient[(i / side + 1) * own - 1], objective(), 0)
                    : matrix[at] + ridge;
        }
        if (free && layout.outputs() > 1) {
            holdShift(side);
        }
    }

    /** The same change of all intercepts changes nothing, so it gets a curvature: as much as an intercept has alone. */
    private void holdShift(int side) {
        double trace = 0;
        for (int i = side - 1; i < curved; i += side) {
            trace += matrix[i * curved + i];
        }
        double square = (double) layout.outputs() * layout.outputs();
        for (int i = side - 1; i < curved; i += side) {
            for (int j = side - 1; j <= i; j += side) {
                matrix[i * curved + j] += trace / square;
            }
        }
    }

    /** Turns the matrix, which is the Hessian's lower triangle, into what steps need. */
    void prepare() {
        Cholesky.factorise(matrix, curved);
        memory.clear();
    }

    @Override
    void advance() {
        if (!isAccepted()) {
            stepBack();
            return;
        }
        if (!fresh && passSums != PassSums.HESSIAN) {
            remember();
        }
        boolean first = fresh;
        boolean slow = !fresh && gap() > GOOD * originGap();
        borrowed = passSums != PassSums.HESSIAN;
        boolean manyRows = hasRowsForAHessian(stride);
        settle();
        slope = chooseDirection();
        step = 1;
        move(step);
        boolean needed;
        if (isSampleUsedUp()) {
            needed = !manyRows;
            fresh = true;
            stride /= RowSamples.GROWTH;
        } else {
            needed = (!borrowed && (first || cheap))
                    ? -slope > SMALL_STEP * objective()
                    : slow || (cheap && first && stride == 1 && summed.length > 0);
            fresh = false;
        }
        passSums = needed && !frugal ? PassSums.HESSIAN : PassSums.GRADIENT;
    }

    @Override
    void precondition(double[] vector) {
        Cholesky.solve(matrix, parameters, vector, vector);
    }

    /** Returns whether the step that led to θ is accepted. */
    private boolean isAccepted() {
        double wanted = originObjective() + SUFFICIENT_DECREASE * step * slope + ROUNDING * originObjective();
        boolean lower = objective() <= wanted || (gap() < originGap() && objective() <= originObjective());
        return fresh || (lower && gap() < Double.POSITIVE_INFINITY);
    }

    /**
     * Returns whether this step takes the parameter as close to the sample's optimum as is of use, so that the sample
     * should grow.
     */
    private boolean isSampleUsedUp() {
        return stride > 1 && -slope / 2 <= RowSamples.enough(objective(), parameters, stride, samples);
    }

    /** Makes the next pass compute a Hessian, at θ. */
    final void requestHessian() {
        fresh = true;
        passSums = PassSums.HESSIAN;
    }

    /** Shortens the step. If its direction came from the Hessian of another point, computes a new Hessian instead. */
    private void stepBack() {
        if (borrowed && !frugal) {
            goBack();
            requestHessian();
            return;
        }
        step *= lowest(step, originObjective(), slope, objective(), slope());
        move(step);
    }

    @Override
    public void state(State s) throws IOException {
        super.state(s);
        s.vector(matrix);
        totals = s.vector(totals, layout.length(PassSums.GRADIENT));
        givenHessian = s.vector(givenHessian, layout.length(PassSums.HESSIAN) + 1);
        summed = s.vector(summed, curved * (curved + 1) / 2);
        passSums = s.choice(passSums);
        stride = s.number(stride);
        fresh = s.flag(fresh);
        borrowed = s.flag(borrowed);
        frugal = s.flag(frugal);
        ridge = s.number(ridge);
        curvature = s.number(curvature);
        slope = s.number(slope);
        step = s.number(step);
    }
}
