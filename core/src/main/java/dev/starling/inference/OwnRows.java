package dev.starling.inference;

import dev.starling.internal.Cholesky;
import dev.starling.loss.Loss;
import dev.starling.node.SumRequest;
import dev.starling.objective.Family;
import dev.starling.objective.PassLayout;
import dev.starling.objective.PassSums;
import dev.starling.objective.Term;
import dev.starling.problem.LocalProblem;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** A node's rows, at whichever point, and Newton's method on them alone. */
final class OwnRows {

    private static final int MOST_STEPS = 60;
    private static final double CONVERGED = 1e-20;

    /** The part of a diagonal entry that others must leave over for a matrix to be inverted. */
    private static final double LEAST = 0x1p-40;

    private final LocalProblem problem;
    private final FittedPoint estimate;
    private final PassLayout layout;
    private final Term term;
    private final int[] kept;

    OwnRows(LocalProblem problem, FittedPoint estimate) {
        this.problem = problem;
        this.estimate = estimate;
        Family family = Family.of(problem.loss(), false);
        this.layout = family.layout(problem.features(), problem.hasIntercept());
        this.term = family.term(problem, layout, 1);
        this.kept = IntStream.range(0, layout.parameters())
                .filter(c -> !estimate.leftOut()[c])
                .toArray();
    }

    /**
     * A point with what Newton's method needs there, of the parameters that are not left out.
     *
     * @param matrix the lower triangle of the Hessian, row by row in a square
     * @param factor that of the Hessian; empty if this cannot be inverted
     */
    record Point(double[] theta, double value, double[] gradient, double[] matrix, double[] factor) {

        boolean isRegular() {
            return factor.length > 0;
        }

        double[] step() {
            return solved(gradient);
        }

        double[] solved(double[] right) {
            double[] step = new double[gradient.length];
            Cholesky.solve(factor, gradient.length, right, step);
            return step;
        }

        /** gᵀH⁻¹g. */
        double decrement() {
            return product(gradient, step());
        }
    }

    /** The number of all parameters. */
    int parameters() {
        return layout.parameters();
    }

    /** The parameters that are not left out. */
    int[] kept() {
        return kept;
    }

    /** The sums at a point. */
    Point at(double[] theta) {
        double[] sums = new double[layout.length(PassSums.HESSIAN)];
        term.sum(PassSums.HESSIAN, theta, 1, false, sums);
        int d = layout.parameters();
        double[] whole = new double[d * d];
        layout.load(sums, 1, whole);
        double[] matrix = new double[kept.length * kept.length];
        double[] gradient = new double[kept.length];
        for (int a = 0; a < kept.length; a++) {
            gradient[a] = sums[PassLayout.GRADIENT + kept[a]];
            for (int b = 0; b <= a; b++) {
                matrix[a * kept.length + b] = whole[kept[a] * d + kept[b]];
            }
        }
        return point(theta, sums[PassLayout.LOSS], gradient, matrix);
    }

    /** A point at which sums, perhaps those of other rows, are known. */
    static Point point(double[] theta, double value, double[] gradient, double[] matrix) {
        int k = gradient.length;
        double[] factor = matrix.clone();
        boolean invertible = Double.isFinite(value) && Cholesky.factorise(factor, k);
        for (int a = 0; invertible && a < k; a++) {
            double pivot = factor[a * k + a];
            invertible = pivot * pivot > LEAST * matrix[a * k + a];
        }
        return new Point(theta, value, gradient, matrix, invertible ? factor : new double[0]);
    }

    /** The request, which says how much each row contributes where its point alone does not. */
    SumRequest shared(SumRequest request) {
        PassSums what = request.kind().isCurved() ? PassSums.HESSIAN : PassSums.GRADIENT;
        return term.shares(what, request.point(), 1).map(request::withShares).orElse(request);
    }

    /** How much each row contributes at a point, with a loss of one score. */
    SumRequest.Shares shares(PassSums what, double[] theta) {
        return term.shares(what, theta, 1).map(Supplier::get).orElseGet(() -> ofOneScore(theta, what.isCurved()));
    }

    private SumRequest.Shares ofOneScore(double[] theta, boolean curved) {
        Loss loss = problem.loss();
        double[] slopes = new double[problem.samples()];
        double[] curvatures = new double[problem.samples()];
        for (int j = 0; j < slopes.length; j++) {
            double margin = problem.margin(j, theta);
            slopes[j] = problem.weight(j) * loss.derivative(margin, problem.label(j));
            curvatures[j] = problem.weight(j) * loss.curvature(margin, problem.label(j));
        }
        return new SumRequest.Shares(List.of(slopes), curved ? List.of(curvatures) : List.of());
    }

    static double product(double[] a, double[] b) {
        double sum = 0;
        for (int k = 0; k < a.length; k++) {
            sum = Math.fma(a[k], b[k], sum);
        }
        return sum;
    }

    /** The optimum of these rows alone, from a point on; empty if there is none, or it is not found. */
    Optional<Point> best(Point from) {
        Point here = from;
        for (int k = 0; k < MOST_STEPS && here.isRegular(); k++) {
            double[] step = here.step();
            if (product(here.gradient, step) <= CONVERGED) {
                return Optional.of(here);
            }
            here = moved(here, step);
        }
        return Optional.empty();
    }

    /** The point after a step, which is halved until it does not lead up. */
    private Point moved(Point from, double[] step) {
        for (double length = 1; length > 0x1p-30; length /= 2) {
            Point next = at(after(from.theta, step, length));
            if (next.value <= from.value * (1 + 0x1p-44)) {
                return next;
            }
        }
        return new Point(from.theta, from.value, from.gradient, from.matrix, new double[0]);
    }

    /** A point from which a step of the parameters that are not left out is subtracted. */
    double[] after(double[] theta, double[] step, double length) {
        double[] next = theta.clone();
        for (int k = 0; k < kept.length; k++) {
            next[kept[k]] -= length * step[k];
        }
        return next;
    }

    /** The variances of the coefficients of raw features at an optimum; 0 for those that are left out. */
    double[] variances(Point best) {
        int d = layout.parameters();
        double[][] map = estimate.rawMap();
        double[] variances = new double[d];
        for (int k = 0; k < d; k++) {
            double[] row = new double[kept.length];
            for (int a = 0; a < kept.length; a++) {
                row[a] = map[k][kept[a]];
            }
            variances[k] = product(row, best.solved(row)) / unit();
        }
        return variances;
    }

    /** What losses have to be multiplied by to be those of the data. */
    double unit() {
        return estimate.weightUnit() * estimate.lossUnit();
    }
}
