package dev.starling.statistics;

import dev.starling.loss.Elementary;
import dev.starling.problem.CompensatedSum;
import dev.starling.problem.Rounding;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Minus the log-likelihood of classes in an order, with logit P(y ≤ c) = ζ_c − xᵀβ. It is the logistic loss of ζ_y −
 * xᵀβ upwards and of ζ_{y−1} − xᵀβ downwards, plus h(ζ_y − ζ_{y−1}) for every class between two others, with h(t) =
 * −ln(1 − e^−t): convex, and defined where the ζ increase. The parameter is β, then ζ.
 */
final class ProportionalOdds implements ProvenNewton.Objective {

    /** Bounds on the third derivatives of h hold within this distance, in standard errors. */
    private static final double RADIUS = 0x1p-10;

    private final ClassRows rows;
    private final List<String> labels;
    private final int features;
    private final int thresholds;

    ProportionalOdds(ClassRows rows, List<String> labels) {
        this.rows = rows;
        this.labels = labels;
        this.features = rows.features();
        this.thresholds = labels.size() - 1;
    }

    @Override
    public int parameters() {
        return features + thresholds;
    }

    @Override
    public String name(int parameter) {
        return parameter < features
                ? rows.names().get(parameter)
                : labels.get(parameter - features) + "|" + labels.get(parameter - features + 1);
    }

    /** The thresholds that give all rows the same probabilities, which are those of the classes. */
    @Override
    public double[] start() {
        double[] theta = new double[parameters()];
        double below = 0;
        for (int c = 0; c < thresholds; c++) {
            below += rows.totals()[c];
            theta[features + c] = Elementary.log(below / (rows.weight() - below));
        }
        return theta;
    }

    @Override
    public double weight() {
        return rows.weight();
    }

    private double score(int i, double[] theta) {
        double score = rows.offsets()[i];
        for (int c = 0; c < features; c++) {
            score = Math.fma(rows.x()[i][c], theta[c], score);
        }
        return score;
    }

    private static double softplus(double margin) {
        return Math.max(margin, 0) + Elementary.log1p(Elementary.exp(-Math.abs(margin)));
    }

    private static double sigmoid(double margin) {
        double e = Elementary.exp(-Math.abs(margin));
        return margin < 0 ? e / (1 + e) : 1 / (1 + e);
    }

    /** The sums as they grow. */
    private final class Growing {
        private final CompensatedSum value = new CompensatedSum();
        private final CompensatedSum[] gradient = new CompensatedSum[parameters()];
        private final double[] hessian = new double[parameters() * parameters()];

        Growing() {
            Arrays.setAll(gradient, k -> new CompensatedSum());
        }

        /** Adds a function of ζ_c − xᵀβ. */
        void addRow(double[] x, int threshold, double slope, double curvature) {
            int at = features + threshold;
            for (int a = 0; a < features; a++) {
                gradient[a].add(-slope * x[a]);
                double part = curvature * x[a];
                for (int b = 0; b <= a; b++) {
                    add(a, b, part * x[b]);
                }
                add(at, a, -part);
            }
            gradient[at].add(slope);
            add(at, at, curvature);
        }

        void add(int a, int b, double entry) {
            hessian[a * parameters() + b] += entry;
        }
    }

    @Override
    public ProvenNewton.Sums at(double[] theta) {
        Growing sums = new Growing();
        for (int c = 1; c < thresholds; c++) {
            double gap = theta[features + c] - theta[features + c - 1];
            if (!(gap > 0)) {
                int size = parameters();
                return new ProvenNewton.Sums(Double.POSITIVE_INFINITY, new double[size], new double[size * size]);
            }
            double weight = rows.totals()[c];
            double slope = weight * -1 / Elementary.expm1(gap);
            double curvature = weight * curvature(gap);
            int at = features + c;
            sums.value.add(-weight * Elementary.log(-Elementary.expm1(-gap)));
            sums.gradient[at].add(slope);
            sums.gradient[at - 1].add(-slope);
            sums.add(at, at, curvature);
            sums.add(at - 1, at - 1, curvature);
            sums.add(at, at - 1, -curvature);
        }
        for (int i = 0; i < rows.count(); i++) {
            double weight = rows.weights()[i];
            double score = score(i, theta);
            int own = rows.classes()[i];
            if (own < thresholds) {
                double margin = theta[features + own] - score;
                double p = sigmoid(-margin);
                sums.value.add(weight * softplus(-margin));
                sums.addRow(rows.x()[i], own, -weight * p, weight * p * sigmoid(margin));
            }
            if (own > 0) {
                double margin = theta[features + own - 1] - score;
                double p = sigmoid(margin);
                sums.value.add(weight * softplus(margin));
                sums.addRow(rows.x()[i], own - 1, weight * p, weight * p * sigmoid(-margin));
            }
        }
        for (int a = 0; a < parameters(); a++) {
            for (int b = 0; b < a; b++) {
                sums.hessian[b * parameters() + a] = sums.hessian[a * parameters() + b];
            }
        }
        return new ProvenNewton.Sums(
                sums.value.value(),
                Arrays.stream(sums.gradient).mapToDouble(CompensatedSum::value).toArray(),
                sums.hessian);
    }

    /** h''(t) = 1/(4 sinh²(t/2)). */
    private static double curvature(double gap) {
        double e = -Elementary.expm1(-gap);
        return Elementary.exp(-gap) / (e * e);
    }

    @Override
    public ProvenNewton.Change change(double[] theta, ToDoubleFunction<double[]> length) {
        double third = 0;
        double squares = 0;
        double lengths = 0;
        double largest = 0;
        double[] vector = new double[parameters()];
        for (int i = 0; i < rows.count(); i++) {
            largest = Math.max(largest, Math.abs(score(i, theta)));
            for (int c = Math.max(0, rows.classes()[i] - 1); c <= Math.min(thresholds - 1, rows.classes()[i]); c++) {
                Arrays.fill(vector, 0);
                for (int a = 0; a < features; a++) {
                    vector[a] = -rows.x()[i][a];
                }
                vector[features + c] = 1;
                double b = length.applyAsDouble(vector);
                third += rows.weights()[i] * b * b * b / (6 * Math.sqrt(3));
                squares += rows.weights()[i] * b * b / 4;
                lengths += rows.weights()[i] * b;
                largest = Math.max(largest, Math.abs(theta[features + c]));
            }
        }
        for (int c = 1; c < thresholds; c++) {
            Arrays.fill(vector, 0);
            vector[features + c] = 1;
            vector[features + c - 1] = -1;
            double b = length.applyAsDouble(vector);
            double gap = theta[features + c] - theta[features + c - 1] - RADIUS * b;
            if (!(gap > 0)) {
                return new ProvenNewton.Change(Double.POSITIVE_INFINITY, 0, squares, lengths, 1);
            }
            double curvature = rows.totals()[c] * curvature(gap);
            // |h'''| = h'' coth(t/2).
            third += curvature * b * b * b * (1 + Elementary.exp(-gap)) / -Elementary.expm1(-gap);
            squares += curvature * b * b;
            lengths += rows.totals()[c] * b / Elementary.expm1(gap);
        }
        double relative = Rounding.UNIT * (2.0 * rows.count() + 8 * (features + 1) * (1 + largest) + 64);
        return new ProvenNewton.Change((1 + 0x1p-20) * third, RADIUS, squares, lengths, relative);
    }
}
