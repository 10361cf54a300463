package dev.starling.spark.rows;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.data.RowBuffer;
import dev.starling.data.keys.Fingerprint;
import dev.starling.job.NodeRows;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.Function2;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import scala.Tuple2;
import scala.reflect.ClassTag$;

/**
 * Distributes rows among nodes when their number differs from that of partitions: row r of partition p, counting only
 * rows that count, goes to node (p + r) mod nodes, in chunks of the compact layout. This depends on nothing else, so
 * every attempt distributes rows in the same way, and the rows of a single partition are distributed as {@code starling
 * train} distributes those of a file. Rows that belong together go to the same node instead, by their keys.
 *
 * @param places the node of each key; empty if rows take turns
 */
public record RowDealing(int nodes, Packing packing, HashMap<Long, Integer> places)
        implements Function2<Integer, Iterator<InternalRow>, Iterator<Tuple2<Integer, byte[]>>> {

    private static final int CHUNK_ROWS = 1 << 16;
    private static final int CHUNK_VALUES = 1 << 20;

    /** Deals rows in turn. */
    public static RowDealing inTurn(int nodes, Packing packing) {
        return new RowDealing(nodes, packing, new HashMap<>());
    }

    /**
     * Deals keys in turn, each with all its rows.
     *
     * @param keys all keys, in the order of their turns
     */
    public static RowDealing byKey(int nodes, Packing packing, List<Long> keys) {
        if (keys.size() < nodes) {
            throw NodeRows.tooFewKeys(nodes, keys.size());
        }
        HashMap<Long, Integer> places = new HashMap<>();
        for (int k = 0; k < keys.size(); k++) {
            places.put(keys.get(k), k % nodes);
        }
        return new RowDealing(nodes, packing, places);
    }

    /** Distributes rows; returns chunks that are partitioned by node. */
    public RDD<Tuple2<Integer, byte[]>> deal(RDD<InternalRow> rows) {
        JavaRDD<Tuple2<Integer, byte[]>> chunks = JavaRDD.fromRDD(rows, ClassTag$.MODULE$.apply(InternalRow.class))
                .mapPartitionsWithIndex(this, true);
        return JavaPairRDD.fromJavaRDD(chunks)
                .partitionBy(new HashPartitioner(nodes))
                .rdd();
    }

    @Override
    public Iterator<Tuple2<Integer, byte[]>> call(Integer partition, Iterator<InternalRow> rows) {
        return new Dealer(partition, packing.parts(partition, rows));
    }

    /** The chunks of one partition, computed lazily. */
    private final class Dealer extends LazyIterator<Tuple2<Integer, byte[]>> {
        private final int partition;
        private final Iterator<NodeRows> parts;
        private final RowBuffer[] buffers = new RowBuffer[nodes];
        private final LongStream.Builder[] keys = new LongStream.Builder[nodes];
        private final Deque<Tuple2<Integer, byte[]>> ready = new ArrayDeque<>();
        private Fingerprint.Part unsent = Fingerprint.Part.NONE;
        private int sequence;
        private int features;
        private long count;
        private boolean done;

        Dealer(int partition, Iterator<NodeRows> parts) {
            this.partition = partition;
            this.parts = parts;
            for (int node = 0; node < nodes; node++) {
                clear(node);
            }
        }

        private void clear(int node) {
            buffers[node] = new RowBuffer(1024, 8192);
            keys[node] = LongStream.builder();
        }

        @Override
        protected Tuple2<Integer, byte[]> make() {
            while (ready.isEmpty() && !done) {
                try {
                    advance();
                } catch (InvalidInputException e) {
                    done = true;
                    send(partition % nodes, RowChunk.objecting(stretch(), e.getMessage()));
                }
            }
            return ready.poll();
        }

        private void advance() {
            if (!parts.hasNext()) {
                done = true;
                for (int node = 0; node < nodes; node++) {
                    if (buffers[node].rows() > 0) {
                        flush(node);
                    }
                }
                return;
            }
            NodeRows part = parts.next();
            Dataset data = part.data();
            features = data.features();
            int unhashed = 0;
            for (int row = 0; row < data.rows(); row++) {
                int node = places.isEmpty() ? (int) ((partition + count++) % nodes) : places.get(part.keys()[row]);
                buffers[node].add(data, row);
                if (part.keys().length > 0) {
                    keys[node].add(part.keys()[row]);
                }
                if (buffers[node].rows() >= CHUNK_ROWS || buffers[node].stored() >= CHUNK_VALUES) {
                    unsent = unsent.then(Fingerprint.Part.of(data, unhashed, row + 1));
                    unhashed = row + 1;
                    flush(node);
                }
            }
            unsent = unsent.then(Fingerprint.Part.of(data, unhashed, data.rows()));
        }

        private void flush(int node) {
            Dataset data = buffers[node].toDataset(features).wellLaidOut();
            NodeRows rows = NodeRows.all(data, keys[node].build().toArray());
            clear(node);
            send(node, RowChunk.of(stretch(), rows));
        }

        /** The rows since the previous chunk. */
        private RowStretch stretch() {
            RowStretch stretch = new RowStretch(partition, sequence++, unsent);
            unsent = Fingerprint.Part.NONE;
            return stretch;
        }

        private void send(int node, RowChunk chunk) {
            ready.add(new Tuple2<>(node, Serialized.bytes(chunk)));
        }
    }
}
