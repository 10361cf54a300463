package dev.starling.model;

import dev.starling.data.InvalidInputException;
import dev.starling.internal.JsonTree;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonEncoding;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;

/** Starling's own format, which stores everything that is known about a model; see docs/model-format.md. */
final class JsonFormat implements ModelFormat {

    /** The value of the first member, which identifies the format. */
    static final String FORMAT = "starling-model";

    /** The version written for a model with a recipe. */
    static final int VERSION = 3;

    /** The version written for other models. */
    static final int VERSION_WITHOUT_RECIPE = 2;

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .enable(StreamWriteFeature.USE_FAST_DOUBLE_WRITER)
            .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
            .disable(StreamReadFeature.AUTO_CLOSE_SOURCE)
            .build();

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
        try (JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), out, JsonEncoding.UTF8)) {
            JsonTree.write(json, ModelJson.members(model));
            json.writeRaw('\n');
        } catch (JacksonIOException e) {
            throw e.getCause();
        }
    }

    @Override
    public LinearModel read(InputStream in, String name) throws IOException {
        try (JsonParser json = FACTORY.createParser(ObjectReadContext.empty(), in)) {
            return read(json, in, name);
        } catch (JacksonIOException e) {
            throw e.getCause();
        }
    }

    /** Reads the model; errors from Jackson are explained in terms that a user knows. */
    private static LinearModel read(JsonParser json, InputStream in, String name) throws IOException {
        JsonMembers members;
        try {
            json.nextToken();
            members = JsonMembers.read(json, name);
            // A compressed file is known to be whole only where it ends.
            if (json.nextToken() != null) {
                int line = json.currentTokenLocation().getLineNr();
                throw new InvalidInputException(
                        name + ", line " + line + ": there is more after the model; one file has one");
            }
        } catch (JacksonIOException e) {
            throw e;
        } catch (JacksonException e) {
            boolean ended = json.releaseBuffered(OutputStream.nullOutputStream()) <= 0 && in.read() < 0;
            throw new InvalidInputException(
                    ended
                            ? name + " ends in the middle of the model; it is truncated, copy or make it again"
                            : name + ", line " + json.currentLocation().getLineNr()
                                    + ": this is not JSON; copy or make the file again",
                    e);
        }
        return ModelJson.read(members, name);
    }
}
