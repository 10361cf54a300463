package dev.starling.spark;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.InternalRow;
import scala.Tuple2;
import scala.collection.Iterator;

/**
 * How a task takes in the rows of its node.
 *
 * @param <T> what the partition consists of
 */
interface Intake<T> extends Serializable {

    /** Rows that are about to be taken in. */
    interface Pending {
        /** Whether there is none that counts. */
        boolean isEmpty();

        /** Takes them in. */
        PackedRows finish();
    }

    /** Looks at a partition. */
    Pending open(int partition, Iterator<T> items);

    /** The partition is the node: its rows, in their order. */
    record Rows(boolean weighted, boolean classification) implements Intake<InternalRow> {
        @Override
        public Pending open(int partition, Iterator<InternalRow> rows) {
            RowPacker packer = new RowPacker(weighted, classification);
            Optional<String> early = addUntil(packer, partition, rows, 1);
            return new Pending() {
                @Override
                public boolean isEmpty() {
                    return packer.rows() == 0 && early.isEmpty();
                }

                @Override
                public PackedRows finish() {
                    Optional<String> objection =
                            early.isPresent() ? early : addUntil(packer, partition, rows, Integer.MAX_VALUE);
                    return new PackedRows(packer.take(), objection);
                }
            };
        }

        private Optional<String> addUntil(RowPacker packer, int partition, Iterator<InternalRow> rows, int enough) {
            try {
                while (packer.rows() < enough && rows.hasNext()) {
                    InternalRow row = rows.next();
                    if (!RowPacker.isWeightless(row, weighted)) {
                        packer.add(row);
                    }
                }
                return Optional.empty();
            } catch (InvalidInputException e) {
                return Optional.of("partition " + partition + ", row " + (packer.rows() + 1) + ": " + e.getMessage());
            }
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
                public PackedRows finish() {
                    return assemble(chunks);
                }
            };
        }

        private PackedRows assemble(Iterator<Tuple2<Integer, byte[]>> chunks) {
            List<Chunk> all = new ArrayList<>();
            while (chunks.hasNext()) {
                all.add(Chunk.decode(chunks.next()._2()));
            }
            all.sort(Comparator.comparingInt(Chunk::source).thenComparingInt(Chunk::sequence));
            RowPacker packer = new RowPacker(weighted, classification);
            for (Chunk chunk : all) {
                if (chunk.objection().isPresent()) {
                    return new PackedRows(packer.take(), chunk.objection());
                }
                Dataset rows = chunk.rows();
                try {
                    packer.append(rows);
                } catch (InvalidInputException e) {
                    return new PackedRows(
                            packer.take(), Optional.of("partition " + chunk.source() + ": " + e.getMessage()));
                }
            }
            return new PackedRows(packer.take(), Optional.empty());
        }
    }
}
