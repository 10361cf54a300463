package dev.starling.table.parquet;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads structures in Thrift's compact protocol, in which a Parquet file describes itself: fields by number, whose
 * values are {@code Long}, {@code Boolean}, {@code byte[]}, {@code List} or structures.
 */
final class Thrift {

    private static final int TRUE = 1;
    private static final int FALSE = 2;
    private static final int BYTE = 3;
    private static final int DOUBLE = 7;
    private static final int BINARY = 8;
    private static final int LIST = 9;
    private static final int SET = 10;
    private static final int MAP = 11;
    private static final int STRUCT = 12;
    private static final int DEEPEST = 16;

    /** A structure: its fields by number. */
    static final class Struct {
        private final Map<Integer, Object> fields = new HashMap<>();

        boolean has(int field) {
            return fields.containsKey(field);
        }

        long number(int field, long otherwise) {
            return fields.get(field) instanceof Long value ? value : otherwise;
        }

        long number(int field) {
            if (fields.get(field) instanceof Long value) {
                return value;
            }
            throw new CorruptException("field " + field + " is not a number");
        }

        boolean bool(int field, boolean otherwise) {
            return fields.get(field) instanceof Boolean value ? value : otherwise;
        }

        String text(int field) {
            return fields.get(field) instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : "";
        }

        Struct struct(int field) {
            if (fields.get(field) instanceof Struct value) {
                return value;
            }
            throw new CorruptException("field " + field + " is not a structure");
        }

        List<Struct> structs(int field) {
            List<Struct> all = new ArrayList<>();
            if (fields.get(field) instanceof List<?> list) {
                for (Object one : list) {
                    if (!(one instanceof Struct struct)) {
                        throw new CorruptException("field " + field + " is not a list of structures");
                    }
                    all.add(struct);
                }
            }
            return all;
        }
    }

    private final Bytes bytes;

    Thrift(Bytes bytes) {
        this.bytes = bytes;
    }

    /** Reads a structure. */
    Struct struct() {
        return struct(0);
    }

    private Struct struct(int depth) {
        if (depth > DEEPEST) {
            throw new CorruptException("structures within structures, too deep");
        }
        Struct struct = new Struct();
        int field = 0;
        while (true) {
            int header = bytes.next();
            if (header == 0) {
                return struct;
            }
            int type = header & 0xf;
            field = header >>> 4 == 0 ? (int) zigzag() : field + (header >>> 4);
            struct.fields.put(
                    field, type == TRUE || type == FALSE ? Boolean.valueOf(type == TRUE) : value(type, depth));
        }
    }

    private Object value(int type, int depth) {
        return switch (type) {
            case TRUE, FALSE -> bytes.next() == TRUE;
            case BYTE -> (long) (byte) bytes.next();
            case DOUBLE -> bytes.fixed(Double.BYTES);
            case BINARY -> bytes.take(bytes.length());
            case LIST, SET -> list(depth);
            case MAP -> throw new CorruptException("a map, which Parquet does not use");
            case STRUCT -> struct(depth + 1);
            case 4, 5, 6 -> zigzag();
            default -> throw new CorruptException("a value of type " + type);
        };
    }

    private List<Object> list(int depth) {
        int header = bytes.next();
        int size = header >>> 4 == 15 ? bytes.length() : header >>> 4;
        List<Object> list = new ArrayList<>();
        for (int k = 0; k < size; k++) {
            list.add(value(header & 0xf, depth + 1));
        }
        return list;
    }

    private long zigzag() {
        long value = bytes.varint();
        return (value >>> 1) ^ -(value & 1);
    }
}
