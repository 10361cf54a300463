package dev.starling.model;

import dev.starling.data.InvalidInputException;
import dev.starling.data.text.AtomicFiles;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** Reads and writes model files of all formats, compressed with gzip if the name ends in {@code .gz}. */
final class ModelFiles {

    /** The number of characters from which a format is recognised. */
    static final int START = 64;

    private static final int BUFFER = 1 << 16;
    private static final String GZIP_MAGIC = "\u001f\u008b";
    /** UTF-8's byte-order mark, byte by byte. */
    private static final String BYTE_ORDER_MARK = "\u00ef\u00bb\u00bf";

    private ModelFiles() {}

    static boolean isCompressed(Path file) {
        return file.toString().toLowerCase(Locale.ROOT).endsWith(".gz");
    }

    /** Writes a model atomically: a partial file is never visible. */
    static void write(LinearModel model, Path target, ModelFormat format) {
        AtomicFiles.write(target, out -> {
            if (isCompressed(target)) {
                GZIPOutputStream gzip = new GZIPOutputStream(out, BUFFER);
                format.write(model, gzip);
                gzip.finish();
            } else {
                format.write(model, out);
            }
        });
    }

    /** Reads a model; its format is recognised by its first characters. */
    static LinearModel read(Path file) {
        if (Files.isDirectory(file)) {
            throw new InvalidInputException(file + " is a directory; give the name of a model file");
        }
        // A channel's stream asks for its position, which a pipe does not have.
        try (InputStream raw = new BufferedInputStream(
                Files.isRegularFile(file) || Files.notExists(file)
                        ? Files.newInputStream(file)
                        : new FileInputStream(file.toFile()),
                BUFFER)) {
            boolean compressed = peek(raw, GZIP_MAGIC.length()).equals(GZIP_MAGIC);
            return readDecompressed(compressed ? new BufferedInputStream(new GZIPInputStream(raw, BUFFER)) : raw, file);
        } catch (NoSuchFileException e) {
            throw new InvalidInputException(file + " does not exist; give the path of a model file", e);
        } catch (EOFException e) {
            throw new InvalidInputException(
                    file + ": the gzip data ends too early, the file is truncated; copy or make it again", e);
        } catch (IOException e) {
            throw InvalidInputException.unreadable(file, e);
        }
    }

    /** Whether a file looks like a model; pipes, which can be read only once, do not. */
    static boolean isModel(Path file) {
        if (!Files.isRegularFile(file)) {
            return false;
        }
        try (InputStream raw = new BufferedInputStream(Files.newInputStream(file), BUFFER)) {
            boolean compressed = peek(raw, GZIP_MAGIC.length()).equals(GZIP_MAGIC);
            String start = peek(compressed ? new BufferedInputStream(new GZIPInputStream(raw, BUFFER)) : raw, START);
            return ModelFormat.all().stream().anyMatch(format -> format.isStartOf(start));
        } catch (IOException e) {
            return false;
        }
    }

    private static LinearModel readDecompressed(InputStream in, Path file) throws IOException {
        if (peek(in, BYTE_ORDER_MARK.length()).equals(BYTE_ORDER_MARK)) {
            in.skipNBytes(BYTE_ORDER_MARK.length());
        }
        String start = peek(in, START);
        for (ModelFormat format : ModelFormat.all()) {
            if (format.isStartOf(start)) {
                return format.read(in, file.toString());
            }
        }
        if (start.startsWith("\u00ff\u00fe") || start.startsWith("\u00fe\u00ff")) {
            throw new InvalidInputException(file + " is UTF-16 text; convert it to UTF-8");
        }
        throw new InvalidInputException(file + (start.isEmpty() ? " is empty" : " is not a model")
                + "; give a model file of Starling or LIBLINEAR");
    }

    private static String peek(InputStream in, int bytes) throws IOException {
        in.mark(bytes);
        byte[] start = in.readNBytes(bytes);
        in.reset();
        return new String(start, StandardCharsets.ISO_8859_1);
    }
}
