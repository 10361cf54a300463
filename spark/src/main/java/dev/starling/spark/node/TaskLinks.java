package dev.starling.spark.node;

import dev.starling.network.Network;
import dev.starling.node.Exchange;
import dev.starling.peer.transport.Endpoint;
import dev.starling.peer.transport.Identity;
import dev.starling.peer.transport.Limits;
import dev.starling.peer.transport.Link;
import dev.starling.peer.transport.LinkEvents;
import dev.starling.peer.transport.Message;
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
    private static final long PATIENCE_NANOS = 120_000_000_000L;
    private static final long MISSED_NANOS = 2_000_000_000L;
    private static final int NOTE_BYTES = 1024;

    /** Only tasks of this job can send anything, so this guards against mistakes, not malice. */
    private static final int LONGEST_VECTOR = 1 << 27;

    private final BarrierTaskContext context;
    private final int partition;
    private final Events events = new Events();
    private final Optional<Endpoint> endpoint;
    private final TaskInbox inbox;
    private final BackgroundAllGather addresses;
    private final Map<Integer, TaskInbox> local = new HashMap<>();
    private final Map<Integer, Link> remote = new HashMap<>();
    private int[] partitions = {};

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

    private Endpoint listen(String stage, TaskPlan plan, String host) throws IOException {
        Identity identity = new Identity(partition, TaskPlan.taskName(partition), stage, plan.topology());
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

    /** Finds the tasks of this node's neighbours in the network. */
    void connect(Network network) throws IOException {
        events.driver = Thread.currentThread();
        inbox.ownedBy(events.driver);
        List<Integer> elsewhere = new ArrayList<>();
        for (int neighbour : network.neighbours(node)) {
            inbox.of(partitions[neighbour])
                    .ifPresentOrElse(other -> local.put(neighbour, other), () -> elsewhere.add(neighbour));
        }
        if (!elsewhere.isEmpty()) {
            connect(elsewhere);
        }
    }

    private void connect(List<Integer> elsewhere) throws IOException {
        Endpoint own = endpoint.orElseThrow(() -> new IllegalStateException("a task of this process is gone"));
        String[] all = addresses.await();
        List<Neighbour> neighbours = new ArrayList<>();
        Map<Integer, InetSocketAddress> where = new HashMap<>();
        for (int neighbour : elsewhere) {
            int other = partitions[neighbour];
            String[] words = all[other].split(" ", -1);
            neighbours.add(new Neighbour(other, TaskPlan.taskName(other), TaskPlan.taskName(other)));
            where.put(other, InetSocketAddress.createUnresolved(words[0], Integer.parseInt(words[1])));
        }
        own.meet(neighbours);
        for (int neighbour : elsewhere) {
            remote.put(neighbour, own.link(partitions[neighbour]));
        }
        own.connect(where);
    }

    @Override
    public boolean send(int to, Exchange exchange, double clock) {
        if (local.containsKey(to)) {
            local.get(to).put(partition, exchange);
        } else {
            remote.get(to).send(exchange.payload(), exchange.length(), clock);
        }
        return true;
    }

    @Override
    public double[] peek(int from) {
        if (local.containsKey(from)) {
            return inbox.from(partitions[from]).peek();
        }
        Message message = remote.get(from).peek();
        return message == null ? null : message.values();
    }

    @Override
    public double peekClock(int from) {
        return 0;
    }

    @Override
    public void take(int from) {
        if (local.containsKey(from)) {
            inbox.from(partitions[from]).remove();
        } else {
            remote.get(from).poll();
        }
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
        // If a task of this process fails, Spark notices it and ends this one.
        Link missing = remote.get(neighbour);
        if (missing != null && missing.downNanos() > PATIENCE_NANOS) {
            throw new IllegalStateException("there has been no link to "
                    + missing.neighbour().name() + " for " + PATIENCE_NANOS / 1_000_000_000L
                    + " seconds; its task is gone");
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
            remote.values().forEach(link -> link.durable(link.taken()));
        }
    }

    /** Waits until the neighbours need nothing more from this node, but not longer than a few minutes. */
    void farewell() {
        remote.values().forEach(Link::finish);
        long start = System.nanoTime();
        while (!remote.values().stream().allMatch(TaskLinks::mayLeave) && System.nanoTime() - start < PATIENCE_NANOS) {
            LockSupport.parkNanos(this, NAP_NANOS);
            context.killTaskIfInterrupted();
        }
    }

    private static boolean mayLeave(Link link) {
        return link.isNeighbourFinished() || link.downNanos() >= MISSED_NANOS;
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
