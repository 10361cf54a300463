package dev.starling.verify;

import dev.starling.data.Dataset;
import dev.starling.model.LinearModel;
import dev.starling.verify.Verdict.Outcome;
import dev.starling.verify.digits.DoubleDoubles;
import dev.starling.verify.digits.Scales;
import dev.starling.verify.loss.Bound;
import dev.starling.verify.loss.CheckedLoss;
import dev.starling.verify.loss.Whole;
import dev.starling.verify.proof.Bracket;
import dev.starling.verify.proof.CheckedProblem;
import dev.starling.verify.proof.CurvedProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
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

    /** The most products of two entries of a row that may be spent on curvature if slopes do not prove a model. */
    private static final double MOST_WORK = 1e9;

    /** Targets that are met to this fraction of their size are met. */
    private static final double MET = 0x1p-30;

    /** After this many rounds in a row that narrowed the brackets by less than 1 %, only rounding is left. */
    private static final int MOST_BARREN = 20;

    private final LinearModel model;
    private final Claim claim;
    private final CheckedLoss loss;
    private final StatedModel stated;
    private final Ruling ruling;
    private final int mostPasses;
    private final Verifier.Watch watch;
    private final long[] strata;

    /**
     * Creates a checker.
     *
     * @param strata the stratum of each row, for a loss that compares rows; empty if all are of one
     */
    Checker(LinearModel model, Claim claim, long[] strata, int mostPasses, Verifier.Watch watch) {
        this.strata = strata;
        this.model = model;
        this.claim = claim;
        this.loss = CheckedLoss.named(claim.loss());
        this.stated = new StatedModel(model, claim, loss);
        this.ruling = new Ruling(claim, loss);
        this.mostPasses = mostPasses;
        this.watch = watch;
    }

    /** Checks the claim on raw rows, which may not have more features than the model. */
    Verdict check(Dataset raw) {
        if (raw.features() > model.features()) {
            return Verdict.wrong(
                    "the data have " + raw.features() + " features, the model " + model.features(), Double.NaN);
        }
        Dataset rows = raw.withFeatures(model.features());
        if (claim.isUnregularised() && !isBoundedByCurvature() && !(loss instanceof Whole.Named)) {
            return Verdict.wrong(
                    "a model with the loss " + claim.loss() + " cannot be proven without a regulariser", Double.NaN);
        }
        Optional<String> misfit = stated.misfit(rows);
        if (misfit.isPresent()) {
            return Verdict.wrong(misfit.get(), Double.NaN);
        }
        double largest = stated.largest(rows);
        if (!(largest <= DoubleDoubles.LARGEST)) {
            return Verdict.open(
                    "the model or its data have numbers as large as " + largest + ", beyond the range of this check",
                    Double.NaN);
        }
        Scales scales = Scales.of(claim.scalingThatDecides(), rows, loss.scalesLabels());
        Dataset trained = scales.apply(rows);
        float constant = claim.intercept() ? 1 : claim.bias();
        Dataset whole = constant > 0 ? trained.withBias(constant) : trained;
        CheckedWeights weights = CheckedWeights.of(claim, rows);
        if (loss instanceof Whole.Named || (JointChecker.isJoint(claim) && model.scores() > 1)) {
            return new JointChecker(model, claim, stated, strata, ruling).check(rows, scales, whole, weights);
        }
        List<Scored> scores = new ArrayList<>();
        double rounding = 0;
        for (int k = 0; k < model.scores(); k++) {
            StatedModel.Trained score = stated.trained(scales, rows, k);
            if (score.impossible().isPresent()) {
                return Verdict.wrong(score.impossible().get(), Double.NaN);
            }
            int regularised = claim.intercept() ? model.features() : whole.features();
            CheckedProblem problem = new CheckedProblem(
                    loss, whole, stated.targets(trained, rows, k), weights.values(), lambda(), claim.l1(), regularised);
            rounding += problem.rounding(score.theta(), score.doubts());
            scores.add(new Scored(new Bracket(problem, score.theta()), score.theta()));
        }
        Scored first = scores.get(0);
        return check(scores, rounding, Math.scalb(1.0, weights.exponent()))
                .unless(() -> StatedTable.misfit(
                        model, claim, whole, stated.targets(trained, rows, 0), weights, first.theta()));
    }

    private Verdict check(List<Scored> scores, double rounding, double weightUnit) {
        DD objective = sum(scores, Bracket::above);
        Optional<Verdict> misstated = ruling.misstated(objective, rounding);
        if (misstated.isPresent()) {
            return misstated.get();
        }
        Optional<String> independent = independent(scores);
        if (independent.isPresent()) {
            return Verdict.wrong(independent.get(), objective.hi());
        }
        boolean perfect = scores.stream().allMatch(one -> one.problem().isPerfect(one.theta()));
        boolean empty = claim.aliased().size() == model.features() && !claim.intercept() && claim.bias() == 0;
        if (perfect && (empty || claim.coefficientError() == Double.POSITIVE_INFINITY)) {
            return ruling.settled(new Verdict(Outcome.HOLDS, "the objective is 0, which is best possible", 0, 0, 0, 0));
        }
        Optional<String> unrelated = unrelated(scores);
        if (unrelated.isPresent()) {
            return Verdict.wrong(unrelated.get(), objective.hi());
        }
        return ruling.unclear(objective, rounding)
                .orElseGet(() -> ruling.settled(proven(scores, objective, weightUnit)));
    }

    private Verdict proven(List<Scored> scores, DD objective, double weightUnit) {
        boolean exact = claim.coefficientError() < Double.POSITIVE_INFINITY;
        if (claim.isUnregularised() || exact) {
            return claim.l1() == 0 && isBoundedByCurvature()
                    ? bounded(scores, objective, weightUnit)
                    : Verdict.wrong(
                            "a model with the loss " + claim.loss() + " and l1 " + claim.l1()
                                    + " cannot be proven by curvature, yet "
                                    + (exact ? "the file says how exact coefficients are" : "nothing else proves it"),
                            objective.hi());
        }
        if (!loss.isDualised()) {
            return bounded(scores, objective, weightUnit);
        }
        Verdict verdict = search(scores, objective, 0);
        Dataset whole = scores.get(0).problem().data();
        double work = (double) whole.rows() * whole.features() * whole.features();
        if (verdict.outcome() == Outcome.UNCONFIRMED && isBoundedByCurvature() && work <= MOST_WORK) {
            verdict = bounded(scores, objective, weightUnit);
        }
        return verdict.holds() ? verdict : search(scores, objective, mostPasses);
    }

    /**
     * The λ of each score. If two classes have a block of weights each, the model has their difference, and the
     * regulariser of both is least if each is half of that.
     */
    private double lambda() {
        return JointChecker.isJoint(claim) ? claim.lambda() / 2 : claim.lambda();
    }

    /** Whether curvature can prove a model where slopes do not. */
    private boolean isBoundedByCurvature() {
        return loss.curved().isPresent();
    }

    /** Says which feature was left out although it does not depend on others; empty if there is none. */
    private Optional<String> independent(List<Scored> scores) {
        if (claim.aliased().isEmpty()) {
            return Optional.empty();
        }
        if (!claim.isUnregularised()) {
            return Optional.of("features are left out, which only a model without regularisation can do");
        }
        CurvedProblem squares =
                scores.get(0).curved(CheckedLoss.named("squared").curved().orElseThrow(), claim);
        return claim.aliased().stream()
                .filter(feature -> !squares.explains(feature)
                        || IntStream.range(0, model.scores()).anyMatch(k -> model.weight(k, feature) != 0))
                .map(feature ->
                        "feature " + (feature + 1) + " is left out, yet has a weight or does not follow from others")
                .findFirst();
    }

    /**
     * Bounds the distance from the optimum by curvature, because with little or no regulariser no dual point proves
     * much.
     *
     * @param weightUnit what the weights of rows were divided by
     */
    private Verdict bounded(List<Scored> scores, DD objective, double weightUnit) {
        double excess = 0;
        double distance = 0;
        DD better = DD.ZERO;
        for (Scored one : scores) {
            CheckedProblem checked = one.problem();
            CurvedProblem problem = one.curved(loss.curved().orElseThrow(), claim);
            Optional<Bound> bound = problem.bound();
            if (bound.isEmpty() && claim.l1() > 0) {
                return ruling.verdict(Outcome.UNCONFIRMED, "some features depend on others", objective, objective, 1);
            }
            if (bound.isEmpty()) {
                return Verdict.wrong("some features depend on others, yet none is left out", objective.hi());
            }
            excess += bound.get().excess();
            int free = Math.max(0, checked.rows() - problem.kept());
            double variance = loss.isDispersionKnown()
                    ? 1 / (checked.weight() * weightUnit)
                    : free == 0 ? 0 : 2 * objective.hi() / free;
            distance = Math.max(distance, bound.get().distance() / Math.sqrt(variance));
            better = better.add(checked.objective(bound.get().better()));
        }
        return ruling.judged(objective, excess, distance, better);
    }

    /** Says why the gap cannot be relative to what the file says; empty if it can: targets are met to nine digits. */
    private Optional<String> unrelated(List<Scored> scores) {
        if (claim.scale() <= claim.objective()) {
            return Optional.empty();
        }
        CheckedProblem problem = scores.get(0).problem();
        double atZero =
                problem.objective(Scales.zeros(problem.data().features())).hi();
        double most = !loss.scalesLabels() ? 0 : (loss.roundness() > 0 ? MET * MET : MET) * atZero;
        return claim.scale() <= most * (1 + Ruling.LARGEST_ROUNDING)
                ? Optional.empty()
                : Optional.of("the gap is relative to " + claim.scale() + ", more than the objective and the "
                        + Verdict.atMost(most) + " that a perfect fit allows");
    }

    /** Narrows the brackets until the claim is proven or disproven, or nothing more can be gained. */
    private Verdict search(List<Scored> scores, DD objective, int limit) {
        DD claimed = ruling.claimed(objective);
        int passes = 0;
        int more = 1;
        int barren = 0;
        double width = Double.POSITIVE_INFINITY;
        DD distance = objective.subtract(sum(scores, Bracket::below));
        while (!DoubleDoubles.isAtMost(distance, claimed) && passes < limit && more > 0 && barren < MOST_BARREN) {
            int most = limit - passes;
            more = scores.stream()
                    .mapToInt(one -> one.bracket().narrow(most))
                    .max()
                    .orElse(0);
            passes += more;
            DD below = sum(scores, Bracket::below);
            DD better = sum(scores, Bracket::above);
            distance = objective.subtract(below);
            if (ruling.isDisproved(objective, better)) {
                return ruling.refuted(better, objective, distance, passes);
            }
            double left = better.subtract(below).hi();
            barren = left < 0.99 * width ? 0 : barren + 1;
            width = barren == 0 ? left : width;
            watch.searched(passes, ruling.relative(distance, objective), claim.gap());
        }
        String bound = Verdict.atMost(ruling.relative(distance, objective));
        return DoubleDoubles.isAtMost(distance, claimed)
                ? ruling.verdict(
                        Outcome.HOLDS, "gap at most " + bound + ", proven independently", objective, distance, passes)
                : ruling.verdict(
                        Outcome.UNCONFIRMED,
                        "the best dual point found bounds the gap by " + bound + ", the file states "
                                + ruling.stated(objective)
                                + "; this does not refute it: a longer search (--passes) may prove it",
                        objective,
                        distance,
                        passes);
    }

    private static DD sum(List<Scored> scores, Function<Bracket, DD> value) {
        return scores.stream().map(Scored::bracket).map(value).reduce(DD.ZERO, DD::add);
    }
}
