package dev.starling.support;

import dev.starling.node.NodeProgram;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
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
        try {
            forget();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void forget() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        save(new DataOutputStream(bytes));
        replace(fresh.get());
        restore(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
    }
}
