package dev.starling.spark;

import dev.starling.model.LinearModel;
import dev.starling.model.ModelFormat;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Models as Starling's JSON, in memory: how they travel to executors. */
final class ModelText {

    private static final ModelFormat FORMAT = ModelFormat.named("json");

    private ModelText() {}

    static String of(LinearModel model) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            FORMAT.write(model, bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    /** The model that {@link #of} wrote. */
    static LinearModel model(String text) {
        return model(text, "the model");
    }

    /**
     * A model that somebody wrote.
     *
     * @param name what to call the text in messages
     */
    static LinearModel model(String text, String name) {
        try {
            return FORMAT.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
