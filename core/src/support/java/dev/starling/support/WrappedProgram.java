package dev.starling.support;

import dev.starling.node.EstimatingProgram;
import dev.starling.node.Exchange;
import dev.starling.node.NodeProgram;
import dev.starling.node.State;
import java.io.IOException;

/** A node that does what another does, for tests to override what they watch or change. */
public abstract class WrappedProgram<P extends NodeProgram> implements EstimatingProgram {

    private P program;

    protected WrappedProgram(P program) {
        this.program = program;
    }

    /** The node within. */
    public final P program() {
        return program;
    }

    /** Puts another node in its place. */
    protected final void replace(P other) {
        program = other;
    }

    @Override
    public Exchange advance() {
        return program.advance();
    }

    @Override
    public void absorb(double[][] messages) {
        program.absorb(messages);
    }

    @Override
    public void estimate(double[] theta) {
        if (program instanceof EstimatingProgram estimating) {
            estimating.estimate(theta);
        }
    }

    @Override
    public void state(State s) throws IOException {
        program.state(s);
    }
}
