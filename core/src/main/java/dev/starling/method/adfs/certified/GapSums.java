package dev.starling.method.adfs.certified;

import dev.starling.data.Dataset;
import dev.starling.loss.Loss;
import dev.starling.method.Facts;
import dev.starling.node.HiddenSum;
import dev.starling.node.SumWords;
import dev.starling.problem.CompensatedSum;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Regulariser;
import dev.starling.problem.Rounding;
import dev.starling.problem.VectorSumRounding;
import java.util.Arrays;

/**
 * What nodes add up for a duality gap and for a bound on its rounding error: one vector for the dual point, and one for
 * the losses at the parameter that it leads to. Each holds this node's addend until it is replaced by the totals. The
 * bound is derived in docs/correctness.md.
 */
final class GapSums {

    /* The dual sums begin with Σ s x; these are the indices after it. */
    private static final int CONJUGATES = 0;
    private static final int DUAL_ERROR = 1;
    private static final int SPREAD = 2;
    private static final int AFTER_THE_VECTOR = 3;

    /* The sums of losses. */
    private static final int LOSSES = HiddenSum.HEAD;
    private static final int LOSS_ERROR = LOSSES + 1;
    private static final int ALIGNMENT = LOSSES + 2;
    private static final int STEPS = LOSSES + 3;

    /** How many numbers the sums of losses have. */
    static final int LOSS_NUMBERS = 4;

    /** A bound on the roundings in one sample's loss or conjugate and in the total, with room to spare. */
    private static final double UNIT = 16 * Rounding.UNIT;

    private final DualProgram algorithm;
    private final Facts totals;
    private final int features;

    /** The index of the first number after Σ s x. */
    private final int after;

    private VectorSumRounding rounding;
    private final double[] dual;
    private final double[] losses = new double[HiddenSum.HEAD + LOSS_NUMBERS];

    GapSums(DualProgram algorithm, Facts totals) {
        this.algorithm = algorithm;
        this.totals = totals;
        this.features = algorithm.problem().features();
        this.after = HiddenSum.HEAD + features;
        this.rounding = new VectorSumRounding(algorithm.problem());
        this.dual = new double[HiddenSum.HEAD + dualNumbers(features)];
    }

    /** Returns how many numbers the dual sums have. */
    static int dualNumbers(int features) {
        return features + AFTER_THE_VECTOR;
    }

    /** Returns the sums at the dual point, not a copy: a head, Σ s x, and further numbers. */
    double[] dual() {
        return dual;
    }

    /** Returns the sums at the parameter, not a copy; they follow a head. */
    double[] losses() {
        return losses;
    }

    /** Overwrites the dual sums with this node's, and returns them. */
    double[] sumDual() {
        LocalProblem problem = algorithm.problem();
        Dataset data = problem.data();
        Loss loss = problem.loss();
        Arrays.fill(dual, 0);
        rounding = rounding.another();
        CompensatedSum conjugates = new CompensatedSum();
        double magnitude = 0;
        for (int j = 0; j < problem.samples(); j++) {
            int row = problem.row(j);
            double label = data.label(row);
            double weight = data.weight(row);
            double slope = slope(j, loss, label, weight);
            double conjugate = weight * loss.conjugate(slope, label);
            conjugates.add(conjugate);
            data.addTo(row, weight * slope, dual, HiddenSum.HEAD);
            magnitude += Math.abs(conjugate) + Math.abs(weight * slope * label);
            rounding.added(j, weight * slope, dual, HiddenSum.HEAD);
        }
        dual[after + CONJUGATES] = conjugates.value();
        dual[after + DUAL_ERROR] = SumWords.up(UNIT * magnitude + SumWords.rounding(conjugates.value()));
        double spread = rounding.bound(dual, HiddenSum.HEAD);
        dual[after + SPREAD] = SumWords.up(spread + (spread > 0 ? Math.sqrt(features) * SumWords.ROUNDING : 0));
        return dual;
    }

    /**
     * Overwrites the sums of losses with this node's, at the slopes of the dual sums, and returns them.
     *
     * @param steps the number of steps so far; 0 on all nodes but one
     */
    double[] sumLosses(double[] theta, long steps) {
        LocalProblem problem = algorithm.problem();
        Dataset data = problem.data();
        Loss loss = problem.loss();
        CompensatedSum sum = new CompensatedSum();
        CompensatedSum alignment = new CompensatedSum();
        double error = 0;
        for (int j = 0; j < problem.samples(); j++) {
            int row = problem.row(j);
            double label = data.label(row);
            double weight = data.weight(row);
            double margin = data.dot(row, theta);
            double value = weight * loss.value(margin, label);
            double pull = weight * slope(j, loss, label, weight);
            double distance = Rounding.ofMargin(problem, row, theta);
            double steepest = weight * Rounding.steepest(loss, margin, distance, label);
            sum.add(value);
            alignment.add(pull * margin);
            error += UNIT * (value + Math.abs(pull * margin)) + (steepest + Math.abs(pull)) * distance;
        }
        losses[LOSSES] = sum.value();
        losses[ALIGNMENT] = alignment.value();
        losses[LOSS_ERROR] =
                SumWords.up(error + SumWords.rounding(losses[LOSSES]) + SumWords.rounding(losses[ALIGNMENT]));
        losses[STEPS] = steps;
        return losses;
    }

    /** Returns the step at which all nodes computed their losses. */
    long steps() {
        return (long) losses[STEPS];
    }

    private double slope(int sample, Loss loss, double label, double weight) {
        return loss.clamp(algorithm.slope(sample) / weight, label);
    }

    /** Returns P(θ̂) according to the totals. */
    double objective(double[] theta) {
        return HiddenSum.isTooLarge(losses)
                ? Double.POSITIVE_INFINITY
                : (losses[LOSSES] + totals.sigma() * regulariser().value(theta)) / totals.weight();
    }

    /** Returns D(s) according to the totals. */
    double dualValue(double[] theta) {
        return HiddenSum.isTooLarge(dual)
                ? Double.NEGATIVE_INFINITY
                : (-dual[after + CONJUGATES] - totals.sigma() * regulariser().conjugateAt(theta)) / totals.weight();
    }

    /** Returns by how much the exact P(θ̂) − D(s) may exceed the one computed from the totals. */
    double error(double[] theta) {
        CompensatedSum values = new CompensatedSum();
        CompensatedSum conjugates = new CompensatedSum();
        for (double entry : theta) {
            values.add(regulariser().value(entry));
            conjugates.add(regulariser().conjugateAt(entry));
        }
        double sigma = totals.sigma();
        double added = Math.abs(values.value() - regulariser().value(theta))
                + Math.abs(conjugates.value() - regulariser().conjugateAt(theta));
        double norm = sigma * (values.value() + conjugates.value());
        // θ̂ is not exactly −Σ s x/σ: what that takes from D(s) is known to first order, and bounded beyond that.
        double misfit = Math.max(0, -losses[ALIGNMENT] - norm);
        double spread = dual[after + SPREAD];
        double sums = losses[LOSSES] + Math.abs(dual[after + CONJUGATES]) + 2 * norm;
        double error = losses[LOSS_ERROR] + dual[after + DUAL_ERROR] + sigma * added + misfit;
        return (error + spread * spread / (2 * sigma) + UNIT * sums) / totals.weight();
    }

    private Regulariser regulariser() {
        return algorithm.problem().regulariser();
    }
}
