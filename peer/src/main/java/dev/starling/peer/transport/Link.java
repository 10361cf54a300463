package dev.starling.peer.transport;

import com.google.protobuf.UnsafeByteOperations;
import dev.starling.node.State;
import dev.starling.node.Stateful;
import dev.starling.peer.wire.Durable;
import dev.starling.peer.wire.Finished;
import dev.starling.peer.wire.Frame;
import dev.starling.peer.wire.Hello;
import dev.starling.peer.wire.Note;
import dev.starling.peer.wire.Probe;
import dev.starling.peer.wire.Vector;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * One edge as seen from one of its ends: vectors are sent and received numbered, in order and exactly once, whatever
 * happens to the connection in between. What was sent is kept until the neighbour says that it will never need it
 * again; a neighbour that restarts from an older state gets it again. When this end restarts, it does not send again
 * what the neighbour already has.
 *
 * <p>{@link #send}, {@link #poll} and the like are for the thread that drives the node; frames arrive on other threads.
 *
 * <p>This class is longer than most because everything that its one lock guards is here.
 */
public final class Link implements Stateful {

    /** How many vectors, and how many bytes of them, may wait to be processed before reading pauses. */
    private static final int WAITING = 64;

    private static final long WAITING_BYTES = 8 << 20;

    /** How many durable marks and probes a neighbour may send at once, and per second after that. */
    private static final long CONTROL_BURST = 4096;

    private static final long CONTROLS_PER_SECOND = 200;

    /** The period in which a neighbour may send as many notes as the limits allow. */
    private static final long NOTES_SECONDS = 10;

    private final Identity self;
    private final Neighbour neighbour;
    private final Limits limits;
    private final LinkEvents events;
    private final Traffic traffic;
    private final LongSupplier nanos;

    private final MessageLog log = new MessageLog();
    private final ArrayDeque<Message> waiting = new ArrayDeque<>();

    private long waitingBytes;

    /** The number of vectors that the node has processed. */
    private long taken;

    /** The sequence number of the next new vector. */
    private long expected;

    private long durable;
    private int longestVector;
    private Connection connection;
    private boolean finished;
    private boolean neighbourFinished;
    private long downSince;
    private int probeId;
    private long probeSentAt;
    private long probeNanos = -1;

    /**
     * Creates a link that is down.
     *
     * @param nanos a clock
     */
    Link(Identity self, Neighbour neighbour, Limits limits, LinkEvents events, Traffic traffic, LongSupplier nanos) {
        this.self = self;
        this.neighbour = neighbour;
        this.limits = limits;
        this.events = events;
        this.traffic = traffic;
        this.nanos = nanos;
        this.downSince = nanos.getAsLong();
        this.longestVector = limits.vectorEntries();
    }

    /** What was sent and received over this link so far. */
    public Traffic traffic() {
        return traffic;
    }

    /** The node at the other end. */
    public Neighbour neighbour() {
        return neighbour;
    }

    /** Whether this end opens the connection: the one with the smaller number does. */
    public boolean dials() {
        return self.node() < neighbour.node();
    }

    /** Whether the link is up. */
    public synchronized boolean isUp() {
        return connection != null;
    }

    /** For how long the link has been down, in nanoseconds; 0 while it is up. */
    public synchronized long downNanos() {
        return connection != null ? 0 : nanos.getAsLong() - downSince;
    }

    /**
     * Accepts vectors of up to this many entries from now on. The sender of a longer one has to hold it back, and
     * everything after it, until it is expected.
     */
    public void expect(int entries) {
        Connection source;
        Vector early = null;
        synchronized (this) {
            longestVector = entries;
            source = connection;
            if (source != null && source.early != null && entries(source.early) <= entries) {
                early = source.early;
                source.early = null;
            }
        }
        if (early != null) {
            receiveVector(source, early);
        }
    }

    /** Sends {@code payload[0..length)}, now or as soon as the link is up. */
    public synchronized void send(double[] payload, int length, double clock) {
        long sequence = log.next();
        log.add(Wire.vector(sequence, clock, payload, length));
        pump();
    }

    /** Whether a vector waits to be processed. */
    public synchronized boolean hasMessage() {
        return !waiting.isEmpty();
    }

    /** The oldest vector that waits to be processed; null if there is none. */
    public synchronized Message peek() {
        return waiting.peekFirst();
    }

    /** Removes and returns the oldest vector that waits to be processed. */
    public synchronized Message poll() {
        Message message = waiting.removeFirst();
        waitingBytes -= bytes(message);
        taken++;
        boolean room = waiting.size() <= WAITING / 2 && waitingBytes <= WAITING_BYTES / 2;
        if (connection != null && connection.paused && room) {
            connection.paused = false;
            connection.requestMore();
        }
        return message;
    }

    /** How many vectors were processed so far. */
    public synchronized long taken() {
        return taken;
    }

    /** How many vectors were sent so far. */
    public synchronized long sent() {
        return log.next();
    }

    /** The bytes of vectors kept for the neighbour. */
    public synchronized long keptBytes() {
        return log.bytes();
    }

    /** Tells the neighbour that vectors before this number will never be needed again. */
    public synchronized void durable(long before) {
        if (before > durable) {
            durable = before;
            sendDurable();
        }
    }

    /** Sends a note about a node, if the link is up. */
    public synchronized void note(int origin, int topic, byte[] body) {
        if (connection != null) {
            Note note = Note.newBuilder()
                    .setOrigin(origin)
                    .setTopic(topic)
                    .setBody(UnsafeByteOperations.unsafeWrap(body))
                    .build();
            emit(Frame.newBuilder().setNote(note).build());
        }
    }

    /** Tells the neighbour that this node has its result and needs nothing more. */
    public synchronized void finish() {
        finished = true;
        sendFinished();
    }

    /** Whether the neighbour has its result and needs nothing more. */
    public synchronized boolean isNeighbourFinished() {
        return neighbourFinished;
    }

    /**
     * Sends a probe of this many bytes; returns false if the link is down. {@link #probeNanos} tells how long it took.
     */
    public synchronized boolean probe(int bytes) {
        if (connection == null) {
            return false;
        }
        probeNanos = -1;
        probeSentAt = nanos.getAsLong();
        int left = bytes;
        do {
            // Only the answer to the last part counts; those to earlier parts arrive before it.
            int part = Math.min(left, Wire.PART_BYTES);
            probeId++;
            Probe probe = Probe.newBuilder()
                    .setId(probeId)
                    .setPadding(UnsafeByteOperations.unsafeWrap(new byte[part]))
                    .build();
            emit(Frame.newBuilder().setProbe(probe).build());
            left -= part;
        } while (left > 0);
        return true;
    }

    /** The round-trip time of the last probe; empty until its answer has arrived. */
    public synchronized OptionalLong probeNanos() {
        return probeNanos < 0 ? OptionalLong.empty() : OptionalLong.of(probeNanos);
    }

    /** {@inheritDoc} What is restored must be so before the endpoint connects. */
    @Override
    public synchronized void state(State s) throws IOException {
        taken = s.number(taken);
        log.state(s);
        if (s.isRestoring()) {
            expected = taken;
            waiting.clear();
            waitingBytes = 0;
        }
    }

    // The following methods are called by the endpoint.

    synchronized Handshake handshake() {
        return new Handshake(self, neighbour, expected, log.oldest());
    }

    /** Processes the neighbour's Hello; if it is acceptable, the connection becomes the link's. */
    boolean accept(Connection candidate, Hello hello) {
        String mismatch = handshake().mismatch(hello);
        if (mismatch != null) {
            events.onMismatch(this, mismatch);
            return false;
        }
        synchronized (this) {
            if (connection != null && connection != candidate) {
                connection.abort();
            }
            connection = candidate;
            candidate.open = true;
            candidate.since = nanos.getAsLong();
            candidate.cursor = hello.getNext();
            sendDurable();
            sendFinished();
        }
        events.onUp(this);
        synchronized (this) {
            pump();
        }
        return true;
    }

    /** Processes a frame that follows the Hello; returns why it is refused, or null if it is not. */
    String receive(Connection source, Frame frame) {
        traffic.countReceived(frame.getSerializedSize());
        synchronized (this) {
            if (connection != source) {
                return null;
            }
        }
        switch (frame.getKindCase()) {
            case VECTOR:
                return receiveVector(source, frame.getVector());
            case NOTE:
                return receiveNote(source, frame.getNote());
            case DURABLE:
                return receiveDurable(source, frame.getDurable());
            case PROBE:
                return receiveProbe(source, frame.getProbe());
            case FINISHED:
                synchronized (this) {
                    neighbourFinished = true;
                    source.requestMore();
                }
                events.onArrival(this);
                return null;
            default:
                return "a frame of a kind that this protocol does not have";
        }
    }

    private String receiveVector(Connection source, Vector vector) {
        int following = vector.getFollowing();
        if (!Wire.isWhole(vector) || following < 0) {
            return "a vector of " + vector.getValues().size() + " bytes of doubles and "
                    + vector.getLimbs().size() + " of whole numbers, with " + following
                    + " entries to follow, which is malformed";
        }
        if (!Double.isFinite(vector.getClock())) {
            return "a vector with the clock " + vector.getClock();
        }
        synchronized (this) {
            if (vector.getSequence() > expected || vector.getSequence() < 0) {
                return "vector number " + vector.getSequence() + " where " + expected + " is next";
            }
            if (vector.getSequence() < expected) {
                source.requestMore();
                return null;
            }
            if (source.arriving == null) {
                if (entries(vector) > longestVector) {
                    source.early = vector;
                    return null;
                }
                source.arriving = new double[entries(vector)];
                source.arrived = 0;
            }
            if (source.arrived + entries(vector) != source.arriving.length) {
                return "a part of a vector of " + source.arriving.length
                        + " entries that announces too many or too few further entries";
            }
            Wire.put(vector, source.arriving, source.arrived);
            source.arrived += Wire.entries(vector);
            if (following > 0) {
                source.requestMore();
                return null;
            }
            expected++;
            Message message = new Message(source.arriving, vector.getClock());
            waiting.addLast(message);
            waitingBytes += bytes(message);
            source.arriving = null;
            if (waiting.size() < WAITING && waitingBytes < WAITING_BYTES) {
                source.requestMore();
            } else {
                source.paused = true;
            }
        }
        events.onArrival(this);
        return null;
    }

    private static long bytes(Message message) {
        return (long) Double.BYTES * message.values().length;
    }

    /** The number of entries of a vector from this part on. */
    private static int entries(Vector part) {
        return (int) Math.min(Integer.MAX_VALUE, (long) Wire.entries(part) + part.getFollowing());
    }

    private String receiveNote(Connection source, Note note) {
        if (note.getBody().size() > limits.noteBytes()) {
            return "a note of " + note.getBody().size() + " bytes where at most " + limits.noteBytes() + " are allowed";
        }
        if (++source.notes > limits.notes() * (1 + secondsOf(source) / NOTES_SECONDS)) {
            return "more than " + limits.notes() + " notes in " + NOTES_SECONDS + " seconds";
        }
        if (!events.onNote(
                this, note.getOrigin(), note.getTopic(), note.getBody().toByteArray())) {
            return "a note of topic " + note.getTopic() + " that makes no sense";
        }
        synchronized (this) {
            source.requestMore();
        }
        return null;
    }

    private String receiveDurable(Connection source, Durable mark) {
        synchronized (this) {
            if (tooMany(source)) {
                return "more marks and probes than a run needs";
            }
            if (mark.getBefore() < 0 || mark.getBefore() > log.next()) {
                // After a restart, this node has not yet produced again what its neighbour processed before the crash.
                if (mark.getBefore() < 0 || mark.getBefore() > source.cursor) {
                    return "a checkpoint past message " + mark.getBefore() + " which was never sent";
                }
            }
            log.discardBefore(mark.getBefore());
            source.requestMore();
        }
        return null;
    }

    private String receiveProbe(Connection source, Probe probe) {
        synchronized (this) {
            if (tooMany(source)) {
                return "more marks and probes than a run needs";
            }
            if (!probe.getAnswer()) {
                emit(Frame.newBuilder()
                        .setProbe(probe.toBuilder().setAnswer(true))
                        .build());
            } else if (probe.getId() == probeId && probeNanos < 0) {
                probeNanos = nanos.getAsLong() - probeSentAt;
            }
            source.requestMore();
        }
        events.onArrival(this);
        return null;
    }

    private boolean tooMany(Connection source) {
        return ++source.controls > CONTROL_BURST + CONTROLS_PER_SECOND * secondsOf(source);
    }

    private long secondsOf(Connection source) {
        return (nanos.getAsLong() - source.since) / 1_000_000_000L;
    }

    /** Called when a connection broke, which may be one that was already replaced. */
    void lost(Connection source, String reason) {
        boolean current;
        synchronized (this) {
            source.abort();
            current = connection == source;
            if (current) {
                connection = null;
                downSince = nanos.getAsLong();
            }
        }
        if (current) {
            events.onDown(this, reason);
        }
    }

    /** Called when a connection can take more frames again. */
    synchronized void ready(Connection source) {
        if (connection == source) {
            pump();
        }
    }

    synchronized void close() {
        if (connection != null) {
            connection.complete();
            connection = null;
            downSince = nanos.getAsLong();
        }
    }

    private void pump() {
        while (connection != null && connection.cursor < log.next() && connection.isReady()) {
            Wire.parts(log.get(connection.cursor)).forEach(this::emit);
            connection.cursor++;
        }
    }

    private void sendDurable() {
        if (connection != null && durable > 0) {
            emit(Frame.newBuilder()
                    .setDurable(Durable.newBuilder().setBefore(durable))
                    .build());
        }
    }

    private void sendFinished() {
        if (connection != null && finished) {
            emit(Frame.newBuilder().setFinished(Finished.getDefaultInstance()).build());
        }
    }

    private void emit(Frame frame) {
        traffic.countSent(frame.getSerializedSize());
        connection.send(frame);
    }
}
