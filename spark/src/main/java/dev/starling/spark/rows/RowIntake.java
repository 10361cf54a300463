package dev.starling.spark.rows;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.data.RowBuffer;
import dev.starling.data.keys.Fingerprint;
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
 * How a task reads the rows of its node.
 *
 * @param <T> the type of the elements of the partition
 */
public interface RowIntake<T> extends Serializable {

    /**
     * Rows that are about to be read.
     *
     * @param isEmpty whether there are no rows that count
     * @param rows reads them; throws an {@link InvalidInputException} that names the partition and the row that cannot
     *     be used
     */
    record Pending(boolean isEmpty, Supplier<Taken> rows) {}

    /**
     * Rows that were read.
     *
     * @param rows the rows of the node
     * @param stretches the fingerprints of rows that came with them, which need not be all of the node's own
     */
    record Taken(NodeRows rows, List<RowStretch> stretches) {}

    /** Opens a partition and finds out whether it has rows. */
    Pending open(int partition, Iterator<T> items);

    /**
     * Reads the rows of the partition itself, in order.
     *
     * @param traced whether their fingerprint is wanted, which takes a while
     */
    record Rows(Packing packing, boolean traced) implements RowIntake<InternalRow> {
        @Override
        public Pending open(int partition, Iterator<InternalRow> rows) {
            java.util.Iterator<NodeRows> parts = packing.parts(partition, CollectionConverters.asJava(rows));
            try {
                return new Pending(!parts.hasNext(), () -> assemble(partition, parts));
            } catch (InvalidInputException e) {
                return new Pending(false, () -> {
                    throw e;
                });
            }
        }

        private Taken assemble(int partition, java.util.Iterator<NodeRows> parts) {
            List<NodeRows> all = new ArrayList<>();
            parts.forEachRemaining(all::add);
            NodeRows rows = all.size() == 1 ? all.get(0) : joined(all);
            if (!traced) {
                return new Taken(rows, List.of());
            }
            Fingerprint.Part fingerprint =
                    Fingerprint.Part.of(rows.data(), 0, rows.data().rows());
            return new Taken(rows, List.of(new RowStretch(partition, 0, fingerprint)));
        }
    }

    /** Concatenates rows with the same features. */
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

    /**
     * Reads chunks that a {@link RowDealing} sent from all partitions, and concatenates them in order.
     *
     * @param together whether rows with the same key come one after another
     */
    record Chunks(boolean together) implements RowIntake<Tuple2<Integer, byte[]>> {
        @Override
        public Pending open(int partition, Iterator<Tuple2<Integer, byte[]>> chunks) {
            return new Pending(!chunks.hasNext(), () -> assemble(chunks));
        }

        private Taken assemble(Iterator<Tuple2<Integer, byte[]>> chunks) {
            List<RowChunk> all = new ArrayList<>();
            while (chunks.hasNext()) {
                all.add(Serialized.value(chunks.next()._2(), RowChunk.class));
            }
            all.sort(Comparator.comparing(RowChunk::stretch, RowStretch.ORDER));
            all.forEach(chunk -> requireFits(chunk, all.get(0)));
            NodeRows rows = joined(all.stream().map(RowChunk::rows).toList());
            return new Taken(
                    together ? NodeRows.dealtByKey(rows.data(), 1, rows.keys()).get(0) : rows,
                    all.stream().map(RowChunk::stretch).toList());
        }

        private static void requireFits(RowChunk chunk, RowChunk first) {
            if (!chunk.objection().isEmpty()) {
                throw new InvalidInputException(chunk.objection());
            }
            try {
                VectorPacking.requireSize(first.data().features(), chunk.data().features());
            } catch (InvalidInputException e) {
                throw new InvalidInputException("partition " + chunk.stretch().partition() + ": " + e.getMessage(), e);
            }
        }
    }
}
