package dev.starling.method.adfs;

import dev.starling.method.adfs.certified.DualProgram;
import dev.starling.node.Exchange;
import dev.starling.node.SavedState;
import dev.starling.problem.LocalProblem;
import java.io.DataInput;
import java.io.DataOutput;
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

    /** Writes the state of the node other than the counts. */
    protected abstract void saveMethod(DataOutput out) throws IOException;

    /** Reads what {@link #saveMethod} wrote. */
    protected abstract void restoreMethod(DataInput in) throws IOException;

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

    private SavedState.Owner owner() {
        return new SavedState.Owner(node, problem.features(), problem.samples());
    }

    @Override
    public final void save(DataOutput out) throws IOException {
        owner().write(out);
        out.writeLong(steps);
        out.writeLong(updates);
        out.writeLong(rounds);
        saveMethod(out);
    }

    @Override
    public final void restore(DataInput in) throws IOException {
        owner().require(in);
        steps = in.readLong();
        updates = in.readLong();
        rounds = in.readLong();
        restoreMethod(in);
    }
}
