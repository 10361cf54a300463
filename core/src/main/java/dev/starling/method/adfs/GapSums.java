package dev.starling.method.adfs;

import dev.starling.data.Dataset;
import dev.starling.loss.Loss;
import dev.starling.method.Facts;
import dev.starling.problem.CompensatedSum;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Regulariser;
import dev.starling.problem.Rounding;
import dev.starling.problem.VectorSumRounding;
import java.util.Arrays;

/**
 * What nodes add up for a duality gap, and for what rounding may hide of it: a vector for the dual point, another for
 * the losses at the parameter that it leads to. The bound is derived in docs/correctness.md.
 */
final class GapSums {

    /* The dual sums begin with Σ s x; these follow. */
    private static final int CONJUGATES = 0;
    private static final int DUAL_ERROR = 1;
    private static final int SPREAD = 2;
    private static final int AFTER_THE_VECTOR = 3;

    /* The sums of losses. */
    private static final int LOSSES = 0;
    private static final int LOSS_ERROR = 1;
    private static final int ALIGNMENT = 2;
    private static final int LOSSES_LENGTH = 3;

    /** Roundings of one sample's loss or conjugate, with room to spare; adding up the nodes' sums has more. */
    private static final int OPERATIONS = 16;

    private final DualProgram algorithm;
    private final Facts totals;
    private final int nodes;
    private final int features;
    private final double unit;
    private final VectorSumRounding rounding;
    private final double[] dual;
    private final double[] losses = new double[LOSSES_LENGTH];

    GapSums(DualProgram algorithm, Facts totals, int nodes) {
        this.algorithm = algorithm;
        this.totals = totals;
        this.nodes = nodes;
        this.features = algorithm.problem().features();
        this.unit = (OPERATIONS + nodes) * Rounding.UNIT;
        this.rounding = new VectorSumRounding(algorithm.problem());
        this.dual = new double[dualLength(features)];
    }

    static int dualLength(int features) {
        return features + AFTER_THE_VECTOR;
    }

    /** The sums at the dual point: Σ s x, then numbers. Not a copy. */
    double[] dual() {
        return dual;
    }

    /** The sums at the parameter. Not a copy. */
    double[] losses() {
        return losses;
    }

    /** Overwrites the dual sums with this node's. */
    void sumDual() {
        LocalProblem problem = algorithm.problem();
        Dataset data = problem.data();
        Loss loss = problem.loss();
        Arrays.fill(dual, 0);
        rounding.begin();
        CompensatedSum conjugates = new CompensatedSum();
        double magnitude = 0;
        for (int j = 0; j < problem.samples(); j++) {
            int row = problem.row(j);
            double label = data.label(row);
            double weight = data.weight(row);
            double slope = slope(j, loss, label, weight);
            double conjugate = weight * loss.conjugate(slope, label);
            conjugates.add(conjugate);
            data.addTo(row, weight * slope, dual);
            magnitude += Math.abs(conjugate) + Math.abs(weight * slope * label);
            rounding.added(j, weight * slope, dual, 0);
        }
        dual[features + CONJUGATES] = conjugates.value();
        dual[features + DUAL_ERROR] = unit * magnitude;
        dual[features + SPREAD] = rounding.bound(dual, 0, nodes);
    }

    /** Overwrites the sums of losses with this node's, at the slopes of the dual sums. */
    void sumLosses(double[] theta) {
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
            double distance = Rounding.ofMargin(data, row, theta);
            double steepest = weight * Rounding.steepest(loss, margin, distance, label);
            sum.add(value);
            alignment.add(pull * margin);
            error += unit * (value + Math.abs(pull * margin)) + (steepest + Math.abs(pull)) * distance;
        }
        losses[LOSSES] = sum.value();
        losses[LOSS_ERROR] = error;
        losses[ALIGNMENT] = alignment.value();
    }

    private double slope(int sample, Loss loss, double label, double weight) {
        return loss.clamp(algorithm.slope(sample) / weight, label);
    }

    /** P(θ̂) of the sums of all nodes. */
    double objective(double[] theta) {
        return (losses[LOSSES] + totals.sigma() * regulariser().value(theta)) / totals.weight();
    }

    /** D(s) of the sums of all nodes. */
    double dualValue(double[] theta) {
        return (-dual[features + CONJUGATES] - totals.sigma() * regulariser().conjugateAt(theta)) / totals.weight();
    }

    /** By how much the exact P(θ̂) − D(s) may exceed what the sums of all nodes make of it. */
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
        // θ̂ is not quite −Σ s x/σ: what that takes from D(s) is known to first order, and bounded beyond.
        double misfit = Math.max(0, -losses[ALIGNMENT] - norm);
        double spread = dual[features + SPREAD];
        double sums = losses[LOSSES] + Math.abs(dual[features + CONJUGATES]) + 2 * norm;
        double error = losses[LOSS_ERROR] + dual[features + DUAL_ERROR] + sigma * added + misfit;
        return (error + spread * spread / (2 * sigma) + unit * sums) / totals.weight();
    }

    private Regulariser regulariser() {
        return algorithm.problem().regulariser();
    }
}
