package dev.starling.method.adfs;

import dev.starling.certificate.Certificate;
import dev.starling.node.SavedState;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Finds out, certificate by certificate, how much more strongly convex the dual is than theory has it where the run is:
 * the number of {@link Belief#relaxations}, each of which doubles the rate ρ that the steps are made for.
 *
 * <p>Where theory is slow, the run begins with the restarts of NS-ADFS, and what is found out first is how long they
 * are the faster way.
 *
 * <p>Progress over t steps in which the gap fell by a factor e<sup>d</sup> is d/(ρt). About 2 is what the right rate
 * gives; with one that is too small it lies between 1 and 2, however easy the problem; with one that is too large it
 * falls below 1. So
 *
 * <ul>
 *   <li>at the first certificate, the rate becomes the largest that would not have been felt yet;
 *   <li>progress above {@value #FAST} is followed: the rate becomes half of what was seen;
 *   <li>progress below {@value #SLOW} takes a relaxation back, below {@value #VERY_SLOW} two;
 *   <li>anything in between leaves open whether more would be better, so one more is tried where enough is left to win,
 *       and every trial that fails doubles the pause until the next;
 *   <li>a relaxation is taken back, on trial or not, where the gap falls more slowly than it did without it.
 * </ul>
 *
 * docs/adaptive.md has the argument.
 */
final class Adaptation {

    /** Progress is judged once ρt has come to this. */
    private static final double WINDOW = 1;

    private static final double FAST = 2.5;
    private static final double SLOW = 0.7;
    private static final double VERY_SLOW = 0.3;

    /** Fast progress counts once the gap has fallen by e to this. */
    private static final double LEAST_FALL = 0.5;

    /** The largest rate worth believing in, per epoch: beyond it there is hardly any momentum left. */
    private static final double LARGEST_RATE = 0.7;

    /** A trial pays only if the rest of the run would take this many windows without it, and this many epochs. */
    private static final double WINDOWS_LEFT = 2;

    private static final double EPOCHS_LEFT = 20;

    /** After the first trial that fails, the next one waits for twice this many windows, and so on. */
    private static final double FIRST_PAUSE = 4;

    /** How long restarts are tried, in theory's time per factor e: it could not do much in that either. */
    private static final double RESTARTS_TRIAL = 0.5;

    /** Restarts are judged over this part of the run so far at least, so that the gap after one is not all there is. */
    private static final double RESTARTS_WINDOW = 0.4;

    /** More relaxations than a rate can be doubled without exceeding 1. */
    private static final int MOST_RELAXATIONS = 62;

    private final double target;

    /** By relaxations: the rate at which the gap last fell under them, 0 if they were not held for a window yet. */
    private final double[] rates = new double[MOST_RELAXATIONS + 1];

    private int relaxations;
    private double anchorGap = 1;
    private long anchorSteps;
    private boolean onTrial;
    private double nextTrial;
    private double pause = FIRST_PAUSE;

    /**
     * An adaptation at the start of a run.
     *
     * @param target the relative gap that the run is to reach
     */
    Adaptation(double target) {
        this.target = target;
    }

    /**
     * Takes the next certificate: how many relaxations there are to be from there on.
     *
     * @param pace what theory has under the present belief
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
        int more = Math.min(most, first ? Math.max(unfelt(window), followed(fall, window)) : followed(fall, window));
        if (!first && more == 0 && window < WINDOW) {
            return relaxations;
        }
        if (more > 0) {
            relaxations += more;
            onTrial = false;
        } else if (!first) {
            double rate = fall / window / timeConstant;
            rates[relaxations] = rate;
            if (isToBeTakenBack(fall / window, rate)) {
                takeBack(fall / window, certificate.steps(), timeConstant);
            } else {
                onTrial = most > 0 && isWorthATrial(certificate, rate, timeConstant, stepsPerEpoch);
                relaxations += onTrial ? 1 : 0;
            }
        }
        anchor(certificate);
        return relaxations;
    }

    /** The gap, to be compared with the one at the anchor. */
    private double gapSince(Certificate certificate) {
        // Of the start no objective is known, only that all of it was gap.
        return certificate.relativeGap() * (anchorSteps == 0 ? 1 : certificate.objective());
    }

    private void anchor(Certificate certificate) {
        anchorGap = certificate.relativeGap() * certificate.objective();
        anchorSteps = certificate.steps();
    }

    /**
     * Takes the next certificate of a run that goes by restarts: whether it is to go on so. Rounds may be a larger part
     * of its steps than of those that theory speaks of, so it is time that is compared.
     *
     * @param theory what theory has for the method without them
     */
    boolean judgeRestarts(Certificate certificate, StepForecast theory, StepForecast pace) {
        double fall = StrictMath.log(anchorGap / gapSince(certificate));
        double window = certificate.steps() - anchorSteps;
        if (!Double.isFinite(fall) || certificate.isMostlyRounding() || window < RESTARTS_WINDOW * anchorSteps) {
            return true;
        }
        double timeConstant = theory.stepsFor(Math.E) * theory.timePerStep() / pace.timePerStep();
        anchor(certificate);
        return anchorSteps < RESTARTS_TRIAL * timeConstant || fall / window * timeConstant >= FAST;
    }

    /** By how many relaxations the rate can grow until it would just have been felt in such a window. */
    private static int unfelt(double window) {
        return (int) Math.max(0, log2(WINDOW / window));
    }

    /** How many relaxations make the rate half of what was seen, if that was fast. */
    private static int followed(double fall, double window) {
        boolean fast = fall > LEAST_FALL && fall > FAST * window;
        return fast ? Math.max(1, (int) Math.rint(log2(fall / window / 2))) : 0;
    }

    private boolean isToBeTakenBack(double progress, double rate) {
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

    void save(DataOutput out) throws IOException {
        out.writeInt(relaxations);
        out.writeDouble(anchorGap);
        out.writeLong(anchorSteps);
        out.writeBoolean(onTrial);
        SavedState.writeDoubles(out, rates);
        out.writeDouble(nextTrial);
        out.writeDouble(pause);
    }

    void restore(DataInput in) throws IOException {
        relaxations = in.readInt();
        anchorGap = in.readDouble();
        anchorSteps = in.readLong();
        onTrial = in.readBoolean();
        SavedState.readDoubles(in, rates);
        nextTrial = in.readDouble();
        pause = in.readDouble();
    }
}
