package dev.starling.method.multipliers;

import dev.starling.method.sums.FreeIntercept;
import dev.starling.method.sums.RowSamples;
import dev.starling.node.HiddenSum;
import dev.starling.node.SavedState;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/**
 * The method as it decides: from the totals of a sum it says what is to be added up next. With multipliers a and a band
 * γ it minimises the smoothed problem by steps of Newton's method, each with a line search; as soon as the smoothed
 * problem is solved better than it stands for the real one, slopes become multipliers and the band narrows.
 */
final class SemismoothNewton {

    /** The band narrows by this factor. */
    private static final double NARROWING = 2;

    /** The first band, in units of the objective. */
    private static final double COLD_WIDTH = 1;

    /** The same on samples: all of a hinge are then held at the start, and the first step is one of least squares. */
    private static final double SAMPLED_WIDTH = 4;

    /** The same where a parameter is known that is worth something. */
    private static final double WARM_WIDTH = 0x1p-6;

    /** It never gets narrower than this part of the first. */
    private static final double NARROWEST = 0x1p-40;

    /** A smoothed problem is solved when its gap is less than this part of what the multipliers change. */
    private static final double PRECISION = 1;

    /** After so many gradients over a sample, more rows are taken whatever those have told. */
    private static final int SAMPLE_PATIENCE = 100;

    /**
     * What slopes lack of adding up to 0 for a free intercept does not matter while it is less than this part of what
     * the smoothed problem lacks of being the real one; much less may drown in the rounding of margins.
     */
    private static final double BALANCE = 0x1p-4;

    private final GradientLayout sums;
    private final int features;

    /** How many weights are regularised: all, or all but a free intercept. */
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

    private SumKind ask = SumKind.GRADIENT;
    private boolean afresh = true;
    private boolean renews;
    private boolean stepped;
    private int every;

    /** Gradients over the sample at hand. */
    private int looks;

    private double step;
    private double firstBand;
    private double firstObjective;
    private double width;
    private double band = 1;
    private double along;
    private double squares;

    /** The gap that the smoothed problem adds to that of the real one, and what the real one is off by. */
    private double smoothedGap;

    private double distance;

    /** The weight of the samples at hand, and the gap of their objective. */
    private double weight;

    private double gap;

    /**
     * The method at its start.
     *
     * @param direct whether Hessians are added up
     * @param cautious whether nodes may tell slopes of earlier points, so that steps must not go where none can lead
     * @param every the first sums are over every so many-th sample
     */
    SemismoothNewton(GradientLayout sums, long samples, Penalty penalty, boolean direct, boolean cautious, int every) {
        this.sums = sums;
        this.features = sums.features();
        this.regularised = sums.regularised();
        this.samples = samples;
        this.penalty = penalty;
        this.lambda = penalty.lambda();
        this.direct = direct;
        this.cautious = cautious;
        this.every = every;
        this.width = every > 1 ? SAMPLED_WIDTH : COLD_WIDTH;
        this.line = new LineSearch(cautious, !penalty.isSmooth());
        this.theta = new double[features];
        this.gradient = new double[features];
        this.direction = new double[features];
        this.origin = new double[features];
        this.originGradient = new double[features];
        this.hessian = new double[direct ? features * features : 0];
        this.steps = penalty.isSmooth() ? new RidgeSteps(features, direct) : new NetSteps(features, penalty);
    }

    /** Makes a parameter the point of the first sum: where it is near the optimum, so are the slopes of the losses. */
    void beginAt(double[] start) {
        System.arraycopy(start, 0, theta, 0, features);
        width = WARM_WIDTH;
        every = 1;
    }

    /** What the next sum is. */
    SumInstructions order() {
        double[] trials = ask == SumKind.LINE ? line.trials() : new double[0];
        return new SumInstructions(
                ask, theta.clone(), step, direction.clone(), trials, line.hasLooked(), band, renews, every, afresh);
    }

    /** Takes in the totals of a gradient and says what they prove. */
    Proof takeGradient(double[] totals) {
        if (HiddenSum.isTooLarge(totals)) {
            Arrays.fill(gradient, Double.NaN);
            smoothedGap = Double.POSITIVE_INFINITY;
            gap = Double.POSITIVE_INFINITY;
            return Proof.NONE;
        }
        weight = totals[GradientLayout.WEIGHT];
        double norm = 0;
        for (int c = 0; c < features; c++) {
            boolean held = c < regularised;
            gradient[c] = Math.fma(held ? lambda : 0, theta[c], totals[GradientLayout.GRADIENT + c] / weight);
            norm = held ? Math.fma(theta[c], theta[c], norm) : norm;
        }
        FreeIntercept free = sums.balance(totals, gradient);
        Penalty.Lack lack = penalty.lack(theta, free.balanced());
        double unbalanced = Math.max(0, free.shrunk() - BALANCE * totals[GradientLayout.EXCESS] / weight);
        smoothedGap = lack.squares() / (2 * lambda) + lack.price() + unbalanced;
        distance = 0.5 * band * totals[GradientLayout.DISTANCE] / weight;
        Proof proof = Proof.of(totals, features, penalty, free, lack, norm, penalty.length(theta));
        gap = proof.gap();
        return proof;
    }

    /** Whether the smoothed problem tells no more of the real one. */
    boolean isSolved() {
        return smoothedGap <= PRECISION * distance;
    }

    /**
     * Decides what follows a gradient.
     *
     * @param objective at the point of the gradient
     * @param curved whether a Hessian may be added up
     */
    void afterGradient(double objective, boolean curved, boolean tight) {
        if (firstBand == 0) {
            // Kinks are rounded over a distance in the units of the labels, which the first losses tell.
            firstBand = objective > 0 ? width * objective : band;
            firstObjective = objective;
            if (band != firstBand) {
                band = firstBand;
                afresh = tight;
                step = 0;
                return;
            }
        }
        if (sums.intercept() && objective > 0) {
            // The first losses may tell of nothing but how far labels are from 0, and that is the intercept's part.
            firstBand = Math.min(firstBand, objective);
        }
        if (every > 1 && hasTold(objective)) {
            grow();
            return;
        }
        if (stepped && !renews) {
            steps.remember(origin, theta, originGradient, gradient);
        }
        stepped = false;
        if (isSolved() && !renews) {
            renew(tight);
        } else if (direct && curved) {
            renews = false;
            ask = SumKind.HESSIAN;
        } else {
            renews = false;
            turn(objective, tight);
        }
    }

    /** Whether the rows at hand, which are not all, have told what they can. */
    private boolean hasTold(double objective) {
        return gap <= RowSamples.enough(objective, features, every, samples) || ++looks >= SAMPLE_PATIENCE;
    }

    /**
     * The next gradient is that of more rows at the same point. The band may stay: where a sample has told what it can,
     * the band is about as wide as margins at its optimum are from those at the optimum of all.
     */
    private void grow() {
        every /= RowSamples.GROWTH;
        looks = 0;
        steps.forget();
        stepped = false;
        renews = false;
        afresh = true;
        step = 0;
        ask = SumKind.GRADIENT;
    }

    /** Slopes become multipliers, and the next gradient is that of a narrower band at the same point. */
    private void renew(boolean tight) {
        band = Math.max(Math.min(band / NARROWING, firstBand), NARROWEST * firstBand);
        renews = true;
        afresh = tight;
        step = 0;
        ask = SumKind.GRADIENT;
    }

    /** Takes in a Hessian. */
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
                // Where kinks hold no sample, the slope changes once they hold one.
                double ofOne = every / (band * samples);
                hessian[last] = FreeIntercept.curvature(hessian[last], gradient[features - 1], objective, ofOne);
            }
            steps.take(hessian);
        }
        turn(objective, tight);
    }

    /** Begins a line. */
    private void turn(double objective, boolean tight) {
        double slope = steps.direct(theta, gradient, objective, direction);
        if (!(slope < 0)) {
            renew(tight);
            return;
        }
        System.arraycopy(theta, 0, origin, 0, features);
        System.arraycopy(gradient, 0, originGradient, 0, features);
        along = dot(theta, direction, regularised);
        squares = dot(direction, direction, regularised);
        line.begin(slope);
        ask = SumKind.LINE;
    }

    static double dot(double[] a, double[] b, int entries) {
        double sum = 0;
        for (int c = 0; c < entries; c++) {
            sum = Math.fma(a[c], b[c], sum);
        }
        return sum;
    }

    /** Takes in slopes along the line. */
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
            renew(tight);
            return;
        }
        move();
        while (cautious && step > 0 && !(penalty.value(theta) <= firstObjective)) {
            // Beyond that the regulariser alone is more than the objective at the start.
            step = step < Double.MIN_NORMAL ? 0 : step / 2;
            move();
        }
        stepped = true;
        afresh = tight;
        ask = SumKind.GRADIENT;
    }

    private void move() {
        for (int c = 0; c < features; c++) {
            theta[c] = Math.fma(step, direction[c], origin[c]);
        }
    }

    /** Makes the next sum a gradient over all samples that depends on nothing nodes keep. */
    void certify() {
        every = 1;
        ask = SumKind.GRADIENT;
        afresh = true;
        renews = false;
        step = 0;
    }

    void save(DataOutput out) throws IOException {
        for (double[] vector : new double[][] {theta, gradient, direction, origin, originGradient}) {
            SavedState.writeDoubles(out, vector);
        }
        steps.save(out);
        line.save(out);
        out.writeUTF(ask.name());
        out.writeInt(every);
        out.writeInt(looks);
        for (boolean flag : new boolean[] {afresh, renews, stepped}) {
            out.writeBoolean(flag);
        }
        for (double number : new double[] {
            step, firstBand, firstObjective, width, band, along, squares, smoothedGap, distance, weight, gap
        }) {
            out.writeDouble(number);
        }
    }

    void restore(DataInput in) throws IOException {
        for (double[] vector : new double[][] {theta, gradient, direction, origin, originGradient}) {
            SavedState.readDoubles(in, vector);
        }
        steps.restore(in);
        line.restore(in);
        ask = SumKind.valueOf(in.readUTF());
        every = in.readInt();
        looks = in.readInt();
        afresh = in.readBoolean();
        renews = in.readBoolean();
        stepped = in.readBoolean();
        step = in.readDouble();
        firstBand = in.readDouble();
        firstObjective = in.readDouble();
        width = in.readDouble();
        band = in.readDouble();
        along = in.readDouble();
        squares = in.readDouble();
        smoothedGap = in.readDouble();
        distance = in.readDouble();
        weight = in.readDouble();
        gap = in.readDouble();
    }
}
