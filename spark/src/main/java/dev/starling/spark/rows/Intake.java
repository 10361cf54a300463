package dev.starling.spark.rows;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.data.RowBuffer;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import org.apache.spark.sql.catalyst.InternalRow;
import scala.Tuple2;
import scala.collection.Iterator;

/**
 * How a task takes in the rows of its node.
 *
 * @param <T> what the partition consists of
 */
public interface Intake<T> extends Serializable {

    /**
     * Rows that are about to be taken in.
     *
     * @param isEmpty whether there is none that counts
     * @param rows takes them in; an {@link InvalidInputException} names the partition and the row that cannot be used
     */
    record Pending(boolean isEmpty, Supplier<Dataset> rows) {}

    /** Looks at a partition. */
    Pending open(int partition, Iterator<T> items);

    /** The partition is the node: its rows, in their order. */
    record Rows(boolean weighted, boolean classification) implements Intake<InternalRow> {
        @Override
        public Pending open(int partition, Iterator<InternalRow> rows) {
            Iterator<InternalRow> counting = rows.filterNot(row -> RowPacker.isWeightless(row, weighted));
            return new Pending(!counting.hasNext(), () -> pack(partition, counting));
        }

        private Dataset pack(int partition, Iterator<InternalRow> rows) {
            RowPacker packer = new RowPacker(weighted, classification);
            try {
                while (rows.hasNext()) {
                    packer.add(rows.next());
                }
            } catch (InvalidInputException e) {
                throw new InvalidInputException(
                        "partition " + partition + ", row " + (packer.rows() + 1) + ": " + e.getMessage(), e);
            }
            return packer.take();
        }
    }

    /** The rows were dealt out to the nodes before: chunks from all partitions, put together in their order. */
    record Chunks() implements Intake<Tuple2<Integer, byte[]>> {
        @Override
        public Pending open(int partition, Iterator<Tuple2<Integer, byte[]>> chunks) {
            return new Pending(!chunks.hasNext(), () -> assemble(chunks));
        }

        private static Dataset assemble(Iterator<Tuple2<Integer, byte[]>> chunks) {
            List<Chunk> all = new ArrayList<>();
            while (chunks.hasNext()) {
                all.add(Chunk.decode(chunks.next()._2()));
            }
            all.sort(Comparator.comparingInt(Chunk::source).thenComparingInt(Chunk::sequence));
            long rows = 0;
            long stored = 0;
            for (Chunk chunk : all) {
                requireFits(chunk, all.get(0));
                rows += chunk.rows().rows();
                stored += chunk.rows().storedValues();
            }
            RowBuffer buffer = RowBuffer.ofSize(rows, stored);
            all.forEach(chunk -> buffer.addAll(chunk.rows()));
            return buffer.toDataset(all.get(0).rows().features()).wellLaidOut();
        }

        private static void requireFits(Chunk chunk, Chunk first) {
            if (chunk.objection().isPresent()) {
                throw new InvalidInputException(chunk.objection().get());
            }
            try {
                RowPacker.requireSize(first.rows().features(), chunk.rows().features());
            } catch (InvalidInputException e) {
                throw new InvalidInputException("partition " + chunk.source() + ": " + e.getMessage(), e);
            }
        }
    }
}
