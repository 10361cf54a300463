package dev.starling.verify;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.model.LinearModel;
import dev.starling.verify.Verdict.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
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
 * parameter that is better than the model by more than the stated gap. This class is longer than most, because it
 * weighs all ways to prove or refute a claim against each other.
 */
final class Checker {

    /** No certificate claims a smaller relative gap: training computes in doubles. */
    static final double RESOLUTION = 0x1p-48;

    /** The most products of two entries of a row that may be spent on curvature if slopes do not prove a model. */
    private static final double MOST_WORK = 1e9;

    /** An objective below this is mostly what is lost below the smallest double. */
    private static final double LEAST_OBJECTIVE = 0x1p-250;

    /**
     * However much rounding may explain, an objective that is off by more than this, and by more than the gap, says too
     * little.
     */
    private static final double LARGEST_ROUNDING = 0x1p-20;

    /** Targets that are met to this fraction of their size are met. */
    private static final double MET = 0x1p-30;

    /**
     * An objective that is off by no more than this fraction is the stated one. Training adds up losses plainly by up
     * to 256, so that its own bound on the rounding of an objective is 2⁻⁴³ of it. What is proven does not depend on
     * it: the gap is about the objective as it is computed here.
     */
    private static final double CLOSE = 0x1p-45;

    /** More than any gap that is proven. */
    private static final double ANYTHING = 1e200;

    /** After this many rounds in a row that narrowed the brackets by less than 1 %, only rounding is left. */
    private static final int MOST_BARREN = 20;

    private final LinearModel model;
    private final Claim claim;
    private final CheckedLoss loss;
    private final StatedModel stated;
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
        if (!(largest <= StatedSettings.LARGEST)) {
            return Verdict.open(
                    "the model or its data have numbers as large as " + largest + ", beyond the range of this check",
                    Double.NaN);
        }
        Scales scales = Scales.of(claim.scalingThatDecides(), rows, loss.scalesLabels());
        Dataset trained = scales.apply(rows);
        float constant = claim.intercept() ? 1 : claim.bias();
        Dataset whole = constant > 0 ? trained.withBias(constant) : trained;
        CheckedWeights weights = CheckedWeights.of(claim, rows);
        if (loss instanceof Whole.Named || (isJoint() && model.scores() > 1)) {
            return checkJointly(rows, scales, whole, weights);
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
        return check(scores, rounding, Math.scalb(1.0, weights.exponent()));
    }

    private double difference(DD objective) {
        return Math.abs(objective.add(-claim.objective()).hi());
    }

    /** Says what is wrong with the stated objective; empty if it is that of the model. */
    private Optional<Verdict> misstated(DD objective, double rounding) {
        // What rounding lost in training may be more than what it loses here, but not more than the gap includes.
        double allowed = Math.max(Math.max(rounding, claim.error()), CLOSE * scale(objective));
        return difference(objective) <= allowed
                ? Optional.empty()
                : Optional.of(Verdict.wrong(
                        "the objective is " + objective.hi() + ", not " + claim.objective()
                                + " as stated, and rounding explains at most " + Verdict.atMost(rounding),
                        objective.hi()));
    }

    /** Says why an objective that may be the stated one cannot be checked; empty if it can. */
    private Optional<Verdict> unclear(DD objective, double rounding) {
        if (!(scale(objective) >= LEAST_OBJECTIVE)) {
            return Optional.of(
                    Verdict.open("the objective is " + objective.hi() + ", too small to be checked", objective.hi()));
        }
        return difference(objective) <= Math.max(claim.gap(), LARGEST_ROUNDING) * scale(objective)
                ? Optional.empty()
                : Optional.of(Verdict.open(
                        "the objective is " + objective.hi() + ", not " + claim.objective()
                                + " as stated, though rounding may explain " + Verdict.atMost(rounding),
                        objective.hi()));
    }

    private Verdict check(List<Scored> scores, double rounding, double weightUnit) {
        DD objective = sum(scores, Bracket::above);
        Optional<Verdict> misstated = misstated(objective, rounding);
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
            return settled(new Verdict(Outcome.HOLDS, "the objective is 0, which is best possible", 0, 0, 0, 0));
        }
        Optional<String> unrelated = unrelated(scores);
        if (unrelated.isPresent()) {
            return Verdict.wrong(unrelated.get(), objective.hi());
        }
        return unclear(objective, rounding).orElseGet(() -> settled(proven(scores, objective, weightUnit)));
    }

    /** Only a file that states a gap can have its certificate confirmed. */
    private Verdict settled(Verdict verdict) {
        return verdict.holds() && claim.gap() == Double.POSITIVE_INFINITY
                ? verdict.unconfirmed("the file states no gap; it is at most " + Verdict.atMost(verdict.gap()))
                : verdict;
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

    private boolean isJoint() {
        return claim.loss().equals(JointClasses.LOSS);
    }

    /**
     * The λ of each score. If two classes have a block of weights each, the model has their difference, and the
     * regulariser of both is least if each is half of that.
     */
    private double lambda() {
        return isJoint() ? claim.lambda() / 2 : claim.lambda();
    }

    /** Checks a model whose scores or rows cannot be taken apart. */
    private Verdict checkJointly(Dataset rows, Scales scales, Dataset whole, CheckedWeights weights) {
        boolean regularised = isJoint() && !claim.isUnregularised();
        boolean exact = claim.coefficientError() < Double.POSITIVE_INFINITY;
        if (regularised ? exact : !claim.isUnregularised() || claim.bias() > 0) {
            return Verdict.wrong(
                    "a model with the loss " + claim.loss() + " is proven"
                            + (isJoint() ? " by its probabilities or," : "")
                            + " without a regulariser, by curvature, and by nothing else",
                    Double.NaN);
        }
        DD[][] theta = new DD[model.scores()][];
        double[] doubts = new double[rows.rows()];
        for (int k = 0; k < theta.length; k++) {
            StatedModel.Trained score = stated.trained(scales, rows, k);
            if (score.impossible().isPresent()) {
                return Verdict.wrong(score.impossible().get(), Double.NaN);
            }
            theta[k] = score.theta();
            Arrays.setAll(doubts, i -> Math.max(doubts[i], score.doubts()[i]));
        }
        int[] classes = new int[rows.rows()];
        Arrays.setAll(classes, i -> model.classes().indexOf(rows.label(i) + 0.0));
        if (!regularised) {
            return checkWhole(rows, whole, classes, weights, theta);
        }
        JointClasses problem = new JointClasses(
                whole,
                classes,
                weights.values(),
                claim.lambda(),
                claim.l1(),
                claim.intercept() ? model.features() : whole.features());
        DD objective = problem.objective(theta);
        DD distance = objective.subtract(problem.dual(theta));
        double rounding = problem.rounding(theta, doubts);
        return misstated(objective, rounding)
                .or(() -> unclear(objective, rounding))
                .orElseGet(() -> settled(jointly(objective, distance)));
    }

    /** Checks a likelihood without a regulariser, of which no row or score stands for itself. */
    private Verdict checkWhole(Dataset rows, Dataset whole, int[] classes, CheckedWeights weights, DD[][] theta) {
        if (!claim.aliased().isEmpty()) {
            throw new InvalidInputException("features are left out of the model with the loss " + claim.loss()
                    + ", which is checked only for losses of single rows; train it without them");
        }
        Optional<String> unordered = unordered(theta);
        if (unordered.isPresent()) {
            return Verdict.wrong(unordered.get(), Double.NaN);
        }
        Whole problem = isJoint()
                ? new WholeClasses(whole, classes, weights.values(), theta)
                : claim.loss().equals(Whole.ORDER)
                        ? ordered(rows, classes, weights.values(), theta)
                        : new WholeTimes(whole, claim.loss().equals(Whole.TIMES), strata, weights.values(), theta[0]);
        Whole.Sums sums = problem.at(problem.parameter());
        DD objective = sums.value();
        double rounding = problem.rounding() * Math.max(1, objective.hi());
        return misstated(objective, rounding)
                .or(() -> unclear(objective, rounding))
                .orElseGet(() -> settled(byCurvature(problem, sums, weights)));
    }

    /** Says why scores of an order cannot be; empty if they can: they differ in their thresholds, which rise. */
    private Optional<String> unordered(DD[][] theta) {
        int last = theta[0].length - 1;
        for (int k = 1; claim.loss().equals(Whole.ORDER) && k < theta.length; k++) {
            DD[] one = theta[k];
            DD[] other = theta[k - 1];
            if (!DoubleDoubles.isMore(one[last], other[last])
                    || IntStream.range(0, last).anyMatch(c -> !one[c].equals(other[c]))) {
                return Optional.of(
                        "the scores of classes in an order must have the same weights and rising thresholds");
            }
        }
        return Optional.empty();
    }

    private static Whole ordered(Dataset rows, int[] classes, double[] weights, DD[][] theta) {
        int last = theta[0].length - 1;
        DD[] beta = new DD[last];
        Arrays.setAll(beta, c -> theta[0][c].negate());
        return new WholeOrder(
                rows,
                classes,
                weights,
                beta,
                Arrays.stream(theta).map(one -> one[last]).toArray(DD[]::new));
    }

    private Verdict byCurvature(Whole problem, Whole.Sums sums, CheckedWeights weights) {
        Optional<Bound> bound = problem.bound(sums);
        if (bound.isEmpty()) {
            return Verdict.wrong(
                    "some features depend on others, yet none is left out",
                    sums.value().hi());
        }
        double total = Math.scalb(Arrays.stream(weights.values()).sum(), weights.exponent());
        return judged(
                sums.value(),
                bound.get().excess(),
                bound.get().distance() * Math.sqrt(total),
                problem.at(bound.get().better()).value());
    }

    private Verdict jointly(DD objective, DD distance) {
        String bound = Verdict.atMost(relative(distance, objective));
        boolean proven = Double.isFinite(distance.hi())
                && !DoubleDoubles.isMore(distance, objective.multiply(claim.gap() + RESOLUTION));
        return !proven
                ? verdict(
                        Outcome.UNCONFIRMED,
                        "the probabilities of the model bound the gap by " + bound + ", the file states " + claim.gap()
                                + "; this does not refute it, but no other proof is looked for with several scores",
                        objective,
                        distance,
                        0)
                : verdict(Outcome.HOLDS, "gap at most " + bound + ", proven independently", objective, distance, 0);
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
                return verdict(Outcome.UNCONFIRMED, "some features depend on others", objective, objective, 1);
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
        return judged(objective, excess, distance, better);
    }

    /**
     * Compares what curvature proves with what is claimed.
     *
     * @param excess by how much the objective exceeds the optimum at most
     * @param distance by how many standard errors coefficients are off at most
     * @param better the objective after a Newton step
     */
    private Verdict judged(DD objective, double excess, double distance, DD better) {
        DD claimed = claimed(objective);
        DD behind = objective.subtract(better);
        DD proven = DD.of(excess);
        if (DoubleDoubles.isMore(behind, claimed)) {
            return refuted(behind, better, objective, proven, 1);
        }
        if (!DoubleDoubles.isAtMost(proven, claimed)) {
            return verdict(
                    Outcome.UNCONFIRMED,
                    "curvature bounds the gap by " + Verdict.atMost(relative(proven, objective)) + ", the file states "
                            + claim.gap(),
                    objective,
                    proven,
                    1);
        }
        if (!(distance <= claim.coefficientError())) {
            return verdict(
                    Outcome.UNCONFIRMED,
                    "curvature bounds the errors of coefficients by " + Verdict.atMost(distance)
                            + " standard errors, the file states " + claim.coefficientError(),
                    objective,
                    proven,
                    1);
        }
        return verdict(
                Outcome.HOLDS,
                "gap at most " + Verdict.atMost(relative(proven, objective)) + ", proven independently"
                        + (loss.curved().map(CheckedLoss.Curved::convex).orElse(true)
                                ? ""
                                : ", to the one local optimum near: there may be a better one elsewhere"),
                objective,
                proven,
                1);
    }

    /** What the gap is relative to: the objective unless the file says more. */
    private double scale(DD objective) {
        return Math.max(objective.hi(), claim.scale());
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
        return claim.scale() <= most * (1 + LARGEST_ROUNDING)
                ? Optional.empty()
                : Optional.of("the gap is relative to " + claim.scale() + ", more than the objective and the "
                        + Verdict.atMost(most) + " that a perfect fit allows");
    }

    /** By how much the objective may exceed the optimum; more than any bound if the file does not say. */
    private DD claimed(DD objective) {
        return DD.of(scale(objective)).multiply(Math.min(claim.gap(), ANYTHING) + RESOLUTION);
    }

    /** Narrows the brackets until the claim is proven or disproven, or nothing more can be gained. */
    private Verdict search(List<Scored> scores, DD objective, int limit) {
        DD claimed = claimed(objective);
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
        return DoubleDoubles.isAtMost(distance, claimed)
                ? verdict(Outcome.HOLDS, "gap at most " + bound + ", proven independently", objective, distance, passes)
                : verdict(
                        Outcome.UNCONFIRMED,
                        "the best dual point found bounds the gap by " + bound + ", the file states " + claim.gap()
                                + "; this does not refute it: a longer search (--passes) may prove it",
                        objective,
                        distance,
                        passes);
    }

    private static DD sum(List<Scored> scores, Function<Bracket, DD> value) {
        return scores.stream().map(Scored::bracket).map(value).reduce(DD.ZERO, DD::add);
    }

    private double relative(DD distance, DD objective) {
        double scale = scale(objective);
        return scale == 0 ? 0 : Math.max(0, distance.divide(scale).hi());
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

    private Verdict verdict(Outcome outcome, String reason, DD objective, DD distance, int passes) {
        return new Verdict(
                outcome,
                reason,
                objective.hi(),
                objective.subtract(distance).hi(),
                relative(distance, objective),
                passes);
    }
}
