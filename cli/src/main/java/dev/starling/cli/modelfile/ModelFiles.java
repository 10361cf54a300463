package dev.starling.cli.modelfile;

import dev.starling.data.AtomicFiles;
import dev.starling.data.InvalidInputException;
import dev.starling.model.LiblinearFormat;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** Reads and writes model files in either format, packed with gzip if the name ends in {@code .gz}. */
public final class ModelFiles {

    private static final int BUFFER = 1 << 16;

    private ModelFiles() {}

    /**
     * Writes a model; the file appears whole or not at all.
     *
     * @throws InvalidInputException if it cannot be written
     */
    public static void write(ModelFile content, Path target, ModelFormat format) {
        boolean packed = target.toString().toLowerCase(Locale.ROOT).endsWith(".gz");
        AtomicFiles.write(target, out -> {
            if (packed) {
                GZIPOutputStream gzip = new GZIPOutputStream(out, BUFFER);
                write(content, gzip, format);
                gzip.finish();
            } else {
                write(content, out, format);
            }
        });
    }

    private static void write(ModelFile content, OutputStream out, ModelFormat format) throws IOException {
        if (format == ModelFormat.JSON) {
            JsonModelWriter.write(content, out);
        } else {
            LiblinearFormat.write(content.model(), out);
        }
    }

    /**
     * Reads a model; its format is told from its first bytes.
     *
     * @throws InvalidInputException if it is missing or not a model
     */
    public static ModelFile read(Path file) {
        if (Files.isDirectory(file)) {
            throw new InvalidInputException(file + " is a directory; give the name of a model file");
        }
        try (InputStream packed = new BufferedInputStream(Files.newInputStream(file), BUFFER)) {
            InputStream in = isGzip(packed) ? new BufferedInputStream(new GZIPInputStream(packed, BUFFER)) : packed;
            String start = peek(in, LiblinearFormat.FIRST_WORD.length());
            if (start.stripLeading().startsWith("{")) {
                return JsonModelReader.read(in, file.toString());
            }
            if (start.equals(LiblinearFormat.FIRST_WORD)) {
                return ModelFile.of(LiblinearFormat.read(in, file.toString()));
            }
            throw new InvalidInputException(file + (start.isEmpty() ? " is empty" : " is not a model")
                    + "; give a JSON or LIBLINEAR model, as starling train writes");
        } catch (NoSuchFileException e) {
            throw new InvalidInputException(file + " does not exist; give the path of a model file", e);
        } catch (AccessDeniedException e) {
            throw new InvalidInputException(file + " cannot be read: permission denied; check who may read it", e);
        } catch (EOFException e) {
            throw new InvalidInputException(
                    file + ": the gzip data ends too early, the file is truncated; copy or make it again", e);
        } catch (IOException e) {
            throw new InvalidInputException(file + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static boolean isGzip(InputStream in) throws IOException {
        String magic = peek(in, 2);
        return magic.length() == 2 && magic.charAt(0) == 0x1f && magic.charAt(1) == 0x8b;
    }

    private static String peek(InputStream in, int bytes) throws IOException {
        in.mark(bytes);
        byte[] start = in.readNBytes(bytes);
        in.reset();
        return new String(start, StandardCharsets.ISO_8859_1);
    }
}
