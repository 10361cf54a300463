package dev.starling.model;

import dev.starling.data.InvalidInputException;
import dev.starling.internal.JsonTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * An object of a JSON file, as it is written or read. What has the object lists its members once: a method that is
 * given a value writes it and returns it, or returns what was read, which is the given value if the file has none.
 * Errors name the line of an invalid value; members that nobody asks for are skipped.
 */
record JsonMembers(Map<String, Object> values, String file, int line, boolean reads) {

    /** The member that is not read here, but as nested maps and lists of strings. */
    static final String RECIPE = "recipe";

    /** A string, number, boolean or null that was read, or an array of numbers, with its line. */
    private record Leaf(Object value, String text, int line) {}

    /** An object to be written. */
    static JsonMembers toWrite() {
        return new JsonMembers(new LinkedHashMap<>(), "", 0, false);
    }

    /** Reads the object whose first token is the parser's current one; the file's name is for messages. */
    static JsonMembers read(JsonParser json, String file) {
        Object value = value(json);
        JsonMembers whole =
                new JsonMembers(Map.of(), file, json.currentTokenLocation().getLineNr(), true);
        return whole.within(whole.objectOf("", value));
    }

    private static Object value(JsonParser json) {
        JsonToken token = json.currentToken();
        if (token == JsonToken.START_OBJECT) {
            Map<String, Object> members = new LinkedHashMap<>();
            for (String key = json.nextName(); key != null; key = json.nextName()) {
                json.nextToken();
                members.put(key, key.equals(RECIPE) ? new Leaf(JsonTree.read(json), "", 0) : value(json));
            }
            return members;
        }
        int line = json.currentTokenLocation().getLineNr();
        if (token == JsonToken.START_ARRAY) {
            return array(json, line);
        }
        Object value = token == null || token == JsonToken.VALUE_NULL
                ? null
                : token == JsonToken.VALUE_NUMBER_INT
                        ? (Object) json.getLongValue()
                        : token.isNumeric()
                                ? (Object) json.getDoubleValue()
                                : token.isBoolean() ? (Object) json.getBooleanValue() : json.getString();
        return new Leaf(value, token == null ? "the end" : json.getString(), line);
    }

    /** An array, of which there may be millions of numbers. */
    private static Object array(JsonParser json, int line) {
        double[] numbers = new double[16];
        int count = 0;
        while (json.nextToken() != null && json.currentToken().isNumeric()) {
            if (count == numbers.length) {
                numbers = Arrays.copyOf(numbers, 2 * count);
            }
            numbers[count++] = json.getDoubleValue();
        }
        if (json.currentToken() == JsonToken.END_ARRAY) {
            return new Leaf(Arrays.copyOf(numbers, count), "[", line);
        }
        List<Object> elements = new ArrayList<>();
        for (int k = 0; k < count; k++) {
            elements.add(new Leaf(numbers[k], String.valueOf(numbers[k]), line));
        }
        for (; json.currentToken() != JsonToken.END_ARRAY; json.nextToken()) {
            elements.add(value(json));
        }
        return elements;
    }

    /** Has somebody else read the recipe. */
    <T> T recipe(Function<Map<?, ?>, T> reader) {
        try {
            if (!(values.get(RECIPE) instanceof Leaf leaf && leaf.value() instanceof Map<?, ?> members)) {
                throw new InvalidInputException("a recipe must be an object, in braces");
            }
            return reader.apply(members);
        } catch (InvalidInputException e) {
            throw error(this, e.getMessage());
        }
    }

    /** The names of members that were read or are to be written, but for some. */
    Set<String> namesBeside(Set<String> toBeWritten, String... known) {
        Set<String> names = new LinkedHashSet<>(reads ? values.keySet() : toBeWritten);
        List.of(known).forEach(names::remove);
        return names;
    }

    /** Whether a member that need not be there is: if it was read, or should be written. */
    boolean has(String name, boolean toBeWritten) {
        return reads ? values.containsKey(name) : toBeWritten;
    }

    /** Writes a value of any kind that {@link dev.starling.internal.JsonTree} can write. */
    void put(String name, Object value) {
        values.put(name, value);
    }

    String text(String name, String value) {
        return member(name, value, true, found -> typed(name, found, String.class, "a string"));
    }

    boolean truth(String name, boolean value) {
        return member(name, value, true, found -> typed(name, found, Boolean.class, "true or false"));
    }

    long whole(String name, long value) {
        return member(name, value, true, found -> typed(name, found, Long.class, "a whole number"));
    }

    int count(String name, int value) {
        long whole = whole(name, value);
        if (reads && (whole < 0 || whole > Integer.MAX_VALUE - 8)) {
            throw error(values.get(name), found(name, values.get(name)) + " must be a whole number, 0 or more");
        }
        return (int) whole;
    }

    /** Writes a member, unless it is to be left out, or reads the one that the file has. */
    private <T> T member(String name, T value, boolean isWritten, Function<Object, T> reader) {
        if (reads) {
            return values.containsKey(name) ? reader.apply(values.get(name)) : value;
        }
        if (isWritten) {
            values.put(name, value);
        }
        return value;
    }

    private <T> T typed(String name, Object found, Class<T> type, String what) {
        if (found instanceof Leaf leaf && type.isInstance(leaf.value())) {
            return type.cast(leaf.value());
        }
        throw error(found, found(name, found) + " must be " + what);
    }

    /** A number; null stands for one that is not finite, which is the given one unless another is named. */
    double number(String name, double value) {
        return number(name, value, value);
    }

    double number(String name, double value, double orNull) {
        return member(name, value, true, found -> numberOf(name, found, orNull));
    }

    private double numberOf(String name, Object found, double orNull) {
        if (found instanceof Leaf leaf && leaf.value() == null) {
            return orNull;
        }
        if (found instanceof Leaf leaf
                && leaf.value() instanceof Number number
                && Double.isFinite(number.doubleValue())) {
            return number.doubleValue();
        }
        throw error(found, found(name, found) + " must be a finite number");
    }

    /** Numbers, of which none may be null. */
    double[] numbers(String name, double[] value) {
        return numbers(name, value, Double.NaN);
    }

    double[] numbers(String name, double[] value, double orNull) {
        return member(name, value, true, found -> numbersOf(name, found, orNull));
    }

    private double[] numbersOf(String name, Object found, double orNull) {
        double[] numbers = found instanceof Leaf leaf && leaf.value() instanceof double[] read
                ? read
                : elements(name, found).stream()
                        .mapToDouble(element -> numberOf("", element, orNull))
                        .toArray();
        for (double number : numbers) {
            if (Double.isNaN(number) || (Double.isInfinite(number) && number != orNull)) {
                throw error(found, found(name, found) + " must have finite numbers");
            }
        }
        return numbers;
    }

    /** Numbers that are not written if there are none. */
    List<Double> someNumbers(String name, List<Double> value) {
        return member(name, value, !value.isEmpty(), found -> boxed(numbersOf(name, found, Double.NaN)));
    }

    static List<Double> boxed(double[] numbers) {
        return Arrays.stream(numbers).boxed().toList();
    }

    /** Whole numbers that are not written if there are none. */
    List<Integer> counts(String name, List<Integer> value) {
        return member(
                name,
                value,
                !value.isEmpty(),
                found -> Arrays.stream(numbersOf(name, found, Double.NaN))
                        .mapToObj(number -> {
                            require(
                                    number >= 0 && number == (int) number,
                                    "\"" + name + "\": '" + number + "' must be a whole number, 0 or more");
                            return (int) number;
                        })
                        .toList());
    }

    /** Strings that are not written if there are none. */
    List<String> texts(String name, List<String> value) {
        return member(
                name,
                value,
                !value.isEmpty(),
                found -> elements(name, found).stream()
                        .map(element -> typed("", element, String.class, "a string"))
                        .toList());
    }

    /** An object within this one. */
    <T> T object(String name, T value, BiFunction<JsonMembers, T, T> members) {
        if (reads) {
            return member(name, value, true, found -> members.apply(within(objectOf(name, found)), value));
        }
        JsonMembers written = toWrite();
        values.put(name, written.values);
        return members.apply(written, value);
    }

    /** An array of objects; a blank one has what is not in the file. */
    <T> List<T> objects(String name, List<T> value, T blank, BiFunction<JsonMembers, T, T> members) {
        if (reads) {
            return listOf(name, one -> members.apply(one, blank));
        }
        List<T> result = new ArrayList<>();
        List<Object> written = new ArrayList<>();
        for (T each : value) {
            JsonMembers one = toWrite();
            result.add(members.apply(one, each));
            written.add(one.values);
        }
        values.put(name, written);
        return result;
    }

    /** A dense vector of so many numbers for each element, or the columns and values of those that are not 0. */
    List<double[]> vectors(String name, int features) {
        List<double[]> vectors = new ArrayList<>();
        Object found = values.get(name);
        for (Object element : elements(name, found)) {
            vectors.add(
                    element instanceof Map<?, ?>
                            ? within(objectOf("", element)).sparse(features)
                            : numbersOf("", element, Double.NaN));
        }
        return vectors;
    }

    private double[] sparse(int features) {
        double[] columns = numbers("columns", new double[0]);
        double[] numbers = numbers("values", new double[0]);
        require(
                has("columns", false) && has("values", false) && columns.length == numbers.length,
                "a sparse vector needs \"columns\" and as many \"values\"");
        double[] vector = new double[features];
        for (int k = 0; k < columns.length; k++) {
            require(
                    columns[k] >= 0 && columns[k] < features && columns[k] == Math.rint(columns[k]),
                    "column " + columns[k] + " must be between 0 and " + (features - 1));
            vector[(int) columns[k]] = numbers[k];
        }
        return vector;
    }

    /** Elements of an array of objects that was read. */
    <T> List<T> listOf(String name, Function<JsonMembers, T> read) {
        return elements(name, values.get(name)).stream()
                .map(element -> read.apply(within(objectOf("", element))))
                .toList();
    }

    /** An object that was read. */
    JsonMembers within(String name) {
        return within(objectOf(name, values.get(name)));
    }

    private JsonMembers within(Map<String, Object> members) {
        return new JsonMembers(members, file, line, true);
    }

    @SuppressWarnings("unchecked")
    private Map<String, Object> objectOf(String name, Object found) {
        if (!(found instanceof Map<?, ?>)) {
            throw error(found, found(name, found) + " must be an object");
        }
        return (Map<String, Object>) found;
    }

    private List<?> elements(String name, Object found) {
        if (found == null) {
            return List.of();
        }
        if (found instanceof Leaf leaf && leaf.value() instanceof double[] numbers) {
            return Arrays.stream(numbers)
                    .mapToObj(number -> new Leaf(number, String.valueOf(number), leaf.line()))
                    .toList();
        }
        if (!(found instanceof List<?> list)) {
            throw error(found, found(name, found) + " must be an array");
        }
        return list;
    }

    private static String found(String name, Object found) {
        String text = found instanceof Leaf leaf ? String.valueOf(leaf.text()) : found instanceof Map<?, ?> ? "{" : "[";
        String member = name.isEmpty() ? "" : "\"" + name + "\": ";
        return member + "'" + (text.length() > 40 ? text.substring(0, 40) + "…" : text) + "'";
    }

    /** Refuses what was read unless something holds. */
    void require(boolean holds, String problem) {
        if (reads && !holds) {
            throw error(this, problem);
        }
    }

    private InvalidInputException error(Object at, String problem) {
        return new InvalidInputException(
                file + ", line " + (at instanceof Leaf leaf ? leaf.line() : line) + ": " + problem);
    }
}
