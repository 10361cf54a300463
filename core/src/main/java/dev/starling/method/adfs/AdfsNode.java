package dev.starling.method.adfs;

import dev.starling.method.adfs.certified.DualProgram;
import dev.starling.node.Exchange;
import dev.starling.node.State;
import dev.starling.problem.LocalProblem;
import java.io.IOException;

/**
 * What every node of ADFS has: its rows, the vector that it sends to its neighbours, and counts of what it has done.
 */
public abstract class AdfsNode implements DualProgram {

    protected final int node;
    protected final LocalProblem problem;
    protected final double[] message;
    protected final Exchange exchange = new Exchange();

    protected long steps;
    protected long updates;
    protected long rounds;

    protected AdfsNode(LocalProblem problem, int node) {
        this.node = node;
        this.problem = problem;
        this.message = new double[problem.features()];
    }

    /** Saves or restores the state of the node other than the counts. */
    protected abstract void methodState(State s) throws IOException;

    @Override
    public final LocalProblem problem() {
        return problem;
    }

    @Override
    public final long steps() {
        return steps;
    }

    @Override
    public final long updates() {
        return updates;
    }

    @Override
    public final long rounds() {
        return rounds;
    }

    private State.Owner owner() {
        return new State.Owner(node, problem.features(), problem.samples());
    }

    @Override
    public final void state(State s) throws IOException {
        owner().state(s);
        steps = s.number(steps);
        updates = s.number(updates);
        rounds = s.number(rounds);
        methodState(s);
    }
}
