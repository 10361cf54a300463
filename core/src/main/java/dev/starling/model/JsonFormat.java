package dev.starling.model;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;

/** Starling's own format, which stores everything that is known about a model; see docs/model-format.md. */
final class JsonFormat implements ModelFormat {

    /** The value of the first member, which identifies the format. */
    static final String FORMAT = "starling-model";

    /** The version written for a model with a recipe; earlier versions can be read as well. */
    static final int VERSION = 3;

    /** The version written for other models, which earlier versions of Starling can read. */
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
