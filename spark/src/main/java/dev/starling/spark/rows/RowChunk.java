package dev.starling.spark.rows;

import dev.starling.data.Dataset;
import dev.starling.data.RowKeys;
import dev.starling.job.NodeRows;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * A chunk of rows in compact form, on its way from the partition in which it was read to its node.
 *
 * @param source the partition in which the rows were read
 * @param sequence the position of the chunk among those that this partition sends to the node
 * @param rows the rows
 * @param objection what is wrong with the rows, if anything
 */
record RowChunk(int source, int sequence, NodeRows rows, Optional<String> objection) {

    private static final NodeRows NO_ROWS = NodeRows.all(Dataset.dense(0, new float[0], new double[0]));
    private static final int HEADER = 7 * Integer.BYTES;
    private static final int DENSE = 1;
    private static final int WEIGHTED = 2;
    private static final int KEYED = 4;
    private static final int SHIFTED = 8;
    private static final int FOLDED = 16;

    /** Creates a chunk without rows that reports what is wrong. */
    static RowChunk objecting(int source, String objection) {
        return new RowChunk(source, 0, NO_ROWS, Optional.of(objection));
    }

    byte[] encode() {
        Dataset data = rows.data();
        byte[] text = objection.orElse("").getBytes(StandardCharsets.UTF_8);
        int flags = flags();
        int count = data.rows();
        int stored = Math.toIntExact(data.storedValues());
        int perValue = data.isDense() ? Float.BYTES : Float.BYTES + Integer.BYTES;
        int perRow = Double.BYTES
                + (data.isDense() ? 0 : Integer.BYTES)
                + Long.BYTES * Integer.bitCount(flags & (WEIGHTED | SHIFTED | KEYED | FOLDED));
        ByteBuffer out = ByteBuffer.allocate(HEADER + text.length + count * perRow + stored * perValue);
        out.putInt(source).putInt(sequence).putInt(text.length);
        out.putInt(count).putInt(stored).putInt(data.features()).putInt(flags);
        out.put(text);
        for (int i = 0; i < count; i++) {
            out.putDouble(data.label(i));
            if (data.isWeighted()) {
                out.putDouble(data.weight(i));
            }
            if (data.hasOffsets()) {
                out.putDouble(data.offset(i));
            }
            if (!data.isDense()) {
                out.putInt(data.end(i));
            }
            if (data.isKeyed()) {
                out.putLong(RowKeys.ofContent(data, i));
            }
            if (rows.keys().length > 0) {
                out.putLong(rows.keys()[i]);
            }
        }
        out.asFloatBuffer().put(data.values(), 0, stored);
        out.position(out.position() + stored * Float.BYTES);
        if (!data.isDense()) {
            out.asIntBuffer().put(data.columns(), 0, stored);
        }
        return out.array();
    }

    private int flags() {
        Dataset data = rows.data();
        return (data.isDense() ? DENSE : 0)
                + (data.isWeighted() ? WEIGHTED : 0)
                + (data.isKeyed() ? KEYED : 0)
                + (data.hasOffsets() ? SHIFTED : 0)
                + (rows.keys().length > 0 ? FOLDED : 0);
    }

    static RowChunk decode(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        int source = in.getInt();
        int sequence = in.getInt();
        byte[] text = new byte[in.getInt()];
        int count = in.getInt();
        int stored = in.getInt();
        int features = in.getInt();
        int flags = in.getInt();
        in.get(text);
        if (text.length > 0) {
            return objecting(source, new String(text, StandardCharsets.UTF_8));
        }
        return new RowChunk(source, sequence, rows(in, count, stored, features, flags), Optional.empty());
    }

    private static NodeRows rows(ByteBuffer in, int count, int stored, int features, int flags) {
        boolean dense = (flags & DENSE) != 0;
        boolean weighted = (flags & WEIGHTED) != 0;
        boolean keyed = (flags & KEYED) != 0;
        boolean shifted = (flags & SHIFTED) != 0;
        boolean folded = (flags & FOLDED) != 0;
        double[] labels = new double[count];
        double[] weights = new double[weighted ? count : 0];
        double[] shifts = new double[shifted ? count : 0];
        long[] keys = new long[keyed ? count : 0];
        long[] folds = new long[folded ? count : 0];
        int[] offsets = new int[count + 1];
        for (int i = 0; i < count; i++) {
            labels[i] = in.getDouble();
            if (weighted) {
                weights[i] = in.getDouble();
            }
            if (shifted) {
                shifts[i] = in.getDouble();
            }
            if (!dense) {
                offsets[i + 1] = in.getInt();
            }
            if (keyed) {
                keys[i] = in.getLong();
            }
            if (folded) {
                folds[i] = in.getLong();
            }
        }
        float[] values = new float[stored];
        in.asFloatBuffer().get(values);
        in.position(in.position() + stored * Float.BYTES);
        int[] columns = new int[dense ? 0 : stored];
        in.asIntBuffer().get(columns);
        Dataset data = dense
                ? Dataset.dense(features, values, labels)
                : Dataset.sparse(features, offsets, columns, values, labels);
        data = weighted ? data.withWeights(weights) : data;
        data = shifted ? data.withOffsets(shifts) : data;
        data = keyed ? data.withKeys(keys) : data;
        return NodeRows.all(data, folds);
    }
}
