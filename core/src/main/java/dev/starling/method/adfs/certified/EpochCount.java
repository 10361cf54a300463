package dev.starling.method.adfs.certified;

import dev.starling.method.adfs.tuning.StepForecast;

/**
 * Converts steps to passes over the samples, where the share of steps that compute may change during a run.
 *
 * @param origin the step at which the count would have started if the share had always been what it is now
 * @param stepsPerEpoch the number of steps in which a node computes once per sample on average
 */
record EpochCount(double origin, double stepsPerEpoch) {

    /** Returns the count for a run at its start. */
    static EpochCount of(StepForecast pace, double samplesPerNode) {
        return new EpochCount(0, samplesPerNode / pace.computationProbability());
    }

    /** Returns the number of passes up to a step. */
    double at(long steps) {
        return (steps - origin) / stepsPerEpoch;
    }

    /** Returns a count that is the same up to a step and has another pace from there on. */
    EpochCount from(long steps, StepForecast pace, double samplesPerNode) {
        double next = samplesPerNode / pace.computationProbability();
        return next == stepsPerEpoch ? this : new EpochCount(steps - at(steps) * next, next);
    }
}
