package dev.starling.model;

import dev.starling.certificate.Certificate;
import dev.starling.certificate.Exactness;
import dev.starling.internal.JsonTree;
import dev.starling.network.GraphRecipe;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonEncoding;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;

/** Writes Starling's own model format in a single pass. */
final class JsonModelWriter {

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .enable(StreamWriteFeature.USE_FAST_DOUBLE_WRITER)
            .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
            .build();

    private final JsonGenerator json;

    private JsonModelWriter(JsonGenerator json) {
        this.json = json;
    }

    static void write(LinearModel model, OutputStream out) throws IOException {
        try (JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), out, JsonEncoding.UTF8)) {
            new JsonModelWriter(json).write(model);
            json.writeRaw('\n');
        } catch (JacksonIOException e) {
            throw e.getCause();
        }
    }

    private void write(LinearModel model) {
        json.writeStartObject();
        json.writeStringProperty("format", JsonFormat.FORMAT);
        json.writeNumberProperty(
                "formatVersion", model.recipe().isPresent() ? JsonFormat.VERSION : JsonFormat.VERSION_WITHOUT_RECIPE);
        json.writeStringProperty("loss", model.loss());
        json.writeArrayPropertyStart("classes");
        model.classes().forEach(json::writeNumber);
        json.writeEndArray();
        json.writeNumberProperty("features", model.features());
        strings("names", model.names());
        model.recipe().ifPresent(recipe -> {
            json.writeName("recipe");
            JsonTree.write(json, recipe.toMap());
        });
        training(model.provenance());
        model.inference().ifPresent(known -> {
            json.writeObjectPropertyStart("inference");
            InferenceJson.write(json, known);
            json.writeEndObject();
        });
        json.writeStringProperty("hash", model.hash());
        scores(model);
        if (!model.path().isEmpty()) {
            json.writeArrayPropertyStart("path");
            for (LinearModel one : model.path()) {
                json.writeRaw('\n');
                json.writeStartObject();
                number("lambda", ModelPath.number(one, "lambda"));
                number("l1", ModelPath.number(one, "l1"));
                json.writeStringProperty("method", one.provenance().method());
                certificate(one.provenance());
                json.writeNumberProperty("nonZeros", one.nonZeros());
                scores(one);
                json.writeEndObject();
            }
            json.writeEndArray();
        }
        json.writeEndObject();
    }

    private void scores(LinearModel model) {
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
    }

    private void training(Provenance provenance) {
        json.writeObjectPropertyStart("training");
        json.writeStringProperty("version", provenance.version());
        json.writeObjectPropertyStart("settings");
        provenance.settings().forEach(json::writeStringProperty);
        json.writeEndObject();
        json.writeStringProperty("method", provenance.method());
        graph(provenance.graph());
        number("tau", provenance.delay());
        certificate(provenance);
        rows(provenance.rows());
        json.writeStringProperty("fingerprint", provenance.fingerprint());
        signatures(provenance.signatures());
        provenance.validation().ifPresent(validation -> {
            json.writeObjectPropertyStart("crossValidation");
            ValidationJson.write(json, validation);
            json.writeEndObject();
        });
        evaluations(provenance.evaluations());
        json.writeEndObject();
    }

    private void rows(TrainingRows rows) {
        if (rows.count() > 0) {
            json.writeNumberProperty("rows", rows.count());
        }
        if (!rows.deviations().isEmpty()) {
            json.writeArrayPropertyStart("deviations");
            rows.deviations().forEach(json::writeNumber);
            json.writeEndArray();
        }
    }

    private void evaluations(Map<String, EvaluationRecord> evaluations) {
        if (evaluations.isEmpty()) {
            return;
        }
        json.writeObjectPropertyStart("evaluation");
        evaluations.forEach((by, evaluated) -> {
            json.writeObjectPropertyStart(by);
            json.writeNumberProperty("rows", evaluated.rows());
            number("weight", evaluated.weight());
            if (!evaluated.fingerprint().isEmpty()) {
                json.writeStringProperty("fingerprint", evaluated.fingerprint());
            }
            evaluated.measures().forEach(this::number);
            json.writeEndObject();
        });
        json.writeEndObject();
    }

    private void certificate(Provenance provenance) {
        Certificate certificate = provenance.certificate();
        number("objective", certificate.objective());
        number("dual", certificate.dual());
        number("error", certificate.error());
        if (certificate.scale() != certificate.objective()) {
            number("scale", certificate.scale());
        }
        number("gap", certificate.relativeGap());
        exactness(provenance.exactness());
        json.writeBooleanProperty("certified", provenance.certified());
        json.writeNumberProperty("steps", certificate.steps());
        number("epochs", certificate.epochs());
    }

    private void exactness(Exactness exactness) {
        if (Double.isFinite(exactness.standardErrors())) {
            json.writeNumberProperty("coefficientError", exactness.standardErrors());
        }
        if (!exactness.aliased().isEmpty()) {
            json.writeArrayPropertyStart("aliased");
            exactness.aliased().forEach(json::writeNumber);
            json.writeEndArray();
        }
    }

    private void signatures(Signatures signatures) {
        if (signatures.signers().isEmpty()) {
            return;
        }
        json.writeObjectPropertyStart("signatures");
        json.writeStringProperty("session", signatures.session());
        json.writeStringProperty("history", signatures.history());
        json.writeArrayPropertyStart("sites");
        for (Signatures.Signer signer : signatures.signers()) {
            json.writeStartObject();
            json.writeStringProperty("site", signer.site());
            json.writeStringProperty("chain", signer.chain());
            json.writeStringProperty("signature", signer.signature());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private void graph(GraphRecipe graph) {
        json.writeObjectPropertyStart("graph");
        json.writeStringProperty("description", graph.description());
        json.writeNumberProperty("nodes", graph.nodes());
        if (!graph.topology().isEmpty()) {
            json.writeStringProperty("topology", graph.topology());
            json.writeNumberProperty("seed", graph.seed());
        }
        strings("names", graph.names());
        if (!graph.edges().isEmpty()) {
            edges(graph.edges());
        }
        json.writeEndObject();
    }

    private void edges(List<GraphRecipe.Edge> edges) {
        json.writeArrayPropertyStart("edges");
        for (GraphRecipe.Edge edge : edges) {
            json.writeStartArray();
            json.writeNumber(edge.tail());
            json.writeNumber(edge.head());
            json.writeNumber(edge.weight());
            json.writeEndArray();
        }
        json.writeEndArray();
    }

    /** Writes an array of strings unless it is empty. */
    private void strings(String name, List<String> strings) {
        if (!strings.isEmpty()) {
            json.writeArrayPropertyStart(name);
            strings.forEach(json::writeString);
            json.writeEndArray();
        }
    }

    private void number(String name, double value) {
        if (Double.isFinite(value)) {
            json.writeNumberProperty(name, value);
        } else {
            json.writeNullProperty(name);
        }
    }

    /** Writes all weights or, if at least half of them are zero, only the others with their columns. */
    private void vector(double[] weights) {
        int[] columns = new int[weights.length];
        int count = 0;
        for (int j = 0; j < weights.length; j++) {
            // −0 is written as well, to keep its sign.
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
