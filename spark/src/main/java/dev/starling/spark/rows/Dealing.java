package dev.starling.spark.rows;

import dev.starling.data.InvalidInputException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.apache.spark.HashPartitioner;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.Function2;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import scala.Tuple2;
import scala.reflect.ClassTag$;

/**
 * Deals rows out to another number of nodes than there are partitions: row r of partition p goes to node (p + r) mod
 * nodes, in chunks of the compact layout. Which row goes where depends on nothing else, so every attempt deals alike,
 * and one partition is dealt out as {@code starling train} deals out a file.
 */
public record Dealing(int nodes, boolean weighted, boolean classification)
        implements Function2<Integer, Iterator<InternalRow>, Iterator<Tuple2<Integer, byte[]>>> {

    private static final int CHUNK_ROWS = 1 << 16;
    private static final int CHUNK_VALUES = 1 << 20;

    /** The chunks, partitioned by node. */
    public RDD<Tuple2<Integer, byte[]>> deal(RDD<InternalRow> rows) {
        JavaRDD<Tuple2<Integer, byte[]>> chunks = JavaRDD.fromRDD(rows, ClassTag$.MODULE$.apply(InternalRow.class))
                .mapPartitionsWithIndex(this, true);
        return JavaPairRDD.fromJavaRDD(chunks)
                .partitionBy(new HashPartitioner(nodes))
                .rdd();
    }

    @Override
    public Iterator<Tuple2<Integer, byte[]>> call(Integer partition, Iterator<InternalRow> rows) {
        return new Dealer(partition, rows);
    }

    /** The chunks of one partition, made as they are asked for. */
    private final class Dealer implements Iterator<Tuple2<Integer, byte[]>> {
        private final int partition;
        private final Iterator<InternalRow> rows;
        private final RowPacker[] packers = new RowPacker[nodes];
        private final int[] sequences = new int[nodes];
        private final Deque<Tuple2<Integer, byte[]>> ready = new ArrayDeque<>();
        private long count;
        private boolean done;

        Dealer(int partition, Iterator<InternalRow> rows) {
            this.partition = partition;
            this.rows = rows;
            for (int node = 0; node < nodes; node++) {
                packers[node] = new RowPacker(weighted, classification);
            }
        }

        @Override
        public boolean hasNext() {
            while (ready.isEmpty() && !done) {
                advance();
            }
            return !ready.isEmpty();
        }

        @Override
        public Tuple2<Integer, byte[]> next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            return ready.removeFirst();
        }

        private void advance() {
            if (!rows.hasNext()) {
                done = true;
                for (int node = 0; node < nodes; node++) {
                    if (packers[node].rows() > 0) {
                        flush(node);
                    }
                }
                return;
            }
            InternalRow row = rows.next();
            if (RowPacker.isWeightless(row, weighted)) {
                return;
            }
            int node = (int) ((partition + count) % nodes);
            count++;
            try {
                packers[node].add(row);
            } catch (InvalidInputException e) {
                done = true;
                String objection = "partition " + partition + ", row " + count + ": " + e.getMessage();
                ready.add(
                        new Tuple2<>(node, Chunk.objecting(partition, objection).encode()));
                return;
            }
            if (packers[node].rows() >= CHUNK_ROWS || packers[node].stored() >= CHUNK_VALUES) {
                flush(node);
            }
        }

        private void flush(int node) {
            Chunk chunk = new Chunk(partition, sequences[node]++, packers[node].take(), Optional.empty());
            ready.add(new Tuple2<>(node, chunk.encode()));
        }
    }
}
