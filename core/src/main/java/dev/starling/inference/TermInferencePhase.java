package dev.starling.inference;

import dev.starling.model.StandardErrors;
import dev.starling.model.TimeScale;
import dev.starling.model.inference.Inference;
import dev.starling.model.inference.SiteDifferences;
import dev.starling.node.Collectives;
import dev.starling.node.HiddenSum;
import dev.starling.node.Phase;
import dev.starling.node.Sequence;
import dev.starling.node.State;
import dev.starling.node.SumKind;
import dev.starling.node.SumRequest;
import dev.starling.objective.Family;
import dev.starling.objective.InformationPass;
import dev.starling.objective.PassLayout;
import dev.starling.objective.PassSums;
import dev.starling.objective.ProofBasis;
import dev.starling.objective.Term;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Rounding;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The phase of a job that follows the fit of a likelihood of classes or of times: all nodes learn its information, a
 * bound on how fast that changes, and what a model without features would reach.
 */
public final class TermInferencePhase extends Sequence<Inference> {

    private static final double[] NONE = {};

    private final Collectives nodes;
    private final LocalProblem problem;
    private final FittedPoint estimate;
    private final Family family;
    private final PassLayout layout;
    private final Term term;
    private final TimeScale scale;

    /**
     * Creates the phase for this node's rows.
     *
     * @param scale the function of time with which coefficients are to be tested for changes
     */
    public TermInferencePhase(
            State.Owner owner, Collectives nodes, LocalProblem problem, FittedPoint estimate, TimeScale scale) {
        super(owner);
        this.scale = scale;
        this.nodes = nodes;
        this.problem = problem;
        this.estimate = estimate;
        this.family = Family.of(problem.loss(), false);
        this.layout = family.layout(problem.features(), problem.hasIntercept());
        this.term = family.term(problem, layout, 1);
    }

    /** Returns how many numbers nodes add up. */
    public static int numbers(Family family, int features, boolean intercept, TimeScale scale) {
        PassLayout layout = family.layout(features, intercept);
        return layout.numbers(PassSums.HESSIAN)
                + layout.numbers(PassSums.PROOF)
                + family.labelNumbers()
                + (scale == TimeScale.NONE ? 0 : numbersOfChanges(layout.parameters()));
    }

    private static int numbersOfChanges(int coefficients) {
        return coefficients + coefficients * (coefficients + 1);
    }

    @Override
    protected Step<?> begin() {
        return next("information", sum(PassSums.HESSIAN, "information", this::addInformation), this::bounded);
    }

    private void addInformation(double[] addend) {
        term.sum(PassSums.HESSIAN, estimate.theta(), 1, true, addend);
    }

    private Phase<double[]> sum(PassSums what, String name, Consumer<double[]> own) {
        SumRequest request = SumRequest.atPoint(
                        what.kind(), 0, 1, estimate.theta(), problem.samples(), layout.numbers(what))
                .named(name);
        Optional<SumRequest> shared = term.shares(what, estimate.theta(), 1).map(request::withShares);
        return nodes.sum(shared.orElse(request), () -> {
            double[] addend = new double[layout.length(what)];
            own.accept(addend);
            return Arrays.copyOfRange(addend, HiddenSum.HEAD, addend.length);
        });
    }

    private Step<?> bounded(double[] totals) {
        double[] sums = HiddenSum.addend(totals);
        int d = layout.parameters();
        double[] matrix = new double[d * d];
        layout.load(sums, 1, matrix);
        for (int c = 0; c < d; c++) {
            for (int k = 0; estimate.leftOut()[c] && k < d; k++) {
                matrix[Math.max(c, k) * d + Math.min(c, k)] = 0;
            }
        }
        ProofBasis basis = basis(matrix);
        return next(
                "bounds",
                sum(PassSums.PROOF, "bounds", addend -> term.prove(estimate.theta(), basis, addend)),
                bounds -> labelled(sums, matrix, basis, HiddenSum.addend(bounds)));
    }

    private ProofBasis basis(double[] matrix) {
        return Information.basis(matrix, estimate.leftOut(), InformationPass.RADIUS);
    }

    private Step<?> labelled(double[] sums, double[] matrix, ProofBasis basis, double[] bounds) {
        SumRequest request =
                SumRequest.overAll(SumKind.COLUMNS, "null model", problem.samples(), family.labelNumbers());
        return next(
                "null model",
                nodes.sum(request, term::labels),
                labels -> changing(
                        inference(sums, matrix, basis, bounds, family.nullModel(labels, estimate.weightUnit()))));
    }

    private Step<?> changing(Inference known) {
        if (scale == TimeScale.NONE) {
            return done(known);
        }
        double[] theta = estimate.theta();
        SumRequest request = SumRequest.atPoint(
                        SumKind.HESSIAN, 0, 1, theta, problem.samples(), numbersOfChanges(layout.parameters()))
                .named("proportional hazards")
                .withShares(() -> term.sharesOfChanges(theta, scale::at));
        return next(
                "proportional hazards",
                nodes.sum(request, () -> term.changes(theta, scale::at)),
                sums -> done(known.withChanges(raw(sums))));
    }

    /** What a test of changing coefficients needs, for raw features: without an intercept, each has a factor. */
    private double[] raw(double[] sums) {
        int d = layout.parameters();
        double[][] map = estimate.rawMap();
        double unit = estimate.weightUnit();
        double[] raw = new double[sums.length];
        int second = d * (d + 1) / 2;
        for (int a = 0; a < d; a++) {
            raw[a] = unit * sums[a] / map[a][a];
            for (int b = 0; b <= a; b++) {
                int at = d + a * (a + 1) / 2 + b;
                raw[at] = unit * sums[at] / (map[a][a] * map[b][b]);
                raw[at + second] = unit * sums[at + second] / (map[a][a] * map[b][b]);
            }
        }
        return raw;
    }

    private Inference inference(
            double[] sums, double[] matrix, ProofBasis basis, double[] bounds, Family.NullModel alone) {
        int d = layout.parameters();
        int proof = layout.proof();
        double misfit = basis.misfit(matrix, estimate.samples());
        double drift = bounds[proof + PassLayout.DISTANCES];
        double least = (1 - misfit) * (1 - drift);
        boolean known = misfit < 1 && drift < 1 && estimate.distance() <= InformationPass.RADIUS;
        double distance = known ? estimate.distance() / Math.sqrt(least) : Double.POSITIVE_INFINITY;
        double change = known
                ? distance * bounds[proof + PassLayout.LEVERAGES] / (least * Math.sqrt(least))
                : Double.POSITIVE_INFINITY;
        double relative = change < 1 ? 1 / Math.sqrt(least * (1 - change)) - 1 : Double.POSITIVE_INFINITY;
        double[][] map = estimate.rawMap();
        double[] covariance = Information.gram(Information.rawFactor(basis, map), d);
        double[] roots = Information.roots(covariance, d);
        double[] estimateErrors = new double[d];
        double[] relativeErrors = new double[d];
        for (int k = 0; k < d; k++) {
            estimateErrors[k] = roots[k] == 0
                    ? 0
                    : distance * roots[k] * (1 + relative)
                            + Information.rounding(map[k], estimate.theta())
                            + Math.ulp(estimate.toRaw().apply(estimate.theta())[k]);
            relativeErrors[k] = roots[k] == 0 ? 0 : relative + Information.roundingOfRoot(map[k], basis) / roots[k];
        }
        double unit = estimate.weightUnit();
        double value = sums[PassLayout.LOSS];
        double error = unit * (estimate.excess() + sums[PassLayout.ERROR])
                + Information.OPERATIONS * Rounding.UNIT * (unit * value + Math.abs(alone.constant()));
        double nullError = Information.OPERATIONS
                * Rounding.UNIT
                * Math.sqrt(estimate.samples())
                * (alone.value() + Math.abs(alone.constant()));
        return new Inference(
                alone.rows(),
                alone.observations(),
                2 * unit * value,
                2 * error,
                2 * alone.value(),
                2 * nullError,
                0,
                0,
                alone.constant(),
                0,
                0,
                0,
                estimate.intercept(),
                estimateErrors,
                Arrays.stream(covariance).map(entry -> entry / unit).toArray(),
                relativeErrors,
                StandardErrors.MODEL,
                alone.intercepts(),
                NONE,
                NONE,
                NONE,
                0,
                SiteDifferences.NONE,
                NONE,
                NONE,
                Optional.empty());
    }
}
