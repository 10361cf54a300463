package dev.starling.cli.console;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/** Standard output that remembers why something could not be written, which {@link PrintWriter} forgets. */
public final class StandardOutput {

    private final PrintWriter writer;
    private IOException failure;

    public StandardOutput(OutputStream out) {
        // Text is UTF-8 whatever the locale: JSON has to be, and the formulas contain Greek.
        writer = new PrintWriter(new Remembering(out), true, StandardCharsets.UTF_8);
    }

    /** The writer that commands print to. */
    public PrintWriter writer() {
        return writer;
    }

    /**
     * Why output could not be written, if that happened; a reader that closed the pipe, such as {@code head}, is no
     * problem.
     */
    public Optional<String> problem() {
        writer.flush();
        String reason = failure == null ? "" : String.valueOf(failure.getMessage());
        return failure == null || reason.toLowerCase(Locale.ROOT).contains("broken pipe")
                ? Optional.empty()
                : Optional.of("standard output cannot be written: " + reason);
    }

    private final class Remembering extends FilterOutputStream {
        Remembering(OutputStream out) {
            super(out);
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            try {
                out.write(bytes, from, length);
            } catch (IOException e) {
                failure = e;
                throw e;
            }
        }
    }
}
