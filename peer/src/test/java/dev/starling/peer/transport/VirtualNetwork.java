package dev.starling.peer.transport;

import dev.starling.peer.simulation.VirtualProcess;
import dev.starling.peer.simulation.World;
import dev.starling.peer.trust.Refusal;
import dev.starling.peer.trust.RefusedCertificateException;
import dev.starling.peer.wire.Frame;
import dev.starling.peer.wire.Hello;
import io.grpc.stub.CallStreamObserver;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * Links as TCP and TLS would provide them: frames of one connection arrive in order or not at all, connections break,
 * and whoever connects is the site it claims to be.
 */
public final class VirtualNetwork {

    private static final long MICROS = 1000;
    private static final long MILLIS = 1000 * MICROS;
    private static final long KEEPALIVE = 10_000 * MILLIS;
    private static final long FIRST_RETRY = 50 * MILLIS;
    private static final long LAST_RETRY = 5000 * MILLIS;

    /** How many frames may be under way before the sender has to wait. */
    private static final int WINDOW = 40;

    /** Sees every frame that a site sends, and may change it; a deviating site sends what it likes. */
    public interface Observer {
        /** Returns what leaves the site instead; empty if nothing does. */
        List<Frame> sent(VirtualProcess from, int site, int to, Frame frame);
    }

    private final World world;
    private final Map<Integer, Node> nodes = new HashMap<>();
    private final List<Cable> wires = new ArrayList<>();
    private final Map<Long, Long> cutUntil = new HashMap<>();
    private final Map<Long, Long> slowUntil = new HashMap<>();
    private Observer observer = (from, site, to, frame) -> List.of(frame);

    /** Creates a network without links. */
    public VirtualNetwork(World world) {
        this.world = world;
    }

    /** Sets who sees all frames. */
    public void observe(Observer newObserver) {
        observer = newObserver;
    }

    private static long pair(int one, int other) {
        return 1000L * Math.min(one, other) + Math.max(one, other);
    }

    /** Cuts two sites off from each other for a while; nothing is lost unless the connection is given up meanwhile. */
    public void cut(int one, int other, long nanos) {
        cutUntil.put(pair(one, other), world.now() + nanos);
    }

    /** Makes frames between two sites late for a while. */
    public void slow(int one, int other, long nanos) {
        slowUntil.put(pair(one, other), world.now() + nanos);
    }

    private long cutFor(int one, int other) {
        return cutUntil.getOrDefault(pair(one, other), 0L) - world.now();
    }

    /** Breaks the connection between two sites, if there is one; frames under way are lost. */
    public boolean reset(int one, int other) {
        List<Cable> broken = wires.stream()
                .filter(wire -> pair(wire.caller.node.self.node(), wire.callee.node.self.node()) == pair(one, other))
                .toList();
        broken.forEach(wire -> wire.fail("connection reset"));
        return !broken.isEmpty();
    }

    /** Opens a process's end of its links. */
    public Edges open(
            VirtualProcess process, Identity self, List<Neighbour> neighbours, Limits limits, LinkEvents events) {
        Node node = new Node(process, self, events);
        for (Neighbour neighbour : neighbours) {
            node.links.put(
                    neighbour.node(),
                    new Link(self, neighbour, limits, events, node.traffic.ofOneLink(), process::nanos));
        }
        nodes.put(self.node(), node);
        process.whenDead(() -> died(node));
        return node;
    }

    /** The other ends notice soon, since the system closes a dead process's connections, or only after a while. */
    private void died(Node node) {
        nodes.remove(node.self.node(), node);
        boolean silent = world.onceIn(6);
        for (Cable wire : List.copyOf(wires)) {
            if (wire.caller.node == node || wire.callee.node == node) {
                if (silent) {
                    wire.dead = true;
                    world.in(KEEPALIVE, null, "keepalive", () -> wire.fail("keepalive failed"));
                } else {
                    wire.fail("connection closed");
                }
            }
        }
    }

    /** One process's end of its links. */
    private final class Node implements Edges, Incoming.Host {
        private final VirtualProcess process;
        private final Identity self;
        private final LinkEvents events;
        private final Traffic traffic = new Traffic();
        private final Map<Integer, Link> links = new TreeMap<>();
        private final Map<Integer, Long> retries = new HashMap<>();
        private boolean ready;
        private boolean closed;

        Node(VirtualProcess process, Identity self, LinkEvents events) {
            this.process = process;
            this.self = self;
            this.events = events;
        }

        @Override
        public Iterable<Link> links() {
            return links.values();
        }

        @Override
        public Traffic traffic() {
            return traffic;
        }

        @Override
        public void connect(Map<Integer, InetSocketAddress> addresses) {
            ready = true;
            for (Link link : links.values()) {
                if (link.dials()) {
                    dial(link);
                }
            }
        }

        private void dial(Link link) {
            world.in(
                    latency(self.node(), link.neighbour().node()),
                    process,
                    "dials " + link.neighbour().name(),
                    () -> {
                        if (closed) {
                            return;
                        }
                        Node other = nodes.get(link.neighbour().node());
                        if (other == null
                                || !other.process.isAlive()
                                || other.closed
                                || cutFor(self.node(), other.self.node()) > 0) {
                            events.onDown(link, "cannot be reached");
                            dialAgain(link);
                        } else {
                            new Cable(this, link, other).open();
                        }
                    });
        }

        private void dialAgain(Link link) {
            int to = link.neighbour().node();
            long retry = retries.getOrDefault(to, FIRST_RETRY);
            retries.put(to, Math.min(LAST_RETRY, 2 * retry));
            long jitter = MILLIS * world.any((int) (1 + retry / 4 / MILLIS));
            world.in(retry + jitter, process, "will dial " + link.neighbour().name(), () -> dial(link));
        }

        @Override
        public void close() {
            closed = true;
            if (process.isAlive()) {
                nodes.remove(self.node(), this);
                links.values().forEach(Link::close);
            }
        }

        @Override
        public boolean isReady() {
            return ready;
        }

        @Override
        public void refused(String who, Refusal why, String reason) {
            world.tell(() -> process + "    refuses " + who + ": " + reason);
            traffic.countRefused(why);
            events.onRefused(who, why, reason);
        }

        @Override
        public String describe(Throwable failure) {
            return failure.getMessage();
        }
    }

    private long latency(int one, int other) {
        long base = 200 * MICROS + world.any((int) (2 * MILLIS));
        if (slowUntil.getOrDefault(pair(one, other), 0L) > world.now()) {
            return base + world.any(3000) * MILLIS;
        }
        return base;
    }

    /** One connection. */
    private final class Cable {
        private final End caller;
        private final End callee;
        private final Link link;
        private boolean dead;
        private boolean failed;

        Cable(Node from, Link link, Node to) {
            this.link = link;
            this.caller = new End(this, from, to);
            this.callee = new End(this, to, from);
            caller.other = callee;
            callee.other = caller;
        }

        void open() {
            wires.add(this);
            caller.receive(
                    new Incoming(
                            caller.node, caller.connection, link.neighbour().name()) {
                        @Override
                        Link linkFor(Hello hello) throws RefusedCertificateException {
                            if (hello.getNode() != link.neighbour().node()) {
                                throw new RefusedCertificateException(
                                        Refusal.NAME, "claims to be node " + hello.getNode());
                            }
                            caller.node.retries.remove(hello.getNode());
                            return link;
                        }
                    });
            callee.receive(new Incoming(callee.node, callee.connection, caller.node.self.name()) {
                @Override
                Link linkFor(Hello hello) throws RefusedCertificateException {
                    Link own = callee.node.links.get(hello.getNode());
                    if (own == null || own.dials() || hello.getNode() != caller.node.self.node()) {
                        throw new RefusedCertificateException(
                                Refusal.NAME, "not a neighbour that may connect as node " + hello.getNode());
                    }
                    return own;
                }
            });
            caller.request(1);
            callee.request(1);
            caller.connection.send(link.handshake().hello());
            for (End end : List.of(caller, callee)) {
                world.in(
                        Incoming.HELLO_SECONDS * 1000 * MILLIS,
                        end.node.process,
                        "looks for a Hello",
                        () -> end.incoming.expire(reason -> {}));
            }
        }

        /** Both ends notice, not at the same time; frames under way are lost. */
        void fail(String reason) {
            if (failed) {
                return;
            }
            failed = true;
            wires.remove(this);
            caller.fail(reason);
            callee.fail(reason);
        }
    }

    /** One end of a connection. */
    private final class End extends CallStreamObserver<Frame> {
        private final Cable wire;
        private final Node node;
        private final int to;
        private final Connection connection;
        private final ArrayDeque<Frame> arrived = new ArrayDeque<>();
        private Incoming incoming;
        private End other;
        private Runnable whenReady = () -> {};
        private int requested;
        private int underWay;
        private long lastArrival;
        private boolean ended;
        private boolean noMore;

        End(Cable wire, Node node, Node remote) {
            this.wire = wire;
            this.node = node;
            this.to = remote.self.node();
            this.connection = new Connection(this, () -> wire.fail("aborted"));
        }

        void receive(Incoming newIncoming) {
            incoming = newIncoming;
            whenReady = newIncoming::ready;
        }

        @Override
        public boolean isReady() {
            return underWay < WINDOW;
        }

        @Override
        public void onNext(Frame frame) {
            for (Frame one : observer.sent(node.process, node.self.node(), to, frame)) {
                underWay++;
                carry(() -> {
                    other.arrived.add(one);
                    other.deliver();
                });
            }
        }

        /** Lets something happen at the other end, after everything that was sent before. */
        private void carry(Runnable action) {
            long delay = Math.max(latency(node.self.node(), to), lastArrival - world.now());
            lastArrival = world.now() + delay;
            world.in(delay, other.node.process, "hears from " + node.self.name(), () -> arrive(action));
        }

        private void arrive(Runnable action) {
            long cut = cutFor(node.self.node(), to);
            if (wire.failed || wire.dead) {
                return;
            }
            if (cut > KEEPALIVE) {
                world.in(KEEPALIVE, null, "keepalive", () -> wire.fail("keepalive failed"));
            } else if (cut > 0 || !held.isEmpty()) {
                held.add(action);
                if (held.size() == 1) {
                    world.in(Math.max(cut, 0) + MILLIS, other.node.process, "hears again", this::release);
                }
            } else {
                action.run();
            }
        }

        private final ArrayDeque<Runnable> held = new ArrayDeque<>();

        private void release() {
            if (!wire.failed && !wire.dead) {
                while (!held.isEmpty()) {
                    held.removeFirst().run();
                }
            }
        }

        @Override
        public void request(int count) {
            requested += count;
            if (!arrived.isEmpty()) {
                world.in(0, node.process, "reads on", this::deliver);
            }
        }

        private void deliver() {
            while (requested > 0 && !arrived.isEmpty() && !wire.failed) {
                requested--;
                Frame frame = arrived.removeFirst();
                boolean wasFull = other.underWay >= WINDOW;
                other.underWay--;
                world.tell(() -> node.process + "    gets " + describe(frame) + " from " + other.node.self.name());
                incoming.onNext(frame);
                if (wasFull && other.node.process.isAlive()) {
                    world.in(0, other.node.process, "may send more", () -> other.whenReady.run());
                }
            }
            if (noMore && arrived.isEmpty() && !ended) {
                ended = true;
                incoming.onCompleted();
                over();
            }
        }

        @Override
        public void onCompleted() {
            carry(() -> {
                other.noMore = true;
                other.deliver();
            });
            if (noMore) {
                // Both have said all they wanted.
                world.in(0, node.process, "has closed", this::over);
            }
        }

        @Override
        public void onError(Throwable failure) {
            wire.fail(failure.getMessage());
        }

        void fail(String reason) {
            world.in(latency(node.self.node(), to), node.process, "loses its connection", () -> {
                if (!ended) {
                    ended = true;
                    incoming.onError(new IllegalStateException(reason));
                    over();
                }
            });
        }

        /** The end that called calls again. */
        private void over() {
            if (!wire.failed) {
                wire.failed = true;
                wires.remove(wire);
                other.fail("connection closed");
            }
            if (this == wire.caller && !node.closed) {
                node.dialAgain(wire.link);
            }
        }

        @Override
        public void setOnReadyHandler(Runnable handler) {
            whenReady = handler;
        }

        @Override
        public void disableAutoInboundFlowControl() {}

        @Override
        public void setMessageCompression(boolean enable) {}
    }

    private static String describe(Frame frame) {
        return switch (frame.getKindCase()) {
            case VECTOR -> "vector " + frame.getVector().getSequence() + " of " + Wire.entries(frame.getVector());
            case NOTE ->
                "note " + frame.getNote().getTopic() + " of " + frame.getNote().getOrigin();
            default -> frame.getKindCase().toString().toLowerCase(java.util.Locale.ROOT);
        };
    }

    /** Changes the entries of a vector. */
    public static Frame changed(Frame frame, UnaryOperator<double[]> change) {
        double[] entries = entries(frame);
        double[] other = change.apply(entries);
        return Wire.vector(frame.getVector().getSequence(), frame.getVector().getClock(), other, other.length);
    }

    /** The entries of a vector. */
    public static double[] entries(Frame frame) {
        double[] entries = new double[Wire.entries(frame.getVector())];
        Wire.put(frame.getVector(), entries, 0);
        return entries;
    }
}
