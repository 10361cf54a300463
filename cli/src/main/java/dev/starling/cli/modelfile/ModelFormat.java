package dev.starling.cli.modelfile;

import java.nio.file.Path;
import java.util.Locale;

/** How a model is written. */
public enum ModelFormat {
    /** Starling's own format: everything that is known of the model. */
    JSON,
    /** LIBLINEAR's text format: what is needed to predict. */
    LIBLINEAR;

    /** The format that a file's name suggests: LIBLINEAR's for {@code .txt} and {@code .model}, else JSON. */
    public static ModelFormat ofName(Path file) {
        String name = file.toString().toLowerCase(Locale.ROOT);
        String unpacked = name.endsWith(".gz") ? name.substring(0, name.length() - 3) : name;
        return unpacked.endsWith(".txt") || unpacked.endsWith(".model") ? LIBLINEAR : JSON;
    }
}
