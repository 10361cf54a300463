package dev.starling.certificate;

import dev.starling.theory.Pace;

/**
 * Decides at which step the next certificate is due, from the certificates so far and the pace of the method, never
 * from a clock.
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
    private final Pace pace;

    CheckSchedule(StoppingRule rule, Pace pace, double samplesPerNode) {
        this.rule = rule;
        this.stepsPerEpoch = samplesPerNode / pace.computationProbability();
        this.pace = pace;
    }

    /** The step of the first check: half of what theory predicts for the whole run, at least two epochs. */
    long first() {
        double predicted = pace.stepsFor(1 / Math.min(0.5, rule.relativeGap()));
        return bounded(Math.max(2 * stepsPerEpoch, Math.min(0.5 * predicted, 20 * stepsPerEpoch)));
    }

    /**
     * The step of the next check.
     *
     * @param previous the certificate before the present one; {@link Certificate#NONE} at first
     */
    long next(Certificate previous, Certificate present, int checksSoFar) {
        double gap = present.relativeGap();
        double needed = Double.isFinite(gap) && gap > rule.relativeGap() ? stepsLeft(previous, present) : stepsPerEpoch;
        double affordable = stepsPerEpoch
                * Math.max(1, COST_IN_EPOCHS * (checksSoFar + 1) / COST_SHARE - present.steps() / stepsPerEpoch);
        double soonest = checksSoFar < 4 ? stepsPerEpoch : affordable;
        double latest = Math.max(20 * stepsPerEpoch, (double) present.steps());
        return bounded(present.steps() + Math.min(latest, Math.max(soonest, TRUST * needed)));
    }

    private double stepsLeft(Certificate previous, Certificate present) {
        double before = Double.isFinite(previous.relativeGap()) ? previous.relativeGap() : 1;
        return pace.stepsLeft(before, previous.steps(), present.relativeGap(), present.steps(), rule.relativeGap());
    }

    private long bounded(double step) {
        double limit = rule.maxEpochs() * stepsPerEpoch;
        return (long) Math.ceil(Math.min(step, Math.max(limit, 1)));
    }
}
