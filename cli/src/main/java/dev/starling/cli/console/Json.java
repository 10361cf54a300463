package dev.starling.cli.console;

import dev.starling.internal.JsonTree;
import java.io.PrintWriter;
import java.io.StringWriter;
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

    /** Writes what goes between the braces. */
    @FunctionalInterface
    public interface Content {
        void write(JsonGenerator json);
    }

    /** Prints an object. */
    public static void print(PrintWriter out, Content content) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), text)) {
            json.writeStartObject();
            content.write(json);
            json.writeEndObject();
        }
        out.println(text);
        out.flush();
    }

    /** Writes a number, or null if it is not finite, because JSON has no infinity. */
    public static void number(JsonGenerator json, String name, double value) {
        JsonTree.value(json, name, value);
    }

    /** Writes a label as users do: whole numbers without a decimal point, others as the shortest decimal. */
    public static void label(JsonGenerator json, double label) {
        json.writeNumber(text(label));
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
