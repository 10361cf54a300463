package dev.starling.spark.model;

import dev.starling.model.LinearModel;
import dev.starling.model.ModelFormat;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Models as Starling's JSON, in memory: the form in which they are sent to executors. */
public final class ModelText {

    private static final ModelFormat FORMAT = ModelFormat.named("json");

    private ModelText() {}

    /** Writes a model as it is written to files. */
    public static String of(LinearModel model) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            FORMAT.write(model, bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    /** Reads the model that {@link #of} wrote. */
    public static LinearModel model(String text) {
        return model(text, "the model");
    }

    /**
     * Reads a model from text of any origin.
     *
     * @param name what to call the text in messages
     */
    public static LinearModel model(String text, String name) {
        try {
            return FORMAT.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
