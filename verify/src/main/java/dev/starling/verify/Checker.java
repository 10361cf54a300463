package dev.starling.verify;

import dev.starling.data.Dataset;
import dev.starling.model.LinearModel;
import dev.starling.verify.Verdict.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.commons.numbers.core.DD;

/**
 * Decides whether a model is as good as its file says, from the model and the data alone.
 *
 * <p>First it computes the objective, which must be the stated one up to rounding. Then it looks for a dual point whose
 * value is close enough to the objective: the slopes of the loss at the model's own margins, or better ones that a
 * {@linkplain DualSearch search} finds. The search ends when the stated gap is proven, or when it is disproven by a
 * parameter that is better than the model by more than the stated gap.
 */
final class Checker {

    /** No certificate claims a smaller relative gap: training computes in doubles. */
    static final double RESOLUTION = 0x1p-48;

    /** The most products of two entries of a row that may be spent on curvature if slopes do not prove a model. */
    private static final double MOST_WORK = 1e9;

    /** After this many rounds in a row that narrowed the brackets by less than 1 %, only rounding is left. */
    private static final int MOST_BARREN = 20;

    private final LinearModel model;
    private final Claim claim;
    private final CheckedLoss loss;
    private final int mostPasses;
    private final Verifier.Watch watch;

    Checker(LinearModel model, Claim claim, int mostPasses, Verifier.Watch watch) {
        this.model = model;
        this.claim = claim;
        this.loss = CheckedLoss.named(claim.loss());
        this.mostPasses = mostPasses;
        this.watch = watch;
    }

    /** Checks the claim on raw rows, which may not have more features than the model. */
    Verdict check(Dataset raw) {
        if (raw.features() > model.features()) {
            return Verdict.wrong(
                    "the data have " + raw.features() + " features, the model " + model.features(), Double.NaN);
        }
        if (claim.isUnregularised() && !isBoundedByCurvature()) {
            return Verdict.wrong(
                    "a model with the loss " + claim.loss() + " cannot be proven without a regulariser", Double.NaN);
        }
        Dataset rows = raw.withFeatures(model.features());
        Optional<String> misfit = misfit(rows);
        if (misfit.isPresent()) {
            return Verdict.wrong(misfit.get(), Double.NaN);
        }
        Scales scales = Scales.of(claim.scalingThatDecides(), rows, loss.scalesLabels());
        Dataset trained = scales.apply(rows);
        float constant = claim.intercept() ? 1 : claim.bias();
        Dataset whole = constant > 0 ? trained.withBias(constant) : trained;
        double[] weights = weights(rows);
        List<Bracket> brackets = new ArrayList<>();
        List<Supplier<CurvedProblem>> curved = new ArrayList<>();
        DD objective = DD.ZERO;
        double rounding = 0;
        for (int k = 0; k < model.scores(); k++) {
            DD[] onScaled = scales.weights(model.weights(k));
            DD intercept = scales.intercept(model.intercept(k), onScaled);
            double interceptDoubt = scales.interceptDoubt(model.intercept(k), onScaled);
            Optional<String> impossible = impossible(scales, k, intercept, interceptDoubt);
            if (impossible.isPresent()) {
                return Verdict.wrong(impossible.get(), Double.NaN);
            }
            DD[] theta = Arrays.copyOf(onScaled, whole.features());
            if (claim.bias() > 0) {
                theta[onScaled.length] = intercept.divide(claim.bias());
            } else if (claim.intercept()) {
                theta[onScaled.length] = intercept;
            }
            double[] targets = targets(trained, rows, k);
            int regularised = claim.intercept() ? onScaled.length : whole.features();
            CheckedProblem problem =
                    new CheckedProblem(loss, whole, targets, weights, claim.lambda(), claim.l1(), regularised);
            double[] doubts = new double[rows.rows()];
            Arrays.setAll(doubts, i -> interceptDoubt + scales.doubt(rows, i, onScaled));
            Bracket bracket = new Bracket(problem, theta);
            objective = objective.add(bracket.above());
            rounding += problem.rounding(theta, doubts);
            brackets.add(bracket);
            curved.add(() -> new CurvedProblem(
                    loss.curved().orElseThrow(),
                    whole,
                    targets,
                    weights,
                    claim.lambda(),
                    regularised,
                    claim.aliased(),
                    theta));
        }
        double difference = Math.abs(objective.add(-claim.objective()).hi());
        if (!(difference <= rounding)) {
            return Verdict.wrong(
                    "the objective is " + objective.hi() + ", not " + claim.objective()
                            + " as stated, and rounding explains at most " + Verdict.atMost(rounding),
                    objective.hi());
        }
        if (claim.isUnregularised()) {
            return bounded(brackets, curved, objective);
        }
        Verdict verdict = search(brackets, objective, 0);
        double work = (double) whole.rows() * whole.features() * whole.features();
        if (verdict.outcome() == Outcome.UNCONFIRMED && isBoundedByCurvature() && work <= MOST_WORK) {
            verdict = bounded(brackets, curved, objective);
        }
        return verdict.outcome() == Outcome.HOLDS ? verdict : search(brackets, objective, mostPasses);
    }

    /** Whether curvature can prove a model where slopes do not. */
    private boolean isBoundedByCurvature() {
        return claim.l1() == 0 && loss.curved().isPresent();
    }

    /**
     * Bounds the distance from the optimum by curvature, because with little or no regulariser no dual point proves
     * much.
     */
    private Verdict bounded(List<Bracket> brackets, List<Supplier<CurvedProblem>> curved, DD objective) {
        DD claimed = objective.multiply(claim.gap() + RESOLUTION);
        double excess = 0;
        double distance = 0;
        DD better = DD.ZERO;
        for (int k = 0; k < brackets.size(); k++) {
            CheckedProblem checked = brackets.get(k).problem();
            CurvedProblem problem = curved.get(k).get();
            for (int feature : claim.aliased()) {
                if (model.weight(k, feature) != 0 || !problem.explains(feature)) {
                    return Verdict.wrong(
                            "feature " + (feature + 1)
                                    + " is left out, yet has a weight or does not follow from others",
                            objective.hi());
                }
            }
            Optional<CurvedProblem.Bound> bound = problem.bound();
            if (bound.isEmpty()) {
                return Verdict.wrong("some features depend on others, yet none is left out", objective.hi());
            }
            excess += bound.get().excess();
            double deviation = loss.isDispersionKnown()
                    ? 1
                    : Math.sqrt(2 * objective.hi() * checked.weight() / Math.max(0, checked.rows() - problem.kept()));
            distance = Math.max(distance, bound.get().distance() * Math.sqrt(checked.weight()) / deviation);
            better = better.add(checked.objective(bound.get().better()));
        }
        DD behind = objective.subtract(better);
        DD proven = DD.of(excess);
        if (DoubleDoubles.isMore(behind, claimed)) {
            return refuted(behind, better, objective, proven, 1);
        }
        if (DoubleDoubles.isMore(proven, claimed) || distance > claim.coefficientError()) {
            return verdict(
                    Outcome.UNCONFIRMED,
                    "curvature bounds the gap by " + Verdict.atMost(relative(proven, objective)) + ", the file states "
                            + claim.gap(),
                    objective,
                    proven,
                    1);
        }
        return verdict(
                Outcome.HOLDS,
                "gap at most " + Verdict.atMost(relative(proven, objective)) + ", proven independently",
                objective,
                proven,
                1);
    }

    /** Says why these cannot be the rows of the model; empty if they can. */
    private Optional<String> misfit(Dataset rows) {
        if (loss.isClassification() != model.isClassifier()) {
            return Optional.of("the loss " + claim.loss() + " does not fit a model of "
                    + model.classes().size() + " classes");
        }
        for (int i = 0; loss.isClassification() && i < rows.rows(); i++) {
            if (!model.classes().contains(rows.label(i) + 0.0)) {
                return Optional.of("row " + (i + 1) + " has the label " + Verdict.text(rows.label(i))
                        + ", which is none of the model's classes");
            }
        }
        return Optional.empty();
    }

    /** Says why no training can have given the weights of a score; empty if it can. */
    private Optional<String> impossible(Scales scales, int score, DD intercept, double doubt) {
        for (int c = 0; c < model.features(); c++) {
            if (scales.leavesOut(c) && model.weight(score, c) != 0) {
                return Optional.of("feature " + (c + 1) + " is the same in all rows, yet has the weight "
                        + model.weight(score, c));
            }
        }
        if (claim.bias() == 0 && !claim.intercept() && intercept.abs().hi() > doubt) {
            return Optional.of("the intercept " + model.intercept(score) + " does not follow from the weights, and no"
                    + " bias was trained");
        }
        return Optional.empty();
    }

    private double[] targets(Dataset trained, Dataset raw, int score) {
        if (!loss.isClassification()) {
            return trained.labels();
        }
        double positive = model.classes().get(model.scores() == 1 ? 1 : score);
        double[] signs = new double[raw.rows()];
        Arrays.setAll(signs, i -> raw.label(i) == positive ? 1 : -1);
        return signs;
    }

    private double[] weights(Dataset rows) {
        double[] weights = new double[rows.rows()];
        Map<Double, Double> ofClasses = claim.balanced() ? balanced(rows) : claim.classWeights();
        Arrays.setAll(weights, i -> rows.weight(i) * ofClasses.getOrDefault(rows.label(i) + 0.0, 1.0));
        return weights;
    }

    /** Returns the weights with which all classes in the rows have the same total weight. */
    private static Map<Double, Double> balanced(Dataset rows) {
        Map<Double, Double> totals = new TreeMap<>();
        double all = 0;
        for (int i = 0; i < rows.rows(); i++) {
            totals.merge(rows.label(i) + 0.0, rows.weight(i), Double::sum);
            all += rows.weight(i);
        }
        double each = all / totals.size();
        totals.replaceAll((label, total) -> each / total);
        return totals;
    }

    /** Narrows the brackets until the claim is proven or disproven, or nothing more can be gained. */
    private Verdict search(List<Bracket> brackets, DD objective, int limit) {
        DD claimed = objective.multiply(claim.gap() + RESOLUTION);
        int passes = 0;
        int more = 1;
        int barren = 0;
        double width = Double.POSITIVE_INFINITY;
        DD distance = objective.subtract(sum(brackets, Bracket::below));
        while (DoubleDoubles.isMore(distance, claimed) && passes < limit && more > 0 && barren < MOST_BARREN) {
            int most = limit - passes;
            more = brackets.stream().mapToInt(one -> one.narrow(most)).max().orElse(0);
            passes += more;
            DD below = sum(brackets, Bracket::below);
            DD better = sum(brackets, Bracket::above);
            distance = objective.subtract(below);
            DD behind = objective.subtract(better);
            if (DoubleDoubles.isMore(behind, claimed)) {
                return refuted(behind, better, objective, distance, passes);
            }
            double left = better.subtract(below).hi();
            barren = left < 0.99 * width ? 0 : barren + 1;
            width = barren == 0 ? left : width;
            watch.searched(passes, relative(distance, objective), claim.gap());
        }
        String bound = Verdict.atMost(relative(distance, objective));
        return DoubleDoubles.isMore(distance, claimed)
                ? verdict(
                        Outcome.UNCONFIRMED,
                        "the best dual point found bounds the gap by " + bound + ", the file states " + claim.gap()
                                + "; this does not refute it: a longer search (--passes) may prove it",
                        objective,
                        distance,
                        passes)
                : verdict(
                        Outcome.HOLDS, "gap at most " + bound + ", proven independently", objective, distance, passes);
    }

    private static DD sum(List<Bracket> brackets, Function<Bracket, DD> value) {
        return brackets.stream().map(value).reduce(DD.ZERO, DD::add);
    }

    private static double relative(DD distance, DD objective) {
        return objective.hi() == 0 ? 0 : Math.max(0, distance.divide(objective).hi());
    }

    /** Returns the verdict on a claim that a better model disproves. */
    private Verdict refuted(DD behind, DD better, DD objective, DD distance, int passes) {
        return verdict(
                Outcome.FALSE,
                "the gap is at least " + Verdict.atLeast(relative(behind, objective)) + ", not " + claim.gap()
                        + " as stated: there is a model with objective " + better.hi(),
                objective,
                distance,
                passes);
    }

    private static Verdict verdict(Outcome outcome, String reason, DD objective, DD distance, int passes) {
        return new Verdict(
                outcome,
                reason,
                objective.hi(),
                objective.subtract(distance).hi(),
                relative(distance, objective),
                passes);
    }
}
