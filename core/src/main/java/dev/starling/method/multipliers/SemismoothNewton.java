package dev.starling.method.multipliers;

import dev.starling.method.sums.FreeIntercept;
import dev.starling.method.sums.GapBound;
import dev.starling.method.sums.RowSamples;
import dev.starling.node.HiddenSum;
import dev.starling.node.State;
import dev.starling.node.Stateful;
import dev.starling.node.SumKind;
import java.io.IOException;
import java.util.Arrays;

/**
 * The decision logic of the method: from the totals of a sum it decides what to add up next. With multipliers a and a
 * band γ it minimises the smoothed problem by Newton steps, each with a line search. As soon as the smoothed problem is
 * solved more precisely than it approximates the real one, the slopes become the multipliers and the band narrows.
 */
final class SemismoothNewton implements Stateful {

    /** The band narrows by this factor. */
    private static final double NARROWING = 2;

    /** The width of the first band, in units of the objective. */
    private static final double COLD_WIDTH = 1;

    /**
     * The same for row samples: with a hinge loss all samples are then held at the start, and the first step is a
     * least-squares step.
     */
    private static final double SAMPLED_WIDTH = 4;

    /** The same if a good starting point is known. */
    private static final double WARM_WIDTH = 0x1p-6;

    /** The band never becomes narrower than this part of the first one. */
    private static final double NARROWEST = 0x1p-40;

    /**
     * A smoothed problem is solved when its gap is at most this multiple of its proximal term (γ/2) · mean (s − a)².
     */
    private static final double PRECISION = 1;

    /** After this many gradients over a row sample, the sample grows in any case. */
    private static final int SAMPLE_PATIENCE = 100;

    /**
     * With a free intercept, slopes have to add up to 0. What balancing them adds to the gap is ignored up to this part
     * of the mean excess of the slopes; a much smaller part could be lost in the rounding of margins.
     */
    private static final double BALANCE = 0x1p-4;

    private final GradientLayout layout;
    private final int features;

    /** The number of weights that are regularised: all, or all but a free intercept. */
    private final int regularised;

    private final long samples;
    private final Penalty penalty;
    private final double lambda;
    private final boolean direct;
    private final double[] theta;
    private final double[] gradient;
    private final double[] direction;
    private final double[] origin;
    private final double[] originGradient;
    private final double[] hessian;
    private final StepRule steps;
    private final boolean cautious;
    private final LineSearch line;

    private SumKind kind = SumKind.GRADIENT;
    private boolean recomputes = true;
    private boolean updatesMultipliers;
    private boolean stepped;
    private int stride;

    /** The number of gradients over the current row sample. */
    private int gradientsOfSample;

    private double step;
    private double firstBand;
    private double firstObjective;
    private double width;
    private double band = 1;
    private double along;
    private double squares;

    /** The gap of the smoothed problem, and its proximal term (γ/2) · mean (s − a)². */
    private double smoothedGap;

    private double distance;

    /** The weight of the current row sample, and the gap of its objective. */
    private double weight;

    private double gap;

    /**
     * Creates the method at its start.
     *
     * @param direct whether Hessians are computed
     * @param cautious whether nodes may release slopes of earlier points, so that steps have to be kept from going too
     *     far
     * @param stride k if the first sums are over every k-th sample
     */
    SemismoothNewton(
            GradientLayout layout, long samples, Penalty penalty, boolean direct, boolean cautious, int stride) {
        this.layout = layout;
        this.features = layout.features();
        this.regularised = layout.regularised();
        this.samples = samples;
        this.penalty = penalty;
        this.lambda = penalty.lambda();
        this.direct = direct;
        this.cautious = cautious;
        this.stride = stride;
        this.width = stride > 1 ? SAMPLED_WIDTH : COLD_WIDTH;
        this.line = new LineSearch(cautious, !penalty.isSmooth());
        this.theta = new double[features];
        this.gradient = new double[features];
        this.direction = new double[features];
        this.origin = new double[features];
        this.originGradient = new double[features];
        this.hessian = new double[direct ? features * features : 0];
        this.steps = penalty.isSmooth() ? new RidgeSteps(features, direct) : new NetSteps(features, penalty);
    }

    /**
     * Sets the point of the first sum. If it is close to the optimum, so are the slopes of the losses, so the first
     * band is narrow.
     */
    void beginAt(double[] start) {
        System.arraycopy(start, 0, theta, 0, features);
        width = WARM_WIDTH;
        stride = 1;
    }

    /** Returns the instructions for the next sum. */
    SumInstructions instructions() {
        double[] trials = kind == SumKind.LINE ? line.trials() : new double[0];
        return new SumInstructions(
                kind,
                theta.clone(),
                step,
                direction.clone(),
                trials,
                line.hasLooked(),
                band,
                updatesMultipliers,
                stride,
                recomputes);
    }

    /** Processes the totals of a gradient and returns what they prove. */
    GapBound takeGradient(double[] totals) {
        if (HiddenSum.isTooLarge(totals)) {
            Arrays.fill(gradient, Double.NaN);
            smoothedGap = Double.POSITIVE_INFINITY;
            gap = Double.POSITIVE_INFINITY;
            return GapBound.NONE;
        }
        weight = totals[GradientLayout.WEIGHT];
        double norm = 0;
        for (int c = 0; c < features; c++) {
            boolean held = c < regularised;
            gradient[c] = Math.fma(held ? lambda : 0, theta[c], totals[GradientLayout.GRADIENT + c] / weight);
            norm = held ? Math.fma(theta[c], theta[c], norm) : norm;
        }
        FreeIntercept free = layout.balance(totals, gradient);
        Penalty.Residual residual = penalty.residual(theta, free.balanced());
        double unbalanced = Math.max(0, free.shrunk() - BALANCE * totals[GradientLayout.EXCESS] / weight);
        smoothedGap = residual.squares() / (2 * lambda) + residual.price() + unbalanced;
        distance = 0.5 * band * totals[GradientLayout.DISTANCE] / weight;
        GapBound proof = SlopeProof.of(totals, features, penalty, free, residual, norm, penalty.length(theta));
        gap = proof.gap();
        return proof;
    }

    /** Returns whether solving the smoothed problem further would not help with the real one. */
    boolean isSolved() {
        return smoothedGap <= PRECISION * distance;
    }

    /**
     * Decides what follows after a gradient.
     *
     * @param objective the objective at the point of the gradient
     * @param curved whether a Hessian may be computed
     * @param tight whether to bound rounding tightly, for which margins and gradients have to be recomputed
     */
    void afterGradient(double objective, boolean curved, boolean tight) {
        if (firstBand == 0) {
            // Kinks are rounded over a distance in the units of the labels, which the first losses reveal.
            firstBand = objective > 0 ? width * objective : band;
            firstObjective = objective;
            if (band != firstBand) {
                band = firstBand;
                recomputes = tight;
                step = 0;
                return;
            }
        }
        if (layout.intercept() && objective > 0) {
            // The first losses may reflect only how far the labels are from 0, which the intercept takes care of.
            firstBand = Math.min(firstBand, objective);
        }
        if (stride > 1 && isSampleUsedUp(objective)) {
            grow();
            return;
        }
        if (stepped && !updatesMultipliers) {
            steps.remember(origin, theta, originGradient, gradient);
        }
        stepped = false;
        if (isSolved() && !updatesMultipliers) {
            updateMultipliers(tight);
        } else if (direct && curved) {
            updatesMultipliers = false;
            kind = SumKind.HESSIAN;
        } else {
            updatesMultipliers = false;
            startLine(objective, tight);
        }
    }

    /** Returns whether the row sample has served its purpose and should grow. */
    private boolean isSampleUsedUp(double objective) {
        return gap <= RowSamples.enough(objective, features, stride, samples) || ++gradientsOfSample >= SAMPLE_PATIENCE;
    }

    /**
     * Makes the next gradient one over more rows, at the same point. The band stays: when a sample has served its
     * purpose, the band is about as wide as the distance between margins at its optimum and at the optimum of all rows.
     */
    private void grow() {
        stride /= RowSamples.GROWTH;
        gradientsOfSample = 0;
        steps.forget();
        stepped = false;
        updatesMultipliers = false;
        recomputes = true;
        step = 0;
        kind = SumKind.GRADIENT;
    }

    /** Turns slopes into multipliers, and makes the next gradient one with a narrower band, at the same point. */
    private void updateMultipliers(boolean tight) {
        band = Math.max(Math.min(band / NARROWING, firstBand), NARROWEST * firstBand);
        updatesMultipliers = true;
        recomputes = tight;
        step = 0;
        kind = SumKind.GRADIENT;
    }

    /** Processes the totals of a Hessian. */
    void afterHessian(double[] totals, double objective, boolean tight) {
        if (!HiddenSum.isTooLarge(totals)) {
            int at = GradientLayout.FIRST;
            double scale = 1 / (band * weight);
            for (int i = 0; i < features; i++) {
                for (int j = 0; j <= i; j++) {
                    hessian[i * features + j] = scale * totals[at++];
                }
                hessian[i * features + i] += i < regularised ? lambda : 0;
            }
            if (regularised < features) {
                int last = features * features - 1;
                // If kinks hold no sample, the curvature is taken to be that of one held sample.
                double ofOne = stride / (band * samples);
                hessian[last] = FreeIntercept.curvature(hessian[last], gradient[features - 1], objective, ofOne);
            }
            steps.take(hessian);
        }
        startLine(objective, tight);
    }

    /** Starts a line search along a new direction. */
    private void startLine(double objective, boolean tight) {
        double slope = steps.computeDirection(theta, gradient, objective, direction);
        if (!(slope < 0)) {
            updateMultipliers(tight);
            return;
        }
        System.arraycopy(theta, 0, origin, 0, features);
        System.arraycopy(gradient, 0, originGradient, 0, features);
        along = dot(theta, direction, regularised);
        squares = dot(direction, direction, regularised);
        line.begin(slope);
        kind = SumKind.LINE;
    }

    static double dot(double[] a, double[] b, int entries) {
        double sum = 0;
        for (int c = 0; c < entries; c++) {
            sum = Math.fma(a[c], b[c], sum);
        }
        return sum;
    }

    /** Processes the totals of the slopes along the line. */
    void afterLine(double[] totals, boolean tight) {
        double[] trials = line.trials();
        double[] slopes = new double[trials.length];
        for (int k = 0; k < slopes.length; k++) {
            slopes[k] = HiddenSum.isTooLarge(totals)
                    ? Double.POSITIVE_INFINITY
                    : totals[GradientLayout.FIRST + k] / weight
                            + lambda * Math.fma(trials[k], squares, along)
                            + penalty.kinkSlope(origin, direction, trials[k]);
        }
        line.take(slopes);
        if (!line.isDone()) {
            return;
        }
        step = line.step();
        if (step == 0) {
            updateMultipliers(tight);
            return;
        }
        move();
        while (cautious && step > 0 && !(penalty.value(theta) <= firstObjective)) {
            // At the optimum the regulariser cannot be greater than the objective at the start.
            step = step < Double.MIN_NORMAL ? 0 : step / 2;
            move();
        }
        stepped = true;
        recomputes = tight;
        kind = SumKind.GRADIENT;
    }

    private void move() {
        for (int c = 0; c < features; c++) {
            theta[c] = Math.fma(step, direction[c], origin[c]);
        }
    }

    /** Makes the next sum a gradient over all samples that is recomputed from scratch. */
    void certify() {
        stride = 1;
        kind = SumKind.GRADIENT;
        recomputes = true;
        updatesMultipliers = false;
        step = 0;
    }

    @Override
    public void state(State s) throws IOException {
        for (double[] vector : new double[][] {theta, gradient, direction, origin, originGradient}) {
            s.vector(vector);
        }
        steps.state(s);
        line.state(s);
        kind = s.choice(kind);
        stride = s.number(stride);
        gradientsOfSample = s.number(gradientsOfSample);
        recomputes = s.flag(recomputes);
        updatesMultipliers = s.flag(updatesMultipliers);
        stepped = s.flag(stepped);
        step = s.number(step);
        firstBand = s.number(firstBand);
        firstObjective = s.number(firstObjective);
        width = s.number(width);
        band = s.number(band);
        along = s.number(along);
        squares = s.number(squares);
        smoothedGap = s.number(smoothedGap);
        distance = s.number(distance);
        weight = s.number(weight);
        gap = s.number(gap);
    }
}
