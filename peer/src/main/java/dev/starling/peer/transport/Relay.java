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
 * Where sites meet that cannot reach each other: each dials out to it, and it hands on between two ends of an edge what
 * is another TLS connection between them. It knows who meets whom, how much they say and when, and nothing else. Only
 * sites that the same authority has signed for may use it, each under its own name.
 *
 * <p>What it keeps is bounded: it reads from one end only what the other takes.
 */
public final class Relay implements AutoCloseable {

    private static final int CALLS_PER_CONNECTION = 2;
    private static final int FLOW_WINDOW = 1 << 18;
    private static final int LONGEST_NAME = 255;
    private static final int DIGEST_BYTES = 32;
    private static final long MEETING_SECONDS = 10;

    /**
     * How much a relay takes on.
     *
     * @param connections connections at a time, strangers who have not shown a certificate yet among them
     * @param perSite tunnels of one site at a time
     */
    public record Capacity(int connections, int perSite) {}

    /** Hears what happens at a relay; it must return at once. */
    public interface Events {
        /** Two sites have met. */
        default void onMet(String one, String other) {}

        /** Somebody was refused. */
        default void onRefused(String who, Refusal why, String reason) {}
    }

    /** Whom a half of a tunnel waits for. */
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
                new OversizedFrames(
                        method -> refused("a caller", Refusal.OVERSIZED, "a piece longer than any may be")));
    }

    /**
     * Opens a relay.
     *
     * @param address where it listens; port 0 for one that is free
     * @param credentials asked for at every connection
     * @throws IOException if that address cannot be listened on
     */
    public static Relay open(
            InetSocketAddress address, Supplier<Credentials> credentials, Capacity capacity, Events events)
            throws IOException {
        return new Relay(address, credentials, capacity, events);
    }

    /** The port it listens on. */
    public int port() {
        return listener.port();
    }

    /** Ends of tunnels that are there at the moment, met or waiting. */
    public synchronized int ends() {
        return halves.size();
    }

    /** Of those, the ones that wait for the other end. */
    public synchronized int waiting() {
        return waiting.size();
    }

    /** Sites that are there at the moment. */
    public synchronized int sites() {
        return perSite.size();
    }

    /** How often two ends have met so far. */
    public long meetings() {
        return meetings.sum();
    }

    /** Bytes handed on so far. */
    public long bytes() {
        return bytes.sum();
    }

    /** How many were refused for a reason so far. */
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
            // the relay is closed already
        }
        return half;
    }

    /** Lets an end in, if there is room, and brings it together with the other if that is there. */
    private void meet(Half half, Meeting meeting) {
        Half other;
        synchronized (this) {
            if (perSite.merge(half.site, 1, Integer::sum) > capacity.perSite()) {
                leave(half.site);
                half.refuse(Refusal.TOO_MANY, "site " + half.site + " has " + capacity.perSite() + " tunnels already");
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
            // The same site has come back before it was missed.
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

        /** Whether this end is read no further until the other has taken what was sent. */
        private boolean heldBack;

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
                far.handOn(piece, this);
            } else if (counted || piece.getKindCase() != Piece.KindCase.MEETING) {
                refuse(Refusal.MALFORMED, "a piece that nobody expects");
            } else {
                introduce(piece.getMeeting());
            }
        }

        private void introduce(Meeting meeting) {
            boolean sane = meeting.getNetwork().size() == DIGEST_BYTES
                    && meeting.getOther().length() <= LONGEST_NAME
                    && !meeting.getOther().equals(meeting.getSelf());
            if (!sane) {
                refuse(Refusal.MALFORMED, "a meeting that makes no sense");
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

        /** Sends a piece of the other end, which is asked for more when there is room. */
        private synchronized void handOn(Piece piece, Half from) {
            if (ended) {
                return;
            }
            outgoing.onNext(piece);
            if (outgoing.isReady()) {
                from.outgoing.request(1);
            } else {
                from.heldBack = true;
            }
        }

        private synchronized void ready() {
            Half far = other;
            if (far != null && far.heldBack && outgoing.isReady()) {
                far.heldBack = false;
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

        /** Ends this side after what was sent on it. */
        private void end() {
            synchronized (this) {
                if (!ended && !outgoing.isCancelled()) {
                    outgoing.onCompleted();
                }
                ended = true;
            }
            forget(this);
        }

        /** This end is gone, and with it the tunnel. */
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
