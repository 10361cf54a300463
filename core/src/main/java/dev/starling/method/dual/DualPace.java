package dev.starling.method.dual;

import dev.starling.method.adfs.tuning.StepForecast;

/**
 * The expected pace of dual coordinate steps, which depends on the rows in ways that nobody knows beforehand: so many
 * passes for every factor e, until certificates show another pace.
 *
 * @param delay τ
 * @param samples the number of samples of a node, on average
 */
record DualPace(double delay, double samples) implements StepForecast {

    private static final double EPOCHS_PER_FACTOR = 3;

    /** A pace slower than this part of the expected one is not extrapolated. */
    private static final double SLOWEST = 0.05;

    /** A step is a visit to a row; the few rounds between are not counted as steps. */
    @Override
    public double communicationProbability() {
        return 0;
    }

    @Override
    public double stepsFor(double factor) {
        return EPOCHS_PER_FACTOR * samples * StrictMath.log(factor);
    }

    @Override
    public double stepsLeft(double before, long stepsBefore, double now, long stepsNow, double target) {
        double expected = 1 / (EPOCHS_PER_FACTOR * samples);
        double seen = StrictMath.log(before / now) / (stepsNow - stepsBefore);
        return StrictMath.log(now / target) / (Double.isFinite(seen) ? Math.max(seen, SLOWEST * expected) : expected);
    }

    @Override
    public boolean keepsUp(double before, long stepsBefore, double now, long stepsNow) {
        return true;
    }
}
