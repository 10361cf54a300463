package dev.starling.method.adfs.certified;

import dev.starling.certificate.Certificate;
import dev.starling.method.StoppingRule;
import dev.starling.method.adfs.tuning.StepForecast;

/**
 * Decides at which step the next certificate is due, from the certificates so far and the predicted pace of the method,
 * never from a clock.
 *
 * <p>A certificate costs about {@value #COST_IN_EPOCHS} of a pass over the data. The next one is due when the gap is
 * predicted to reach the target. Before that there are some along the way, so that someone who watches the run sees the
 * gap come down. After the first {@value #FREE_CHECKS}, certificates are spaced so that all of them together cost less
 * than {@value #COST_SHARE} of the run.
 */
final class CheckSchedule {

    private static final double COST_IN_EPOCHS = 0.4;
    private static final double COST_SHARE = 0.1;

    /** In a short run, one check too many is better than overshooting by as many steps as the run needs. */
    private static final int FREE_CHECKS = 2;

    /** A run takes about this share of the steps that theory predicts, when samples are drawn a pass at a time. */
    private static final double EXPECTED_SHARE = 1.0 / 3;

    private static final double EPOCHS_UNWATCHED = 10;

    private final StoppingRule rule;
    private final StepForecast pace;
    private final EpochCount epochs;
    private final double stepsPerEpoch;

    /** How closely a run is watched. */
    enum Watch {
        /** Its pace is only a belief, which must be judged as soon as possible. */
        CLOSE,
        /** Its gap rises and falls with restarts, which forecasts know nothing about. */
        STEADY,
        /** It progresses as theory predicts. */
        LOOSE
    }

    CheckSchedule(StoppingRule rule, StepForecast pace, EpochCount epochs) {
        this.rule = rule;
        this.pace = pace;
        this.epochs = epochs;
        this.stepsPerEpoch = epochs.stepsPerEpoch();
    }

    /** Returns the step of the first check. */
    long first() {
        double predicted = EXPECTED_SHARE * pace.stepsFor(1 / Math.min(0.5, rule.relativeGap()));
        return bounded(Math.max(2 * stepsPerEpoch, Math.min(predicted, EPOCHS_UNWATCHED * stepsPerEpoch)));
    }

    /**
     * Returns the step of the next check.
     *
     * @param previous the certificate before the present one; {@link Certificate#NONE} if there was none
     * @param checks the number of certificates so far, including the present one
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

    /** Returns the number of steps so far, as if all had been made at the present pace. */
    private double counted(Certificate present) {
        return present.steps() - epochs.origin();
    }

    private double stepsLeft(Certificate previous, Certificate present) {
        double before = Double.isFinite(previous.relativeGap()) ? previous.relativeGap() : 1;
        return pace.stepsLeft(before, previous.steps(), present.relativeGap(), present.steps(), rule.relativeGap());
    }

    /**
     * Returns whether the limit on epochs or on rounds is reached. This is decided by the number of steps, and no check
     * is due beyond the limit: how many of the steps computed is random, and how many computations make an epoch
     * differs from node to node.
     */
    boolean isExhausted(long steps) {
        return steps >= bounded(Double.POSITIVE_INFINITY);
    }

    private long bounded(double step) {
        double samples = stepsPerEpoch * pace.computationProbability();
        double limit = Math.min(
                epochs.origin() + rule.maxEpochs() * stepsPerEpoch,
                rule.maxEpochs() * samples + rule.mostRounds(samples));
        return (long) Math.ceil(Math.min(step, Math.max(limit, 1)));
    }
}
