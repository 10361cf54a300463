package dev.starling.spark;

import dev.starling.Version;
import dev.starling.network.Network;
import dev.starling.peer.transport.Endpoint;
import dev.starling.peer.transport.Identity;
import dev.starling.peer.transport.Limits;
import dev.starling.peer.transport.Link;
import dev.starling.peer.transport.LinkEvents;
import dev.starling.peer.transport.Message;
import dev.starling.peer.transport.Neighbour;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.spark.BarrierTaskContext;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;

/**
 * A task's links to the tasks it talks to. It listens from the start; one {@code allGather}, under way while rows are
 * taken in, swaps addresses and tells which partitions have rows. Those are the nodes, numbered in their order.
 */
final class Neighbourhood implements AutoCloseable {

    /** The setting of the first port to try; any port that is free if it is not set. */
    static final String PORT_SETTING = "spark.starling.port";

    private static final long NAP_NANOS = 10_000_000;
    private static final int YIELDS = 20;
    private static final long TRIM_NANOS = 20_000_000;
    private static final long PATIENCE_NANOS = 120_000_000_000L;
    private static final long FAREWELL_NANOS = 2_000_000_000L;
    private static final int NOTE_BYTES = 1024;

    /** Only tasks of this job can send anything: this bounds mistakes, not malice. */
    private static final int LONGEST_VECTOR = 1 << 27;

    /** gRPC would write a stack trace for every stranger that knocks. */
    private final Logger transportLogger = Logger.getLogger("io.grpc");

    private final BarrierTaskContext context;
    private final int partition;
    private final Events events = new Events();
    private final Endpoint endpoint;
    private final CompletableFuture<String[]> addresses;
    private final List<Link> links = new ArrayList<>();
    private int[] partitions = {};
    private Link[] byNode = {};
    private int node = -1;
    private long lastTrim = System.nanoTime();

    private Neighbourhood(BarrierTaskContext context, JobPlan plan, int partition, boolean empty) throws IOException {
        transportLogger.setLevel(Level.OFF);
        this.context = context;
        this.partition = partition;
        String host = SparkEnv.get().blockManager().blockManagerId().host();
        Identity identity = new Identity(
                partition,
                name(partition),
                Version.current(),
                plan.run() + "/" + context.stageAttemptNumber(),
                plan.settings().topology());
        Limits limits = new Limits(LONGEST_VECTOR, NOTE_BYTES, 1);
        this.endpoint = listen(identity, plan, host, limits);
        String self = host + " " + endpoint.port() + " " + (empty ? "empty" : "node");
        this.addresses = plan.partitions() == 1
                ? CompletableFuture.completedFuture(new String[] {self})
                : gatherBeside(context, self);
    }

    /** Listens, and begins to swap addresses with the other tasks. */
    static Neighbourhood open(BarrierTaskContext context, JobPlan plan, int partition, boolean empty)
            throws IOException {
        return new Neighbourhood(context, plan, partition, empty);
    }

    private static String name(int partition) {
        return "partition-" + partition;
    }

    private Endpoint listen(Identity identity, JobPlan plan, String host, Limits limits) throws IOException {
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

    /** Spark looks once a second whether a gathering is complete: it does so while this task has better to do. */
    private static CompletableFuture<String[]> gatherBeside(BarrierTaskContext context, String self) {
        CompletableFuture<String[]> future = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        future.complete(context.allGather(self));
                    } catch (Throwable e) {
                        future.completeExceptionally(e);
                    }
                },
                "starling-addresses");
        thread.setDaemon(true);
        thread.start();
        return future;
    }

    /** How many partitions have rows: the number of nodes. */
    int size() {
        return partitions.length;
    }

    /** This task's node; −1 if its partition is empty. */
    int node() {
        return node;
    }

    /** Waits until all tasks have said where they are. */
    void awaitAddresses() {
        String[] all = addresses();
        partitions = java.util.stream.IntStream.range(0, all.length)
                .filter(k -> all[k].endsWith(" node"))
                .toArray();
        node = java.util.Arrays.binarySearch(partitions, partition);
    }

    private String[] addresses() {
        while (true) {
            try {
                return addresses.get(100, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                context.killTaskIfInterrupted();
            } catch (ExecutionException e) {
                context.killTaskIfInterrupted();
                throw new IllegalStateException("the tasks could not swap addresses: " + e.getCause(), e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                context.killTaskIfInterrupted();
                throw new IllegalStateException("interrupted while the tasks swapped addresses", e);
            }
        }
    }

    /** Makes the links of this node in the network. */
    void connect(Network network) throws IOException {
        String[] all = addresses();
        List<Neighbour> neighbours = new ArrayList<>();
        Map<Integer, InetSocketAddress> where = new HashMap<>();
        for (int neighbour : network.neighbours(node)) {
            int other = partitions[neighbour];
            String[] words = all[other].split(" ", -1);
            neighbours.add(new Neighbour(other, name(other), name(other)));
            where.put(other, InetSocketAddress.createUnresolved(words[0], Integer.parseInt(words[1])));
        }
        endpoint.meet(neighbours);
        byNode = new Link[network.size()];
        for (int neighbour : network.neighbours(node)) {
            byNode[neighbour] = endpoint.link(partitions[neighbour]);
            links.add(byNode[neighbour]);
        }
        events.driver = Thread.currentThread();
        endpoint.connect(where);
    }

    /** Sends {@code payload[0..length)} to a neighbour. */
    void send(int neighbour, double[] payload, int length, double clock) {
        byNode[neighbour].send(payload, length, clock);
    }

    /**
     * The next vector from a neighbour.
     *
     * @throws org.apache.spark.TaskKilledException if the task was killed
     */
    @SuppressWarnings("ThreadPriorityCheck") // An answer is often a few microseconds away: a nap would be longer.
    Message await(int neighbour) {
        Link link = byNode[neighbour];
        for (int k = 0; k < YIELDS; k++) {
            if (link.hasMessage()) {
                return link.poll();
            }
            Thread.yield();
        }
        while (!link.hasMessage()) {
            LockSupport.parkNanos(this, NAP_NANOS);
            requireAlive(link);
        }
        return link.poll();
    }

    private void requireAlive(Link link) {
        context.killTaskIfInterrupted();
        String objection = events.objection;
        if (objection != null) {
            throw new IllegalStateException(objection);
        }
        if (link.downNanos() > PATIENCE_NANOS) {
            throw new IllegalStateException("no link to " + link.neighbour().name() + " for "
                    + PATIENCE_NANOS / 1_000_000_000L + " seconds; the task that ran it is gone");
        }
        // An interrupted thread would not park any more.
        if (Thread.interrupted()) {
            throw new IllegalStateException(
                    "interrupted while waiting for " + link.neighbour().name());
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
            for (Link link : links) {
                link.durable(link.taken());
            }
        }
    }

    /** Stays until the neighbours need nothing more from this node. */
    void farewell() {
        links.forEach(Link::finish);
        for (Link link : links) {
            while (!link.isNeighbourFinished() && link.downNanos() < FAREWELL_NANOS) {
                LockSupport.parkNanos(this, NAP_NANOS);
                context.killTaskIfInterrupted();
            }
        }
    }

    @Override
    public void close() {
        endpoint.close();
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
