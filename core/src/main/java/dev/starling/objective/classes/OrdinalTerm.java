package dev.starling.objective.classes;

import dev.starling.loss.Elementary;
import dev.starling.loss.Ordinal;
import dev.starling.node.SumRequest;
import dev.starling.node.SumWords;
import dev.starling.objective.PassLayout;
import dev.starling.objective.PassSums;
import dev.starling.objective.ProofBasis;
import dev.starling.objective.Smoothness;
import dev.starling.objective.Term;
import dev.starling.problem.CompensatedSum;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Rounding;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Minus the log-likelihood of classes in an order, with logit P(y ≤ c) = ζ_c − xᵀβ. It is the logistic loss of ζ_y −
 * xᵀβ upwards and of ζ_{y−1} − xᵀβ downwards, plus h(ζ_y − ζ_{y−1}) for every class between two others, with h(t) =
 * −ln(1 − e^−t): convex, and defined where the ζ increase.
 */
public final class OrdinalTerm implements Term {

    /**
     * Proportional odds. The parameter has one entry for each feature but the constant one, and one for each threshold.
     *
     * @param loss ℓ
     */
    public record Family(Ordinal loss) implements dev.starling.objective.Family {

        @Override
        public PassLayout layout(int features, boolean intercept) {
            return new PassLayout(loss.parameters(features), false);
        }

        @Override
        public Smoothness smoothness() {
            return new Smoothness(0.5, Double.POSITIVE_INFINITY, true, true);
        }

        @Override
        public int labelNumbers() {
            return ClassCounts.numbers(loss.classes());
        }

        @Override
        public NullModel nullModel(double[] totals, double unit) {
            return ClassCounts.nullModel(totals, unit);
        }

        @Override
        public Term term(LocalProblem rows, PassLayout layout, int fewestRows) {
            return new OrdinalTerm(rows, layout, loss);
        }
    }

    /** The number of roundings in a slope or curvature of a row, with room to spare. */
    private static final int OPERATIONS = 64;

    private final LocalProblem problem;
    private final PassLayout layout;
    private final Ordinal loss;
    private final int features;
    private final int thresholds;
    private final double[] row;

    OrdinalTerm(LocalProblem problem, PassLayout layout, Ordinal loss) {
        this.problem = problem;
        this.layout = layout;
        this.loss = loss;
        this.thresholds = loss.outputs();
        this.features = layout.parameters() - thresholds;
        this.row = new double[problem.features()];
    }

    @Override
    public int visits(int stride) {
        return problem.samples();
    }

    @Override
    public double cost(PassSums what, int stride) {
        return problem.samples() * (what == PassSums.GRADIENT ? 2 : 2 + problem.valuesPerRow() / 2);
    }

    /** Loads a row, in whose place of the constant feature is 0, and returns its score. */
    private double load(int j, double[] theta) {
        Arrays.fill(row, 0);
        problem.data().addTo(problem.row(j), 1, row);
        row[features] = 0;
        double score = problem.data().offset(problem.row(j));
        for (int c = 0; c < features; c++) {
            score = Math.fma(row[c], theta[c], score);
        }
        return score;
    }

    private double zeta(double[] theta, int c) {
        return loss.threshold(c) + theta[features + c];
    }

    private double gap(double[] theta, int c) {
        return zeta(theta, c) - zeta(theta, c - 1);
    }

    /** The first and last threshold that the class of a row is next to. */
    private int first(int own) {
        return Math.max(0, own - 1);
    }

    private int last(int own) {
        return Math.min(thresholds - 1, own);
    }

    /** h''(t) = 1/(4 sinh²(t/2)). */
    private static double bend(double gap) {
        double e = -Elementary.expm1(-gap);
        return Elementary.exp(-gap) / (e * e);
    }

    /** What each row is multiplied by in the gradient, and in the Hessian. */
    @Override
    public Optional<Supplier<SumRequest.Shares>> shares(PassSums what, double[] theta, int stride) {
        return Optional.of(() -> {
            double[][] slopes = new double[thresholds][problem.samples()];
            double[][] curvatures = new double[thresholds][problem.samples()];
            for (int j = 0; j < problem.samples(); j++) {
                double score = load(j, theta);
                int own = (int) problem.label(j);
                for (int c = first(own); c <= last(own); c++) {
                    double p = Elementary.sigmoid((c == own ? -1 : 1) * (zeta(theta, c) - score));
                    slopes[c][j] = (c == own ? -1 : 1) * problem.weight(j) * p;
                    curvatures[c][j] = problem.weight(j) * p * (1 - p);
                }
            }
            return new SumRequest.Shares(List.of(slopes), what.isCurved() ? List.of(curvatures) : List.of());
        });
    }

    /** The sums as they grow. */
    private final class Growing {
        private final CompensatedSum value = new CompensatedSum();
        private final CompensatedSum[] gradient = new CompensatedSum[layout.parameters()];
        private final double[] hessian;
        private double magnitude;

        Growing(boolean curved) {
            this.hessian = new double[curved ? layout.parameters() * (layout.parameters() + 1) / 2 : 0];
            Arrays.setAll(gradient, k -> new CompensatedSum());
        }

        void add(int a, int b, double entry) {
            hessian[a * (a + 1) / 2 + b] += entry;
        }

        /** Adds a function of ζ_c − xᵀβ. */
        void addRow(int threshold, double slope, double curvature) {
            int at = features + threshold;
            for (int a = 0; a < features; a++) {
                gradient[a].add(-slope * row[a]);
                double part = curvature * row[a];
                for (int b = 0; hessian.length > 0 && b <= a; b++) {
                    add(a, b, part * row[b]);
                }
                if (hessian.length > 0) {
                    add(at, a, -part);
                }
            }
            gradient[at].add(slope);
            if (hessian.length > 0) {
                add(at, at, curvature);
            }
        }

        /** Adds w h(ζ_c − ζ_{c−1}). */
        void addGap(int c, double weight, double gap) {
            double slope = -weight / Elementary.expm1(gap);
            int at = features + c;
            value.add(-weight * Elementary.log(-Elementary.expm1(-gap)));
            gradient[at].add(slope);
            gradient[at - 1].add(-slope);
            if (hessian.length > 0) {
                double curvature = weight * bend(gap);
                add(at, at, curvature);
                add(at - 1, at - 1, curvature);
                add(at, at - 1, -curvature);
            }
        }
    }

    @Override
    public double[] labels() {
        return ClassCounts.of(problem, thresholds + 1);
    }

    @Override
    public void sum(PassSums what, double[] theta, int stride, boolean tight, double[] sums) {
        layout.require(theta);
        Arrays.fill(sums, PassLayout.LOSS, layout.length(what), 0);
        Growing growing = new Growing(what == PassSums.HESSIAN);
        double[] totals = totals();
        for (int c = 1; c < thresholds; c++) {
            if (!(gap(theta, c) > 0)) {
                sums[PassLayout.LOSS] = Double.POSITIVE_INFINITY;
                return;
            }
            growing.addGap(c, totals[c], gap(theta, c));
        }
        for (int j = 0; j < problem.samples(); j++) {
            double score = load(j, theta);
            double weight = problem.weight(j);
            int own = (int) problem.label(j);
            for (int c = first(own); c <= last(own); c++) {
                int sign = c == own ? -1 : 1;
                double margin = sign * (zeta(theta, c) - score);
                double p = Elementary.sigmoid(margin);
                growing.value.add(weight * Elementary.softplus(margin));
                growing.magnitude += weight * (1 + Math.abs(margin));
                growing.addRow(c, sign * weight * p, weight * p * Elementary.sigmoid(-margin));
            }
        }
        sums[PassLayout.LOSS] = growing.value.value();
        sums[PassLayout.WEIGHT] = problem.totalWeight();
        sums[PassLayout.ERROR] =
                SumWords.up(relative(theta) * (growing.magnitude + sums[PassLayout.LOSS]) + SumWords.ROUNDING);
        for (int k = 0; k < theta.length; k++) {
            sums[PassLayout.GRADIENT + k] = growing.gradient[k].value();
        }
        System.arraycopy(growing.hessian, 0, sums, layout.hessian(), growing.hessian.length);
    }

    /** The weight of each class. */
    private double[] totals() {
        double[] counts = labels();
        return Arrays.copyOfRange(counts, 1, counts.length);
    }

    /** Bounds the relative error of a row's slope and curvature, which is mostly the error of its margin. */
    private double relative(double[] theta) {
        double largest = 1;
        for (int j = 0; j < problem.samples(); j++) {
            double size = Math.abs(problem.data().offset(problem.row(j)));
            load(j, theta);
            for (int c = 0; c < features; c++) {
                size += Math.abs(row[c] * theta[c]);
            }
            largest = Math.max(largest, size);
        }
        for (int c = 0; c < thresholds; c++) {
            largest = Math.max(largest, Math.abs(zeta(theta, c)) + Math.abs(loss.threshold(c)));
        }
        return Rounding.UNIT * (8.0 * (features + 1) * (1 + largest) + OPERATIONS);
    }

    @Override
    public void prove(double[] theta, ProofBasis basis, double[] sums) {
        sum(PassSums.PROOF, theta, 1, true, sums);
        double third = 0;
        double squares = 0;
        double scaled = 0;
        double[] vector = new double[layout.parameters()];
        for (int j = 0; j < problem.samples(); j++) {
            load(j, theta);
            int own = (int) problem.label(j);
            for (int c = first(own); c <= last(own); c++) {
                Arrays.fill(vector, 0);
                for (int a = 0; a < features; a++) {
                    vector[a] = -row[a];
                }
                vector[features + c] = 1;
                double b = basis.lengthOf(vector);
                third += problem.weight(j) * b * b * b / (6 * Math.sqrt(3));
                squares += problem.weight(j) * b * b / 4;
                scaled += problem.weight(j) * basis.scaledLengthOf(vector);
            }
        }
        double[] totals = totals();
        for (int c = 1; c < thresholds; c++) {
            Arrays.fill(vector, 0);
            vector[features + c] = 1;
            vector[features + c - 1] = -1;
            double b = basis.lengthOf(vector);
            double gap = gap(theta, c) - basis.radius() * b;
            if (!(gap > 0)) {
                sums[PassLayout.LOSS] = Double.POSITIVE_INFINITY;
                return;
            }
            double curvature = totals[c] * bend(gap);
            // |h'''| = h'' coth(t/2); an error of the gap counts as much as its third derivative says.
            double coth = (1 + Elementary.exp(-gap)) / -Elementary.expm1(-gap);
            third += curvature * b * b * b * coth;
            squares += curvature * b * b * (1 + coth);
            scaled += totals[c] * (1 / Elementary.expm1(gap) + bend(gap)) * basis.scaledLengthOf(vector);
        }
        double relative = relative(theta);
        int proof = layout.proof();
        sums[proof + PassLayout.DISTANCES] = SumWords.up(relative * squares);
        sums[proof + PassLayout.SCALED_ERROR] = SumWords.up(relative * scaled + basis.roundingOfWords());
        sums[proof + PassLayout.LEVERAGES] = SumWords.up((1 + 0x1p-20) * third);
    }
}
