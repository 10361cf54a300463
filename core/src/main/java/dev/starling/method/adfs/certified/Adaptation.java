package dev.starling.method.adfs.certified;

import dev.starling.certificate.Certificate;
import dev.starling.method.adfs.tuning.Belief;
import dev.starling.method.adfs.tuning.StepForecast;
import dev.starling.method.adfs.tuning.Tunings;
import dev.starling.node.State;
import dev.starling.node.Stateful;
import java.io.IOException;

/**
 * Finds out, certificate by certificate, how much more strongly convex the dual is in the region of the run than theory
 * says. The result is the number of {@link Belief#relaxations}, each of which doubles the rate ρ that steps are made
 * for.
 *
 * <p>If theory is slow, the run begins with the restarts of NS-ADFS, and the first question is how long these are
 * faster.
 *
 * <p>Progress over t steps in which the gap fell by a factor e<sup>d</sup> is d/(ρt). The right rate gives a progress
 * of about 2; a rate that is too small gives between 1 and 2, however easy the problem, and one that is too large gives
 * less than 1. So
 *
 * <ul>
 *   <li>at the first certificate, the rate becomes the largest one that would not have had a noticeable effect yet;
 *   <li>progress above {@value #FAST} raises the rate to half of the observed one;
 *   <li>progress below {@value #SLOW} takes a relaxation back, below {@value #VERY_SLOW} two;
 *   <li>anything in between leaves open whether more would be better, so one more is tried if there is enough left to
 *       gain, and every failed trial doubles the pause until the next;
 *   <li>a relaxation is taken back, on trial or not, if the gap falls more slowly than it did without it.
 * </ul>
 *
 * docs/research/adaptive.md has the argument.
 */
final class Adaptation implements Stateful {

    /** Progress is judged once ρt has reached this. */
    private static final double WINDOW = 1;

    private static final double FAST = 2.5;
    private static final double SLOW = 0.7;
    private static final double VERY_SLOW = 0.3;

    /** Fast progress counts only once the gap has fallen by a factor of e to the power of this. */
    private static final double LEAST_FALL = 0.5;

    /** The largest rate worth trying, per epoch: beyond it there is hardly any momentum left. */
    private static final double LARGEST_RATE = 0.7;

    /**
     * A trial is worthwhile only if the rest of the run would take at least this many windows without it, and at least
     * {@link #EPOCHS_LEFT} epochs.
     */
    private static final double WINDOWS_LEFT = 2;

    private static final double EPOCHS_LEFT = 20;

    /** After the first failed trial, the next one waits for twice this many windows, and so on. */
    private static final double FIRST_PAUSE = 4;

    /**
     * Restarts are judged over at least this part of the run so far, so that the judgement does not rest on the gap
     * just after one of them.
     */
    private static final double RESTARTS_WINDOW = 0.4;

    /** More than the number of times that a rate can be doubled without exceeding 1. */
    private static final int MOST_RELAXATIONS = 62;

    private final double target;

    /**
     * By number of relaxations: the rate at which the gap last fell with that many, 0 if that was not yet measured over
     * a window.
     */
    private final double[] rates = new double[MOST_RELAXATIONS + 1];

    private int relaxations;
    private double anchorGap = 1;
    private long anchorSteps;
    private boolean onTrial;
    private double nextTrial;
    private double pause = FIRST_PAUSE;

    /**
     * Creates an adaptation at the start of a run.
     *
     * @param target the relative gap that the run has to reach
     */
    Adaptation(double target) {
        this.target = target;
    }

    /**
     * Processes the next certificate and returns the number of relaxations from there on.
     *
     * @param pace what theory predicts under the present belief
     */
    int judge(Certificate certificate, StepForecast pace, double stepsPerEpoch) {
        boolean first = anchorSteps == 0;
        double fall = StrictMath.log(anchorGap / gapSince(certificate));
        if (!Double.isFinite(fall) || certificate.isMostlyRounding()) {
            return relaxations;
        }
        double timeConstant = pace.stepsFor(Math.E);
        double window = (certificate.steps() - anchorSteps) / timeConstant;
        double room = Math.min(MOST_RELAXATIONS - relaxations, log2(LARGEST_RATE * timeConstant / stepsPerEpoch));
        int most = (int) Math.max(0, room);
        int more = Math.min(
                most,
                first
                        ? Math.max(notYetNoticeable(window), suggestedByProgress(fall, window))
                        : suggestedByProgress(fall, window));
        if (!first && more == 0 && window < WINDOW) {
            return relaxations;
        }
        if (more > 0) {
            relaxations += more;
            onTrial = false;
        } else if (!first) {
            double rate = fall / window / timeConstant;
            rates[relaxations] = rate;
            if (shouldTakeBack(fall / window, rate)) {
                takeBack(fall / window, certificate.steps(), timeConstant);
            } else {
                onTrial = most > 0 && isWorthATrial(certificate, rate, timeConstant, stepsPerEpoch);
                relaxations += onTrial ? 1 : 0;
            }
        }
        anchor(certificate);
        return relaxations;
    }

    /** Returns the gap, for comparison with the one at the anchor. */
    private double gapSince(Certificate certificate) {
        // The objective at the start is not known, only that all of it was gap.
        return certificate.relativeGap() * (anchorSteps == 0 ? 1 : certificate.objective());
    }

    private void anchor(Certificate certificate) {
        anchorGap = certificate.relativeGap() * certificate.objective();
        anchorSteps = certificate.steps();
    }

    /**
     * Processes the next certificate of a run with restarts and returns whether to continue with them. Rounds may be a
     * larger share of its steps than in the method that theory describes, so times are compared.
     *
     * @param theory what theory predicts for the method without restarts
     */
    boolean judgeRestarts(Certificate certificate, StepForecast theory, StepForecast pace) {
        double fall = StrictMath.log(anchorGap / gapSince(certificate));
        double window = certificate.steps() - anchorSteps;
        if (!Double.isFinite(fall) || certificate.isMostlyRounding() || window < RESTARTS_WINDOW * anchorSteps) {
            return true;
        }
        double timeConstant = theory.stepsFor(Math.E) * theory.timePerStep() / pace.timePerStep();
        anchor(certificate);
        return anchorSteps < Tunings.RESTARTS_TRIAL * timeConstant || fall / window * timeConstant >= FAST;
    }

    /**
     * Returns by how many relaxations the rate can grow before it would have had a noticeable effect in such a window.
     */
    private static int notYetNoticeable(double window) {
        return (int) Math.max(0, log2(WINDOW / window));
    }

    /** Returns how many relaxations make the rate half of the observed one, if that was fast; otherwise 0. */
    private static int suggestedByProgress(double fall, double window) {
        boolean fast = fall > LEAST_FALL && fall > FAST * window;
        return fast ? Math.max(1, (int) Math.rint(log2(fall / window / 2))) : 0;
    }

    private boolean shouldTakeBack(double progress, double rate) {
        return relaxations > 0 && (progress < SLOW || rate < rates[relaxations - 1]);
    }

    private void takeBack(double progress, long steps, double timeConstant) {
        pause *= onTrial ? 2 : 1;
        nextTrial = steps + pause * timeConstant;
        relaxations = Math.max(0, relaxations - (progress < VERY_SLOW && !onTrial ? 2 : 1));
        onTrial = false;
    }

    private boolean isWorthATrial(Certificate certificate, double rate, double timeConstant, double stepsPerEpoch) {
        double left = StrictMath.log(certificate.relativeGap() / target) / rate;
        return rate * timeConstant >= SLOW
                && certificate.steps() >= nextTrial
                && left >= Math.max(WINDOWS_LEFT * timeConstant, EPOCHS_LEFT * stepsPerEpoch);
    }

    private static double log2(double value) {
        return StrictMath.log(value) / StrictMath.log(2);
    }

    @Override
    public void state(State s) throws IOException {
        relaxations = s.number(relaxations);
        anchorGap = s.number(anchorGap);
        anchorSteps = s.number(anchorSteps);
        onTrial = s.flag(onTrial);
        s.vector(rates);
        nextTrial = s.number(nextTrial);
        pause = s.number(pause);
    }
}
