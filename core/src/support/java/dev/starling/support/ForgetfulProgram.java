package dev.starling.support;

import dev.starling.node.NodeProgram;
import java.util.function.Supplier;

/** A node that forgets everything but its saved state after every exchange. */
public final class ForgetfulProgram<P extends NodeProgram> extends WrappedProgram<P> {

    private final Supplier<P> fresh;

    public ForgetfulProgram(Supplier<P> fresh) {
        super(fresh.get());
        this.fresh = fresh;
    }

    @Override
    public void absorb(double[][] messages) {
        super.absorb(messages);
        replace(SavedStates.copy(program(), fresh.get()));
    }
}
