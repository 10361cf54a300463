package dev.starling.support;

import dev.starling.method.adfs.draws.Schedule;
import dev.starling.node.State;
import java.util.List;

/** Steps that a test has written down: for every step the sample each node draws, or no samples for a round. */
public final class ScriptedSchedule implements Schedule {

    private final List<int[]> blocks;
    private final int node;
    private int next;
    private boolean announced;

    public ScriptedSchedule(List<int[]> blocks, int node) {
        this.blocks = blocks;
        this.node = node;
    }

    @Override
    public long stepsBeforeNextRound() {
        if (announced) {
            next++; // over the round, which has been taken by now
        }
        announced = true;
        int end = next;
        while (end < blocks.size() && blocks.get(end).length > 0) {
            end++;
        }
        return (long) end - next;
    }

    @Override
    public void draw(int[] into, int count) {
        for (int k = 0; k < count; k++) {
            into[k] = blocks.get(next++)[node];
        }
    }

    @Override
    public void drawIndependently() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void reweigh(double communicationProbability) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void state(State s) {
        throw new UnsupportedOperationException();
    }
}
