package dev.starling.inference;

import dev.starling.data.InvalidInputException;
import dev.starling.loss.Likelihood;
import dev.starling.model.StandardErrors;
import dev.starling.model.inference.Inference;
import dev.starling.node.Collectives;
import dev.starling.node.Phase;
import dev.starling.node.Sequence;
import dev.starling.node.State;
import dev.starling.node.SumKind;
import dev.starling.node.SumRequest;
import dev.starling.objective.ClusterLeverages;
import dev.starling.objective.InformationPass;
import dev.starling.problem.LocalProblem;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The phase of a job that follows a fit without regularisation: all nodes learn what standard errors, tests and
 * intervals follow from, by adding up a few numbers and, as for a step of Newton's method, a matrix.
 */
public final class InferencePhase extends Sequence<Inference> {

    /** A fit in one number gains two digits or more with each step. */
    private static final int MOST_NULL_STEPS = 40;

    private static final double LONGEST_STEP = 4;

    private static final double NULL_TOLERANCE = 0x1p-50;

    private final Collectives nodes;
    private final LocalProblem problem;
    private final Likelihood family;
    private final FittedPoint estimate;
    private final StandardErrors kind;
    private final long[] keys;
    private final double[] whitening;
    private final InformationPass pass;

    /**
     * The most numbers that are added up about the model without features.
     *
     * @param searched whether its margin is searched for, as offsets require
     */
    public static int nullNumbers(boolean searched) {
        return InformationPass.NULL_NUMBERS * (1 + (searched ? MOST_NULL_STEPS : 0));
    }

    /**
     * Creates the phase.
     *
     * @param problem this node's rows
     * @param keys the cluster of every row of the dataset; empty unless standard errors are clustered
     */
    public InferencePhase(
            State.Owner owner,
            Collectives nodes,
            LocalProblem problem,
            Likelihood family,
            FittedPoint estimate,
            StandardErrors kind,
            long[] keys) {
        super(owner);
        this.nodes = nodes;
        this.problem = problem;
        this.family = family;
        this.estimate = estimate;
        this.kind = kind;
        this.keys = keys;
        this.whitening = estimate.whitening();
        this.pass = new InformationPass(problem, family, estimate.theta(), estimate.weightUnit(), whitening);
    }

    @Override
    protected Step<?> begin() {
        if (!kind.sumsClusters() || !nodes.guard().isBetweenOwners()) {
            return next("information", information(), totals -> bounded(totals, 0));
        }
        return next(
                "clusters",
                nodes.sum(SumRequest.overAll(SumKind.COUNTS, "clusters", problem.samples(), 1), () ->
                        new double[] {clusters() == 1 ? 1 : 0}),
                single -> next("information", information(), totals -> bounded(totals, single[0])));
    }

    private long clusters() {
        return Arrays.stream(keys).distinct().count();
    }

    private Phase<double[]> information() {
        SumRequest request = SumRequest.atPoint(
                        SumKind.HESSIAN,
                        0,
                        1,
                        estimate.theta(),
                        problem.samples(),
                        InformationPass.numbers(family, estimate.theta().length))
                .named("information")
                .withShares(pass::shares);
        return nodes.sum(request, this::ownInformation);
    }

    private double[] ownInformation() {
        if (kind.sumsClusters() && keys.length == 0) {
            throw new InvalidInputException("standard-errors " + kind.text()
                    + " needs to know which cluster a row belongs to; name its column");
        }
        return pass.information();
    }

    /**
     * Adds up the squared slopes of clusters. If each owner's rows are one cluster, these are squares of what they add
     * up to: of three owners, each learns the sums of the other two up to their order. Otherwise a cluster is a person,
     * and the sum covers as many people as the owner has clusters.
     *
     * @param single how many nodes have rows of one cluster only; counted between owners
     */
    private Step<?> bounded(double[] totals, double single) {
        Information found = Information.of(totals, family, estimate, whitening, nodes.size());
        boolean bySite = single == nodes.size();
        boolean few = bySite && nodes.size() < HeterogeneityPhase.FEWEST;
        SumRequest bare = SumRequest.atPoint(
                        few ? SumKind.SITES : kind.isRobust() ? SumKind.HESSIAN : SumKind.LINE,
                        0,
                        1,
                        estimate.theta(),
                        problem.samples(),
                        boundNumbers())
                .named(kind.isRobust() ? "squared slopes" : "bounds")
                .withShares(() -> few ? squaresOfSite() : kind.isRobust() ? squares() : weights());
        SumRequest request = kind.sumsClusters() && nodes.guard().isBetweenOwners() && !bySite
                ? bare.withRowsOfNumber(number -> clusters())
                : bare;
        return next(
                "bounds",
                nodes.sum(request, () -> ownBounds(found)),
                bounds -> withoutFeatures(found, found.inference(bounds, kind)));
    }

    private double[] ownBounds(Information found) {
        double[] sums = new double[boundNumbers()];
        double[] observed = found.observed().inverse();
        double[] expected = found.expected().inverse();
        boolean byRow = kind.isRobust() && !kind.sumsClusters();
        pass.addRows(observed, expected, byRow, kind.powerOfLeverage(), sums);
        if (kind.sumsClusters()) {
            Optional<ClusterLeverages> adjusting = kind == StandardErrors.CR2
                    ? Optional.of(new ClusterLeverages(expected, found.rawFactor()))
                    : Optional.empty();
            pass.addClusters(observed, expected, keys, adjusting, sums);
        }
        return sums;
    }

    private int boundNumbers() {
        return InformationPass.boundNumbers(estimate.theta().length, kind.isRobust(), kind == StandardErrors.CR2);
    }

    private SumRequest.Shares weights() {
        double[] each = new double[problem.samples()];
        Arrays.setAll(each, problem::weight);
        return SumRequest.Shares.ofSlopes(each);
    }

    /** Whoever gives leave tells the slopes themselves, not only their squares. */
    private SumRequest.Shares squaresOfSite() {
        double[] slopes = new double[problem.samples()];
        Arrays.setAll(
                slopes,
                j -> problem.weight(j) * family.derivative(problem.margin(j, estimate.theta()), problem.label(j)));
        return new SumRequest.Shares(List.of(slopes), squares().curvatures());
    }

    private SumRequest.Shares squares() {
        double[] each = new double[problem.samples()];
        for (int j = 0; j < each.length; j++) {
            double slope = problem.weight(j) * family.derivative(problem.margin(j, estimate.theta()), problem.label(j));
            each[j] = slope * slope;
        }
        return SumRequest.Shares.ofCurvatures(each);
    }

    /** Without offsets, the best margin that all rows share is that of their mean; with offsets, it is searched for. */
    private Step<?> withoutFeatures(Information found, Inference inference) {
        double margin = estimate.intercept() ? family.link().score(found.mean()) : 0;
        if (!Double.isFinite(margin)) {
            return done(inference);
        }
        Search alone = new Search(Double.NEGATIVE_INFINITY, margin, Double.POSITIVE_INFINITY);
        return nullModel(inference, alone, estimate.intercept() && found.hasOffsets() ? MOST_NULL_STEPS : 0);
    }

    /** A margin, between others at which the loss falls and rises. */
    private record Search(double low, double margin, double high) {

        /** Newton's step, unless it is too long or leaves the interval; then half of that. */
        Search next(double slope, double curvature) {
            double from = slope < 0 ? margin : low;
            double to = slope < 0 ? high : margin;
            double step = Math.max(-LONGEST_STEP, Math.min(LONGEST_STEP, slope / curvature));
            double next = margin - step;
            return new Search(from, next > from && next < to ? next : (from + to) / 2, to);
        }
    }

    /**
     * How much greater than the least the loss without features may be. Without an intercept there is nothing to
     * choose; otherwise it is what the theorem of Newton and Kantorovich leaves in one dimension.
     */
    private double nullError(double[] totals) {
        double rounding = totals[InformationPass.NULL_ROUNDING];
        if (!estimate.intercept()) {
            return rounding;
        }
        double slope = Math.abs(totals[1]) + totals[InformationPass.NULL_ROUNDING_OF_SLOPE];
        double curvature = totals[2] * (1 - InformationPass.RADIUS);
        double third = totals[InformationPass.NULL_THIRD];
        double inside = curvature * curvature - 2 * third * slope;
        double distance = 2 * slope / (curvature + Math.sqrt(inside));
        return inside > 0 && curvature > 0 && distance <= InformationPass.RADIUS
                ? rounding + slope * distance + third * distance * distance * distance / 6
                : Double.POSITIVE_INFINITY;
    }

    private Step<?> nullModel(Inference inference, Search search, int steps) {
        double margin = search.margin;
        SumRequest request = SumRequest.atPoint(
                        SumKind.LINE, 0, 1, new double[] {margin}, problem.samples(), InformationPass.NULL_NUMBERS)
                .named("null model")
                .withShares(this::weights);
        return next("null " + steps, nodes.sum(request, () -> pass.nullModel(margin)), totals -> {
            double step = totals[1] / totals[2];
            double unit = 2 * estimate.weightUnit() * estimate.lossUnit();
            return steps == 0 || !(Math.abs(step) > NULL_TOLERANCE * Math.max(1, Math.abs(margin)))
                    ? done(inference.withNullDeviance(unit * totals[0], unit * nullError(totals)))
                    : nullModel(inference, search.next(totals[1], totals[2]), steps - 1);
        });
    }
}
