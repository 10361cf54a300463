package dev.starling.method.adfs.tuning;

/**
 * What the parameters of a method say about its progress: how its steps divide into computing and communicating, and
 * how many of them it takes to reach a gap. Everything outside the method itself (when to certify, what to show) needs
 * only this.
 */
public interface StepForecast {

    /** Returns τ, the cost of a communication round when a proximal step costs 1. */
    double delay();

    /** Returns p_comm, the share of steps in which a node communicates. */
    double communicationProbability();

    /** Returns the share of steps in which a node computes: 1 − p_comm if all nodes step together. */
    default double computationProbability() {
        return 1 - communicationProbability();
    }

    /** Returns the average idealised time of a step. */
    default double timePerStep() {
        return computationProbability() + delay() * communicationProbability();
    }

    /**
     * Returns the number of steps after which, by theory, the error has shrunk by the given factor since the start,
     * leaving constants aside.
     */
    double stepsFor(double factor);

    /**
     * Returns the number of steps still needed from an observed gap to the target, estimated from how the gap fell
     * between two observations, but never assuming a pace much slower than theory's.
     *
     * @param before the gap at the earlier observation; 1 at step 0 if there was none
     * @param target a gap below {@code now}
     */
    double stepsLeft(double before, long stepsBefore, double now, long stepsNow, double target);

    /** Returns whether the gap fell between two observations at no less than half the pace of theory. */
    boolean keepsUp(double before, long stepsBefore, double now, long stepsNow);
}
