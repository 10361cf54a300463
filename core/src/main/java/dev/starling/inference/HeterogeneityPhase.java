package dev.starling.inference;

import dev.starling.internal.Cholesky;
import dev.starling.node.Collectives;
import dev.starling.node.Phase;
import dev.starling.node.Sequence;
import dev.starling.node.State;
import dev.starling.node.SumKind;
import dev.starling.node.SumRequest;
import dev.starling.objective.Family;
import dev.starling.objective.PassLayout;
import dev.starling.objective.PassSums;
import dev.starling.objective.Term;
import dev.starling.problem.LocalProblem;
import java.util.Arrays;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * How much nodes differ, from sums that show no node's own estimate: T = Σ gᵀH⁻¹g with the gradient g and the Hessian H
 * of each node's rows at the common estimate, and, of each coefficient, Σω, Σωβ, Σωβ² and Σω² with the estimate β of a
 * node's own rows and ω the inverse of its variance.
 *
 * <p>Of three nodes, each could compute the estimates of the other two from the latter, up to their order. Between
 * owners they are therefore added up only if at least {@value #FEWEST} have estimates of their own.
 */
public final class HeterogeneityPhase extends Sequence<double[]> {

    /** The fewest owners with estimates of their own for sums of these. */
    public static final int FEWEST = 5;

    /** The numbers of the first sum: T, and how many nodes it covers and have estimates of their own. */
    public static final int FIRST = 3;

    /** How many numbers of each coefficient the second sum has. */
    public static final int OF_COEFFICIENT = 4;

    private static final int MOST_STEPS = 60;
    private static final double CONVERGED = 1e-20;

    /** The part of a diagonal entry that others must leave over for a matrix to be inverted. */
    private static final double LEAST = 0x1p-40;

    private final Collectives nodes;
    private final LocalProblem problem;
    private final FittedPoint estimate;
    private final PassLayout layout;
    private final Term term;
    private final int[] kept;
    private final boolean several;
    private Own own;

    /** A node's sums at the common estimate and what follows from its own estimate; ω is 0 if there is none. */
    private record Own(double score, boolean counted, boolean fitted, double[] estimates, double[] precisions) {}

    /** Creates the phase for this node's rows. */
    public HeterogeneityPhase(State.Owner owner, Collectives nodes, LocalProblem problem, FittedPoint estimate) {
        super(owner);
        this.nodes = nodes;
        this.problem = problem;
        this.estimate = estimate;
        Family family = Family.of(problem.loss(), false);
        this.layout = family.layout(problem.features(), problem.hasIntercept());
        this.term = family.term(problem, layout, 1);
        this.several = nodes.guard().isBetweenOwners();
        this.kept = IntStream.range(0, layout.parameters())
                .filter(c -> !estimate.leftOut()[c])
                .toArray();
    }

    /** Returns how many numbers nodes may add up for this many coefficients. */
    public static int numbers(int coefficients) {
        return FIRST + OF_COEFFICIENT * coefficients;
    }

    @Override
    protected Step<?> begin() {
        return next(
                "heterogeneity",
                sum("heterogeneity", FIRST, () ->
                        new double[] {own().score, own().counted ? 1 : 0, own().fitted ? 1 : 0}),
                this::estimates);
    }

    private Step<?> estimates(double[] first) {
        if (several && first[2] < FEWEST) {
            return done(first);
        }
        int d = layout.parameters();
        return next("own estimates", sum("own estimates", OF_COEFFICIENT * d, this::ownEstimates), second -> {
            double[] all = Arrays.copyOf(first, numbers(d));
            System.arraycopy(second, 0, all, FIRST, second.length);
            return done(all);
        });
    }

    private Phase<double[]> sum(String name, int numbers, Supplier<double[]> addend) {
        SumRequest request = SumRequest.atPoint(SumKind.LINE, 0, 1, estimate.theta(), problem.samples(), numbers)
                .named(name);
        return nodes.sum(
                term.shares(PassSums.GRADIENT, estimate.theta(), 1)
                        .map(request::withShares)
                        .orElse(request),
                addend);
    }

    private double[] ownEstimates() {
        int d = layout.parameters();
        double[] sums = new double[OF_COEFFICIENT * d];
        for (int k = 0; own().fitted && k < d; k++) {
            double omega = own().precisions[k];
            double beta = own().estimates[k];
            sums[OF_COEFFICIENT * k] = omega;
            sums[OF_COEFFICIENT * k + 1] = omega * beta;
            sums[OF_COEFFICIENT * k + 2] = omega * beta * beta;
            sums[OF_COEFFICIENT * k + 3] = omega * omega;
        }
        return sums;
    }

    private Own own() {
        own = own == null ? found() : own;
        return own;
    }

    /** A point with what Newton's method needs there; no factor if the Hessian cannot be inverted. */
    private record Point(double[] theta, double value, double[] gradient, double[] factor) {}

    private Point at(double[] theta) {
        double[] sums = new double[layout.length(PassSums.HESSIAN)];
        term.sum(PassSums.HESSIAN, theta, 1, false, sums);
        int d = layout.parameters();
        double[] whole = new double[d * d];
        layout.load(sums, 1, whole);
        double[] factor = new double[kept.length * kept.length];
        double[] gradient = new double[kept.length];
        for (int a = 0; a < kept.length; a++) {
            gradient[a] = sums[PassLayout.GRADIENT + kept[a]];
            for (int b = 0; b <= a; b++) {
                factor[a * kept.length + b] = whole[kept[a] * d + kept[b]];
            }
        }
        double[] diagonal = IntStream.range(0, kept.length)
                .mapToDouble(a -> factor[a * kept.length + a])
                .toArray();
        boolean invertible = Double.isFinite(sums[PassLayout.LOSS]) && Cholesky.factorise(factor, kept.length);
        for (int a = 0; invertible && a < kept.length; a++) {
            double pivot = factor[a * kept.length + a];
            invertible = pivot * pivot > LEAST * diagonal[a];
        }
        return new Point(theta, sums[PassLayout.LOSS], gradient, invertible ? factor : new double[0]);
    }

    private double[] step(Point from) {
        double[] step = new double[kept.length];
        Cholesky.solve(from.factor, kept.length, from.gradient, step);
        return step;
    }

    private static double product(double[] a, double[] b) {
        double sum = 0;
        for (int k = 0; k < a.length; k++) {
            sum = Math.fma(a[k], b[k], sum);
        }
        return sum;
    }

    private Own found() {
        Point here = at(estimate.theta());
        double[] none = {};
        if (here.factor.length == 0) {
            return new Own(0, false, false, none, none);
        }
        double score = product(here.gradient, step(here)) * estimate.weightUnit() * estimate.lossUnit();
        for (int k = 0; k < MOST_STEPS && here.factor.length > 0; k++) {
            double[] step = step(here);
            if (product(here.gradient, step) <= CONVERGED) {
                return fitted(score, here);
            }
            here = moved(here, step);
        }
        return new Own(score, true, false, none, none);
    }

    /** The point after a step, which is halved until it does not lead up. */
    private Point moved(Point from, double[] step) {
        for (double length = 1; length > 0x1p-30; length /= 2) {
            double[] theta = from.theta.clone();
            for (int k = 0; k < kept.length; k++) {
                theta[kept[k]] -= length * step[k];
            }
            Point next = at(theta);
            if (next.value <= from.value * (1 + 0x1p-44)) {
                return next;
            }
        }
        return new Point(from.theta, from.value, from.gradient, new double[0]);
    }

    private Own fitted(double score, Point best) {
        int d = layout.parameters();
        double[][] map = estimate.rawMap();
        double[] precisions = new double[d];
        for (int k = 0; k < d; k++) {
            double[] row = new double[kept.length];
            for (int a = 0; a < kept.length; a++) {
                row[a] = map[k][kept[a]];
            }
            double[] solved = new double[kept.length];
            Cholesky.solve(best.factor, kept.length, row, solved);
            double variance = product(row, solved) / (estimate.weightUnit() * estimate.lossUnit());
            precisions[k] = variance > 0 ? 1 / variance : 0;
        }
        return new Own(score, true, true, estimate.toRaw().apply(best.theta), precisions);
    }
}
