package dev.starling.method.adfs.draws;

import dev.starling.node.Stateful;

/** The schedule of a node's steps: how many computations there are until the next round, and on which samples. */
public interface Schedule extends Stateful {

    /** Returns the number of computation steps before the next communication; the same on every node. */
    long stepsBeforeNextRound();

    /** Fills {@code into[0..count)} with the samples of the next steps. */
    void draw(int[] into, int count);

    /** Makes every later draw independent of all others. */
    void drawIndependently();

    /** Continues with other probabilities; those of the samples are queried again. */
    void reweigh(double communicationProbability);
}
