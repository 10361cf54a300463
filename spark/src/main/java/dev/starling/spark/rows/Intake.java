package dev.starling.spark.rows;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import scala.Tuple2;
import scala.collection.Iterator;

/**
 * How a task takes in the rows of its node.
 *
 * @param <T> what the partition consists of
 */
public interface Intake<T> extends Serializable {

    /** Rows that are about to be taken in. */
    interface Pending {
        /** Whether there is none that counts. */
        boolean isEmpty();

        /**
         * Takes them in.
         *
         * @throws InvalidInputException naming the partition and the row that cannot be used
         */
        Dataset finish();
    }

    /** Looks at a partition. */
    Pending open(int partition, Iterator<T> items);

    /** The partition is the node: its rows, in their order. */
    record Rows(boolean weighted, boolean classification) implements Intake<InternalRow> {
        @Override
        public Pending open(int partition, Iterator<InternalRow> rows) {
            RowPacker packer = new RowPacker(weighted, classification);
            Iterator<InternalRow> counting = rows.filterNot(row -> RowPacker.isWeightless(row, weighted));
            boolean empty = !counting.hasNext();
            return new Pending() {
                @Override
                public boolean isEmpty() {
                    return empty;
                }

                @Override
                public Dataset finish() {
                    try {
                        while (counting.hasNext()) {
                            packer.add(counting.next());
                        }
                    } catch (InvalidInputException e) {
                        throw new InvalidInputException(
                                "partition " + partition + ", row " + (packer.rows() + 1) + ": " + e.getMessage(), e);
                    }
                    return packer.take();
                }
            };
        }
    }

    /** The rows were dealt out to the nodes before: chunks from all partitions, put together in their order. */
    record Chunks(boolean weighted, boolean classification) implements Intake<Tuple2<Integer, byte[]>> {
        @Override
        public Pending open(int partition, Iterator<Tuple2<Integer, byte[]>> chunks) {
            boolean empty = !chunks.hasNext();
            return new Pending() {
                @Override
                public boolean isEmpty() {
                    return empty;
                }

                @Override
                public Dataset finish() {
                    return assemble(chunks);
                }
            };
        }

        private Dataset assemble(Iterator<Tuple2<Integer, byte[]>> chunks) {
            List<Chunk> all = new ArrayList<>();
            while (chunks.hasNext()) {
                all.add(Chunk.decode(chunks.next()._2()));
            }
            all.sort(Comparator.comparingInt(Chunk::source).thenComparingInt(Chunk::sequence));
            RowPacker packer = new RowPacker(weighted, classification);
            for (Chunk chunk : all) {
                if (chunk.objection().isPresent()) {
                    throw new InvalidInputException(chunk.objection().get());
                }
                try {
                    packer.append(chunk.rows());
                } catch (InvalidInputException e) {
                    throw new InvalidInputException("partition " + chunk.source() + ": " + e.getMessage(), e);
                }
            }
            return packer.take();
        }
    }
}
