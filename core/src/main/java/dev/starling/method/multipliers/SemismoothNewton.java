package dev.starling.method.multipliers;

import dev.starling.internal.Vectors;
import dev.starling.method.sums.FreeIntercept;
import dev.starling.method.sums.GapBound;
import dev.starling.method.sums.RowSamples;
import dev.starling.node.HiddenSum;
import dev.starling.node.State;
import dev.starling.node.Stateful;
import dev.starling.node.SumKind;
import dev.starling.objective.PassLayout;
import java.io.IOException;
import java.util.Arrays;

/**
 * The decision logic of the method: from the totals of a sum it decides what to add up next. With multipliers a and a
 * band γ it minimises the smoothed problem by Newton steps, each with a line search. As soon as the smoothed problem is
 * solved more precisely than it approximates the real one, the slopes become the multipliers and the band narrows.
 */
final class SemismoothNewton implements Stateful {

    /** What the next sum is. */
    private enum Next {
        /** A gradient from scratch: the first one, or one over more rows, or the last. */
        FRESH,
        /** A gradient at the same point, with the band that the first losses call for. */
        OTHER_BAND,
        /** A gradient at the same point, with slopes as multipliers and a narrower band. */
        MULTIPLIERS,
        /** A gradient at the end of a line search. */
        STEP,
        /** A Hessian. */
        HESSIAN,
        /** Slopes along a line. */
        LINE;

        SumKind kind() {
            return switch (this) {
                case HESSIAN -> SumKind.HESSIAN;
                case LINE -> SumKind.LINE;
                default -> SumKind.GRADIENT;
            };
        }
    }

    /**
     * What the last gradient has shown.
     *
     * @param weight the weight of the rows in it
     * @param smoothedGap the gap of the smoothed problem
     * @param distance its proximal term (γ/2) · mean (s − a)²
     * @param gap the gap of the problem itself, over these rows
     */
    private record Shown(double weight, double smoothedGap, double distance, double gap) {
        Shown state(State s) throws IOException {
            return new Shown(s.number(weight), s.number(smoothedGap), s.number(distance), s.number(gap));
        }
    }

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
    private final long samples;
    private final Penalty penalty;
    private final boolean direct;
    private final boolean cautious;
    private final double[] theta;
    private final double[] gradient;
    private final double[] hessian;
    private final StepRule steps;
    private final SearchLine line;
    private final Band band;
    private Shown shown = new Shown(0, 0, 0, 0);
    private Next next = Next.FRESH;

    /** Whether rounding is bounded tightly, for which margins and gradients have to be recomputed. */
    private boolean tight;

    private int stride;

    /** The number of gradients over the current row sample. */
    private int gradientsOfSample;

    private double firstObjective;

    /**
     * Creates the method at its start.
     *
     * @param direct whether Hessians are computed
     * @param cautious whether nodes may release slopes of earlier points, so that steps have to be kept from going too
     *     far
     * @param stride k if the first sums are over every k-th sample
     * @param many whether there are many samples
     */
    SemismoothNewton(
            GradientLayout layout,
            long samples,
            Penalty penalty,
            boolean direct,
            boolean cautious,
            int stride,
            boolean many) {
        int features = layout.features();
        this.layout = layout;
        this.samples = samples;
        this.penalty = penalty;
        this.direct = direct;
        this.cautious = cautious;
        this.stride = stride;
        this.theta = new double[features];
        this.gradient = new double[features];
        this.hessian = new double[direct ? features * features : 0];
        this.steps = penalty.isSmooth() ? new RidgeSteps(features, direct) : new NetSteps(features, penalty);
        this.line = new SearchLine(penalty, features, cautious);
        this.band = new Band(many);
    }

    /**
     * Sets the point of the first sum. If it is close to the optimum, so are the slopes of the losses, so the first
     * band is narrow.
     */
    void beginAt(double[] start) {
        Vectors.copy(start, theta);
        band.beginNearOptimum();
        stride = 1;
    }

    /** Returns the instructions for the next sum. */
    SumInstructions instructions() {
        return new SumInstructions(
                next.kind(),
                theta.clone(),
                next == Next.STEP ? line.step() : 0,
                line.direction(),
                next == Next.LINE ? line.trials() : new double[0],
                line.hasLooked(),
                band.width(),
                next == Next.MULTIPLIERS,
                stride,
                next == Next.FRESH || tight);
    }

    /** Processes the totals of a gradient and returns what they prove. */
    GapBound takeGradient(double[] totals) {
        if (HiddenSum.isTooLarge(totals)) {
            Arrays.fill(gradient, Double.NaN);
            shown = new Shown(shown.weight(), Double.POSITIVE_INFINITY, shown.distance(), Double.POSITIVE_INFINITY);
            return GapBound.NONE;
        }
        int features = layout.features();
        double lambda = penalty.lambda();
        double weight = totals[PassLayout.WEIGHT];
        double norm = 0;
        for (int c = 0; c < features; c++) {
            boolean held = c < layout.regularised();
            gradient[c] = Math.fma(held ? lambda : 0, theta[c], totals[PassLayout.GRADIENT + c] / weight);
            norm = held ? Math.fma(theta[c], theta[c], norm) : norm;
        }
        FreeIntercept free = FreeIntercept.of(totals, layout.pass(), gradient);
        Penalty.Residual residual = penalty.residual(theta, free.balanced());
        double unbalanced = Math.max(0, free.shrunk() - BALANCE * totals[layout.excess()] / weight);
        GapBound proof = SlopeProof.of(totals, layout, penalty, free, residual, norm, penalty.length(theta));
        shown = new Shown(
                weight,
                residual.squares() / (2 * lambda) + residual.price() + unbalanced,
                0.5 * band.width() * totals[layout.distance()] / weight,
                proof.gap());
        return proof;
    }

    /** Returns whether solving the smoothed problem further would not help with the real one. */
    boolean isSolved() {
        return shown.smoothedGap() <= PRECISION * shown.distance();
    }

    /**
     * Decides what follows after a gradient.
     *
     * @param objective the objective at the point of the gradient
     * @param curved whether a Hessian may be computed
     * @param bounded whether to bound rounding tightly from now on
     */
    void afterGradient(double objective, boolean curved, boolean bounded) {
        tight = bounded;
        if (band.isArbitrary()) {
            firstObjective = objective;
            if (band.chooseFor(objective)) {
                next = Next.OTHER_BAND;
                return;
            }
        }
        if (layout.intercept()) {
            // The first losses may reflect only how far the labels are from 0, which the intercept takes care of.
            band.limitTo(objective);
        }
        if (stride > 1 && isSampleUsedUp(objective)) {
            grow();
            return;
        }
        if (next == Next.STEP) {
            line.teach(steps, theta, gradient);
        }
        if (isSolved() && next != Next.MULTIPLIERS) {
            updateMultipliers();
        } else if (direct && curved) {
            next = Next.HESSIAN;
        } else {
            startLine(objective);
        }
    }

    /** Returns whether the row sample has served its purpose and should grow. */
    private boolean isSampleUsedUp(double objective) {
        return shown.gap() <= RowSamples.enough(objective, layout.features(), stride, samples)
                || ++gradientsOfSample >= SAMPLE_PATIENCE;
    }

    /**
     * Makes the next gradient one over more rows, at the same point. The band stays: when a sample has served its
     * purpose, the band is about as wide as the distance between margins at its optimum and at the optimum of all rows.
     */
    private void grow() {
        stride /= RowSamples.GROWTH;
        gradientsOfSample = 0;
        steps.forget();
        next = Next.FRESH;
    }

    /** Turns slopes into multipliers, and makes the next gradient one with a narrower band, at the same point. */
    private void updateMultipliers() {
        band.narrow();
        next = Next.MULTIPLIERS;
    }

    /** Processes the totals of a Hessian. */
    void afterHessian(double[] totals, double objective, boolean bounded) {
        tight = bounded;
        if (!HiddenSum.isTooLarge(totals)) {
            int features = layout.features();
            int at = GradientLayout.FIRST;
            double scale = 1 / (band.width() * shown.weight());
            for (int i = 0; i < features; i++) {
                for (int j = 0; j <= i; j++) {
                    hessian[i * features + j] = scale * totals[at++];
                }
                hessian[i * features + i] += i < layout.regularised() ? penalty.lambda() : 0;
            }
            if (layout.intercept()) {
                int last = features * features - 1;
                // If kinks hold no sample, the curvature is taken to be that of one held sample.
                double ofOne = stride / (band.width() * samples);
                hessian[last] = FreeIntercept.curvature(hessian[last], gradient[features - 1], objective, ofOne);
            }
            steps.take(hessian);
        }
        startLine(objective);
    }

    /** Starts a line search along a new direction. */
    private void startLine(double objective) {
        if (line.begin(steps, theta, gradient, objective)) {
            next = Next.LINE;
        } else {
            updateMultipliers();
        }
    }

    /** Processes the totals of the slopes along the line. */
    void afterLine(double[] totals, boolean bounded) {
        tight = bounded;
        if (!line.take(totals, shown.weight())) {
            return;
        }
        if (line.step() == 0) {
            updateMultipliers();
            return;
        }
        line.moveTo(theta);
        while (cautious && line.step() > 0 && !(penalty.value(theta) <= firstObjective)) {
            // At the optimum the regulariser cannot be greater than the objective at the start.
            line.halve();
            line.moveTo(theta);
        }
        next = Next.STEP;
    }

    /** Makes the next sum a gradient over all samples that is recomputed from scratch. */
    void certify() {
        stride = 1;
        next = Next.FRESH;
    }

    @Override
    public void state(State s) throws IOException {
        s.vector(theta);
        s.vector(gradient);
        steps.state(s);
        line.state(s);
        band.state(s);
        shown = shown.state(s);
        next = s.choice(next);
        tight = s.flag(tight);
        stride = s.number(stride);
        gradientsOfSample = s.number(gradientsOfSample);
        firstObjective = s.number(firstObjective);
    }
}
