package dev.starling.method.newton;

import dev.starling.certificate.Exactness;
import dev.starling.loss.Loss;
import dev.starling.method.sums.CurvatureMemory;
import dev.starling.method.sums.FreeIntercept;
import dev.starling.node.HiddenSum;
import dev.starling.node.SavedState;
import dev.starling.problem.Rounding;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

/**
 * The method as it decides: from the totals of a pass it says where the next pass is to be made, over which samples,
 * and what it is to sum up. {@link DirectNewton} begins with Hessians, {@link QuasiNewton} does without; what the
 * gradients of their steps tell of the Hessian is remembered by both.
 */
abstract class Newton {

    /** What rounding may add to an objective, relatively. */
    static final double ROUNDING = 0x1p-44;

    /** The part of what a slope promises that a step has to keep. */
    static final double SUFFICIENT_DECREASE = 1e-4;

    private static final double NEAREST = 0.1;

    /** Roundings of a block of losses, which are added up one by one, with room to spare. */
    private static final int LOSS_OPERATIONS = 4 * Loss.BLOCK;

    /** Roundings of one loss and its slope, with room to spare. */
    static final int SLOPE_OPERATIONS = 16;

    final PassLayout layout;
    final int features;
    final double lambda;

    /** The point of the pass that was asked for, or of the one last taken in. */
    final double[] theta;

    /** The gradient at the last point that was taken in. */
    final double[] gradient;

    /** The point that the last step began at, the gradient there, and the step's direction. */
    final double[] origin;

    final double[] originGradient;
    final double[] direction;

    /** What steps have told of the Hessian. */
    final CurvatureMemory memory;

    private double objective;
    private double gap;
    private double error;
    private double originObjective;
    private double originGap;

    Newton(PassLayout layout, double lambda) {
        this.layout = layout;
        this.features = layout.features();
        this.lambda = lambda;
        this.theta = new double[features];
        this.gradient = new double[features];
        this.origin = new double[features];
        this.originGradient = new double[features];
        this.memory = new CurvatureMemory(features);
        this.direction = new double[features];
    }

    /** Makes a parameter the point of the first pass. */
    void beginAt(double[] start) {
        System.arraycopy(start, 0, theta, 0, features);
    }

    /** Begins with what is known; totals that are known are those of the first pass. */
    void begin(NewtonStart start) {
        beginAt(start.point());
    }

    /**
     * The totals of the last pass, if it was one over all samples, and where there is one of these samples, the Hessian
     * that steps are made with and whether it is worn; empty if there are none.
     */
    double[] lessons() {
        return new double[0];
    }

    /** The point of the next pass. Not a copy. */
    final double[] point() {
        return theta;
    }

    /** What the next pass is to sum up. */
    abstract PassSums order();

    /** The next pass goes over every k-th sample, and this is k. */
    abstract int every();

    /** Makes the next pass one over all samples, at θ. */
    abstract void takeAll();

    /** Makes the first pass, and all later ones, one over all samples. */
    void doWithoutSamples() {}

    /** Makes the next pass, and all later ones, one that sums up no Hessian. */
    void doWithoutHessians() {}

    /** Whether a certificate takes a Hessian. */
    boolean needsHessians() {
        return false;
    }

    /** The span of the rows that Hessians are summed up in, if that is known and not all of the space. */
    Optional<Span> span() {
        return Optional.empty();
    }

    /** What rows are measured with in the next pass, if it is one for a proof. */
    ProofBasis basis() {
        throw new IllegalStateException("no proof was asked for");
    }

    /** What is known of coefficients at the point that was last certified. */
    Exactness exactness() {
        return Exactness.UNKNOWN;
    }

    /** Takes in the sums of the pass that was asked for. */
    abstract void take(double[] sums);

    /** Decides on the next pass. */
    abstract void advance();

    /**
     * The objective, its gradient and its gap where the regulariser has this weight.
     *
     * @param regularised how many weights that is about: all, or all but the intercept
     */
    final void take(double[] sums, double ridge, int regularised) {
        double norm = takeValues(sums, ridge, regularised);
        if (!HiddenSum.isTooLarge(sums)) {
            prove(sums, ridge, regularised, norm);
        }
    }

    /** The gap, from totals that are numbers. */
    void prove(double[] sums, double ridge, int regularised, double norm) {
        FreeIntercept free = regularised < features ? layout.balance(sums, gradient) : FreeIntercept.none(gradient);
        double squares = free.squares();
        double spread = sums[NewtonPass.SPREAD] / sums[NewtonPass.WEIGHT] + free.length();
        found(
                sums,
                objective,
                squares / (2 * ridge) + free.shrunk(),
                most(squares, norm, ridge, spread, features) + free.slack());
    }

    /** The objective and its gradient; returns the squares of the weights that are regularised. */
    final double takeValues(double[] sums, double ridge, int regularised) {
        if (HiddenSum.isTooLarge(sums)) {
            objective = Double.POSITIVE_INFINITY;
            gap = Double.POSITIVE_INFINITY;
            error = Double.POSITIVE_INFINITY;
            Arrays.fill(gradient, Double.NaN);
            return Double.NaN;
        }
        double weight = sums[NewtonPass.WEIGHT];
        double norm = 0;
        for (int c = 0; c < features; c++) {
            double share = c < regularised ? ridge : 0;
            gradient[c] = Math.fma(share, theta[c], sums[NewtonPass.GRADIENT + c] / weight);
            norm += c < regularised ? theta[c] * theta[c] : 0;
        }
        objective = sums[NewtonPass.LOSS] / weight + 0.5 * ridge * norm;
        return norm;
    }

    /** Takes the gap from a proof by curvature. */
    final void boundGap(double[] sums, CurvatureProof proof) {
        gap = proof.bound() < Double.POSITIVE_INFINITY ? proof.gap() : Double.POSITIVE_INFINITY;
        error = gap < Double.POSITIVE_INFINITY ? Math.max(0, proof.bound() * relative(sums) - (objective - dual())) : 0;
    }

    /** ‖λθ + v‖²/(2λ) in exact arithmetic, at the most, if rounding may have taken v so far, and left these squares. */
    static double most(double squares, double norm, double ridge, double spread, int features) {
        double length = (1 + features * Rounding.UNIT) * Math.sqrt(squares)
                + spread
                + SLOPE_OPERATIONS * Rounding.UNIT * ridge * Math.sqrt(norm);
        return (1 + SLOPE_OPERATIONS * Rounding.UNIT) * length * length / (2 * ridge);
    }

    /**
     * Keeps what a pass proved.
     *
     * @param most what the gap may be in exact arithmetic if margins, slopes and losses are
     */
    final void found(double[] sums, double newObjective, double newGap, double most) {
        objective = newObjective;
        gap = newGap;
        error = error(sums, most);
    }

    /**
     * What the gap may be in exact arithmetic, relative to what the objective then is, less what it was found to be.
     */
    private double error(double[] sums, double mostButForSlack) {
        double weight = sums[NewtonPass.WEIGHT];
        double slack = (sums[NewtonPass.SLACK] + SLOPE_OPERATIONS * Rounding.UNIT * sums[NewtonPass.LOSS]) / weight;
        double most = mostButForSlack + slack;
        // The dual value is rounded too.
        return Math.max(0, most * relative(sums) - (objective - dual()));
    }

    /** What gaps are to be multiplied by so that they are relative to the objective in exact arithmetic. */
    private double relative(double[] sums) {
        double uncertain = sums[NewtonPass.ERROR] / sums[NewtonPass.WEIGHT]
                + (LOSS_OPERATIONS + features) * Rounding.UNIT * objective;
        return uncertain == 0 ? 1 : objective / Math.max(0, objective - uncertain);
    }

    /** The objective of the pass that was last taken in. */
    final double objective() {
        return objective;
    }

    /**
     * Its duality gap: with the slopes ℓ'(x_jᵀθ) as dual point, that of mean loss + (λ/2)‖θ‖² is ‖gradient‖²/(2λ);
     * {@link FreeIntercept} says what it is where the intercept is not regularised.
     */
    final double gap() {
        return gap;
    }

    /** The dual value of the pass that was last taken in. */
    final double dual() {
        return objective - gap;
    }

    /** By how much rounding may have made the gap too small. */
    final double error() {
        return error;
    }

    /** Whether the pass that was last taken in is a certificate: it was one over all samples. */
    boolean certifies() {
        return every() == 1;
    }

    final double originObjective() {
        return originObjective;
    }

    final double originGap() {
        return originGap;
    }

    /** Makes θ the point to step from. */
    final void settle() {
        System.arraycopy(theta, 0, origin, 0, features);
        System.arraycopy(gradient, 0, originGradient, 0, features);
        originObjective = objective;
        originGap = gap;
    }

    /** Remembers the step that led to θ. */
    void remember() {
        memory.add(origin, theta, originGradient, gradient);
    }

    /** Multiplies by what the inverse Hessian is taken for where the memory tells nothing of it. */
    abstract void precondition(double[] vector);

    /** Directs the next step by the memory, or without it if that would lead up; returns its slope. */
    double turn() {
        direct();
        double slope = slope();
        if (slope < 0 || memory.isEmpty()) {
            return slope;
        }
        memory.clear();
        direct();
        return slope();
    }

    private void direct() {
        memory.takeAway(gradient, direction);
        precondition(direction);
        memory.giveBack(direction);
    }

    /** Puts θ back to the point to step from. */
    final void goBack() {
        System.arraycopy(origin, 0, theta, 0, features);
    }

    /** Puts θ this many directions from the point to step from. */
    final void move(double step) {
        for (int c = 0; c < features; c++) {
            theta[c] = Math.fma(step, direction[c], origin[c]);
        }
    }

    /** How fast the objective changes along the direction, at the last point that was taken in. */
    double slope() {
        double slope = 0;
        for (int c = 0; c < features; c++) {
            slope = Math.fma(gradient[c], direction[c], slope);
        }
        return slope;
    }

    /**
     * The part of a line's length after which the cubic through both of its ends has its minimum, but no less than
     * {@value #NEAREST} and no more than 1 less that.
     */
    static double lowest(double length, double objective0, double slope0, double objective1, double slope1) {
        double mean = slope0 + slope1 - 3 * (objective1 - objective0) / length;
        double root = Math.sqrt(mean * mean - slope0 * slope1);
        double part = 1 - (slope1 + root - mean) / (slope1 - slope0 + 2 * root);
        // Where the other end is so far off that its objective is no number, neither is this.
        return part > NEAREST ? Math.min(part, 1 - NEAREST) : NEAREST;
    }

    void save(DataOutput out) throws IOException {
        for (double[] vector : new double[][] {theta, origin, originGradient, direction, gradient}) {
            SavedState.writeDoubles(out, vector);
        }
        for (double number : new double[] {objective, gap, error, originObjective, originGap}) {
            out.writeDouble(number);
        }
        memory.save(out);
    }

    void restore(DataInput in) throws IOException {
        for (double[] vector : new double[][] {theta, origin, originGradient, direction, gradient}) {
            SavedState.readDoubles(in, vector);
        }
        objective = in.readDouble();
        gap = in.readDouble();
        error = in.readDouble();
        originObjective = in.readDouble();
        originGap = in.readDouble();
        memory.restore(in);
    }
}
