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

/** A peer's progress, for monitoring. Written by the peer's threads, read by any thread. */
public final class Status {

    /** What a peer is doing. */
    public enum Phase {
        /** Reading its rows. */
        LOADING,
        /** Waiting for the other sites to announce themselves. */
        GATHERING,
        /** Training, not held up by a neighbour. */
        TRAINING,
        /** Training, but held up by a neighbour that is gone. */
        WAITING,
        /** It has the result and stays available for its neighbours. */
        FINISHED,
        /** It has stopped. */
        STOPPED;

        /** The name as it appears in metrics and reports. */
        public String lowerCase() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Something that happened.
     *
     * @param warning whether someone may want to look into it
     * @param name the name of the event
     * @param text the details
     */
    public record Occurrence(Instant time, boolean warning, String name, String text) {}

    /**
     * What was sent to all neighbours together in one part of the job.
     *
     * @param vectors how many vectors
     * @param numbers how many numbers they held
     */
    public record Sent(long vectors, long numbers) {
        Sent plus(int more, long length) {
            return new Sent(vectors + more, numbers + more * length);
        }
    }

    /**
     * The state that is saved for a restart.
     *
     * @param written the number of checkpoints written by this process
     * @param round the round of the newest durable checkpoint
     * @param keptBytes the bytes of messages kept for neighbours as of that checkpoint
     */
    public record Saved(long written, long round, long keptBytes) {}

    /**
     * The links to neighbours.
     *
     * @param up the number of links that are up
     * @param all the number of links that there should be
     */
    public record Links(int up, int all) {}

    /**
     * How long messages take.
     *
     * @param tau the delay for which the method was tuned, in proximal steps
     * @param linkMicros the measured one-way delay of this site's slowest link, in microseconds
     */
    public record Delay(double tau, double linkMicros) {}

    private record Doing(Phase phase, String waitingFor, long sinceNanos) {}

    private static final int MOST_OCCURRENCES = 200;

    private final Instant started = Instant.now();
    private final long startedNanos = System.nanoTime();
    private final GapHistory history = new GapHistory();
    private final Deque<Occurrence> occurrences = new ArrayDeque<>();
    private final Map<String, Sent> sent = new LinkedHashMap<>();
    private final Map<String, Long> waitedNanos = new ConcurrentHashMap<>();
    private volatile Supplier<List<ReleasedSums>> ledger = List::of;
    private volatile Doing doing = new Doing(Phase.LOADING, "", startedNanos);
    private volatile Certificate certificate = Certificate.NONE;
    private volatile double secondsLeft = Double.NaN;
    private volatile String method = "";
    private volatile String part = "";
    private volatile String outcome = "";
    private volatile long rounds;
    private volatile Saved saved = new Saved(0, 0, 0);
    private volatile int recoveries;
    private volatile Links links = new Links(0, 0);
    private volatile Delay delay = new Delay(0, 0);

    /** Creates the status of a peer that has just been started. */
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
        if (doing.phase() != newPhase || !doing.waitingFor().equals(newWaitingFor)) {
            doing = new Doing(newPhase, newWaitingFor, System.nanoTime());
        }
    }

    /** For how many seconds it has been in this phase, or waiting for these sites. */
    public double phaseSeconds() {
        return (System.nanoTime() - doing.sinceNanos()) * 1e-9;
    }

    /** Whether it is making progress or has finished successfully: it waits for nobody and nothing has stopped it. */
    public boolean isWell() {
        Doing now = doing;
        return switch (now.phase()) {
            case LOADING, TRAINING, FINISHED -> true;
            case GATHERING -> now.waitingFor().isEmpty();
            case WAITING, STOPPED -> false;
        };
    }

    /** What the peer is doing. */
    public Phase phase() {
        return doing.phase();
    }

    /** Which sites it is waiting for; empty if none. */
    public String waitingFor() {
        return doing.waitingFor();
    }

    /**
     * Records a certificate.
     *
     * @param epochsLeft predicted number of epochs until the target gap is reached
     */
    public void certificate(Certificate latest, double epochsLeft) {
        certificate = latest;
        history.add(seconds(), latest.relativeGap(), latest.epochs());
        secondsLeft = epochsLeft == 0 ? 0 : epochsLeft * history.secondsPerEpoch();
    }

    /** Records that the next problem begins, whose gap starts over. */
    public void begin(String newMethod) {
        method = newMethod;
        history.restart();
        secondsLeft = Double.NaN;
    }

    /** The name of the method; empty until it is agreed on. */
    public String method() {
        return method;
    }

    /** The certified gaps so far. */
    public GapHistory history() {
        return history;
    }

    /** Predicted number of seconds until the target gap is reached; NaN while nothing is known. */
    public double secondsLeft() {
        return secondsLeft;
    }

    /** Records the current part of the job. */
    public void part(String newPart) {
        part = newPart;
    }

    /** The current part of the job. */
    public String part() {
        return part;
    }

    /** Records how it ended. */
    public void outcome(String text) {
        outcome = text;
    }

    /** How it ended; empty until then. */
    public String outcome() {
        return outcome;
    }

    /** Records an event. */
    public void happened(boolean warning, String name, String text) {
        synchronized (occurrences) {
            occurrences.addLast(new Occurrence(Instant.now(), warning, name, text));
            if (occurrences.size() > MOST_OCCURRENCES) {
                occurrences.removeFirst();
            }
        }
    }

    /** The latest events, oldest first. */
    public List<Occurrence> occurrences() {
        synchronized (occurrences) {
            return List.copyOf(occurrences);
        }
    }

    /** Records that a vector of this length was sent to this many neighbours in the current part of the job. */
    public void sent(int neighbours, long length) {
        synchronized (sent) {
            sent.merge(part, new Sent(neighbours, neighbours * length), (a, b) -> a.plus(neighbours, length));
        }
    }

    /** Sets where to look up what the site has disclosed about its rows. */
    public void ledger(Supplier<List<ReleasedSums>> entries) {
        ledger = entries;
    }

    /** What the site has disclosed about its rows, according to its ledger. */
    public List<ReleasedSums> released() {
        return ledger.get();
    }

    /** What was sent, by part of the job. */
    public Map<String, Sent> sent() {
        synchronized (sent) {
            return new LinkedHashMap<>(sent);
        }
    }

    /** Records time spent waiting for a neighbour. */
    public void waited(String neighbour, long nanos) {
        waitedNanos.merge(neighbour, nanos, Long::sum);
    }

    /** The total time spent waiting for a neighbour, in seconds. */
    public double waitedSeconds(String neighbour) {
        return waitedNanos.getOrDefault(neighbour, 0L) * 1e-9;
    }

    /** The latest certificate. */
    public Certificate certificate() {
        return certificate;
    }

    /** Records the number of communication rounds so far. */
    public void rounds(long count) {
        rounds = count;
    }

    /** The number of communication rounds so far. */
    public long rounds() {
        return rounds;
    }

    /** Records another checkpoint that is durable. */
    public void saved(long round, long kept) {
        saved = new Saved(saved.written() + 1, round, kept);
    }

    /** The state that is saved for a restart. */
    public Saved saved() {
        return saved;
    }

    /** Records how often the site was restarted in this run. */
    public void recoveries(int count) {
        recoveries = count;
    }

    /** How often the site was restarted in this run. */
    public int recoveries() {
        return recoveries;
    }

    /** Records how many links are up. */
    public void links(Links now) {
        links = now;
    }

    /** The links to neighbours. */
    public Links links() {
        return links;
    }

    /** Records the delay that was agreed on and the measured one. */
    public void delay(Delay known) {
        delay = known;
    }

    /** How long messages take. */
    public Delay delay() {
        return delay;
    }
}
