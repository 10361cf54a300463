package dev.starling.model;

import dev.starling.data.InvalidInputException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** Reads the values of a JSON file one after another; errors name the line of an invalid value. */
final class JsonValues {

    private final JsonParser json;
    private final String name;

    /**
     * Creates a reader.
     *
     * @param name the name of the file, for error messages
     */
    JsonValues(JsonParser json, String name) {
        this.json = json;
        this.name = name;
    }

    /** Whether the current value is a string. */
    boolean isString() {
        return json.currentToken() == JsonToken.VALUE_STRING;
    }

    /** Whether the current value is an array. */
    boolean isArray() {
        return json.currentToken() == JsonToken.START_ARRAY;
    }

    /** The current value as text, as it is written in the file. */
    String text() {
        return json.getString();
    }

    /** Skips the current value. */
    void skip() {
        json.skipChildren();
    }

    List<String> strings() {
        List<String> result = new ArrayList<>();
        elements(() -> result.add(string()));
        return result;
    }

    double[] numbers(int expected) {
        double[] result = new double[Math.max(16, expected)];
        int count = 0;
        expect(JsonToken.START_ARRAY, "an array");
        while (json.nextToken() != JsonToken.END_ARRAY) {
            if (count == result.length) {
                result = Arrays.copyOf(result, 2 * count);
            }
            result[count++] = number();
        }
        return Arrays.copyOf(result, count);
    }

    /** Reads the value of a member of an object. */
    @FunctionalInterface
    interface Member {
        void read(String name);
    }

    /**
     * Reads an object, whose opening brace is the current token; {@code member} is called at the first token of each
     * value.
     */
    void members(Member member) {
        expect(JsonToken.START_OBJECT, "an object");
        for (String key = json.nextName(); key != null; key = json.nextName()) {
            json.nextToken();
            member.read(key);
        }
    }

    /**
     * Reads an array, whose opening bracket is the current token; {@code element} is called at the first token of each
     * element.
     */
    void elements(Runnable element) {
        expect(JsonToken.START_ARRAY, "an array");
        while (json.nextToken() != JsonToken.END_ARRAY) {
            element.run();
        }
    }

    double number() {
        // There may be millions of numbers, so the message is only made when it is needed.
        boolean numeric = json.currentToken() != null && json.currentToken().isNumeric();
        double value = numeric ? json.getDoubleValue() : Double.NaN;
        if (!Double.isFinite(value)) {
            throw error(found() + " must be a finite number");
        }
        return value;
    }

    double number(double orNull) {
        return json.currentToken() == JsonToken.VALUE_NULL ? orNull : number();
    }

    int integer() {
        long value = whole();
        require(value >= 0 && value <= Integer.MAX_VALUE - 8, found() + " must be a whole number, 0 or more");
        return (int) value;
    }

    long whole() {
        expect(JsonToken.VALUE_NUMBER_INT, "a whole number");
        return json.getLongValue();
    }

    boolean bool() {
        require(json.currentToken() != null && json.currentToken().isBoolean(), found() + " must be true or false");
        return json.getBooleanValue();
    }

    String string() {
        expect(JsonToken.VALUE_STRING, "a string");
        return json.getString();
    }

    void expect(JsonToken token, String what) {
        require(json.currentToken() == token, found() + " must be " + what);
    }

    String found() {
        String text = String.valueOf(json.currentToken() == null ? "the end" : json.getString());
        String member = json.currentName() == null ? "" : "\"" + json.currentName() + "\": ";
        return member + "'" + (text.length() > 40 ? text.substring(0, 40) + "…" : text) + "'";
    }

    void require(boolean holds, String problem) {
        if (!holds) {
            throw error(problem);
        }
    }

    InvalidInputException error(String problem) {
        return new InvalidInputException(
                name + ", line " + json.currentTokenLocation().getLineNr() + ": " + problem);
    }
}
