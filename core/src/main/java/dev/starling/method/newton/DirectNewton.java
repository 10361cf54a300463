package dev.starling.method.newton;

import dev.starling.internal.Cholesky;
import dev.starling.method.sums.FreeIntercept;
import dev.starling.method.sums.RowSamples;
import dev.starling.node.HiddenSum;
import dev.starling.node.SavedState;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/**
 * Newton's method with a factor of the Hessian, for features that are few. Since a gradient costs much less than a
 * Hessian, a factor is kept, and mended by what gradients tell, for as long as steps shrink the gap to {@value #GOOD}
 * of what it was.
 *
 * <p>It begins with {@link RowSamples}. A step that does not bring the objective down is shortened, which makes the
 * method converge from anywhere.
 */
class DirectNewton extends Newton {

    private static final double GOOD = 0.5;

    /** A sample of this many times as many rows as there are features, or fewer, needs a ridge. */
    private static final int ROWS_WITHOUT_A_RIDGE = 30;

    /** So many times as many rows as features have nearly the same Hessian, relatively, as any more of their kind. */
    private static final int ROWS_FOR_A_HESSIAN = 500;

    /** After a step predicted to bring down the objective by this part, the Hessian is much as it was. */
    private static final double SMALL_STEP = 0.01;

    private final long samples;

    /** Dimensions of the Hessian. */
    final int curved;

    /** What the last Hessian was made into: its factor. */
    final double[] matrix;

    /** The totals of the last pass, if it was one over all samples. */
    private double[] totals = {};

    /** Totals of elsewhere among which is the Hessian to step with once there is a gradient; empty if none are lent. */
    private double[] lent = {};

    /** The lower half of the last Hessian that was summed up here, of the mean loss; empty if none was. */
    private double[] summed = {};

    private PassSums order;
    private int every;

    /** Whether the next point is the first on its samples, so that there is nothing to compare it with. */
    private boolean fresh = true;

    /** Whether the last direction came from a Hessian of another point. */
    private boolean borrowed;

    private double ridge;
    private double curvature = Double.NaN;
    private double slope;

    /** Whether no more Hessians may be summed up: the last one, mended by gradients, has to do. */
    private boolean frugal;

    private double step;

    DirectNewton(PassLayout layout, long samples, double lambda) {
        this(layout, samples, lambda, PassSums.HESSIAN);
    }

    /**
     * At its start.
     *
     * @param first what the first pass is to sum up
     */
    DirectNewton(PassLayout layout, long samples, double lambda, PassSums first) {
        super(layout, lambda);
        this.samples = samples;
        this.curved = layout.curved();
        this.matrix = new double[curved * curved];
        this.order = first;
        this.every = RowSamples.first(features, samples);
    }

    /** From a parameter that is worth something all rows are taken at once: the optimum of a few would lead away. */
    @Override
    void beginAt(double[] start) {
        super.beginAt(start);
        doWithoutSamples();
    }

    @Override
    PassSums order() {
        return order;
    }

    @Override
    int every() {
        return every;
    }

    @Override
    void takeAll() {
        fresh |= every > 1;
        every = 1;
        order = PassSums.GRADIENT;
    }

    @Override
    void doWithoutSamples() {
        every = 1;
    }

    @Override
    void doWithoutHessians() {
        frugal = true;
        order = PassSums.GRADIENT;
    }

    @Override
    void begin(NewtonStart start) {
        super.begin(start);
        if (start.hessian().length == 0) {
            return;
        }
        lent = start.hessian();
        order = PassSums.GRADIENT;
        if (start.totals().length > 0) {
            take(start.totals());
            advance();
            order = start.worn() && !frugal ? PassSums.HESSIAN : PassSums.GRADIENT;
        }
    }

    @Override
    void take(double[] sums) {
        if (fresh) {
            ridge = ridge(sums);
        }
        take(sums, ridge, regularised());
        totals = every == 1 ? Arrays.copyOf(sums, layout.length(PassSums.GRADIENT)) : new double[0];
        if (order == PassSums.HESSIAN) {
            load(sums);
            summed = lowerHalf();
            addRidge();
            prepare();
        } else if (lent.length > 0) {
            load(lent);
            addRidge();
            prepare();
        }
        lent = new double[0];
    }

    @Override
    double[] lessons() {
        if (totals.length == 0 || HiddenSum.isTooLarge(totals)) {
            return new double[0];
        }
        double[] hessian = hessian();
        if (hessian.length == 0) {
            return totals;
        }
        double[] lessons = Arrays.copyOf(totals, layout.length(PassSums.HESSIAN) + 1);
        for (int k = 0; k < hessian.length; k++) {
            lessons[layout.hessian() + k] = totals[NewtonPass.WEIGHT] * hessian[k];
        }
        lessons[lessons.length - 1] = isWorn() ? 1 : 0;
        return lessons;
    }

    /**
     * The lower half, by rows, of the Hessian of the mean loss that steps are made with; empty if it cannot be told.
     */
    double[] hessian() {
        return summed;
    }

    /** Whether the next problem is to begin with a new Hessian. */
    boolean isWorn() {
        return false;
    }

    /**
     * λ; on a sample no less than the rows' curvature by their number, which keeps weights from running away where rows
     * are so few that they seem separable, and less the more rows there are.
     */
    private double ridge(double[] sums) {
        if (every == 1) {
            return lambda;
        }
        double weight = sums[NewtonPass.WEIGHT];
        if (Double.isNaN(curvature)) {
            curvature = trace(sums) / weight;
            if (curvature == 0) {
                curvature = guessed(sums);
            }
        }
        double need = Math.min(1, ROWS_WITHOUT_A_RIDGE * features / weight);
        return Math.max(lambda, need * curvature / weight);
    }

    /** The same where all losses are straight lines at the start: with it a step down the gradient would end at 0. */
    private double guessed(double[] sums) {
        double squares = 0;
        for (int c = 0; c < features; c++) {
            double mean = sums[NewtonPass.GRADIENT + c] / sums[NewtonPass.WEIGHT];
            squares += mean * mean;
        }
        return sums[NewtonPass.LOSS] > 0 ? squares * sums[NewtonPass.WEIGHT] / (2 * sums[NewtonPass.LOSS]) : 0;
    }

    /** On a sample, in which all rows may be of one class, the intercept is held too. */
    private int regularised() {
        return every == 1 ? layout.regularised() : features;
    }

    private double trace(double[] sums) {
        int at = layout.hessian();
        double trace = 0;
        for (int c = 0; c < curved; c++) {
            trace += sums[at];
            at += c + 2;
        }
        return trace;
    }

    /** The Hessian's lower half, of the mean loss. */
    private void load(double[] sums) {
        double weight = sums[NewtonPass.WEIGHT];
        int at = layout.hessian();
        for (int i = 0; i < curved; i++) {
            for (int j = 0; j <= i; j++) {
                matrix[i * curved + j] = sums[at++] / weight;
            }
        }
    }

    final double[] lowerHalf() {
        double[] half = new double[curved * (curved + 1) / 2];
        int at = 0;
        for (int i = 0; i < curved; i++) {
            System.arraycopy(matrix, i * curved, half, at, i + 1);
            at += i + 1;
        }
        return half;
    }

    private void addRidge() {
        int regularised = curved - (features - regularised());
        for (int i = 0; i < regularised; i++) {
            matrix[i * curved + i] += ridge;
        }
        if (regularised < curved) {
            int last = matrix.length - 1;
            matrix[last] = FreeIntercept.curvature(matrix[last], gradient[features - 1], objective(), 0);
        }
    }

    /** Makes the matrix, the Hessian's lower half, what steps need. */
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
        if (!fresh && order != PassSums.HESSIAN) {
            remember();
        }
        boolean first = fresh;
        boolean slow = !fresh && gap() > GOOD * originGap();
        borrowed = order != PassSums.HESSIAN;
        boolean manyRows = samples >= (double) ROWS_FOR_A_HESSIAN * features * every;
        settle();
        slope = turn();
        step = 1;
        move(step);
        boolean needed;
        if (hasTold()) {
            needed = !manyRows;
            fresh = true;
            every /= RowSamples.GROWTH;
        } else {
            needed = (first && !borrowed) ? -slope > SMALL_STEP * objective() : slow;
            fresh = false;
        }
        order = needed && !frugal ? PassSums.HESSIAN : PassSums.GRADIENT;
    }

    @Override
    void precondition(double[] vector) {
        Cholesky.solve(matrix, features, vector, vector);
    }

    /** Whether the step that led to θ may stay. */
    private boolean isAccepted() {
        double wanted = originObjective() + SUFFICIENT_DECREASE * step * slope + ROUNDING * originObjective();
        boolean lower = objective() <= wanted || (gap() < originGap() && objective() <= originObjective());
        return fresh || (lower && gap() < Double.POSITIVE_INFINITY);
    }

    /** Whether the rows at hand, if they are not all, have told what they can once this step is made. */
    private boolean hasTold() {
        return every > 1 && -slope / 2 <= RowSamples.enough(objective(), features, every, samples);
    }

    /** Makes the next pass one that sums up a Hessian, at θ. */
    final void sumUpHessian() {
        fresh = true;
        order = PassSums.HESSIAN;
    }

    /** A direction that came from a Hessian of elsewhere is not worth another try. */
    private void stepBack() {
        if (borrowed && !frugal) {
            goBack();
            sumUpHessian();
            return;
        }
        step *= lowest(step, originObjective(), slope, objective(), slope());
        move(step);
    }

    @Override
    void save(DataOutput out) throws IOException {
        super.save(out);
        SavedState.writeDoubles(out, matrix);
        SavedState.writeDoubles(out, totals);
        SavedState.writeDoubles(out, lent);
        SavedState.writeDoubles(out, summed);
        out.writeUTF(order.name());
        out.writeInt(every);
        out.writeBoolean(fresh);
        out.writeBoolean(borrowed);
        out.writeBoolean(frugal);
        for (double number : new double[] {ridge, curvature, slope, step}) {
            out.writeDouble(number);
        }
    }

    @Override
    void restore(DataInput in) throws IOException {
        super.restore(in);
        SavedState.readDoubles(in, matrix);
        totals = SavedState.readDoubles(in, layout.length(PassSums.GRADIENT));
        lent = SavedState.readDoubles(in, layout.length(PassSums.HESSIAN) + 1);
        summed = SavedState.readDoubles(in, curved * (curved + 1) / 2);
        order = PassSums.valueOf(in.readUTF());
        every = in.readInt();
        fresh = in.readBoolean();
        borrowed = in.readBoolean();
        frugal = in.readBoolean();
        ridge = in.readDouble();
        curvature = in.readDouble();
        slope = in.readDouble();
        step = in.readDouble();
    }
}
