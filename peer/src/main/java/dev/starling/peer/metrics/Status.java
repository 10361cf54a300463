package dev.starling.peer.metrics;

import dev.starling.certificate.Certificate;
import dev.starling.peer.sums.ReleasedSums;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Where a peer stands, for those who ask. Written by the peer's threads, read by any. */
public final class Status {

    /** What a peer is doing. */
    public enum Phase {
        /** Reading its rows. */
        LOADING,
        /** Waiting for word of other sites. */
        GATHERING,
        /** Training, and not held up by a neighbour. */
        TRAINING,
        /** Training, but a neighbour is gone. */
        WAITING,
        /** It has the result and stays for its neighbours. */
        FINISHED,
        /** It has stopped. */
        STOPPED;

        /** As it is written. */
        public String lowerCase() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Something that happened.
     *
     * @param warning whether someone may want to look into it
     * @param name in a word
     * @param text the circumstances
     */
    public record Occurrence(Instant time, boolean warning, String name, String text) {}

    /**
     * What was sent in one part of the run, to all neighbours together.
     *
     * @param vectors how many vectors
     * @param numbers how many numbers they held
     */
    public record Sent(long vectors, long numbers) {
        Sent plus(int more, long length) {
            return new Sent(vectors + more, numbers + more * length);
        }
    }

    private static final int MOST_OCCURRENCES = 200;

    private final Instant started = Instant.now();
    private final long startedNanos = System.nanoTime();
    private final GapHistory history = new GapHistory();
    private final Deque<Occurrence> occurrences = new ArrayDeque<>();
    private final Map<String, Sent> sent = new LinkedHashMap<>();
    private final Map<String, Long> waitedNanos = new ConcurrentHashMap<>();
    private volatile Supplier<List<ReleasedSums>> ledger = List::of;
    private volatile Phase phase = Phase.LOADING;
    private volatile String waitingFor = "";
    private volatile long enteredNanos = startedNanos;
    private volatile Certificate certificate = Certificate.NONE;
    private volatile double secondsLeft = Double.NaN;
    private volatile String method = "";
    private volatile String part = "";
    private volatile String outcome = "";
    private volatile long rounds;
    private volatile long checkpoints;
    private volatile long checkpointRound;
    private volatile long keptBytes;
    private volatile int recoveries;
    private volatile int linksUp;
    private volatile int links;
    private volatile double tau;
    private volatile double linkMicros;

    /** Where a new peer stands. */
    public Status() {}

    /** When it was started. */
    public Instant started() {
        return started;
    }

    /** Seconds since it was started. */
    public double seconds() {
        return (System.nanoTime() - startedNanos) * 1e-9;
    }

    /** Enters a phase. */
    public synchronized void enter(Phase newPhase, String newWaitingFor) {
        if (phase != newPhase || !waitingFor.equals(newWaitingFor)) {
            phase = newPhase;
            waitingFor = newWaitingFor;
            enteredNanos = System.nanoTime();
        }
    }

    /** For how many seconds it has been doing this, or waiting for these. */
    public double phaseSeconds() {
        return (System.nanoTime() - enteredNanos) * 1e-9;
    }

    /** Whether it gets on, or has ended well: nobody is waited for and nothing has stopped it. */
    public boolean isWell() {
        return switch (phase) {
            case LOADING, TRAINING, FINISHED -> true;
            case GATHERING -> waitingFor.isEmpty();
            case WAITING, STOPPED -> false;
        };
    }

    /** What the peer is doing. */
    public Phase phase() {
        return phase;
    }

    /** Whom it waits for; empty if for nobody. */
    public String waitingFor() {
        return waitingFor;
    }

    /**
     * Notes a certificate.
     *
     * @param epochsLeft epochs until the gap asked for, as predicted
     */
    public void certificate(Certificate latest, double epochsLeft) {
        certificate = latest;
        history.add(seconds(), latest.relativeGap(), latest.epochs());
        secondsLeft = epochsLeft == 0 ? 0 : epochsLeft * history.secondsPerEpoch();
    }

    /** Notes that another problem begins, whose gap begins anew. */
    public void begin(String newMethod) {
        method = newMethod;
        history.restart();
        secondsLeft = Double.NaN;
    }

    /** The method; empty while it is not agreed on. */
    public String method() {
        return method;
    }

    /** The certified gaps so far. */
    public GapHistory history() {
        return history;
    }

    /** Seconds until the gap asked for, as predicted; not a number while nothing is known. */
    public double secondsLeft() {
        return secondsLeft;
    }

    /** Notes which part of the job it is at. */
    public void part(String newPart) {
        part = newPart;
    }

    /** The part of the job it is at. */
    public String part() {
        return part;
    }

    /** Notes how it ended. */
    public void outcome(String text) {
        outcome = text;
    }

    /** How it ended; empty while it has not. */
    public String outcome() {
        return outcome;
    }

    /** Notes that something happened. */
    public void happened(boolean warning, String name, String text) {
        synchronized (occurrences) {
            occurrences.addLast(new Occurrence(Instant.now(), warning, name, text));
            if (occurrences.size() > MOST_OCCURRENCES) {
                occurrences.removeFirst();
            }
        }
    }

    /** What happened last, the oldest first. */
    public List<Occurrence> occurrences() {
        synchronized (occurrences) {
            return List.copyOf(occurrences);
        }
    }

    /** Notes that a vector of this length went to this many neighbours in the present part of the job. */
    public void sent(int neighbours, long length) {
        synchronized (sent) {
            sent.merge(part, new Sent(neighbours, neighbours * length), (a, b) -> a.plus(neighbours, length));
        }
    }

    /** Says where to look up what has left the site of what it learnt from rows. */
    public void ledger(Supplier<List<ReleasedSums>> entries) {
        ledger = entries;
    }

    /** What has left the site of what it learnt from rows, by the ledger. */
    public List<ReleasedSums> told() {
        return ledger.get();
    }

    /** What was sent, by part of the job. */
    public Map<String, Sent> sent() {
        synchronized (sent) {
            return new LinkedHashMap<>(sent);
        }
    }

    /** Notes that a neighbour was waited for. */
    public void waited(String neighbour, long nanos) {
        waitedNanos.merge(neighbour, nanos, Long::sum);
    }

    /** For how many seconds a neighbour was waited for altogether. */
    public double waitedSeconds(String neighbour) {
        return waitedNanos.getOrDefault(neighbour, 0L) * 1e-9;
    }

    /** The latest certificate. */
    public Certificate certificate() {
        return certificate;
    }

    /** Notes how many rounds were made. */
    public void rounds(long count) {
        rounds = count;
    }

    /** Communication rounds so far. */
    public long rounds() {
        return rounds;
    }

    /** Notes a checkpoint that is durable. */
    public void checkpoint(long count, long round, long kept) {
        checkpoints = count;
        checkpointRound = round;
        keptBytes = kept;
    }

    /** Checkpoints written by this process. */
    public long checkpoints() {
        return checkpoints;
    }

    /** The round of the newest durable checkpoint. */
    public long checkpointRound() {
        return checkpointRound;
    }

    /** Bytes of messages kept for neighbours at the newest checkpoint. */
    public long keptBytes() {
        return keptBytes;
    }

    /** Notes how often the site was restarted in this run. */
    public void recoveries(int count) {
        recoveries = count;
    }

    /** How often the site was restarted in this run. */
    public int recoveries() {
        return recoveries;
    }

    /** Notes how many links stand. */
    public void links(int up, int all) {
        linksUp = up;
        links = all;
    }

    /** Links that stand. */
    public int linksUp() {
        return linksUp;
    }

    /** Links there should be. */
    public int links() {
        return links;
    }

    /** Notes the delay that was agreed on and what was measured for it. */
    public void delay(double agreedTau, double measuredMicros) {
        tau = agreedTau;
        linkMicros = measuredMicros;
    }

    /** The delay tuned for, in proximal steps. */
    public double tau() {
        return tau;
    }

    /** The delay measured on this site's slowest link, one way, in microseconds. */
    public double linkMicros() {
        return linkMicros;
    }
}
