package dev.starling.spark;

import dev.starling.internal.Version;
import dev.starling.network.Network;
import dev.starling.peer.transport.Endpoint;
import dev.starling.peer.transport.Identity;
import dev.starling.peer.transport.Limits;
import dev.starling.peer.transport.Link;
import dev.starling.peer.transport.LinkEvents;
import dev.starling.peer.transport.Neighbour;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.spark.BarrierTaskContext;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;

/**
 * A task's lines to the tasks it talks to: through memory to those of its own process, else over the peers' transport,
 * for which it listens from the start. One {@code allGather}, under way while rows are taken in, swaps addresses and
 * tells which partitions have rows. Those are the nodes, numbered in their order.
 */
final class Neighbourhood implements AutoCloseable {

    /** The setting of the first port to try; any port that is free if it is not set. */
    static final String PORT_SETTING = "spark.starling.port";

    private static final long NAP_NANOS = 10_000_000;
    private static final int YIELDS = 20;
    private static final long TRIM_NANOS = 20_000_000;
    private static final int NOTE_BYTES = 1024;

    /** Only tasks of this job can send anything: this bounds mistakes, not malice. */
    private static final int LONGEST_VECTOR = 1 << 27;

    private final BarrierTaskContext context;
    private final int partition;
    private final Events events = new Events();
    private final Optional<Endpoint> endpoint;
    private final Mailbox mailbox;
    private final Gathering addresses;
    private final List<Line> lines = new ArrayList<>();
    private int[] partitions = {};
    private Line[] byNode = {};
    private int node = -1;
    private long lastTrim = System.nanoTime();

    private Neighbourhood(BarrierTaskContext context, JobPlan plan, int partition, boolean empty) throws IOException {
        this.context = context;
        this.partition = partition;
        String stage = plan.run() + "/" + context.stageAttemptNumber();
        String host = SparkEnv.get().blockManager().blockManagerId().host();
        this.endpoint = plan.keys().isEmpty() ? Optional.empty() : Optional.of(listen(stage, plan, host));
        this.mailbox = Mailbox.open(stage, partition);
        int port = endpoint.map(Endpoint::port).orElse(0);
        this.addresses = new Gathering(context, host + " " + port + " " + (empty ? "empty" : "node"));
    }

    /** Listens, and begins to swap addresses with the other tasks. */
    static Neighbourhood open(BarrierTaskContext context, JobPlan plan, int partition, boolean empty)
            throws IOException {
        return new Neighbourhood(context, plan, partition, empty);
    }

    private static String name(int partition) {
        return "partition-" + partition;
    }

    private Endpoint listen(String stage, JobPlan plan, String host) throws IOException {
        Identity identity = new Identity(
                partition,
                name(partition),
                Version.current(),
                stage,
                plan.settings().topology());
        Limits limits = new Limits(LONGEST_VECTOR, NOTE_BYTES, 1);
        SparkConf conf = SparkEnv.get().conf();
        int first = conf.getInt(PORT_SETTING, 0);
        int tries = first == 0 ? 1 : 1 + conf.getInt("spark.port.maxRetries", 16);
        for (int k = 0; ; k++) {
            try {
                return Endpoint.listening(
                        identity, plan.keys().get(partition).credentials(), own(host, first + k), limits, events);
            } catch (IOException e) {
                if (k + 1 >= tries) {
                    throw e;
                }
            }
        }
    }

    /** The executor's address where this machine has it; behind address translation, all of them. */
    private static InetSocketAddress own(String host, int port) throws IOException {
        InetAddress address = InetAddress.getByName(host);
        return NetworkInterface.getByInetAddress(address) != null
                ? new InetSocketAddress(address, port)
                : new InetSocketAddress(port);
    }

    /** How many partitions have rows: the number of nodes. */
    int size() {
        return partitions.length;
    }

    /** This task's node; −1 if its partition is empty. */
    int node() {
        return node;
    }

    /** Entries of the longest vector that every task can send to any other. */
    int longestVector() {
        return endpoint.isPresent() ? LONGEST_VECTOR : Integer.MAX_VALUE;
    }

    /** Waits until all tasks have said where they are. */
    void awaitAddresses() {
        String[] all = addresses.await();
        partitions = IntStream.range(0, all.length)
                .filter(k -> all[k].endsWith(" node"))
                .toArray();
        node = Arrays.binarySearch(partitions, partition);
    }

    /** Makes the lines of this node in the network. */
    void connect(Network network) throws IOException {
        driver(Thread.currentThread());
        byNode = new Line[network.size()];
        List<Integer> elsewhere = new ArrayList<>();
        for (int neighbour : network.neighbours(node)) {
            Optional<Line> near = mailbox.lineTo(partitions[neighbour]);
            if (near.isPresent()) {
                byNode[neighbour] = near.get();
            } else {
                elsewhere.add(neighbour);
            }
        }
        if (!elsewhere.isEmpty()) {
            connect(elsewhere);
        }
        for (int neighbour : network.neighbours(node)) {
            lines.add(byNode[neighbour]);
        }
    }

    private void driver(Thread thread) {
        events.driver = thread;
        mailbox.ownedBy(thread);
    }

    private void connect(List<Integer> elsewhere) throws IOException {
        Endpoint own = endpoint.orElseThrow(() -> new IllegalStateException("a task of this process is gone"));
        String[] all = addresses.await();
        List<Neighbour> neighbours = new ArrayList<>();
        Map<Integer, InetSocketAddress> where = new HashMap<>();
        for (int neighbour : elsewhere) {
            int other = partitions[neighbour];
            String[] words = all[other].split(" ", -1);
            neighbours.add(new Neighbour(other, name(other), name(other)));
            where.put(other, InetSocketAddress.createUnresolved(words[0], Integer.parseInt(words[1])));
        }
        own.meet(neighbours);
        for (int neighbour : elsewhere) {
            byNode[neighbour] = new RemoteLine(own.link(partitions[neighbour]));
        }
        own.connect(where);
    }

    /** Sends {@code payload[0..length)} to a neighbour. */
    void send(int neighbour, double[] payload, int length) {
        byNode[neighbour].send(payload, length);
    }

    /**
     * The next vector from a neighbour, the caller's to keep.
     *
     * @throws org.apache.spark.TaskKilledException if the task was killed
     */
    @SuppressWarnings("ThreadPriorityCheck") // An answer is often a few microseconds away: a nap would be longer.
    double[] await(int neighbour) {
        Line line = byNode[neighbour];
        double[] vector = line.poll();
        for (int k = 0; vector == null && k < YIELDS; k++) {
            Thread.yield();
            vector = line.poll();
        }
        while (vector == null) {
            LockSupport.parkNanos(this, NAP_NANOS);
            requireAlive(neighbour);
            vector = line.poll();
        }
        return vector;
    }

    private void requireAlive(int neighbour) {
        context.killTaskIfInterrupted();
        String objection = events.objection;
        if (objection != null) {
            throw new IllegalStateException(objection);
        }
        byNode[neighbour].requireAlive();
        // An interrupted thread would not park any more.
        if (Thread.interrupted()) {
            throw new IllegalStateException("interrupted while waiting for " + name(partitions[neighbour]));
        }
    }

    /** Between rounds: heeds a kill, and lets the neighbours forget what has arrived. */
    void betweenRounds() {
        if (context.isInterrupted()) {
            context.killTaskIfInterrupted();
        }
        long now = System.nanoTime();
        if (now - lastTrim > TRIM_NANOS) {
            lastTrim = now;
            lines.forEach(Line::trim);
        }
    }

    /** Stays until the neighbours need nothing more from this node. */
    void farewell() {
        lines.forEach(Line::finish);
        for (Line line : lines) {
            while (!line.mayLeave()) {
                LockSupport.parkNanos(this, NAP_NANOS);
                context.killTaskIfInterrupted();
            }
        }
    }

    @Override
    public void close() {
        mailbox.close();
        endpoint.ifPresent(Endpoint::close);
    }

    /** Wakes the task when something arrives. */
    private static final class Events implements LinkEvents {
        private volatile Thread driver;
        private volatile String objection;

        @Override
        public void onArrival(Link link) {
            LockSupport.unpark(driver);
        }

        @Override
        public void onUp(Link link) {
            LockSupport.unpark(driver);
        }

        @Override
        public void onMismatch(Link link, String reason) {
            objection = reason;
            LockSupport.unpark(driver);
        }
    }
}
