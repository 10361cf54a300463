package dev.starling.inference;

import dev.starling.internal.Cholesky;
import dev.starling.model.inference.SiteDifferences;
import dev.starling.node.Collectives;
import dev.starling.node.Sequence;
import dev.starling.node.State;
import dev.starling.node.SumKind;
import dev.starling.node.SumRequest;
import dev.starling.objective.PassSums;
import dev.starling.problem.LocalProblem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Every node's own estimates, which it shows, and the exact estimates of all others without it: by Newton's method from
 * the common estimate on, for all nodes at a time. Each of these sums is over all nodes but one, so the common sums
 * less one of them are that node's; between owners, it all needs everybody's leave.
 */
final class BySitePhase extends Sequence<double[]> {

    /** From the common estimate, few steps lead to where one node less makes no further difference. */
    static final int MOST_STEPS = 12;

    private static final double CONVERGED = 1e-18;
    private static final int OF_SITE = SiteDifferences.OF_SITE;

    private final Collectives nodes;
    private final LocalProblem problem;
    private final FittedPoint estimate;
    private final OwnRows rows;
    private final Optional<OwnRows.Point> best;
    private final int d;
    private final int k;

    BySitePhase(
            State.Owner owner,
            Collectives nodes,
            LocalProblem problem,
            FittedPoint estimate,
            OwnRows rows,
            Optional<OwnRows.Point> best) {
        super(owner);
        this.nodes = nodes;
        this.problem = problem;
        this.estimate = estimate;
        this.rows = rows;
        this.best = best;
        this.d = rows.parameters();
        this.k = rows.kept().length;
    }

    /** Returns how many numbers nodes add up at most. */
    static int numbers(int coefficients, int nodes) {
        return nodes * (1 + 2 * coefficients) + MOST_STEPS * nodes * block(coefficients);
    }

    private static int block(int coefficients) {
        return 1 + coefficients + coefficients * (coefficients + 1) / 2;
    }

    private SumRequest request(String name, double[] point, int numbers) {
        return SumRequest.atPoint(SumKind.SITES, 0, 1, point, problem.samples(), numbers)
                .named(name);
    }

    @Override
    protected Step<?> begin() {
        double[] here = best.map(OwnRows.Point::theta).orElse(estimate.theta());
        SumRequest request = request("estimates by site", estimate.theta(), nodes.size() * (1 + 2 * d))
                .withShares(() -> rows.shares(PassSums.GRADIENT, here));
        return next("estimates by site", nodes.sum(request, this::ownEstimates), shown -> {
            double[] found = new double[nodes.size() * (OF_SITE + SiteDifferences.OF_COEFFICIENT * d)];
            for (int node = 0; node < nodes.size(); node++) {
                found[at(node)] = shown[node * (1 + 2 * d)];
                System.arraycopy(shown, node * (1 + 2 * d) + 1, found, at(node) + OF_SITE, 2 * d);
            }
            List<double[]> start = new ArrayList<>();
            for (int node = 0; node < nodes.size(); node++) {
                start.add(estimate.theta());
            }
            return nodes.size() > 1 ? without(start, found, 0) : done(found);
        });
    }

    private int at(int node) {
        return node * (OF_SITE + SiteDifferences.OF_COEFFICIENT * d);
    }

    private double[] ownEstimates() {
        double[] all = new double[nodes.size() * (1 + 2 * d)];
        best.ifPresent(point -> {
            int from = nodes.node() * (1 + 2 * d);
            all[from] = 1;
            System.arraycopy(estimate.toRaw().apply(point.theta()), 0, all, from + 1, d);
            System.arraycopy(rows.variances(point), 0, all, from + 1 + d, d);
        });
        return all;
    }

    /** A step for every node, of the rows of all others. */
    private Step<?> without(List<double[]> points, double[] found, int steps) {
        double[] together = points.stream().flatMapToDouble(Arrays::stream).toArray();
        SumRequest request =
                request("without each site", together, nodes.size() * block(k)).withShares(() -> shares(points));
        return next("without " + steps, nodes.sum(request, () -> ofOthers(points)), totals -> {
            List<double[]> following = new ArrayList<>();
            boolean moved = false;
            for (int node = 0; node < nodes.size(); node++) {
                OwnRows.Point point = point(totals, node, points.get(node));
                boolean converged = point.isRegular() && point.decrement() * rows.unit() <= CONVERGED;
                boolean goesOn = point.isRegular() && !converged;
                following.add(goesOn ? rows.after(point.theta(), point.step(), 1) : point.theta());
                moved |= goesOn;
                if (converged) {
                    found[at(node) + 1] = 1;
                    int from = at(node) + OF_SITE + 2 * d;
                    System.arraycopy(estimate.toRaw().apply(point.theta()), 0, found, from, d);
                    System.arraycopy(rows.variances(point), 0, found, from + d, d);
                }
            }
            return moved && steps + 1 < MOST_STEPS ? without(following, found, steps + 1) : done(found);
        });
    }

    private OwnRows.Point point(double[] totals, int node, double[] theta) {
        int from = node * block(k);
        double[] matrix = Cholesky.symmetric(totals, from + 1 + k, k);
        return OwnRows.point(theta, totals[from], Arrays.copyOfRange(totals, from + 1, from + 1 + k), matrix);
    }

    private double[] ofOthers(List<double[]> points) {
        double[] sums = new double[nodes.size() * block(k)];
        for (int node = 0; node < nodes.size(); node++) {
            if (node == nodes.node()) {
                continue;
            }
            OwnRows.Point point = rows.at(points.get(node));
            int from = node * block(k);
            sums[from] = point.value();
            System.arraycopy(point.gradient(), 0, sums, from + 1, k);
            for (int a = 0; a < k; a++) {
                System.arraycopy(point.matrix(), a * k, sums, from + 1 + k + a * (a + 1) / 2, a + 1);
            }
        }
        return sums;
    }

    private SumRequest.Shares shares(List<double[]> points) {
        List<double[]> slopes = new ArrayList<>();
        List<double[]> curvatures = new ArrayList<>();
        for (int node = 0; node < nodes.size(); node++) {
            if (node != nodes.node()) {
                SumRequest.Shares at = rows.shares(PassSums.HESSIAN, points.get(node));
                slopes.addAll(at.slopes());
                curvatures.addAll(at.curvatures());
            }
        }
        return new SumRequest.Shares(slopes, curvatures);
    }
}
