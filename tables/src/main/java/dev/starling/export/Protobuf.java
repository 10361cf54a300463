package dev.starling.export;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Writes a message in the wire format of Protocol Buffers, field by field. */
final class Protobuf {

    private static final int VARINT = 0;
    private static final int BYTES = 2;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    /** Adds a whole number, or a member of an enumeration. */
    Protobuf number(int field, long value) {
        tag(field, VARINT);
        varint(value);
        return this;
    }

    Protobuf text(int field, String value) {
        return bytes(field, value.getBytes(StandardCharsets.UTF_8));
    }

    Protobuf message(int field, Protobuf value) {
        return bytes(field, value.toBytes());
    }

    Protobuf messages(int field, List<Protobuf> values) {
        values.forEach(value -> message(field, value));
        return this;
    }

    Protobuf bytes(int field, byte[] value) {
        tag(field, BYTES);
        varint(value.length);
        out.writeBytes(value);
        return this;
    }

    byte[] toBytes() {
        return out.toByteArray();
    }

    private void tag(int field, int type) {
        varint(((long) field << 3) | type);
    }

    private void varint(long value) {
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            out.write((int) ((rest & 0x7f) | 0x80));
            rest >>>= 7;
        }
        out.write((int) rest);
    }
}
