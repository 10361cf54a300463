package dev.starling.model;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;

/** Starling's own format: everything that is known of the model, as docs/model-format.md describes it. */
final class JsonFormat implements ModelFormat {

    /** What the format is called in its first member. */
    static final String FORMAT = "starling-model";

    /** The version that is written of a model with a recipe; earlier ones are read as well. */
    static final int VERSION = 3;

    /** The version that is written of other models, which earlier versions of Starling can read. */
    static final int VERSION_WITHOUT_RECIPE = 2;

    @Override
    public String name() {
        return "json";
    }

    @Override
    public List<String> extensions() {
        return List.of(".json");
    }

    @Override
    public boolean isStartOf(String start) {
        return start.stripLeading().startsWith("{");
    }

    @Override
    public void write(LinearModel model, OutputStream out) throws IOException {
        JsonModelWriter.write(model, out);
    }

    @Override
    public LinearModel read(InputStream in, String name) throws IOException {
        return JsonModelReader.read(in, name);
    }
}
