package dev.starling.cli.console;

import dev.starling.internal.JsonObject;
import dev.starling.internal.JsonTree;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.io.NumberOutput;
import tools.jackson.core.json.JsonFactory;

/** One JSON object on one line of a command's output, and numbers as text. */
public final class Json {

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .enable(StreamWriteFeature.USE_FAST_DOUBLE_WRITER)
            .build();

    private static final double LARGEST_EXACT_INTEGER = 1L << 53;

    private Json() {}

    /** Prints an object. */
    public static void print(PrintWriter out, Consumer<JsonObject> content) {
        out.println(text(content));
    }

    /** An object as text. */
    public static String text(Consumer<JsonObject> content) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), text)) {
            JsonTree.write(json, JsonObject.of(content));
        }
        return text.toString();
    }

    /** A label as users write it: whole numbers have no decimal point. */
    public static Number label(double label) {
        return label == (long) label ? (Number) (long) label : (Number) label;
    }

    /**
     * Returns the shortest decimal that reads back as the same number, the same on every JDK; whole numbers have no
     * decimal point.
     */
    public static String text(double value) {
        return value == Math.rint(value) && Math.abs(value) < LARGEST_EXACT_INTEGER
                ? Long.toString((long) value)
                : NumberOutput.toString(value, true).replace(".0E", "e").replace('E', 'e');
    }
}
