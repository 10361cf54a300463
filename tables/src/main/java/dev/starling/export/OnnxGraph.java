package dev.starling.export;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A graph of ONNX operators under construction; every value in it is referred to by its name. */
final class OnnxGraph {

    /** Types of tensors, as numbered in onnx.proto. */
    static final int INT64 = 7;

    static final int STRING = 8;
    static final int DOUBLE = 11;

    private static final int IR_VERSION = 8;
    private static final int OPSET = 15;
    private static final int ML_OPSET = 3;
    private static final String ML = "ai.onnx.ml";

    private static final int ATTRIBUTE_INT = 2;
    private static final int ATTRIBUTE_INTS = 7;
    private static final int ATTRIBUTE_STRINGS = 8;

    private final List<Protobuf> nodes = new ArrayList<>();
    private final List<Protobuf> constants = new ArrayList<>();
    private final List<Protobuf> inputs = new ArrayList<>();
    private final List<Protobuf> outputs = new ArrayList<>();
    private final Set<String> taken = new HashSet<>();

    /** Reserves a name for a value, slightly changed if it is taken. */
    private String reserve(String wanted) {
        String name = wanted;
        while (!taken.add(name)) {
            name += "_";
        }
        return name;
    }

    /** Adds an input with one line per row; a name that is not taken yet is used as it is. */
    String input(String name, int type, int columns) {
        String reserved = reserve(name);
        inputs.add(value(reserved, type, columns));
        return reserved;
    }

    /** Makes a value an output of the graph, with the wanted name unless it is taken. */
    void output(String wanted, String value, int type, int columns) {
        String name = reserve(wanted);
        outputs.add(value(name, type, columns));
        nodes.add(node("Identity", List.of(value), name));
    }

    private static Protobuf value(String name, int type, int columns) {
        Protobuf shape = new Protobuf().message(1, new Protobuf().text(2, "rows"));
        if (columns > 0) {
            shape.message(1, new Protobuf().number(1, columns));
        }
        Protobuf tensor = new Protobuf().number(1, type).message(2, shape);
        return new Protobuf().text(1, name).message(2, new Protobuf().message(1, tensor));
    }

    /** Adds a constant matrix. */
    String doubles(double[][] rows) {
        ByteBuffer raw = ByteBuffer.allocate(8 * rows.length * rows[0].length).order(ByteOrder.LITTLE_ENDIAN);
        for (double[] row : rows) {
            for (double value : row) {
                raw.putDouble(value);
            }
        }
        return constant(DOUBLE, raw.array(), rows.length, rows[0].length);
    }

    /** Adds a constant number. */
    String number(double value) {
        return constant(
                DOUBLE,
                ByteBuffer.allocate(8)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putDouble(value)
                        .array());
    }

    /** Adds a constant vector of whole numbers. */
    String wholes(long... values) {
        ByteBuffer raw = ByteBuffer.allocate(8 * values.length).order(ByteOrder.LITTLE_ENDIAN);
        for (long value : values) {
            raw.putLong(value);
        }
        return constant(INT64, raw.array(), values.length);
    }

    /** Adds a constant vector of strings. */
    String strings(List<String> values) {
        String name = reserve("c" + constants.size());
        Protobuf tensor = new Protobuf().number(1, values.size()).number(2, STRING);
        values.forEach(string -> tensor.text(6, string));
        constants.add(tensor.text(8, name));
        return name;
    }

    private String constant(int type, byte[] raw, long... dimensions) {
        String name = reserve("c" + constants.size());
        Protobuf tensor = new Protobuf();
        for (long dimension : dimensions) {
            tensor.number(1, dimension);
        }
        constants.add(tensor.number(2, type).text(8, name).bytes(9, raw));
        return name;
    }

    /** Applies an operator to values and returns the name of the result. */
    String apply(String operator, String... values) {
        return apply(operator, List.of(values));
    }

    /** Applies an operator to values and returns the name of the result. */
    String apply(String operator, List<String> values) {
        String name = reserve("v" + nodes.size());
        nodes.add(node(operator, values, name));
        return name;
    }

    /** Applies an operator with a whole number as an attribute. */
    String apply(String operator, String attribute, long number, String... values) {
        String name = reserve("v" + nodes.size());
        nodes.add(node(operator, List.of(values), name).message(5, attribute(attribute, number)));
        return name;
    }

    String cast(String value, int type) {
        return apply("Cast", "to", type, value);
    }

    /** The index of the greatest value in each row, the first of several. */
    String firstGreatest(String value) {
        String name = reserve("v" + nodes.size());
        nodes.add(node("ArgMax", List.of(value), name)
                .message(5, attribute("axis", 1))
                .message(5, attribute("keepdims", 0)));
        return name;
    }

    /** Maps strings to numbers; strings that are not listed share one. */
    String numbered(String strings, List<String> known, List<Integer> numbers, int others) {
        String name = reserve("v" + nodes.size());
        Protobuf keys = new Protobuf().text(1, "keys_strings");
        known.forEach(string -> keys.bytes(9, string.getBytes(StandardCharsets.UTF_8)));
        Protobuf values = new Protobuf().text(1, "values_int64s");
        numbers.forEach(number -> values.number(8, number));
        nodes.add(node("LabelEncoder", List.of(strings), name)
                .message(5, keys.number(20, ATTRIBUTE_STRINGS))
                .message(5, values.number(20, ATTRIBUTE_INTS))
                .message(5, attribute("default_int64", others))
                .text(7, ML));
        return name;
    }

    private static Protobuf attribute(String name, long number) {
        return new Protobuf().text(1, name).number(3, number).number(20, ATTRIBUTE_INT);
    }

    private static Protobuf node(String operator, List<String> values, String result) {
        Protobuf node = new Protobuf();
        values.forEach(value -> node.text(1, value));
        return node.text(2, result).text(3, operator + " " + result).text(4, operator);
    }

    /** Returns the content of the file. */
    byte[] toBytes(String version, String hash) {
        Protobuf graph = new Protobuf()
                .messages(1, nodes)
                .text(2, "starling")
                .messages(5, constants)
                .messages(11, inputs)
                .messages(12, outputs);
        return new Protobuf()
                .number(1, IR_VERSION)
                .text(2, "starling")
                .text(3, version)
                .message(7, graph)
                .message(8, new Protobuf().text(1, "").number(2, OPSET))
                .message(8, new Protobuf().text(1, ML).number(2, ML_OPSET))
                .message(14, new Protobuf().text(1, "modelHash").text(2, hash))
                .toBytes();
    }
}
