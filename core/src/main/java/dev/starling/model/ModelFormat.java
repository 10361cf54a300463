package dev.starling.model;

import dev.starling.data.InvalidInputException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** A file format for models. */
public interface ModelFormat {

    /** The name of the format, in lower case. */
    String name();

    /** The file extensions for which this format is the default. */
    List<String> extensions();

    /**
     * Whether a file is in this format.
     *
     * @param start the first 64 characters of the file, or fewer if it is shorter
     */
    boolean isStartOf(String start);

    /** Writes a model, without closing the stream. */
    void write(LinearModel model, OutputStream out) throws IOException;

    /**
     * Reads a model, without closing the stream.
     *
     * @param name the name of the stream, for error messages
     * @throws InvalidInputException if it is not a model in this format
     */
    LinearModel read(InputStream in, String name) throws IOException;

    /** All formats; the first is the default for files whose names do not suggest another. */
    static List<ModelFormat> all() {
        return List.of(new JsonFormat(), new LiblinearFormat());
    }

    /**
     * The format with a name.
     *
     * @throws InvalidInputException if there is none
     */
    static ModelFormat named(String name) {
        return InvalidInputException.named("model format", name, all(), ModelFormat::name);
    }

    /**
     * The format that a file's name suggests, ignoring {@code .gz}: LIBLINEAR's for {@code .txt} and {@code .model}.
     */
    static ModelFormat of(Path file) {
        String name = file.toString().toLowerCase(Locale.ROOT);
        String bare = ModelFiles.isCompressed(file) ? name.substring(0, name.length() - 3) : name;
        return all().stream()
                .filter(format -> format.extensions().stream().anyMatch(bare::endsWith))
                .findFirst()
                .orElse(all().get(0));
    }
}
