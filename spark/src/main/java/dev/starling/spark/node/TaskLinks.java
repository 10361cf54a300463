package dev.starling.spark.node;

import dev.starling.network.Network;
import dev.starling.node.Exchange;
import dev.starling.peer.transport.Endpoint;
import dev.starling.peer.transport.Identity;
import dev.starling.peer.transport.Limits;
import dev.starling.peer.transport.Link;
import dev.starling.peer.transport.LinkEvents;
import dev.starling.peer.transport.Neighbour;
import dev.starling.runtime.Channel;
import dev.starling.runtime.Driver;
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
 * A task's lines to the tasks of its neighbours: through memory to those of its own process, otherwise over the peers'
 * transport, for which it listens from the start. One {@code allGather}, which runs while rows are read, exchanges
 * addresses and which partitions have rows. Those partitions are the nodes, numbered in order.
 */
final class TaskLinks implements Channel, Driver.Idle, AutoCloseable {

    /** The setting with the first port to try; any free port is used if it is not set. */
    private static final String PORT_SETTING = "spark.starling.port";

    private static final long NAP_NANOS = 10_000_000;
    private static final int YIELDS = 20;
    private static final long TRIM_NANOS = 20_000_000;
    private static final long FAREWELL_NANOS = 120_000_000_000L;
    private static final int NOTE_BYTES = 1024;

    /** Only tasks of this job can send anything, so this guards against mistakes, not malice. */
    private static final int LONGEST_VECTOR = 1 << 27;

    private final BarrierTaskContext context;
    private final int partition;
    private final Events events = new Events();
    private final Optional<Endpoint> endpoint;
    private final TaskInbox inbox;
    private final BackgroundAllGather addresses;
    private final List<TaskLine> lines = new ArrayList<>();
    private int[] partitions = {};
    private TaskLine[] byNode = {};

    /** The oldest vector from each node that was peeked at and not taken yet. */
    private double[][] arrived = {};

    private int node = -1;
    private long lastTrim = System.nanoTime();

    private TaskLinks(BarrierTaskContext context, TaskPlan plan, int partition, boolean empty) throws IOException {
        this.context = context;
        this.partition = partition;
        String stage = plan.run() + "/" + context.stageAttemptNumber();
        String host = SparkEnv.get().blockManager().blockManagerId().host();
        this.endpoint = plan.keys().isEmpty() ? Optional.empty() : Optional.of(listen(stage, plan, host));
        this.inbox = TaskInbox.open(stage, partition);
        int port = endpoint.map(Endpoint::port).orElse(0);
        this.addresses = new BackgroundAllGather(context, host + " " + port + " " + (empty ? "empty" : "node"));
    }

    /** Starts listening, and starts exchanging addresses with the other tasks. */
    static TaskLinks open(BarrierTaskContext context, TaskPlan plan, int partition, boolean empty) throws IOException {
        return new TaskLinks(context, plan, partition, empty);
    }

    private static String name(int partition) {
        return "partition-" + partition;
    }

    private Endpoint listen(String stage, TaskPlan plan, String host) throws IOException {
        Identity identity = new Identity(partition, name(partition), stage, plan.topology());
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

    /** The executor's address if this machine has it; otherwise, as behind address translation, all addresses. */
    private static InetSocketAddress own(String host, int port) throws IOException {
        InetAddress address = InetAddress.getByName(host);
        return NetworkInterface.getByInetAddress(address) != null
                ? new InetSocketAddress(address, port)
                : new InetSocketAddress(port);
    }

    /** The number of nodes: partitions that have rows. */
    int size() {
        return partitions.length;
    }

    /** This task's node; −1 if its partition is empty. */
    int node() {
        return node;
    }

    /** The number of entries of the longest vector that every task can send to any other. */
    int longestVector() {
        return endpoint.isPresent() ? LONGEST_VECTOR : Integer.MAX_VALUE;
    }

    /** Waits until all tasks have announced their addresses. */
    void awaitAddresses() {
        String[] all = addresses.await();
        partitions = IntStream.range(0, all.length)
                .filter(k -> all[k].endsWith(" node"))
                .toArray();
        node = Arrays.binarySearch(partitions, partition);
    }

    /** Creates the lines of this node in the network. */
    void connect(Network network) throws IOException {
        driver(Thread.currentThread());
        byNode = new TaskLine[network.size()];
        arrived = new double[network.size()][];
        List<Integer> remote = new ArrayList<>();
        for (int neighbour : network.neighbours(node)) {
            Optional<TaskLine> local = inbox.lineTo(partitions[neighbour]);
            if (local.isPresent()) {
                byNode[neighbour] = local.get();
            } else {
                remote.add(neighbour);
            }
        }
        if (!remote.isEmpty()) {
            connect(remote);
        }
        for (int neighbour : network.neighbours(node)) {
            lines.add(byNode[neighbour]);
        }
    }

    private void driver(Thread thread) {
        events.driver = thread;
        inbox.ownedBy(thread);
    }

    private void connect(List<Integer> remote) throws IOException {
        Endpoint own = endpoint.orElseThrow(() -> new IllegalStateException("a task of this process is gone"));
        String[] all = addresses.await();
        List<Neighbour> neighbours = new ArrayList<>();
        Map<Integer, InetSocketAddress> where = new HashMap<>();
        for (int neighbour : remote) {
            int other = partitions[neighbour];
            String[] words = all[other].split(" ", -1);
            neighbours.add(new Neighbour(other, name(other), name(other)));
            where.put(other, InetSocketAddress.createUnresolved(words[0], Integer.parseInt(words[1])));
        }
        own.meet(neighbours);
        for (int neighbour : remote) {
            byNode[neighbour] = new RemoteTaskLine(own.link(partitions[neighbour]));
        }
        own.connect(where);
    }

    @Override
    public boolean send(int to, Exchange exchange, double clock) {
        byNode[to].send(exchange);
        return true;
    }

    @Override
    public double[] peek(int from) {
        if (arrived[from] == null) {
            arrived[from] = byNode[from].poll();
        }
        return arrived[from];
    }

    @Override
    public double peekClock(int from) {
        return 0;
    }

    @Override
    public void take(int from) {
        arrived[from] = null;
    }

    /**
     * {@inheritDoc}
     *
     * @throws org.apache.spark.TaskKilledException if the task was killed
     */
    @Override
    @SuppressWarnings("ThreadPriorityCheck") // An answer is often only microseconds away; parking would take longer.
    public void rest(int times, int from) {
        if (times <= YIELDS) {
            Thread.yield();
        } else {
            LockSupport.parkNanos(this, NAP_NANOS);
            requireAlive(from);
        }
    }

    private void requireAlive(int neighbour) {
        context.killTaskIfInterrupted();
        String objection = events.objection;
        if (objection != null) {
            throw new IllegalStateException(objection);
        }
        // Negative if a vector has arrived in the meantime, so that nobody is missing.
        if (neighbour >= 0) {
            byNode[neighbour].requireAlive();
        }
        // The thread would no longer park while it is interrupted.
        if (Thread.interrupted()) {
            throw new IllegalStateException("interrupted while waiting for other tasks");
        }
    }

    /** Called between rounds: stops if the task was killed, and lets the neighbours discard what was processed. */
    void betweenRounds() {
        if (context.isInterrupted()) {
            context.killTaskIfInterrupted();
        }
        long now = System.nanoTime();
        if (now - lastTrim > TRIM_NANOS) {
            lastTrim = now;
            lines.forEach(TaskLine::trim);
        }
    }

    /** Waits until the neighbours need nothing more from this node, but not longer than a few minutes. */
    void farewell() {
        lines.forEach(TaskLine::finish);
        long start = System.nanoTime();
        while (!lines.stream().allMatch(TaskLine::mayLeave) && System.nanoTime() - start < FAREWELL_NANOS) {
            LockSupport.parkNanos(this, NAP_NANOS);
            context.killTaskIfInterrupted();
        }
    }

    @Override
    public void close() {
        inbox.close();
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
