package dev.starling.method.adfs;

import dev.starling.certificate.Certificate;
import dev.starling.certificate.StoppingRule;

/**
 * Decides at which step the next certificate is due, from the certificates so far and the pace of the method, never
 * from a clock.
 *
 * <p>A certificate costs about {@value #COST_IN_EPOCHS} of a pass over the data. The next one is due when the gap is
 * predicted to reach the target; now and then on the way, so that someone who watches sees the gap come down; and,
 * after the first {@value #FREE_CHECKS}, no sooner than keeps the cost of all of them under {@value #COST_SHARE} of the
 * run.
 */
final class CheckSchedule {

    private static final double COST_IN_EPOCHS = 0.4;
    private static final double COST_SHARE = 0.1;

    /** A short run is better checked once too often than overshot by as much as it takes. */
    private static final int FREE_CHECKS = 2;

    /** A run takes about this share of what theory predicts for it, when samples are drawn a pass at a time. */
    private static final double EXPECTED_SHARE = 1.0 / 3;

    private static final double EPOCHS_UNWATCHED = 10;

    private final StoppingRule rule;
    private final StepForecast pace;
    private final EpochCount epochs;
    private final double stepsPerEpoch;

    /** How closely a run is watched. */
    enum Watch {
        /** Its pace is but a belief, which must be judged as soon as it can be. */
        CLOSE,
        /** Its gap comes and goes with restarts, which no forecast knows. */
        STEADY,
        /** It goes as theory has it. */
        LOOSE
    }

    CheckSchedule(StoppingRule rule, StepForecast pace, EpochCount epochs) {
        this.rule = rule;
        this.pace = pace;
        this.epochs = epochs;
        this.stepsPerEpoch = epochs.stepsPerEpoch();
    }

    /** The step of the first check. */
    long first() {
        double predicted = EXPECTED_SHARE * pace.stepsFor(1 / Math.min(0.5, rule.relativeGap()));
        return bounded(Math.max(2 * stepsPerEpoch, Math.min(predicted, EPOCHS_UNWATCHED * stepsPerEpoch)));
    }

    /**
     * The step of the next check.
     *
     * @param previous the certificate before the present one; {@link Certificate#NONE} at first
     * @param checks how many there have been, the present one included
     */
    long next(Certificate previous, Certificate present, int checks, Watch watch) {
        double gap = present.relativeGap();
        double needed = Double.isFinite(gap) && gap > rule.relativeGap() ? stepsLeft(previous, present) : 0;
        double affordable = COST_IN_EPOCHS * (checks + 1) / COST_SHARE * stepsPerEpoch - counted(present);
        double soonest = checks <= FREE_CHECKS ? stepsPerEpoch : Math.max(stepsPerEpoch, affordable);
        double latest = switch (watch) {
            case CLOSE -> pace.stepsFor(Math.E);
            case STEADY -> EPOCHS_UNWATCHED * stepsPerEpoch;
            case LOOSE -> Math.max(EPOCHS_UNWATCHED * stepsPerEpoch, 0.5 * counted(present));
        };
        return bounded(present.steps() + Math.max(soonest, Math.min(needed, latest)));
    }

    /** Steps so far, had all been made at the present pace. */
    private double counted(Certificate present) {
        return present.steps() - epochs.origin();
    }

    private double stepsLeft(Certificate previous, Certificate present) {
        double before = Double.isFinite(previous.relativeGap()) ? previous.relativeGap() : 1;
        return pace.stepsLeft(before, previous.steps(), present.relativeGap(), present.steps(), rule.relativeGap());
    }

    /**
     * Whether the limit on epochs is reached. Steps decide, which no check is due beyond: how many of them computed is
     * chance, and how many of those make an epoch differs from node to node.
     */
    boolean isExhausted(long steps) {
        return steps >= bounded(Double.POSITIVE_INFINITY);
    }

    private long bounded(double step) {
        double limit = epochs.origin() + rule.maxEpochs() * stepsPerEpoch;
        return (long) Math.ceil(Math.min(step, Math.max(limit, 1)));
    }
}
