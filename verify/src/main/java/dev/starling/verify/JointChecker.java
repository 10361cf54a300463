package dev.starling.verify;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.model.LinearModel;
import dev.starling.verify.Verdict.Outcome;
import dev.starling.verify.digits.DoubleDoubles;
import dev.starling.verify.digits.Scales;
import dev.starling.verify.loss.Bound;
import dev.starling.verify.loss.CheckedLoss;
import dev.starling.verify.loss.Whole;
import dev.starling.verify.loss.WholeClasses;
import dev.starling.verify.loss.WholeOrder;
import dev.starling.verify.loss.WholeTimes;
import dev.starling.verify.proof.JointClasses;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.commons.numbers.core.DD;

/**
 * Decides about a model whose scores or rows cannot be taken apart.
 *
 * @param strata the stratum of each row, for a loss that compares rows; empty if all are of one
 */
record JointChecker(LinearModel model, Claim claim, StatedModel stated, long[] strata, Ruling ruling) {

    /** Whether the loss of a claim tells all classes apart at once. */
    static boolean isJoint(Claim claim) {
        return claim.loss().equals(CheckedLoss.JOINT);
    }

    /**
     * Checks the claim.
     *
     * @param rows the raw rows
     * @param whole the rows that were trained on, with the feature of an intercept
     */
    Verdict check(Dataset rows, Scales scales, Dataset whole, CheckedWeights weights) {
        boolean regularised = isJoint(claim) && !claim.isUnregularised();
        boolean exact = claim.coefficientError() < Double.POSITIVE_INFINITY;
        boolean mayHaveRidge = claim.loss().equals(Whole.TIMES) || claim.loss().equals(Whole.BRESLOW);
        boolean bendsAlone = mayHaveRidge ? claim.l1() == 0 : claim.isUnregularised();
        if (regularised ? exact : !bendsAlone || claim.bias() > 0) {
            return Verdict.wrong(
                    "a model with the loss " + claim.loss() + " is proven"
                            + (isJoint(claim) ? " by its probabilities or," : "")
                            + (mayHaveRidge ? " without an l1 term," : " without a regulariser,")
                            + " by curvature, and by nothing else",
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
        return ruling.misstated(objective, rounding)
                .or(() -> ruling.unclear(objective, rounding))
                .orElseGet(() -> ruling.settled(jointly(objective, distance)));
    }

    /** Checks a likelihood, of which no row or score stands for itself. */
    private Verdict checkWhole(Dataset rows, Dataset whole, int[] classes, CheckedWeights weights, DD[][] theta) {
        if (!claim.aliased().isEmpty()) {
            throw new InvalidInputException("features are left out of the model with the loss " + claim.loss()
                    + ", which is checked only for losses of single rows; train it without them");
        }
        Optional<String> unordered = unordered(theta);
        if (unordered.isPresent()) {
            return Verdict.wrong(unordered.get(), Double.NaN);
        }
        Whole problem = isJoint(claim)
                ? new WholeClasses(whole, classes, weights.values(), theta)
                : claim.loss().equals(Whole.ORDER)
                        ? ordered(rows, classes, weights.values(), theta)
                        : new WholeTimes(
                                whole,
                                claim.loss().equals(Whole.TIMES),
                                strata,
                                weights.values(),
                                claim.lambda(),
                                theta[0]);
        Whole.Sums sums = problem.at(problem.parameter());
        DD objective = sums.value();
        double rounding = problem.rounding() * Math.max(1, objective.hi());
        return ruling.misstated(objective, rounding)
                .or(() -> ruling.unclear(objective, rounding))
                .orElseGet(() -> ruling.settled(byCurvature(problem, sums, weights)))
                .unless(() ->
                        StatedTable.misfit(model, claim, problem, weights, isJoint(claim) ? whole.features() : 0));
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
        return ruling.judged(
                sums.value(),
                bound.get().excess(),
                bound.get().distance() * Math.sqrt(total),
                problem.at(bound.get().better()).value());
    }

    private Verdict jointly(DD objective, DD distance) {
        String bound = Verdict.atMost(ruling.relative(distance, objective));
        boolean proven = Double.isFinite(distance.hi()) && !DoubleDoubles.isMore(distance, ruling.claimed(objective));
        return !proven
                ? ruling.verdict(
                        Outcome.UNCONFIRMED,
                        "the probabilities of the model bound the gap by " + bound + ", the file states "
                                + ruling.stated(objective)
                                + "; this does not refute it, but no other proof is looked for with several scores",
                        objective,
                        distance,
                        0)
                : ruling.verdict(
                        Outcome.HOLDS, "gap at most " + bound + ", proven independently", objective, distance, 0);
    }
}
