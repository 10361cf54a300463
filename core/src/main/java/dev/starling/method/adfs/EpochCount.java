package dev.starling.method.adfs;

/**
 * Turns steps into passes over the samples, where the share of steps that compute may change in the course of a run.
 *
 * @param origin the step at which the count would have begun, had the share always been what it is now
 * @param stepsPerEpoch steps in which a node computes once per sample, on average
 */
record EpochCount(double origin, double stepsPerEpoch) {

    /** The count of a run at its start. */
    static EpochCount of(StepForecast pace, double samplesPerNode) {
        return new EpochCount(0, samplesPerNode / pace.computationProbability());
    }

    /** Passes until a step. */
    double at(long steps) {
        return (steps - origin) / stepsPerEpoch;
    }

    /** The same count up to a step, and another pace from there on. */
    EpochCount from(long steps, StepForecast pace, double samplesPerNode) {
        double next = samplesPerNode / pace.computationProbability();
        return next == stepsPerEpoch ? this : new EpochCount(steps - at(steps) * next, next);
    }
}
