package dev.starling.inference;

import dev.starling.data.InvalidInputException;
import dev.starling.loss.Elementary;
import dev.starling.loss.Likelihood;
import dev.starling.model.inference.RandomIntercept;
import dev.starling.node.Collectives;
import dev.starling.node.Phase;
import dev.starling.node.Sequence;
import dev.starling.node.State;
import dev.starling.node.SumKind;
import dev.starling.node.SumRequest;
import dev.starling.problem.LocalProblem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * The phase of a job that gives every cluster of rows an intercept of its own, τu with u normal. The likelihood is a
 * sum over clusters, so nodes add up its value, gradient and Hessian at each point of a search that starts at the fit
 * without such intercepts; for gaussian responses, what follows from a ratio of variances. The search has converged
 * where it ends; nothing is proven.
 *
 * <p>Between owners, a cluster is a person, and a sum covers as many people as an owner has clusters. If each owner's
 * rows are one cluster, the sums at several points tell what each owner's rows add up to, so that needs everybody's
 * leave.
 */
public final class RandomInterceptPhase extends Sequence<RandomIntercept> {

    /** The nodes of an integral. */
    public static final int NODES = 25;

    private static final int MOST_SUMS = 60;
    private static final double FIRST_DEVIATION = 0.5;
    private static final double WIDER = 16;
    private static final double MOST_RATIO = 1e12;
    private static final double SAME_RATIO = 0x1p-42;

    private final Collectives nodes;
    private final LocalProblem problem;
    private final Likelihood family;
    private final FittedPoint estimate;
    private final int[] kept;
    private final int[] members;
    private final int clusters;
    private final boolean gaussian;
    private final Supplier<LinearMixed> linear;
    private final Supplier<GeneralisedMixed> generalised;
    private boolean bySite;
    private double allClusters;

    /**
     * Creates the phase.
     *
     * @param keys the cluster of every row of the dataset
     */
    public RandomInterceptPhase(
            State.Owner owner,
            Collectives nodes,
            LocalProblem problem,
            Likelihood family,
            FittedPoint estimate,
            long[] keys) {
        super(owner);
        this.nodes = nodes;
        this.problem = problem;
        this.family = family;
        this.estimate = estimate;
        this.gaussian = family.family().equals("gaussian");
        this.kept = IntStream.range(0, estimate.theta().length)
                .filter(c -> !estimate.leftOut()[c])
                .toArray();
        this.members = new int[problem.samples()];
        List<Cluster> own = clusters(keys);
        this.clusters = own.size();
        this.linear = () -> new LinearMixed(own, kept.length, true);
        this.generalised = () -> new GeneralisedMixed(own, kept.length, family, NODES);
        if (!gaussian && !GeneralisedMixed.takes(family)) {
            throw new InvalidInputException("a random intercept goes with gaussian, binomial (logit), poisson and"
                    + " negative-binomial(K), not with " + family.name());
        }
    }

    /** Returns how many numbers nodes add up at most. */
    public static int numbers(int coefficients) {
        int each = Math.max(
                LinearMixed.numbers(coefficients),
                1 + (coefficients + 1) + (coefficients + 1) * (coefficients + 2) / 2);
        return 2 + MOST_SUMS * each;
    }

    private List<Cluster> clusters(long... keys) {
        if (keys.length == 0) {
            throw new InvalidInputException(
                    "a random intercept needs to know which cluster a row belongs to; name its column");
        }
        Map<Long, List<Integer>> found = new LinkedHashMap<>();
        for (int j = 0; j < problem.samples(); j++) {
            found.computeIfAbsent(keys[problem.row(j)], key -> new ArrayList<>())
                    .add(j);
        }
        List<Cluster> all = new ArrayList<>();
        for (List<Integer> one : found.values()) {
            one.forEach(j -> members[j] = all.size());
            all.add(new Cluster(
                    one.stream().map(this::columns).toArray(double[][]::new),
                    one.stream()
                            .mapToDouble(j -> family.response(problem.label(j)))
                            .toArray(),
                    one.stream().mapToDouble(problem::label).toArray(),
                    one.stream()
                            .mapToDouble(j -> problem.weight(j) * estimate.weightUnit())
                            .toArray(),
                    one.stream()
                            .mapToDouble(j -> problem.data().offset(problem.row(j)))
                            .toArray()));
        }
        return all;
    }

    private double[] columns(int sample) {
        double[] row = new double[problem.features()];
        problem.data().addTo(problem.row(sample), 1, row);
        return Arrays.stream(kept).mapToDouble(c -> row[c]).toArray();
    }

    @Override
    protected Step<?> begin() {
        SumRequest request = SumRequest.overAll(SumKind.COUNTS, "clusters", problem.samples(), 2);
        return next("clusters", nodes.sum(request, () -> new double[] {clusters == 1 ? 1 : 0, clusters}), counts -> {
            bySite = counts[0] == nodes.size();
            allClusters = counts[1];
            if (bySite) {
                nodes.guard().requireLeave("a random intercept per site");
            }
            if (allClusters < 2) {
                throw new InvalidInputException("a random intercept of one cluster; there must be at least two, and"
                        + " rather more than five");
            }
            return gaussian ? ratio(0, Bracket.above(0, Double.NaN), 0) : start();
        });
    }

    private Phase<double[]> sum(double[] point, int numbers, Supplier<double[]> own, Supplier<double[]> intercepts) {
        SumRequest bare = SumRequest.atPoint(
                        bySite ? SumKind.SITES : SumKind.HESSIAN, 0, 1, point, problem.samples(), numbers)
                .named("random intercepts")
                .withShares(() -> shares(intercepts.get()));
        SumRequest request =
                nodes.guard().isBetweenOwners() && !bySite ? bare.withRowsOfNumber(number -> (long) clusters) : bare;
        return nodes.sum(request, own);
    }

    /** What each row contributes where its cluster has its most likely intercept. */
    private SumRequest.Shares shares(double... intercepts) {
        double[] slopes = new double[problem.samples()];
        double[] curvatures = new double[problem.samples()];
        for (int j = 0; j < slopes.length; j++) {
            double margin = problem.margin(j, estimate.theta()) + intercepts[members[j]];
            slopes[j] = problem.weight(j) * family.derivative(margin, problem.label(j));
            curvatures[j] = problem.weight(j) * family.curvature(margin, problem.label(j));
        }
        return new SumRequest.Shares(List.of(slopes), List.of(curvatures));
    }

    /**
     * Two ratios at which the criterion falls and rises, and its slopes there, NaN if not known yet, and which end
     * moved last.
     */
    private record Bracket(double low, double slopeLow, double high, double slopeHigh, int moved) {

        /** Only the lower end is known. */
        static Bracket above(double low, double slope) {
            return new Bracket(low, slope, Double.NaN, Double.NaN, 0);
        }

        /** The next ratio: where the line between the two slopes is 0. */
        double next() {
            double secant = (low * slopeHigh - high * slopeLow) / (slopeHigh - slopeLow);
            return secant > low && secant < high ? secant : (low + high) / 2;
        }

        /** With another ratio inside. An end that stays twice has its slope halved, so that it moves soon. */
        Bracket with(double ratio, double slope) {
            return slope < 0
                    ? new Bracket(ratio, slope, high, moved < 0 ? slopeHigh / 2 : slopeHigh, -1)
                    : new Bracket(low, moved > 0 ? slopeLow / 2 : slopeLow, ratio, slope, 1);
        }
    }

    private Step<?> ratio(double rho, Bracket bracket, int count) {
        LinearMixed own = linear.get();
        double[] none = new double[clusters];
        return next(
                "ratio " + count,
                sum(new double[] {rho}, LinearMixed.numbers(kept.length), () -> own.sums(rho), () -> none),
                totals -> {
                    LinearMixed.At at = LinearMixed.at(rho, totals, kept.length, true);
                    // Times this, the slope is a straight line if all clusters have the same size.
                    double size = 1 + rho * estimate.samples() / allClusters;
                    double slope = at.slope() * size * size;
                    if (rho == 0) {
                        return slope < 0
                                ? ratio(allClusters / estimate.samples(), Bracket.above(0, slope), count + 1)
                                : found(at);
                    }
                    if (Double.isNaN(bracket.high) && slope < 0) {
                        return rho < MOST_RATIO ? ratio(rho * WIDER, Bracket.above(rho, slope), count + 1) : found(at);
                    }
                    Bracket narrower = Double.isNaN(bracket.high)
                            ? new Bracket(bracket.low, bracket.slopeLow, rho, slope, 0)
                            : bracket.with(rho, slope);
                    double next = narrower.next();
                    boolean same = Math.abs(next - rho) <= SAME_RATIO * rho || slope == 0;
                    return same || count + 1 == MOST_SUMS ? found(at) : ratio(next, narrower, count + 1);
                });
    }

    private Step<?> found(LinearMixed.At at) {
        double[][] map = estimate.rawMap();
        // Columns in other units change the determinant of the normal equations; only the intercept depends on others.
        double logDeterminant = Arrays.stream(kept)
                .mapToDouble(c -> Elementary.log(Math.abs(map[c][c])))
                .sum();
        double sigma = Math.sqrt(estimate.lossUnit() * at.variance());
        double[] covariance =
                Arrays.stream(at.inverse()).map(entry -> entry * at.variance()).toArray();
        return done(new RandomIntercept(
                sigma * Math.sqrt(at.rho()),
                sigma,
                at.criterion() + estimate.samples() * Elementary.log(estimate.lossUnit()) - 2 * logDeterminant,
                0,
                0,
                allClusters,
                raw(at.theta()),
                raw(covariance, kept.length, map)));
    }

    /** Coefficients on raw features, with 0 for those left out. */
    private double[] raw(double... theta) {
        double[] all = new double[estimate.theta().length];
        for (int k = 0; k < kept.length; k++) {
            all[kept[k]] = theta[k];
        }
        return estimate.toRaw().apply(all);
    }

    /** The lower triangle of their covariances. */
    private double[] raw(double[] covariance, int width, double[][] map) {
        int d = map.length;
        double[] triangle = new double[d * (d + 1) / 2];
        int at = 0;
        for (int a = 0; a < d; a++) {
            for (int b = 0; b <= a; b++) {
                for (int k = 0; k < kept.length; k++) {
                    for (int l = 0; l < kept.length; l++) {
                        triangle[at] += map[a][kept[k]] * covariance[k * width + l] * map[b][kept[l]];
                    }
                }
                at++;
            }
        }
        return triangle;
    }

    private Step<?> start() {
        double[] theta = Arrays.copyOf(
                Arrays.stream(kept).mapToDouble(c -> estimate.theta()[c]).toArray(), kept.length + 1);
        theta[kept.length] = FIRST_DEVIATION;
        GeneralisedMixed own = generalised.get();
        return next("point 0", sumAt(own, theta), sums -> step(own, own.search(theta, sums, theta.length), 1));
    }

    private Phase<double[]> sumAt(GeneralisedMixed own, double... theta) {
        return sum(theta, own.numbers(), () -> own.at(theta), () -> own.modes(theta));
    }

    private Step<?> step(GeneralisedMixed own, GeneralisedMixed.Search search, int count) {
        return next("point " + count, sumAt(own, search.next()), there -> {
            GeneralisedMixed.Search after = own.after(search, there);
            return after.ended() || count + 1 == MOST_SUMS ? found(own.end(after)) : step(own, after, count + 1);
        });
    }

    private Step<?> found(GeneralisedMixed.End end) {
        if (!(end.decrement() < 1e-6)) {
            throw new InvalidInputException("no estimate with a random intercept was found: the likelihood may grow"
                    + " without end, or clusters differ no more than their rows do; leave out columns that tell"
                    + " outcomes apart, or the intercept");
        }
        return done(new RandomIntercept(
                Math.abs(end.theta()[kept.length]),
                1,
                2 * end.value(),
                end.decrement(),
                NODES,
                allClusters,
                raw(end.theta()),
                raw(end.inverse(), kept.length + 1, estimate.rawMap())));
    }
}
