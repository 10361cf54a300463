package dev.starling.table.parquet;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Writes a structure in Thrift's compact protocol, fields in ascending order of their numbers. */
final class ThriftWriter {

    private static final int INT = 5;
    private static final int LONG = 6;
    private static final int TEXT = 8;
    private static final int LIST = 9;
    private static final int STRUCT = 12;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private int last;

    ThriftWriter number(int field, int value) {
        return zigzag(begin(field, INT), value);
    }

    ThriftWriter number(int field, long value) {
        return zigzag(begin(field, LONG), value);
    }

    ThriftWriter text(int field, String value) {
        return begin(field, TEXT).text(value);
    }

    ThriftWriter struct(int field, ThriftWriter value) {
        begin(field, STRUCT).out.writeBytes(value.bytes());
        return this;
    }

    ThriftWriter structs(int field, List<ThriftWriter> values) {
        beginList(field, STRUCT, values.size());
        values.forEach(value -> out.writeBytes(value.bytes()));
        return this;
    }

    ThriftWriter numbers(int field, int... values) {
        beginList(field, INT, values.length);
        for (int value : values) {
            zigzag(this, value);
        }
        return this;
    }

    ThriftWriter texts(int field, String... values) {
        beginList(field, TEXT, values.length);
        for (String value : values) {
            text(value);
        }
        return this;
    }

    /** The structure, which ends with a zero. */
    byte[] bytes() {
        byte[] fields = out.toByteArray();
        byte[] all = new byte[fields.length + 1];
        System.arraycopy(fields, 0, all, 0, fields.length);
        return all;
    }

    private ThriftWriter begin(int field, int type) {
        out.write((field - last) << 4 | type);
        last = field;
        return this;
    }

    private void beginList(int field, int type, int size) {
        begin(field, LIST).out.write(Math.min(size, 15) << 4 | type);
        if (size >= 15) {
            varint(out, size);
        }
    }

    private ThriftWriter text(String value) {
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        varint(out, utf8.length);
        out.writeBytes(utf8);
        return this;
    }

    private static ThriftWriter zigzag(ThriftWriter to, long value) {
        varint(to.out, value << 1 ^ value >> 63);
        return to;
    }

    static void varint(ByteArrayOutputStream out, long value) {
        long rest = value;
        for (; (rest & ~0x7fL) != 0; rest >>>= 7) {
            out.write((int) ((rest & 0x7f) | 0x80));
        }
        out.write((int) rest);
    }
}
