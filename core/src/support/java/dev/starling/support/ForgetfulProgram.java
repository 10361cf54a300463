package dev.starling.support;

import dev.starling.node.NodeProgram;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Supplier;

/** A node that forgets everything but its saved state, again and again. */
public final class ForgetfulProgram<P extends NodeProgram> extends WrappedProgram<P> {

    private final Supplier<P> fresh;
    private final int every;
    private int absorbed;

    /** Forgets after every so many exchanges. */
    public ForgetfulProgram(Supplier<P> fresh, int every) {
        super(fresh.get());
        this.fresh = fresh;
        this.every = every;
    }

    @Override
    public void absorb(double[][] messages) {
        super.absorb(messages);
        if (++absorbed % every == 0) {
            try {
                forget();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private void forget() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        save(new DataOutputStream(bytes));
        replace(fresh.get());
        restore(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
    }
}
