package dev.starling.peer.transport;

import com.google.protobuf.ByteString;
import dev.starling.peer.wire.Meeting;
import dev.starling.peer.wire.Met;
import dev.starling.peer.wire.Piece;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/**
 * A meeting point for sites that cannot reach each other: each connects to it, and it forwards the bytes of a second
 * TLS connection, which the two ends of an edge have with each other. It learns who communicates with whom, how much
 * and when, and nothing else. Only sites with a certificate of the same authority may use it, each under its own name.
 *
 * <p>Its memory is bounded: it reads from one end only as much as the other end accepts.
 */
public final class Relay implements AutoCloseable {

    private static final int CALLS_PER_CONNECTION = 2;
    private static final int FLOW_WINDOW = 1 << 18;
    private static final int LONGEST_NAME = 255;
    private static final int DIGEST_BYTES = 32;
    private static final long MEETING_SECONDS = 10;

    /**
     * How much load a relay accepts.
     *
     * @param connections the most connections at a time, including strangers that have not presented a certificate yet
     * @param perSite the most tunnels of one site at a time
     */
    public record Capacity(int connections, int perSite) {}

    /** Is told what happens at a relay; must return at once. */
    public interface Events {
        /** Two sites were joined. */
        default void onMet(String one, String other) {}

        /** Somebody was refused. */
        default void onRefused(String who, Refusal why, String reason) {}
    }

    /** Identifies the edge whose two ends are to be joined. */
    private record Key(ByteString network, Set<String> ends) {}

    private final Capacity capacity;
    private final Events events;
    private final Listener listener;
    private final ScheduledExecutorService timer;
    private final Map<Key, Half> waiting = new HashMap<>();
    private final Map<String, Integer> perSite = new HashMap<>();
    private final Set<Half> halves = new HashSet<>();
    private final LongAdder bytes = new LongAdder();
    private final LongAdder meetings = new LongAdder();
    private final Traffic traffic = new Traffic();

    private Relay(InetSocketAddress address, Supplier<Credentials> credentials, Capacity capacity, Events events)
            throws IOException {
        this.capacity = capacity;
        this.events = events;
        this.timer = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "starling-relay");
            thread.setDaemon(true);
            return thread;
        });
        ServerServiceDefinition methods = ServerServiceDefinition.builder(RelayWire.SERVICE)
                .addMethod(RelayWire.TUNNEL, ServerCalls.asyncBidiStreamingCall(this::answer))
                .build();
        this.listener = Listener.start(
                address,
                credentials,
                new Listener.Service(
                        methods, CALLS_PER_CONNECTION, RelayWire.LARGEST_FRAME, capacity.connections(), FLOW_WINDOW),
                this::refused,
                new OversizedFrames(method -> refused("a caller", Refusal.OVERSIZED, "a piece longer than the limit")));
    }

    /**
     * Opens a relay.
     *
     * @param address where it listens; port 0 for any free port
     * @param credentials called for every connection
     * @throws IOException if it cannot listen on that address
     */
    public static Relay open(
            InetSocketAddress address, Supplier<Credentials> credentials, Capacity capacity, Events events)
            throws IOException {
        return new Relay(address, credentials, capacity, events);
    }

    /** The port on which it listens. */
    public int port() {
        return listener.port();
    }

    /** The number of ends of tunnels that are connected, joined or waiting. */
    public synchronized int ends() {
        return halves.size();
    }

    /** The number of those that wait for the other end. */
    public synchronized int waiting() {
        return waiting.size();
    }

    /** The number of sites that are connected. */
    public synchronized int sites() {
        return perSite.size();
    }

    /** How often two ends were joined so far. */
    public long meetings() {
        return meetings.sum();
    }

    /** The bytes forwarded so far. */
    public long bytes() {
        return bytes.sum();
    }

    /** How many were refused for a given reason so far. */
    public long refused(Refusal why) {
        return traffic.refused(why);
    }

    private void refused(String who, Refusal why, String reason) {
        traffic.countRefused(why);
        events.onRefused(who, why, reason);
    }

    private StreamObserver<Piece> answer(StreamObserver<Piece> responses) {
        Half half = new Half((ServerCallStreamObserver<Piece>) responses, Caller.current());
        try {
            ScheduledFuture<?> unused = timer.schedule(half::expire, MEETING_SECONDS, TimeUnit.SECONDS);
        } catch (RejectedExecutionException e) {
            // the relay is already closed
        }
        return half;
    }

    /** Admits an end, if there is room, and joins it with the other end if that is there. */
    private void meet(Half half, Meeting meeting) {
        Half other;
        synchronized (this) {
            if (perSite.merge(half.site, 1, Integer::sum) > capacity.perSite()) {
                leave(half.site);
                half.refuse(Refusal.TOO_MANY, "site " + half.site + " already has " + capacity.perSite() + " tunnels");
                return;
            }
            half.counted = true;
            halves.add(half);
            half.key = new Key(meeting.getNetwork(), Set.of(meeting.getSelf(), meeting.getOther()));
            other = waiting.remove(half.key);
            if (other == null || other.site.equals(half.site)) {
                waiting.put(half.key, half);
            }
        }
        if (other == null) {
            return;
        }
        if (other.site.equals(half.site)) {
            // The same site has reconnected before the loss of its old connection was noticed.
            other.end();
            return;
        }
        meetings.increment();
        events.onMet(half.site, other.site);
        half.other = other;
        other.other = half;
        half.begin();
        other.begin();
    }

    private synchronized void forget(Half half) {
        halves.remove(half);
        if (half.counted) {
            half.counted = false;
            leave(half.site);
            waiting.remove(half.key, half);
        }
    }

    private void leave(String site) {
        perSite.computeIfPresent(site, (name, count) -> count > 1 ? count - 1 : null);
    }

    /** One end of a tunnel. */
    private final class Half implements StreamObserver<Piece> {
        private final ServerCallStreamObserver<Piece> outgoing;
        private final Caller caller;
        private String site = "";
        private Key key;
        private boolean counted;
        private boolean ended;

        /** Whether reading from this end is paused until the other end has accepted what was sent. */
        private boolean paused;

        private volatile Half other;

        Half(ServerCallStreamObserver<Piece> outgoing, Caller caller) {
            this.outgoing = outgoing;
            this.caller = caller;
            outgoing.disableAutoRequest();
            outgoing.setOnReadyHandler(this::ready);
            outgoing.setOnCancelHandler(this::lost);
            outgoing.request(1);
        }

        @Override
        public void onNext(Piece piece) {
            Half far = other;
            if (far != null && piece.getKindCase() == Piece.KindCase.CONTENT) {
                bytes.add(piece.getContent().size());
                far.forward(piece, this);
            } else if (counted || piece.getKindCase() != Piece.KindCase.MEETING) {
                refuse(Refusal.MALFORMED, "an unexpected piece");
            } else {
                introduce(piece.getMeeting());
            }
        }

        private void introduce(Meeting meeting) {
            boolean sane = meeting.getNetwork().size() == DIGEST_BYTES
                    && meeting.getOther().length() <= LONGEST_NAME
                    && !meeting.getOther().equals(meeting.getSelf());
            if (!sane) {
                refuse(Refusal.MALFORMED, "an invalid meeting");
            } else if (!caller.names().contains(meeting.getSelf())) {
                refuse(Refusal.NAME, "its certificate does not carry the name " + Printable.of(meeting.getSelf()));
            } else {
                site = meeting.getSelf();
                meet(this, meeting);
            }
        }

        private synchronized void begin() {
            if (!ended) {
                outgoing.onNext(
                        Piece.newBuilder().setMet(Met.getDefaultInstance()).build());
                outgoing.request(1);
            }
        }

        /** Sends a piece from the other end, from which more is requested when there is room. */
        private synchronized void forward(Piece piece, Half from) {
            if (ended) {
                return;
            }
            outgoing.onNext(piece);
            if (outgoing.isReady()) {
                from.outgoing.request(1);
            } else {
                from.paused = true;
            }
        }

        private synchronized void ready() {
            Half far = other;
            if (far != null && far.paused && outgoing.isReady()) {
                far.paused = false;
                far.outgoing.request(1);
            }
        }

        private void expire() {
            boolean silent;
            synchronized (Relay.this) {
                silent = !counted;
            }
            if (silent && !outgoing.isCancelled()) {
                refuse(Refusal.SILENT, "no meeting within " + MEETING_SECONDS + " seconds");
            }
        }

        private void refuse(Refusal why, String reason) {
            boolean first;
            synchronized (this) {
                first = !ended;
                ended = true;
                if (first) {
                    outgoing.onError(
                            Status.PERMISSION_DENIED.withDescription(reason).asRuntimeException());
                }
            }
            if (first) {
                refused(caller.toString(), why, reason);
                lost();
            }
        }

        /** Ends this side after everything that was sent on it has been delivered. */
        private void end() {
            synchronized (this) {
                if (!ended && !outgoing.isCancelled()) {
                    outgoing.onCompleted();
                }
                ended = true;
            }
            forget(this);
        }

        /** Called when this end is gone, which ends the tunnel. */
        private void lost() {
            synchronized (this) {
                ended = true;
            }
            forget(this);
            Half far = other;
            if (far != null) {
                far.end();
            }
        }

        @Override
        public void onError(Throwable t) {
            lost();
        }

        @Override
        public void onCompleted() {
            end();
            lost();
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
        listener.shutdown();
        try {
            listener.end();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
