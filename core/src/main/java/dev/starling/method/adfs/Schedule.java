package dev.starling.method.adfs;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** What the steps of a node will be: how many computations until the next round, and on which samples. */
public interface Schedule {

    /** The number of computation steps before the next communication; the same at every node. */
    long stepsBeforeNextRound();

    /** Fills {@code into[0..count)} with the samples of the next steps. */
    void draw(int[] into, int count);

    /** Makes every later draw independent of all others. */
    void drawIndependently();

    /** Goes on with other probabilities, those of the samples asked for anew. */
    void reweigh(double communicationProbability);

    void save(DataOutput out) throws IOException;

    void restore(DataInput in) throws IOException;
}
