package dev.starling.inference;

import dev.starling.internal.Cholesky;
import dev.starling.model.Differences;
import dev.starling.model.inference.SiteDifferences;
import dev.starling.node.Collectives;
import dev.starling.node.Phase;
import dev.starling.node.Sequence;
import dev.starling.node.State;
import dev.starling.node.SumKind;
import dev.starling.node.SumRequest;
import dev.starling.problem.LocalProblem;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * How much nodes differ, from sums that show no node's own estimate: T = Σ gᵀH⁻¹g with the gradient g and the Hessian H
 * of each node's rows at the common estimate, and, of each coefficient, Σω, Σωβ, Σωβ² and Σω² with the estimate β of a
 * node's own rows and ω the inverse of its variance. If the coefficients of some columns S are to be tested by
 * themselves, each node eliminates its own: Σ g_SᵀH_SS⁻¹g_S, and what remains of the gradient and the Hessian of the
 * others.
 *
 * <p>Of three nodes, each could compute the estimates of the other two from the sums of their squares, up to their
 * order. Between owners they are therefore added up only if at least {@value #FEWEST} have estimates of their own.
 * Estimates by node go openly, if every owner has given leave.
 */
public final class HeterogeneityPhase extends Sequence<SiteDifferences> {

    /** The fewest owners for sums of squares, each of which is of what one owner's rows add up to. */
    public static final int FEWEST = 5;

    /** The numbers of the first sum: T, and how many nodes it covers and have estimates of their own. */
    public static final int FIRST = 3;

    /** How many numbers of each coefficient the second sum has. */
    public static final int OF_COEFFICIENT = 4;

    /** The numbers of the sum about columns before those of other coefficients: the statistic and the rank. */
    private static final int OF_COLUMNS = 2;

    private static final double LEAST = 0x1p-40;

    private final State.Owner owner;
    private final Collectives nodes;
    private final LocalProblem problem;
    private final FittedPoint estimate;
    private final OwnRows rows;
    private final Differences asked;
    private final int[] tested;
    private final boolean several;
    private Own own;

    /** A node's squared slope at the common estimate, if its rows have all coefficients, and its own estimate. */
    private record Own(double score, boolean counted, Optional<OwnRows.Point> best) {}

    /**
     * Creates the phase for this node's rows.
     *
     * @param asked what is asked for
     * @param names the names of the features
     */
    public HeterogeneityPhase(
            State.Owner owner,
            Collectives nodes,
            LocalProblem problem,
            FittedPoint estimate,
            Differences asked,
            List<String> names) {
        super(owner);
        this.owner = owner;
        this.nodes = nodes;
        this.problem = problem;
        this.estimate = estimate;
        this.rows = new OwnRows(problem, estimate);
        this.asked = asked;
        this.several = nodes.guard().isBetweenOwners();
        List<Integer> wanted = Arrays.stream(asked.features(names)).boxed().toList();
        this.tested = IntStream.range(0, rows.kept().length)
                .filter(k -> wanted.contains(rows.kept()[k]))
                .toArray();
    }

    /** Returns how many numbers so many nodes may add up for this many coefficients. */
    public static int numbers(int coefficients, int nodes, Differences asked) {
        return (asked.bySite() ? BySitePhase.numbers(coefficients, nodes) : 0)
                + FIRST
                + OF_COEFFICIENT * coefficients
                + (asked.columns().isEmpty() ? 0 : OF_COLUMNS + coefficients + coefficients * (coefficients + 1) / 2);
    }

    @Override
    protected Step<?> begin() {
        return next(
                "heterogeneity",
                sum("heterogeneity", FIRST, () -> new double[] {
                    own().score, own().counted ? 1 : 0, own().best.isPresent() ? 1 : 0
                }),
                this::estimates);
    }

    private Step<?> estimates(double[] first) {
        if (several && first[2] < FEWEST) {
            return columns(first);
        }
        int d = rows.parameters();
        return next("own estimates", sum("own estimates", OF_COEFFICIENT * d, this::ownEstimates), second -> {
            double[] all = Arrays.copyOf(first, FIRST + second.length);
            System.arraycopy(second, 0, all, FIRST, second.length);
            return columns(all);
        });
    }

    private Phase<double[]> sum(String name, int numbers, Supplier<double[]> addend) {
        return sum(SumKind.LINE, name, numbers, addend);
    }

    private Phase<double[]> sum(SumKind kind, String name, int numbers, Supplier<double[]> addend) {
        SumRequest request = SumRequest.atPoint(kind, 0, 1, estimate.theta(), problem.samples(), numbers)
                .named(name);
        return nodes.sum(rows.shared(request), addend);
    }

    private double[] ownEstimates() {
        double[] sums = new double[OF_COEFFICIENT * rows.parameters()];
        own().best.ifPresent(best -> {
            double[] estimates = estimate.toRaw().apply(best.theta());
            double[] variances = rows.variances(best);
            for (int k = 0; k < estimates.length; k++) {
                double omega = variances[k] > 0 ? 1 / variances[k] : 0;
                sums[OF_COEFFICIENT * k] = omega;
                sums[OF_COEFFICIENT * k + 1] = omega * estimates[k];
                sums[OF_COEFFICIENT * k + 2] = omega * estimates[k] * estimates[k];
                sums[OF_COEFFICIENT * k + 3] = omega * omega;
            }
        });
        return sums;
    }

    private Own own() {
        own = own == null ? found() : own;
        return own;
    }

    private Own found() {
        OwnRows.Point here = rows.at(estimate.theta());
        return here.isRegular()
                ? new Own(here.decrement() * rows.unit(), true, rows.best(here))
                : new Own(0, false, Optional.empty());
    }

    private int[] others() {
        return IntStream.range(0, rows.kept().length)
                .filter(k -> Arrays.binarySearch(tested, k) < 0)
                .toArray();
    }

    private Step<?> columns(double[] common) {
        if (tested.length == 0) {
            return bySite(new SiteDifferences(common, new double[0], new double[0]));
        }
        int q = others().length;
        return next(
                "columns by site",
                sum(SumKind.HESSIAN, "columns by site", OF_COLUMNS + q + q * (q + 1) / 2, this::ownColumns),
                totals -> bySite(new SiteDifferences(common, statistic(totals), new double[0])));
    }

    /** What is left of this node's rows once the coefficients of the columns are its own. */
    private double[] ownColumns() {
        int[] others = others();
        int q = others.length;
        double[] sums = new double[OF_COLUMNS + q + q * (q + 1) / 2];
        OwnRows.Point here = rows.at(estimate.theta());
        // Directions in which this node's rows do not vary have neither slope nor curvature.
        boolean[] regular = Cholesky.independent(part(here, tested, tested), tested.length, LEAST);
        int[] free = IntStream.range(0, tested.length)
                .filter(k -> regular[k])
                .map(k -> tested[k])
                .toArray();
        double[] factor = part(here, free, free);
        Cholesky.factorise(factor, free.length);
        double[] slopes =
                Arrays.stream(free).mapToDouble(k -> here.gradient()[k]).toArray();
        double[] solved = new double[free.length];
        Cholesky.solve(factor, free.length, slopes, solved);
        sums[0] = OwnRows.product(slopes, solved);
        sums[1] = free.length;
        double[] cross = part(here, others, free);
        for (int a = 0; a < q; a++) {
            double[] row = Arrays.copyOfRange(cross, a * free.length, (a + 1) * free.length);
            sums[OF_COLUMNS + a] = here.gradient()[others[a]] - OwnRows.product(row, solved);
            double[] weights = new double[free.length];
            Cholesky.solve(factor, free.length, row, weights);
            for (int b = 0; b <= a; b++) {
                double[] other = Arrays.copyOfRange(cross, b * free.length, (b + 1) * free.length);
                sums[OF_COLUMNS + q + a * (a + 1) / 2 + b] =
                        entry(here, others[a], others[b]) - OwnRows.product(weights, other);
            }
        }
        return sums;
    }

    private double entry(OwnRows.Point point, int a, int b) {
        return point.matrix()[Math.max(a, b) * rows.kept().length + Math.min(a, b)];
    }

    private double[] part(OwnRows.Point point, int[] down, int[] across) {
        double[] part = new double[down.length * across.length];
        for (int a = 0; a < down.length; a++) {
            for (int b = 0; b < across.length; b++) {
                part[a * across.length + b] = entry(point, down[a], across[b]);
            }
        }
        return part;
    }

    private double[] statistic(double[] totals) {
        int q = others().length;
        double[] matrix = Cholesky.symmetric(totals, OF_COLUMNS + q, q);
        OwnRows.Point rest =
                OwnRows.point(estimate.theta(), 0, Arrays.copyOfRange(totals, OF_COLUMNS, OF_COLUMNS + q), matrix);
        double statistic = rest.isRegular() || q == 0 ? totals[0] + (q == 0 ? 0 : rest.decrement()) : Double.NaN;
        return new double[] {statistic * rows.unit(), totals[1] - tested.length, tested.length};
    }

    private Step<?> bySite(SiteDifferences found) {
        if (!asked.bySite()) {
            return done(found);
        }
        return next(
                "by site",
                new BySitePhase(owner, nodes, problem, estimate, rows, own().best),
                all -> done(new SiteDifferences(found.sums(), found.columns(), all)));
    }
}
