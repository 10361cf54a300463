package dev.starling.serve;

import dev.starling.internal.JsonTree;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Frames as docs/pipe.md describes them, written and read byte by byte and not by the code under test. */
final class Wire {

    /** An answer: its header, with numbers as text, and the bytes of its arrays by name. */
    record Answer(Map<?, ?> header, Map<String, byte[]> arrays) {

        String text(String member) {
            return String.valueOf(header.get(member));
        }

        double[] doubles(String array) {
            double[] values = new double[arrays.get(array).length / 8];
            ByteBuffer.wrap(arrays.get(array))
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .asDoubleBuffer()
                    .get(values);
            return values;
        }
    }

    private Wire() {}

    static byte[] prefix(long header, long arrays) {
        return ByteBuffer.allocate(16)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put("STRL".getBytes(StandardCharsets.US_ASCII))
                .putInt((int) header)
                .putLong(arrays)
                .array();
    }

    /** A frame with the arrays as its header announces them. */
    static byte[] frame(String header, byte[]... arrays) {
        byte[] text = header.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (byte[] array : arrays) {
            body.writeBytes(array);
        }
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        frame.writeBytes(prefix(text.length, body.size()));
        frame.writeBytes(text);
        frame.writeBytes(body.toByteArray());
        return frame.toByteArray();
    }

    static byte[] f64(double... values) {
        ByteBuffer bytes = ByteBuffer.allocate(8 * values.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asDoubleBuffer().put(values);
        return bytes.array();
    }

    static byte[] f32(double... values) {
        ByteBuffer bytes = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
        for (double value : values) {
            bytes.putFloat((float) value);
        }
        return bytes.array();
    }

    static byte[] i32(int... values) {
        ByteBuffer bytes = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asIntBuffer().put(values);
        return bytes.array();
    }

    static Answer read(InputStream stream) throws IOException {
        DataInputStream in = new DataInputStream(stream);
        byte[] prefix = new byte[16];
        in.readFully(prefix);
        ByteBuffer lengths = ByteBuffer.wrap(prefix).order(ByteOrder.LITTLE_ENDIAN);
        if (!new String(prefix, 0, 4, StandardCharsets.US_ASCII).equals("STRL")) {
            throw new IOException("no frame begins here");
        }
        String text = new String(in.readNBytes(lengths.getInt(4)), StandardCharsets.UTF_8);
        Map<?, ?> header = (Map<?, ?>) JsonTree.parse(text);
        Map<String, byte[]> arrays = new LinkedHashMap<>();
        long left = lengths.getLong(8);
        for (Object each : (List<?>) header.get("arrays")) {
            Map<?, ?> array = (Map<?, ?>) each;
            int size = Integer.parseInt((String) array.get("length"))
                    * Map.of("f64", 8, "i32", 4, "u8", 1).get((String) array.get("type"));
            arrays.put((String) array.get("name"), in.readNBytes(size));
            left -= size;
        }
        if (left != 0) {
            throw new IOException(left + " bytes belong to no array");
        }
        return new Answer(header, arrays);
    }
}
