package dev.starling.verify;

import dev.starling.verify.Verdict.Outcome;
import dev.starling.verify.digits.DoubleDoubles;
import dev.starling.verify.loss.CheckedLoss;
import java.util.Optional;
import org.apache.commons.numbers.core.DD;

/**
 * What follows for a claim from what was computed about its model.
 *
 * @param claim what the file says
 * @param loss the loss that it is about
 */
public record Ruling(Claim claim, CheckedLoss loss) {

    /** An objective below this is mostly what is lost below the smallest double. */
    private static final double LEAST_OBJECTIVE = 0x1p-250;

    /**
     * However much rounding may explain, an objective that is off by more than this, and by more than the gap, says too
     * little.
     */
    static final double LARGEST_ROUNDING = 0x1p-20;

    /**
     * An objective that is off by no more than this fraction is the stated one. Training adds up losses plainly by up
     * to 256, so that its own bound on the rounding of an objective is 2⁻⁴³ of it. What is proven does not depend on
     * it: the gap is about the objective as it is computed here.
     */
    static final double CLOSE = 0x1p-45;

    /** More than any gap that is proven. */
    private static final double ANYTHING = 1e200;

    private double difference(DD objective) {
        return Math.abs(objective.add(-claim.objective()).hi());
    }

    /** Says what is wrong with the stated objective; empty if it is that of the model. */
    Optional<Verdict> misstated(DD objective, double rounding) {
        // What rounding lost in training may be more than what it loses here, but not more than the gap includes.
        double allowed = Math.max(Math.max(rounding, claim.error()), CLOSE * scale(objective));
        Optional<String> wrong = difference(objective) > allowed
                ? Optional.of("the objective is " + objective.hi() + ", not " + claim.objective()
                        + " as stated, and rounding explains at most " + Verdict.atMost(rounding))
                : isAbove(objective)
                        ? Optional.of("the objective is " + objective.hi() + ", yet the optimum is said to be at least "
                                + claim.bound())
                        : Optional.empty();
        return wrong.map(reason -> Verdict.wrong(reason, objective.hi()));
    }

    /** Says why an objective that may be the stated one cannot be checked; empty if it can. */
    Optional<Verdict> unclear(DD objective, double rounding) {
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

    /** Only a file that states a gap can have its certificate confirmed. */
    Verdict settled(Verdict verdict) {
        return verdict.holds() && claim.gap() == Double.POSITIVE_INFINITY
                ? verdict.unconfirmed("the file states no gap; it is at most " + Verdict.atMost(verdict.gap()))
                : verdict;
    }

    /** What the gap is relative to: the objective unless the file says more. */
    double scale(DD objective) {
        return Math.max(objective.hi(), claim.scale());
    }

    /** By how much the objective may exceed the optimum; more than any bound if the file does not say. */
    DD claimed(DD objective) {
        DD byGap = byGap(objective);
        DD byBound = byBound(objective);
        return DoubleDoubles.isMore(byGap, byBound) ? byBound : byGap;
    }

    private DD byGap(DD objective) {
        return DD.of(scale(objective)).multiply(Math.min(claim.gap(), ANYTHING) + DoubleDoubles.RESOLUTION);
    }

    private DD byBound(DD objective) {
        return objective.add(-Math.max(claim.bound(), -ANYTHING)).add(DoubleDoubles.RESOLUTION * scale(objective));
    }

    /** Whether the stated bound is above an objective. */
    private boolean isAbove(DD objective) {
        return DoubleDoubles.isMore(DD.of(Math.max(claim.bound(), -ANYTHING)), objective);
    }

    /** Whether the objective of another model, or an upper bound on it, disproves the claim. */
    boolean isDisproved(DD objective, DD better) {
        return DoubleDoubles.isMore(objective.subtract(better), byGap(objective)) || isAbove(better);
    }

    /** What the file states, if that could not be confirmed. */
    String stated(DD objective) {
        return DoubleDoubles.isMore(byGap(objective), byBound(objective))
                ? "that the optimum is at least " + claim.bound()
                : String.valueOf(claim.gap());
    }

    /**
     * Compares what curvature proves with what is claimed.
     *
     * @param excess by how much the objective exceeds the optimum at most
     * @param distance by how many standard errors coefficients are off at most
     * @param better the objective after a Newton step
     */
    Verdict judged(DD objective, double excess, double distance, DD better) {
        DD claimed = claimed(objective);
        DD proven = DD.of(excess);
        if (isDisproved(objective, better)) {
            return refuted(better, objective, proven, 1);
        }
        if (!DoubleDoubles.isAtMost(proven, claimed)) {
            return verdict(
                    Outcome.UNCONFIRMED,
                    "curvature bounds the gap by " + Verdict.atMost(relative(proven, objective)) + ", the file states "
                            + stated(objective),
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

    double relative(DD distance, DD objective) {
        double scale = scale(objective);
        return scale == 0 ? 0 : Math.max(0, distance.divide(scale).hi());
    }

    /** Returns the verdict on a claim that a better model disproves. */
    Verdict refuted(DD better, DD objective, DD distance, int passes) {
        return verdict(
                Outcome.FALSE,
                (isAbove(better)
                                ? "the optimum is not at least " + claim.bound()
                                : "the gap is at least "
                                        + Verdict.atLeast(relative(objective.subtract(better), objective)) + ", not "
                                        + claim.gap())
                        + " as stated: there is a model with objective " + better.hi(),
                objective,
                distance,
                passes);
    }

    Verdict verdict(Outcome outcome, String reason, DD objective, DD distance, int passes) {
        return new Verdict(
                outcome,
                reason,
                objective.hi(),
                objective.subtract(distance).hi(),
                relative(distance, objective),
                passes);
    }
}
