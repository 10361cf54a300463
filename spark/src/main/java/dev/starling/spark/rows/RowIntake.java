package dev.starling.spark.rows;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.data.RowBuffer;
import dev.starling.job.NodeRows;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import org.apache.spark.sql.catalyst.InternalRow;
import scala.Tuple2;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;

/**
 * How a task takes in the rows of its node.
 *
 * @param <T> what the partition consists of
 */
public interface RowIntake<T> extends Serializable {

    /**
     * Rows that are about to be taken in.
     *
     * @param isEmpty whether there is none that counts
     * @param rows takes them in; an {@link InvalidInputException} names the partition and the row that cannot be used
     */
    record Pending(boolean isEmpty, Supplier<NodeRows> rows) {}

    /** Looks at a partition. */
    Pending open(int partition, Iterator<T> items);

    /** The partition is the node: its rows, in their order. */
    record Rows(Packing packing) implements RowIntake<InternalRow> {
        @Override
        public Pending open(int partition, Iterator<InternalRow> rows) {
            java.util.Iterator<NodeRows> parts = packing.parts(partition, CollectionConverters.asJava(rows));
            try {
                return new Pending(!parts.hasNext(), () -> assemble(parts));
            } catch (InvalidInputException e) {
                return new Pending(false, () -> {
                    throw e;
                });
            }
        }

        private static NodeRows assemble(java.util.Iterator<NodeRows> parts) {
            List<NodeRows> all = new ArrayList<>();
            parts.forEachRemaining(all::add);
            return all.size() == 1 ? all.get(0) : joined(all);
        }
    }

    /** Rows of the same features, one after another. */
    private static NodeRows joined(List<NodeRows> parts) {
        List<Dataset> data = parts.stream().map(NodeRows::data).toList();
        RowBuffer buffer = RowBuffer.ofSize(
                data.stream().mapToLong(Dataset::rows).sum(),
                data.stream().mapToLong(Dataset::storedValues).sum());
        data.forEach(buffer::addAll);
        long[] keys =
                parts.stream().map(NodeRows::keys).flatMapToLong(Arrays::stream).toArray();
        return NodeRows.all(buffer.toDataset(data.get(0).features()).wellLaidOut(), keys);
    }

    /** The rows were dealt out to the nodes before: chunks from all partitions, put together in their order. */
    record Chunks() implements RowIntake<Tuple2<Integer, byte[]>> {
        @Override
        public Pending open(int partition, Iterator<Tuple2<Integer, byte[]>> chunks) {
            return new Pending(!chunks.hasNext(), () -> assemble(chunks));
        }

        private static NodeRows assemble(Iterator<Tuple2<Integer, byte[]>> chunks) {
            List<RowChunk> all = new ArrayList<>();
            while (chunks.hasNext()) {
                all.add(RowChunk.decode(chunks.next()._2()));
            }
            all.sort(Comparator.comparingInt(RowChunk::source).thenComparingInt(RowChunk::sequence));
            all.forEach(chunk -> requireFits(chunk, all.get(0)));
            return joined(all.stream().map(RowChunk::rows).toList());
        }

        private static void requireFits(RowChunk chunk, RowChunk first) {
            if (chunk.objection().isPresent()) {
                throw new InvalidInputException(chunk.objection().get());
            }
            try {
                RowPacker.requireSize(
                        first.rows().data().features(), chunk.rows().data().features());
            } catch (InvalidInputException e) {
                throw new InvalidInputException("partition " + chunk.source() + ": " + e.getMessage(), e);
            }
        }
    }
}
