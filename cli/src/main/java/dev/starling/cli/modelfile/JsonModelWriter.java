package dev.starling.cli.modelfile;

import dev.starling.model.LinearModel;
import dev.starling.model.Provenance;
import java.io.OutputStream;
import tools.jackson.core.JsonEncoding;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.json.JsonFactory;

/** Writes Starling's own model format, one value after the other. */
final class JsonModelWriter {

    /** What the format is called in its first member. */
    static final String FORMAT = "starling-model";

    /** The version of the format; readers refuse later ones. */
    static final int FORMAT_VERSION = 1;

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .enable(StreamWriteFeature.USE_FAST_DOUBLE_WRITER)
            .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
            .build();

    private final JsonGenerator json;

    private JsonModelWriter(JsonGenerator json) {
        this.json = json;
    }

    static void write(ModelFile content, OutputStream out) {
        try (JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), out, JsonEncoding.UTF8)) {
            new JsonModelWriter(json).write(content);
            json.writeRaw('\n');
        }
    }

    private void write(ModelFile content) {
        LinearModel model = content.model();
        json.writeStartObject();
        json.writeStringProperty("format", FORMAT);
        json.writeNumberProperty("formatVersion", FORMAT_VERSION);
        json.writeStringProperty("loss", model.loss());
        json.writeArrayPropertyStart("classes");
        model.classes().forEach(json::writeNumber);
        json.writeEndArray();
        json.writeNumberProperty("features", model.features());
        provenance(model.provenance(), content);
        json.writeStringProperty("hash", model.hash());
        json.writeArrayPropertyStart("intercepts");
        for (int k = 0; k < model.scores(); k++) {
            json.writeNumber(model.intercept(k));
        }
        json.writeEndArray();
        json.writeArrayPropertyStart("weights");
        for (int k = 0; k < model.scores(); k++) {
            json.writeRaw('\n');
            vector(model.weights(k));
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private void provenance(Provenance provenance, ModelFile content) {
        json.writeObjectPropertyStart("training");
        json.writeStringProperty("version", provenance.version());
        number("lambda", provenance.lambda());
        number("objective", provenance.objective());
        number("gap", provenance.gap());
        json.writeBooleanProperty("certified", provenance.certified());
        json.writeStringProperty("graph", provenance.network());
        json.writeNumberProperty("nodes", provenance.nodes());
        number("tau", provenance.delay());
        json.writeNumberProperty("seed", provenance.seed());
        json.writeNumberProperty("bias", provenance.bias());
        json.writeBooleanProperty("standardized", provenance.standardized());
        json.writeStringProperty("fingerprint", provenance.fingerprint());
        json.writeArrayPropertyStart("command");
        content.command().forEach(json::writeString);
        json.writeEndArray();
        if (!content.edges().isEmpty()) {
            edges(content);
        }
        json.writeEndObject();
    }

    private void edges(ModelFile content) {
        json.writeArrayPropertyStart("edges");
        for (ModelFile.Edge edge : content.edges()) {
            json.writeStartArray();
            json.writeNumber(edge.tail());
            json.writeNumber(edge.head());
            json.writeNumber(edge.weight());
            json.writeEndArray();
        }
        json.writeEndArray();
    }

    private void number(String name, double value) {
        if (Double.isFinite(value)) {
            json.writeNumberProperty(name, value);
        } else {
            json.writeNullProperty(name);
        }
    }

    /** All weights, or where more than half are zero only the others with their columns. */
    private void vector(double[] weights) {
        int[] columns = new int[weights.length];
        int count = 0;
        for (int j = 0; j < weights.length; j++) {
            // −0 has a sign to keep.
            if (Double.doubleToRawLongBits(weights[j]) != 0) {
                columns[count++] = j;
            }
        }
        if (2 * count > weights.length) {
            json.writeArray(weights, 0, weights.length);
            return;
        }
        double[] values = new double[count];
        for (int k = 0; k < count; k++) {
            values[k] = weights[columns[k]];
        }
        json.writeStartObject();
        json.writeName("columns");
        json.writeArray(columns, 0, count);
        json.writeName("values");
        json.writeArray(values, 0, count);
        json.writeEndObject();
    }
}
