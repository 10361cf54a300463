package dev.starling.peer.node;

import dev.starling.peer.bulletin.Bulletin;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.metrics.Status;
import dev.starling.peer.transport.Link;
import dev.starling.peer.transport.LinkEvents;
import dev.starling.peer.transport.Refusal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/** What happens on a site's links, told to whom it concerns: the bulletin, the log, the thread that waits. */
final class PeerEvents implements LinkEvents {

    private static final long QUIET_NANOS = 5_000_000_000L;

    private final List<String> sites;
    private final Bulletin bulletin;
    private final EventLog log;
    private final Status status;
    private final Map<Integer, Long> lastComplaint = new ConcurrentHashMap<>();
    private final RefusalLog refusals;
    private final Set<Integer> met = ConcurrentHashMap.newKeySet();
    private volatile List<Link> links = List.of();
    private volatile Thread driver;
    private volatile String objection;
    private volatile String heard;
    private volatile Departure departure;

    /**
     * Word that the run stands still.
     *
     * @param teller the site that has given up
     * @param gone the site that it has waited for
     * @param reason what it said
     */
    record Departure(int teller, int gone, String reason, long nanos) {}

    PeerEvents(SiteConfig config, EventLog log, Status status) {
        this.sites = config.sites();
        this.bulletin = new Bulletin(config.node(), sites.size(), this::onGivenUp);
        this.log = log;
        this.refusals = new RefusalLog(log);
        this.status = status;
    }

    void watch(List<Link> all) {
        links = List.copyOf(all);
        countLinks();
    }

    /** The thread to wake when something arrives. */
    void drivenBy(Thread thread) {
        driver = thread;
    }

    void wake() {
        Thread thread = driver;
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }

    /** Who takes part, as far as is known. */
    Bulletin bulletin() {
        return bulletin;
    }

    /** Whether every link has been up at some time. */
    boolean haveMetAll() {
        return links.stream().allMatch(link -> met.contains(link.neighbour().node()));
    }

    /** Why the run cannot go on with a neighbour, if so. */
    Optional<String> objection() {
        return Optional.ofNullable(objection).or(bulletin::contradiction);
    }

    /** Why another site says that the run cannot begin, if one does. */
    Optional<String> heard() {
        return Optional.ofNullable(heard);
    }

    /**
     * Which site is gone for good, as another one says that has given up on it not longer ago than this; if one does.
     */
    Optional<Departure> departure(long withinNanos) {
        return Optional.ofNullable(departure).filter(word -> System.nanoTime() - word.nanos() < withinNanos);
    }

    private void onGivenUp(int site, String reason, boolean isObjection, OptionalInt gone) {
        log.warn("gave-up", "other", sites.get(site), "reason", reason);
        // The first word is the one of whoever was next to the site that is gone.
        if (gone.isPresent() && departure == null) {
            departure = new Departure(site, gone.getAsInt(), reason, System.nanoTime());
        }
        if (isObjection && !isUnderWay() && heard == null) {
            heard = reason;
        }
        wake();
    }

    private boolean isUnderWay() {
        return switch (status.phase()) {
            case TRAINING, WAITING, FINISHED -> true;
            default -> false;
        };
    }

    /** The moment this many nanoseconds ago. */
    String ago(long nanos) {
        return Instant.now().minusNanos(nanos).truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private void countLinks() {
        status.links((int) links.stream().filter(Link::isUp).count(), links.size());
    }

    @Override
    public void onUp(Link link) {
        log.info("link-up", "neighbour", link.neighbour().name());
        lastComplaint.remove(link.neighbour().node());
        met.add(link.neighbour().node());
        Departure word = departure;
        if (word != null
                && Set.of(word.teller(), word.gone()).contains(link.neighbour().node())) {
            departure = null;
        }
        countLinks();
        bulletin.tell(link);
        wake();
    }

    @Override
    public void onDown(Link link, String reason) {
        countLinks();
        long now = System.nanoTime();
        Long before = lastComplaint.get(link.neighbour().node());
        if (before == null || now - before > QUIET_NANOS) {
            lastComplaint.put(link.neighbour().node(), now);
            log.info("link-down", "neighbour", link.neighbour().name(), "reason", reason);
        }
        wake();
    }

    @Override
    public void onArrival(Link link) {
        wake();
    }

    @Override
    public boolean onNote(Link link, int origin, int topic, byte[] body) {
        return bulletin.hear(origin, topic, body);
    }

    @Override
    public void onRefused(String who, Refusal why, String reason) {
        refusals.tell(who, why, reason);
    }

    @Override
    public void onMismatch(Link link, String reason) {
        if (isUnderWay()) {
            // The neighbour this run began with may come back; whoever this is must not end it.
            refusals.tell("site " + link.neighbour().name(), Refusal.MALFORMED, reason);
            return;
        }
        if (objection == null) {
            objection = reason;
        }
        wake();
    }
}
