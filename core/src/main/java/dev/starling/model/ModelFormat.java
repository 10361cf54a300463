package dev.starling.model;

import dev.starling.data.InvalidInputException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** A way to write a model down, and to read it again. */
public interface ModelFormat {

    /** What it is called, in lower case. */
    String name();

    /** How names of files end that are written like this unless told otherwise. */
    List<String> extensions();

    /**
     * Whether a file is of this format.
     *
     * @param start its first 64 characters, or as many as it has
     */
    boolean isStartOf(String start);

    /** Writes a model, without closing the stream. */
    void write(LinearModel model, OutputStream out) throws IOException;

    /**
     * Reads a model, without closing the stream.
     *
     * @param name what to call the stream in messages
     * @throws InvalidInputException if it is not such a model
     */
    LinearModel read(InputStream in, String name) throws IOException;

    /** All formats; the first is for files whose names do not suggest another. */
    static List<ModelFormat> all() {
        return List.of(new JsonFormat(), new LiblinearFormat());
    }

    /**
     * The format of a name.
     *
     * @throws InvalidInputException if there is none
     */
    static ModelFormat named(String name) {
        return all().stream()
                .filter(format -> format.name().equals(name))
                .findFirst()
                .orElseThrow(() -> InvalidInputException.unknownName(
                        "model format",
                        name,
                        all().stream().map(ModelFormat::name).toList()));
    }

    /** The format that a file's name suggests, {@code .gz} aside: LIBLINEAR's for {@code .txt} and {@code .model}. */
    static ModelFormat of(Path file) {
        String name = file.toString().toLowerCase(Locale.ROOT);
        String unpacked = ModelFiles.isPacked(file) ? name.substring(0, name.length() - 3) : name;
        return all().stream()
                .filter(format -> format.extensions().stream().anyMatch(unpacked::endsWith))
                .findFirst()
                .orElse(all().get(0));
    }
}
