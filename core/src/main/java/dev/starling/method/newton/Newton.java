package dev.starling.method.newton;

import dev.starling.certificate.Certificate;
import dev.starling.certificate.Exactness;
import dev.starling.internal.Vectors;
import dev.starling.method.Solution;
import dev.starling.method.sums.CurvatureMemory;
import dev.starling.method.sums.FreeIntercept;
import dev.starling.method.sums.FreeIntercepts;
import dev.starling.method.sums.GapBound;
import dev.starling.node.HiddenSum;
import dev.starling.node.State;
import dev.starling.node.Stateful;
import dev.starling.objective.PassLayout;
import dev.starling.objective.PassSums;
import dev.starling.objective.ProofBasis;
import dev.starling.objective.Span;
import dev.starling.objective.Term;
import dev.starling.objective.WorkingSet;
import dev.starling.problem.Rounding;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

/**
 * The decision logic of the method: from the totals of a pass it decides at which point and over which samples to make
 * the next pass, and what to sum up. {@link DirectNewton} starts with Hessians, {@link QuasiNewton} works without them;
 * both keep what the gradients of past steps reveal about the Hessian. This class is longer than most, because what all
 * five kinds of steps prove is proven here.
 */
abstract class Newton implements Stateful {

    /** The relative error that rounding may cause in an objective. */
    static final double ROUNDING = 0x1p-44;

    /** A step must achieve this part of the decrease that the slope predicts. */
    static final double SUFFICIENT_DECREASE = 1e-4;

    private static final double NEAREST = 0.1;

    final PassLayout layout;
    final int parameters;
    final double lambda;

    /** The point of the next pass or, once its totals are in, of the last pass. */
    final double[] theta;

    /** The gradient at the point of the last pass. */
    final double[] gradient;

    /** The point that the last step started from, the gradient there, and the step's direction. */
    final double[] origin;

    final double[] originGradient;
    final double[] direction;

    /** What past steps have revealed about the Hessian. */
    final CurvatureMemory memory;

    private double firstObjective = Double.NaN;
    private double objective;
    private double gap;
    private double error;
    private double scale;
    private double bound;
    private double originObjective;
    private double originGap;

    Newton(PassLayout layout, double lambda) {
        this.layout = layout;
        this.parameters = layout.parameters();
        this.lambda = lambda;
        this.theta = new double[parameters];
        this.gradient = new double[parameters];
        this.origin = new double[parameters];
        this.originGradient = new double[parameters];
        this.memory = new CurvatureMemory(parameters);
        this.direction = new double[parameters];
    }

    /** Sets the point of the first pass. */
    void beginAt(double[] start) {
        layout.require(start);
        Vectors.copy(start, theta);
    }

    /** Starts with what is known; known totals take the place of a first pass. */
    void begin(NewtonStart start) {
        beginAt(start.point());
    }

    /**
     * Returns the totals of the last pass, if it was one over all samples, followed by the Hessian that steps use and
     * whether it is stale, if there is one; empty if there are no such totals.
     */
    double[] warmStart() {
        return new double[0];
    }

    /** Returns the Hessian at the point of the last pass, for {@link Solution#hessian}; empty if it is not known. */
    double[] exactHessian() {
        return new double[0];
    }

    /** Returns the point of the next pass, not a copy. */
    final double[] point() {
        return theta;
    }

    /** Returns what the next pass sums up. */
    abstract PassSums passSums();

    /** Returns the columns whose Hessian the next pass computes, if it is not one of all columns. */
    Optional<WorkingSet> workingSet() {
        return Optional.empty();
    }

    /** Returns the stride of the next pass: k if it visits every k-th sample. */
    int stride() {
        return 1;
    }

    /** Makes the next pass go over all samples, at θ. */
    void useAllSamples() {}

    /** Makes all passes from the first one on go over all samples. */
    void doWithoutSamples() {}

    /** Makes the next pass and all later ones compute no Hessian. */
    void doWithoutHessians() {}

    /** Returns the work on the node's own rows before the next pass, in passes. */
    double work() {
        return 0;
    }

    /** Returns whether there is nothing left to compute. */
    boolean isSpent() {
        return false;
    }

    /** Returns whether a certificate requires a Hessian. */
    boolean needsHessians() {
        return false;
    }

    /** Returns the span of the rows, if it is known and Hessians are computed in it instead of the whole space. */
    Optional<Span> span() {
        return Optional.empty();
    }

    /** Returns the basis to measure rows with in the next pass, which must be one for a proof. */
    ProofBasis basis() {
        throw new IllegalStateException("no proof was asked for");
    }

    /** Returns how exact the coefficients at the last certified point are known to be. */
    Exactness exactness() {
        return Exactness.UNKNOWN;
    }

    /** Processes the totals of the pass that was requested. */
    abstract void take(double[] sums);

    /** Decides what the next pass is. */
    abstract void advance();

    /**
     * Computes the objective, its gradient and its gap for a regulariser with weight {@code ridge}.
     *
     * @param all whether intercepts are regularised, too, as on samples of the rows
     */
    final void take(double[] sums, double ridge, boolean all) {
        double norm = takeValues(sums, ridge, all);
        if (!HiddenSum.isTooLarge(sums)) {
            prove(sums, ridge, all, norm);
        }
    }

    /** Computes the gap from totals that are all finite. */
    void prove(double[] sums, double ridge, boolean all, double norm) {
        FreeIntercept free = all ? FreeIntercept.none(gradient) : balance(sums, gradient);
        double squares = free.squares();
        double spread = sums[PassLayout.SPREAD] / sums[PassLayout.WEIGHT] + free.length();
        found(
                sums,
                objective,
                squares / (2 * ridge) + free.shrunk(),
                GapBound.most(squares, norm, ridge, spread, parameters) + free.slack());
    }

    /**
     * Computes the gap of an elastic net, and adds its l1 term to the objective.
     *
     * @param all whether intercepts are regularised, too
     * @param prices λ₁ for every weight, but 0 for a free intercept
     */
    final void proveNet(double[] sums, double ridge, boolean all, double[] prices) {
        double weight = sums[PassLayout.WEIGHT];
        double[] mean = new double[parameters];
        double l1 = 0;
        double length = 0;
        for (int c = 0; c < parameters; c++) {
            mean[c] = sums[PassLayout.GRADIENT + c] / weight;
            length += prices[c] == 0 ? 0 : Math.abs(theta[c]);
            l1 = Math.max(l1, prices[c]);
        }
        FreeIntercept free = all ? FreeIntercept.none(mean) : balance(sums, mean);
        double[] pull = Arrays.stream(free.balanced()).map(entry -> -entry).toArray();
        NetGap proven = new NetGap.At(
                        pull,
                        sums[PassLayout.SPREAD] / weight + free.length(),
                        all ? theta : layout.regularised(theta),
                        all ? prices : layout.regularised(prices),
                        ridge,
                        sums[PassLayout.LOSS] / weight,
                        sums[PassLayout.ERROR] / weight)
                .gap(free.shrunk(), free.slack());
        found(sums, objective() + l1 * length, proven.gap(), proven.most());
    }

    /**
     * Returns the curvature with which, if it were the same in every direction, a step down the gradient would bring
     * the objective to 0.
     */
    final double guessedCurvature() {
        double squares = 0;
        for (int c = 0; c < parameters; c++) {
            squares += gradient[c] * gradient[c];
        }
        return Math.max(lambda, squares / (2 * objective));
    }

    /** Returns the effect of free intercepts, if there are any, on a proof from the totals of a pass. */
    private FreeIntercept balance(double[] sums, double[] vector) {
        return layout.intercept() && layout.outputs() > 1
                ? FreeIntercepts.of(sums, layout, theta, vector)
                : FreeIntercept.of(sums, layout, vector);
    }

    /** Computes the objective and its gradient; returns the sum of squares of the weights that are regularised. */
    final double takeValues(double[] sums, double ridge, boolean all) {
        if (HiddenSum.isTooLarge(sums)) {
            objective = Double.POSITIVE_INFINITY;
            gap = Double.POSITIVE_INFINITY;
            error = Double.POSITIVE_INFINITY;
            scale = 0;
            bound = Double.NEGATIVE_INFINITY;
            Arrays.fill(gradient, Double.NaN);
            return Double.NaN;
        }
        double weight = sums[PassLayout.WEIGHT];
        double norm = 0;
        for (int c = 0; c < parameters; c++) {
            boolean held = all || !layout.isFree(c);
            gradient[c] = Math.fma(held ? ridge : 0, theta[c], sums[PassLayout.GRADIENT + c] / weight);
            norm += held ? theta[c] * theta[c] : 0;
        }
        objective = sums[PassLayout.LOSS] / weight + 0.5 * ridge * norm;
        firstObjective = Double.isNaN(firstObjective) ? objective : firstObjective;
        return norm;
    }

    /** Sets the objective, and the gap to that of a proof by curvature. */
    final void boundGap(double[] sums, double newObjective, CurvatureProof proof) {
        objective = newObjective;
        gap = proof.bound() < Double.POSITIVE_INFINITY ? proof.gap() : Double.POSITIVE_INFINITY;
        GapBound proven = proven(sums, proof.bound());
        error = gap < Double.POSITIVE_INFINITY ? proven.error() : 0;
        scale = proven.scale();
        bound = proven.bound();
    }

    /**
     * Stores what a pass proved.
     *
     * @param most an upper bound on the gap in exact arithmetic, if margins, slopes and losses were exact
     */
    final void found(double[] sums, double newObjective, double newGap, double most) {
        objective = newObjective;
        gap = newGap;
        double slack = (sums[PassLayout.SLACK] + Term.SLOPE_OPERATIONS * Rounding.UNIT * sums[PassLayout.LOSS])
                / sums[PassLayout.WEIGHT];
        GapBound proven = proven(sums, most + slack);
        error = proven.error();
        scale = proven.scale();
        bound = proven.bound();
    }

    private GapBound proven(double[] sums, double most) {
        double uncertain = sums[PassLayout.ERROR] / sums[PassLayout.WEIGHT]
                + (Term.VALUE_OPERATIONS + parameters) * Rounding.UNIT * objective;
        double lost = HiddenSum.lost(sums, sums[PassLayout.WEIGHT], objective);
        return new GapBound(objective, uncertain, gap, most + lost);
    }

    /** Takes over from another way of minimising, whose first point was that of the run. */
    final void continueAfter(Newton before) {
        firstObjective = before.firstObjective;
    }

    /** Returns the objective at the point of the run's first pass, which may be one over a sample. */
    final double firstObjective() {
        return firstObjective;
    }

    /** Returns the objective at the point of the last pass. */
    final double objective() {
        return objective;
    }

    /**
     * Returns the duality gap there. With the slopes ℓ'(x_jᵀθ) as the dual point, the gap of mean loss + (λ/2)‖θ‖² is
     * ‖gradient‖²/(2λ); for free intercepts see {@link FreeIntercept} and {@link FreeIntercepts}.
     */
    final double gap() {
        return gap;
    }

    /** Returns what is proven about the point of the last pass. */
    final Certificate certificate(long steps, double epochs) {
        return new Certificate(objective, objective - gap, error, scale, bound, steps, epochs);
    }

    /** Returns whether the last pass yields a certificate, as passes over all samples do. */
    boolean certifies() {
        return stride() == 1;
    }

    final double originObjective() {
        return originObjective;
    }

    final double originGap() {
        return originGap;
    }

    /** Makes θ the point that the next step starts from. */
    final void settle() {
        System.arraycopy(theta, 0, origin, 0, parameters);
        System.arraycopy(gradient, 0, originGradient, 0, parameters);
        originObjective = objective;
        originGap = gap;
    }

    /** Stores the step that led to θ. */
    void remember() {
        memory.add(origin, theta, originGradient, gradient);
    }

    /** Multiplies by the approximate inverse Hessian that is used where the memory knows nothing. */
    abstract void precondition(double[] vector);

    /**
     * Computes the direction of the next step with the memory, or without it if that would lead uphill; returns the
     * slope.
     */
    double chooseDirection() {
        computeDirection();
        double slope = slope();
        if (slope < 0 || memory.isEmpty()) {
            return slope;
        }
        memory.clear();
        computeDirection();
        return slope();
    }

    private void computeDirection() {
        memory.takeAway(gradient, direction);
        precondition(direction);
        memory.giveBack(direction);
    }

    /** Moves θ back to the point that the step started from. */
    final void goBack() {
        System.arraycopy(origin, 0, theta, 0, parameters);
    }

    /** Moves θ to {@code step} times the direction from the point that the step started from. */
    final void move(double step) {
        for (int c = 0; c < parameters; c++) {
            theta[c] = Math.fma(step, direction[c], origin[c]);
        }
    }

    /** Returns the slope of the objective along the direction, at the point of the last pass. */
    double slope() {
        return Vectors.dotInTurn(gradient, direction, parameters);
    }

    /**
     * Returns the part of a line's length at which the cubic that fits both ends has its minimum, but at least
     * {@value #NEAREST} and at most 1 minus that.
     */
    static double lowest(double length, double objective0, double slope0, double objective1, double slope1) {
        double mean = slope0 + slope1 - 3 * (objective1 - objective0) / length;
        double root = Math.sqrt(mean * mean - slope0 * slope1);
        double part = 1 - (slope1 + root - mean) / (slope1 - slope0 + 2 * root);
        // If the other end is so far away that its objective is not finite, the part is NaN.
        return part > NEAREST ? Math.min(part, 1 - NEAREST) : NEAREST;
    }

    @Override
    public void state(State s) throws IOException {
        for (double[] vector : new double[][] {theta, origin, originGradient, direction, gradient}) {
            s.vector(vector);
        }
        firstObjective = s.number(firstObjective);
        objective = s.number(objective);
        gap = s.number(gap);
        error = s.number(error);
        scale = s.number(scale);
        bound = s.number(bound);
        originObjective = s.number(originObjective);
        originGap = s.number(originGap);
        memory.state(s);
    }
}
