package dev.starling.method.adfs;

/**
 * What the parameters of a method say about its course: how its steps divide into computing and communicating, and how
 * many of them a gap will take. Everything outside the method itself (when to certify, what to show) needs no more.
 */
public interface StepForecast {

    /** τ, what a communication round costs when a proximal step costs 1. */
    double delay();

    /** p_comm, the share of steps in which a node communicates. */
    double communicationProbability();

    /** The share of steps in which a node computes: 1 − p_comm where all nodes step together. */
    default double computationProbability() {
        return 1 - communicationProbability();
    }

    /** Idealised time of a step, on average. */
    default double timePerStep() {
        return computationProbability() + delay() * communicationProbability();
    }

    /** Steps after which theory has the error shrunk by the given factor from the start, constants left out. */
    double stepsFor(double factor);

    /**
     * Steps still needed from a gap that was seen to another, judged by how it came down between two sightings but
     * never taken to be much slower than theory.
     *
     * @param before the gap at the earlier sighting; 1 at step 0 if there was none
     * @param target a gap below {@code now}
     */
    double stepsLeft(double before, long stepsBefore, double now, long stepsNow, double target);

    /** Whether a gap came down between two sightings at half the pace of theory at least. */
    boolean keepsUp(double before, long stepsBefore, double now, long stepsNow);
}
