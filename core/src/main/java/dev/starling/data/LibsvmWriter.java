package dev.starling.data;

import dev.starling.data.text.AtomicFiles;
import dev.starling.data.text.ShortestDecimal;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;

/**
 * Writes rows as LIBSVM text: the label, then the non-zero values with their indices from 1, each as the shortest
 * decimal that reads back as the same number. The text is the same on every JDK. Weights are not part of the format.
 */
public final class LibsvmWriter {

    private static final int FLUSH_AT = 1 << 16;

    private LibsvmWriter() {}

    /**
     * Writes a file, compressed with gzip if its name ends in {@code .gz}; it appears whole or not at all.
     *
     * @throws InvalidInputException if it cannot be written
     */
    public static void write(Dataset rows, Path target) {
        writeFile(target, out -> write(rows, out));
    }

    /** Writes plain text to a stream, without closing it. */
    public static void write(Dataset rows, OutputStream out) throws IOException {
        Lines lines = new Lines(out);
        for (int i = 0; i < rows.rows(); i++) {
            lines.label(rows.label(i));
            for (int k = rows.start(i); k < rows.end(i); k++) {
                lines.value(rows.column(i, k), rows.value(i, k));
            }
            lines.end();
        }
        lines.flush();
    }

    /** Writes a file atomically, compressed if its name ends in {@code .gz}. */
    static void writeFile(Path target, AtomicFiles.IOConsumer<OutputStream> content) {
        boolean compressed = target.toString().toLowerCase(Locale.ROOT).endsWith(".gz");
        AtomicFiles.write(target, out -> {
            if (compressed) {
                GZIPOutputStream gzip = new GZIPOutputStream(out, FLUSH_AT);
                content.accept(gzip);
                gzip.finish();
            } else {
                content.accept(out);
            }
        });
    }

    /** Collects rows as text and writes it to a stream in large pieces. */
    static final class Lines {
        private final OutputStream out;
        private final StringBuilder text = new StringBuilder(2 * FLUSH_AT);

        Lines(OutputStream out) {
            this.out = out;
        }

        void label(double label) {
            ShortestDecimal.append(text, label);
        }

        void value(int column, double value) {
            if (value != 0) {
                text.append(' ').append(column + 1L).append(':');
                ShortestDecimal.append(text, value);
            }
        }

        void end() throws IOException {
            text.append('\n');
            if (text.length() >= FLUSH_AT) {
                flush();
            }
        }

        void flush() throws IOException {
            out.write(text.toString().getBytes(StandardCharsets.US_ASCII));
            text.setLength(0);
        }
    }
}
