package dev.starling.spark.rows;

import dev.starling.data.Dataset;
import dev.starling.data.RowKeys;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Some rows on their way from the partition they were read in to the node that gets them, compact.
 *
 * @param source the partition they were read in
 * @param sequence their place among what that partition gave to the node
 * @param rows the rows
 * @param objection what is wrong with them, if something is
 */
record Chunk(int source, int sequence, Dataset rows, Optional<String> objection) {

    private static final Dataset NO_ROWS = Dataset.dense(0, new float[0], new double[0]);
    private static final int HEADER = 7 * Integer.BYTES;
    private static final int DENSE = 1;
    private static final int WEIGHTED = 2;
    private static final int KEYED = 4;

    /** A chunk that says what is wrong. */
    static Chunk objecting(int source, String objection) {
        return new Chunk(source, 0, NO_ROWS, Optional.of(objection));
    }

    byte[] encode() {
        byte[] words = objection.orElse("").getBytes(StandardCharsets.UTF_8);
        int count = rows.rows();
        int stored = Math.toIntExact(rows.storedValues());
        int perValue = rows.isDense() ? Float.BYTES : Float.BYTES + Integer.BYTES;
        int perRow = Double.BYTES * (rows.isWeighted() ? 2 : 1)
                + (rows.isDense() ? 0 : Integer.BYTES)
                + (rows.isKeyed() ? Long.BYTES : 0);
        ByteBuffer out = ByteBuffer.allocate(HEADER + words.length + count * perRow + stored * perValue);
        out.putInt(source).putInt(sequence).putInt(words.length);
        out.putInt(count).putInt(stored).putInt(rows.features());
        out.putInt((rows.isDense() ? DENSE : 0) + (rows.isWeighted() ? WEIGHTED : 0) + (rows.isKeyed() ? KEYED : 0));
        out.put(words);
        for (int i = 0; i < count; i++) {
            out.putDouble(rows.label(i));
            if (rows.isWeighted()) {
                out.putDouble(rows.weight(i));
            }
            if (!rows.isDense()) {
                out.putInt(rows.end(i));
            }
            if (rows.isKeyed()) {
                out.putLong(RowKeys.ofContent(rows, i));
            }
        }
        out.asFloatBuffer().put(rows.values(), 0, stored);
        out.position(out.position() + stored * Float.BYTES);
        if (!rows.isDense()) {
            out.asIntBuffer().put(rows.columns(), 0, stored);
        }
        return out.array();
    }

    static Chunk decode(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        int source = in.getInt();
        int sequence = in.getInt();
        byte[] words = new byte[in.getInt()];
        int count = in.getInt();
        int stored = in.getInt();
        int features = in.getInt();
        int flags = in.getInt();
        in.get(words);
        if (words.length > 0) {
            return objecting(source, new String(words, StandardCharsets.UTF_8));
        }
        return new Chunk(source, sequence, rows(in, count, stored, features, flags), Optional.empty());
    }

    private static Dataset rows(ByteBuffer in, int count, int stored, int features, int flags) {
        boolean dense = (flags & DENSE) != 0;
        boolean weighted = (flags & WEIGHTED) != 0;
        boolean keyed = (flags & KEYED) != 0;
        double[] labels = new double[count];
        double[] weights = new double[weighted ? count : 0];
        long[] keys = new long[keyed ? count : 0];
        int[] offsets = new int[count + 1];
        for (int i = 0; i < count; i++) {
            labels[i] = in.getDouble();
            if (weighted) {
                weights[i] = in.getDouble();
            }
            if (!dense) {
                offsets[i + 1] = in.getInt();
            }
            if (keyed) {
                keys[i] = in.getLong();
            }
        }
        float[] values = new float[stored];
        in.asFloatBuffer().get(values);
        in.position(in.position() + stored * Float.BYTES);
        int[] columns = new int[dense ? 0 : stored];
        in.asIntBuffer().get(columns);
        Dataset bare = dense
                ? Dataset.dense(features, values, labels)
                : Dataset.sparse(features, offsets, columns, values, labels);
        Dataset rows = weighted ? bare.withWeights(weights) : bare;
        return keyed ? rows.withKeys(keys) : rows;
    }
}
