package dev.starling.internal;

import java.io.StringWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.DefaultPrettyPrinter;

/** Converts between JSON and nested maps and lists. Booleans and numbers are read as strings. */
public final class JsonTree {

    private static final JsonFactory FACTORY = JsonFactory.builder().build();
    private static final ObjectWriteContext PRETTY = new ObjectWriteContext.Base() {
        @Override
        public PrettyPrinter getPrettyPrinter() {
            return new DefaultPrettyPrinter();
        }
    };

    /** A value on a line of its own, which is made when it is written. */
    public record OwnLine(Supplier<?> value) {}

    private JsonTree() {}

    /** A value on one line. */
    public static String text(Object value) {
        return text(value, ObjectWriteContext.empty());
    }

    /** A value on many lines, for people to edit. */
    public static String indented(Object value) {
        return text(value, PRETTY) + "\n";
    }

    private static String text(Object value, ObjectWriteContext context) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(context, text)) {
            write(json, value);
        }
        return text.toString();
    }

    /**
     * Reads a text that holds one value.
     *
     * @throws IllegalArgumentException if it is not JSON, or holds more; the message says where
     */
    public static Object parse(String text) {
        try (JsonParser json = FACTORY.createParser(ObjectReadContext.empty(), text)) {
            json.nextToken();
            Object value = read(json);
            if (json.nextToken() != null) {
                throw new IllegalArgumentException(
                        "line " + json.currentLocation().getLineNr() + ": more follows after the end; remove it");
            }
            return value;
        } catch (JacksonException e) {
            // What is nested too deeply is at no line.
            String line =
                    e.getLocation() == null ? "" : "line " + e.getLocation().getLineNr() + ": ";
            throw new IllegalArgumentException(line + "this is not JSON; check quotes and commas", e);
        }
    }

    /** Reads the value whose first token is the parser's current one. */
    public static Object read(JsonParser json) {
        if (json.currentToken() == JsonToken.START_OBJECT) {
            Map<String, Object> map = new LinkedHashMap<>();
            for (String key = json.nextName(); key != null; key = json.nextName()) {
                json.nextToken();
                map.put(key, read(json));
            }
            return map;
        }
        if (json.currentToken() == JsonToken.START_ARRAY) {
            List<Object> list = new ArrayList<>();
            while (json.nextToken() != JsonToken.END_ARRAY) {
                list.add(read(json));
            }
            return list;
        }
        return String.valueOf(json.getString());
    }

    /**
     * Writes nested maps and lists of strings, booleans, numbers and null; a number that is not finite becomes null.
     */
    public static void write(JsonGenerator json, Object value) {
        if (value instanceof Map<?, ?> map) {
            json.writeStartObject();
            map.forEach((key, member) -> {
                json.writeName(key.toString());
                write(json, member);
            });
            json.writeEndObject();
        } else if (value instanceof List<?> list) {
            json.writeStartArray();
            list.forEach(element -> write(json, element));
            json.writeEndArray();
        } else if (value instanceof OwnLine line) {
            json.writeRaw('\n');
            write(json, line.value().get());
        } else if (value instanceof double[] numbers) {
            json.writeArray(numbers, 0, numbers.length);
        } else if (value instanceof int[] numbers) {
            json.writeArray(numbers, 0, numbers.length);
        } else if (value instanceof long[] numbers) {
            json.writeArray(numbers, 0, numbers.length);
        } else if (value == null) {
            json.writeNull();
        } else if (value instanceof Boolean bool) {
            json.writeBoolean(bool);
        } else if (value instanceof Integer || value instanceof Long) {
            json.writeNumber(((Number) value).longValue());
        } else if (value instanceof Double number) {
            if (Double.isFinite(number)) {
                json.writeNumber(number);
            } else {
                json.writeNull();
            }
        } else {
            json.writeString(value.toString());
        }
    }
}
