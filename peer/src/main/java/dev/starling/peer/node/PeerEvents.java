package dev.starling.peer.node;

import dev.starling.peer.bulletin.Bulletin;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.events.EventLog;
import dev.starling.peer.events.RefusalLog;
import dev.starling.peer.metrics.Status;
import dev.starling.peer.transport.Link;
import dev.starling.peer.transport.LinkEvents;
import dev.starling.peer.transport.Surroundings;
import dev.starling.peer.trust.Refusal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Passes on what happens on a site's links to whom it concerns: the bulletin, the log, and the waiting thread. */
final class PeerEvents implements LinkEvents, Bulletin.Listener {

    private static final long QUIET_NANOS = 5_000_000_000L;

    private final List<String> sites;
    private final Bulletin bulletin;
    private final EventLog log;
    private final Status status;
    private final Surroundings surroundings;
    private final Map<Integer, Long> lastComplaint = new ConcurrentHashMap<>();
    private final RefusalLog refusals;
    private final Set<Integer> met = ConcurrentHashMap.newKeySet();
    private volatile List<Link> links = List.of();
    private volatile String objection;
    private volatile String reportedObjection;
    private volatile Departure departure;

    /**
     * A site's report that another one is gone, so that the run cannot continue.
     *
     * @param reporter the site that has given up
     * @param gone the site that it was waiting for
     * @param reason the reason it gave
     * @param nanos when the report arrived
     */
    record Departure(int reporter, int gone, String reason, long nanos) {}

    PeerEvents(SiteConfig config, EventLog log, Status status, Surroundings surroundings) {
        this.sites = config.sites();
        this.bulletin = new Bulletin(config.node(), sites.size(), this);
        this.log = log;
        this.refusals = new RefusalLog(log, task -> surroundings.later(task, QUIET_NANOS / 1_000_000));
        this.status = status;
        this.surroundings = surroundings;
    }

    void watch(List<Link> all) {
        links = List.copyOf(all);
        countLinks();
    }

    /** Ends the rest of the thread that drives the site. */
    void wake() {
        surroundings.wake();
    }

    /** The time that has passed since some moment. */
    long nanos() {
        return surroundings.nanos();
    }

    /** Waits for news, for at most this long; it may return without any, so the caller must check again. */
    void await(long millis) throws InterruptedException {
        surroundings.rest(TimeUnit.MILLISECONDS.toNanos(millis));
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    /** What is known about the other sites. */
    Bulletin bulletin() {
        return bulletin;
    }

    /** Whether every link has been up at some time. */
    boolean haveMetAll() {
        return links.stream().allMatch(link -> met.contains(link.neighbour().node()));
    }

    /** Why the run cannot continue with a neighbour or with what the sites announced, if so. */
    Optional<String> objection() {
        return Optional.ofNullable(objection).or(bulletin::contradiction);
    }

    /** Why the run cannot begin according to another site, if one says so. */
    Optional<String> reportedObjection() {
        return Optional.ofNullable(reportedObjection);
    }

    /** The report of a site that has given up on another one within this time, if there is one. */
    Optional<Departure> departure(long withinNanos) {
        return Optional.ofNullable(departure).filter(report -> surroundings.nanos() - report.nanos() < withinNanos);
    }

    @Override
    public void onNews() {
        wake();
    }

    @Override
    public void onGivenUp(int site, String reason, boolean isObjection, OptionalInt gone) {
        log.warn("gave-up", "other", sites.get(site), "reason", reason);
        // The first report comes from a neighbour of the site that is gone; later ones are consequences of it.
        if (gone.isPresent() && departure == null) {
            departure = new Departure(site, gone.getAsInt(), reason, surroundings.nanos());
        }
        if (isObjection && !isUnderWay() && reportedObjection == null) {
            reportedObjection = reason;
        }
        wake();
    }

    private boolean isUnderWay() {
        return switch (status.phase()) {
            case TRAINING, WAITING, FINISHED -> true;
            default -> false;
        };
    }

    /** The time this many nanoseconds ago. */
    String ago(long nanos) {
        return Instant.now().minusNanos(nanos).truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private void countLinks() {
        status.links(new Status.Links((int) links.stream().filter(Link::isUp).count(), links.size()));
    }

    @Override
    public void onUp(Link link) {
        log.info("link-up", "neighbour", link.neighbour().name());
        lastComplaint.remove(link.neighbour().node());
        met.add(link.neighbour().node());
        Departure report = departure;
        if (report != null
                && Set.of(report.reporter(), report.gone())
                        .contains(link.neighbour().node())) {
            departure = null;
        }
        countLinks();
        bulletin.tell(link);
        wake();
    }

    @Override
    public void onDown(Link link, String reason) {
        countLinks();
        long now = surroundings.nanos();
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
        refusals.report(who, why, reason);
    }

    @Override
    public void onMismatch(Link link, String reason) {
        if (isUnderWay()) {
            // The neighbour with which this run began may come back; whoever this is must not end the run.
            refusals.report("site " + link.neighbour().name(), Refusal.MALFORMED, reason);
            return;
        }
        if (objection == null) {
            objection = reason;
        }
        wake();
    }
}
