package dev.starling.certificate;

import dev.starling.theory.Tuning;

/**
 * Decides at which step the next certificate is due, from the certificates so far and the theoretical rate, never from
 * a clock.
 *
 * <p>A certificate costs about {@value #COST_IN_EPOCHS} of a pass over the data. So the next one is due when the gap is
 * predicted to reach the target, but no sooner than keeps the cost of all checks under {@value #COST_SHARE} of the run
 * (the first few are due early, so that a short run is not overshot).
 */
final class CheckSchedule {

    private static final double COST_IN_EPOCHS = 0.5;
    private static final double COST_SHARE = 0.1;

    /** Not all of a prediction is waited for: it is short of certain, and coming late costs more than a check. */
    private static final double TRUST = 0.9;

    private final StoppingRule rule;
    private final double stepsPerEpoch;
    private final double theoreticalRate;

    CheckSchedule(StoppingRule rule, Tuning tuning, double samplesPerNode) {
        this.rule = rule;
        this.stepsPerEpoch = samplesPerNode / tuning.computationProbability();
        this.theoreticalRate = tuning.rate();
    }

    /** The step of the first check: half of what theory predicts for the whole run, at least two epochs. */
    long first() {
        double predicted = StrictMath.log(1 / Math.min(0.5, rule.relativeGap())) / theoreticalRate;
        return bounded(Math.max(2 * stepsPerEpoch, Math.min(0.5 * predicted, 20 * stepsPerEpoch)));
    }

    /**
     * The step of the next check.
     *
     * @param previous the certificate before the present one; {@link Certificate#NONE} at first
     */
    long next(Certificate previous, Certificate present, int checksSoFar) {
        double gap = present.relativeGap();
        double rate = observedRate(previous, present);
        double needed = Double.isFinite(gap) && gap > rule.relativeGap()
                ? StrictMath.log(gap / rule.relativeGap()) / rate
                : stepsPerEpoch;
        double affordable = stepsPerEpoch
                * Math.max(1, COST_IN_EPOCHS * (checksSoFar + 1) / COST_SHARE - present.steps() / stepsPerEpoch);
        double soonest = checksSoFar < 4 ? stepsPerEpoch : affordable;
        double latest = Math.max(20 * stepsPerEpoch, (double) present.steps());
        return bounded(present.steps() + Math.min(latest, Math.max(soonest, TRUST * needed)));
    }

    /** Whether the gap fell, between two certificates, at less than half the rate that theory guarantees on average. */
    boolean isBehindTheory(Certificate previous, Certificate present) {
        if (!Double.isFinite(previous.relativeGap()) || present.relativeGap() == 0) {
            return false;
        }
        double decrease = StrictMath.log(previous.relativeGap() / present.relativeGap());
        return !(decrease >= 0.5 * theoreticalRate * (present.steps() - previous.steps()));
    }

    /** The decrease of log gap per step between two checks; theory's where it was not seen to be better or sane. */
    private double observedRate(Certificate previous, Certificate present) {
        double before = Double.isFinite(previous.relativeGap()) ? previous.relativeGap() : 1;
        double decrease = StrictMath.log(before / present.relativeGap()) / (present.steps() - previous.steps());
        return Double.isFinite(decrease) && decrease > theoreticalRate / 4 ? decrease : theoreticalRate;
    }

    private long bounded(double step) {
        double limit = rule.maxEpochs() * stepsPerEpoch;
        return (long) Math.ceil(Math.min(step, Math.max(limit, 1)));
    }
}
