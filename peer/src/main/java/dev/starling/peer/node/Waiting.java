package dev.starling.peer.node;

import dev.starling.data.InvalidInputException;
import dev.starling.peer.bulletin.Bulletin;
import dev.starling.peer.bulletin.Presence;
import dev.starling.peer.bulletin.WaitingFor;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.events.EventLog;
import dev.starling.peer.metrics.Status;
import dev.starling.peer.sums.SumSession;
import dev.starling.peer.transport.Link;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * What a site does while it waits for others: it announces for whom, and throws an exception when it gives up.
 *
 * <p>It is longer than most classes, because each thing that a site may wait for has its own end and its own words.
 */
final class Waiting {

    private static final long REPORT_NANOS = 5_000_000_000L;
    private static final long GRACE_NANOS = 2_000_000_000L;
    private static final long FAREWELL_NANOS = 1_000_000_000L;
    private static final long STARTING_NANOS = 4_000_000_000L;
    private static final long TESTIFYING_NANOS = 5_000_000_000L;
    private static final long SPREADING_NANOS = 300_000_000L;

    private static final String GONE = "which is gone";

    /** After this part of the time in which a neighbour may be silent, monitoring says so. */
    private static final int SOON = 10;

    private final SiteConfig config;
    private final EventLog log;
    private final Status status;
    private final PeerEvents events;
    private final BooleanSupplier leaving;
    private long lastReport;
    private Status.Phase phaseBefore = Status.Phase.GATHERING;
    private WaitingFor announced;
    private long announcedNanos;
    private long announcements;

    /**
     * Creates the waiting of a site that is not waiting yet.
     *
     * @param leaving whether the site has been asked to leave
     */
    Waiting(SiteConfig config, EventLog log, Status status, PeerEvents events, BooleanSupplier leaving) {
        this.config = config;
        this.log = log;
        this.status = status;
        this.events = events;
        this.leaving = leaving;
        this.lastReport = events.nanos();
        this.announcedNanos = lastReport - GRACE_NANOS;
    }

    /** Whether the site has been asked to leave. */
    boolean isLeaving() {
        return leaving.getAsBoolean();
    }

    /** Gives up if there is an objection to a neighbour or to what the sites announced. */
    void requireNoObjection() {
        requireNone(events.objection());
    }

    private static void requireNone(Optional<String> objection) {
        if (objection.isPresent()) {
            throw new InvalidInputException(objection.get());
        }
    }

    /** Waits until all sites have announced themselves, and checks that their settings agree. */
    void forAllSites() throws InterruptedException {
        status.enter(Status.Phase.GATHERING, "");
        Bulletin bulletin = events.bulletin();
        long start = events.nanos();
        while (true) {
            requireNoObjection();
            List<Integer> present = bulletin.present();
            Presence.requireAgreement(
                    present.stream().map(config.sites()::get).toList(),
                    present.stream().map(bulletin::presence).toList());
            List<Integer> missing = bulletin.missing();
            if (missing.isEmpty()) {
                return;
            }
            forSites(missing, events.nanos() - start);
            events.await(100);
        }
    }

    /** Waits for all sites to show that they know everyone and hold their keys. */
    void forSession(SumSession session) throws InterruptedException {
        long start = events.nanos();
        while (!session.isKnown() || !session.missing().isEmpty()) {
            requireNoObjection();
            forSites(session.missing(), events.nanos() - start);
            events.await(100);
        }
    }

    /** Waits for all neighbours to say how far they have got, before anything is sent to them. */
    void forCounts() throws InterruptedException {
        long start = events.nanos();
        while (true) {
            requireNoObjection();
            List<Integer> missing = config.neighbours().keySet().stream()
                    .filter(node -> !events.bulletin().counted().contains(node))
                    .sorted()
                    .toList();
            if (missing.isEmpty()) {
                return;
            }
            forSites(missing, events.nanos() - start);
            events.await(20);
        }
    }

    private void forSites(List<Integer> missing, long waitedNanos) {
        requireNone(events.reportedObjection());
        requireNobodyGone("nothing has been trained yet");
        String names = "site "
                + String.join(", ", missing.stream().map(config.sites()::get).toList());
        if (leaving.getAsBoolean()) {
            throw new PeerStoppedException("stopped while waiting for " + names + ", before training");
        }
        if (waitedNanos > config.patience().gone().toNanos()) {
            throw PeerStoppedException.gone(
                    missing.get(0),
                    "nothing has been heard from " + names + " since " + events.ago(waitedNanos)
                            + "; start again once they are running");
        }
        announce(new WaitingFor(missing, true));
        reportGathering(names);
    }

    /** Gives up as well when another site has given up on a third one, since the run cannot continue without either. */
    private void requireNobodyGone(String saved) {
        Optional<PeerEvents.Departure> report =
                events.departure(config.patience().gone().toNanos());
        if (report.isPresent()) {
            String reporter = config.sites().get(report.get().reporter());
            int gone = report.get().gone();
            if (gone == report.get().reporter()) {
                throw PeerStoppedException.fault(
                        "site " + reporter + " has stopped for good (\""
                                + report.get().reason() + "\")",
                        null);
            }
            throw PeerStoppedException.gone(
                    gone,
                    (gone == config.node()
                                    ? "this site"
                                    : "site " + config.sites().get(gone)) + " is gone, according to site " + reporter
                            + ", which has given up (\"" + report.get().reason() + "\"); " + saved
                            + ", start again to resume");
        }
    }

    /** Reports, before training, that this site waits for a link whose delay is to be measured. */
    void toMeasure(Link link) {
        reportGathering("site " + link.neighbour().name());
    }

    private void reportGathering(String whom) {
        status.enter(Status.Phase.GATHERING, whom);
        if (isReportDue()) {
            log.info("waiting", "for", whom);
        }
    }

    private boolean isReportDue() {
        boolean due = events.nanos() - lastReport > REPORT_NANOS;
        if (due) {
            lastReport = events.nanos();
        }
        return due;
    }

    /**
     * Called while waiting for a message on a link.
     *
     * @param saved what a site that gives up here leaves behind, in words
     */
    void forMessage(Link link, long waitedNanos, String saved) {
        String name = link.neighbour().name();
        long down = link.downNanos();
        if (waitedNanos > GRACE_NANOS) {
            // If rows do not fit together, the job reports that to all sites at once; this is for sites it does not
            // reach.
            requireNone(events.reportedObjection());
            requireNobodyGone(saved);
            announce(new WaitingFor(List.of(link.neighbour().node()), down > 0));
        }
        if (leaving.getAsBoolean() && (down > 0 || waitedNanos > GRACE_NANOS)) {
            throw new PeerStoppedException(
                    "stopped while waiting for site " + name + "; " + saved + ", start again to resume");
        }
        if (down > config.patience().gone().toNanos()) {
            String lastMessage = events.bulletin()
                    .reasonOf(link.neighbour().node())
                    .map(reason -> ", its last message: \"" + reason + "\"")
                    .orElse("");
            throw PeerStoppedException.gone(
                    link.neighbour().node(),
                    "site " + name + " has been gone since " + events.ago(down) + " (longer than wait: "
                            + config.patience().gone().toSeconds() + "s)" + lastMessage + "; " + saved
                            + ", start again to resume");
        }
        if (waitedNanos > config.patience().silent().toNanos()) {
            throw PeerStoppedException.gone(
                    link.neighbour().node(),
                    "site " + name + " is there, but has sent nothing that was due since " + events.ago(waitedNanos)
                            + " (longer than stall: "
                            + config.patience().silent().toSeconds() + "s); " + saved
                            + ", start again to resume");
        }
        String why = down > 0 ? GONE : because(link.neighbour().node());
        boolean silent =
                why.isEmpty() && waitedNanos > config.patience().silent().toNanos() / SOON;
        if (waitedNanos > 0) {
            noteWaiting("site " + name + (silent ? ", which is silent" : ", " + why), silent || why.endsWith(GONE));
        }
        if (waitedNanos > REPORT_NANOS && isReportDue()) {
            log.info(
                    "waiting",
                    "for",
                    "site " + name,
                    "link",
                    down > 0 ? "down since " + events.ago(down) : "up",
                    "because",
                    why.isEmpty() ? "unknown" : why);
        }
    }

    private void noteWaiting(String text, boolean gone) {
        if (gone) {
            status.enter(Status.Phase.WAITING, text);
        } else if (status.phase() == Status.Phase.WAITING) {
            // Nobody is gone any more; waiting for sites that compute is part of training.
            status.enter(phaseBefore, "");
        } else {
            phaseBefore = status.phase();
        }
    }

    /** Why a site that is there does not answer: follows the chain of sites that wait for each other to its end. */
    private String because(int site) {
        StringBuilder text = new StringBuilder();
        Set<Integer> seen = new HashSet<>(Set.of(config.node()));
        WaitingFor waitingFor = events.bulletin().waitOf(site);
        while (!waitingFor.sites().isEmpty() && seen.add(waitingFor.sites().get(0))) {
            int next = waitingFor.sites().get(0);
            text.append(text.isEmpty() ? "" : ", ")
                    .append("which waits for site ")
                    .append(config.sites().get(next));
            if (waitingFor.down()) {
                return text.append(", ").append(GONE).toString();
            }
            waitingFor = events.bulletin().waitOf(next);
        }
        return text.toString();
    }

    /** Announces to all for whom this site waits, at most once every few seconds. */
    private void announce(WaitingFor waitingFor) {
        long now = events.nanos();
        if (!waitingFor.equals(announced) && now - announcedNanos > GRACE_NANOS) {
            announced = waitingFor;
            announcedNanos = now;
            events.bulletin().waitFor((((long) status.recoveries()) << 32) + ++announcements, waitingFor);
        }
    }

    /** Called when the site makes progress, so that it waits for nobody. */
    void forNobody() {
        if (announced == null || !announced.sites().isEmpty()) {
            announce(WaitingFor.NONE);
        }
    }

    /**
     * Waits for all sites to sign the result.
     *
     * @param agreement checks what has been signed so far
     */
    void forSignatures(Runnable agreement) throws InterruptedException {
        long start = events.nanos();
        Bulletin bulletin = events.bulletin();
        while (true) {
            agreement.run();
            List<Optional<byte[]>> signed = bulletin.attestations();
            List<Integer> missing = IntStream.range(0, signed.size())
                    .filter(node -> signed.get(node).isEmpty())
                    .boxed()
                    .toList();
            if (missing.isEmpty()) {
                return;
            }
            String saved = "the result is saved, and is written once all have signed it";
            requireNobodyGone(saved);
            if (isLeaving() || events.nanos() - start > config.patience().gone().toNanos()) {
                throw PeerStoppedException.gone(
                        missing.get(0),
                        "site " + config.sites().get(missing.get(0)) + " has not signed the result; " + saved
                                + ", start again to resume");
            }
            announce(new WaitingFor(missing, false));
            events.await(20);
        }
    }

    /** Called while waiting for a neighbour to write a checkpoint, so that messages kept for it can be discarded. */
    void forRoom(Link link, long waitedNanos, String saved) {
        String what = "site " + link.neighbour().name() + " to write a checkpoint past the " + (link.keptBytes() >> 20)
                + " MB of messages that are kept for it";
        if (isLeaving() || waitedNanos > config.patience().gone().toNanos()) {
            throw new PeerStoppedException("stopped while waiting for " + what + " (checkpoints.kept-megabytes); "
                    + saved + ", start again to resume");
        }
        status.enter(Status.Phase.WAITING, what);
        if (waitedNanos > REPORT_NANOS && isReportDue()) {
            log.warn("waiting", "for", what);
        }
    }

    /**
     * Waits, after training, until the neighbours need nothing more from this site.
     *
     * @param links the links to neighbours that are not known to have finished
     * @param patience after what time neighbours that are gone are no longer waited for
     * @param onFinished called when a neighbour has finished
     * @return whether all of them have finished
     */
    boolean forTheEndOfAll(List<Link> links, Duration patience, Runnable onFinished) throws InterruptedException {
        status.enter(Status.Phase.FINISHED, "");
        long start = events.nanos();
        List<Link> left = new ArrayList<>(links);
        while (!left.isEmpty() && !isLeaving()) {
            int before = left.size();
            left.removeIf(Link::isNeighbourFinished);
            if (left.size() < before) {
                onFinished.run();
            }
            if (events.nanos() - start > patience.toNanos()) {
                left.removeIf(this::isLeftEarly);
            }
            if (!left.isEmpty()) {
                if (isReportDue()) {
                    log.info(
                            "finished-waiting",
                            "for",
                            "site " + left.get(0).neighbour().name());
                }
                events.await(20);
            }
        }
        return links.stream().allMatch(Link::isNeighbourFinished);
    }

    private boolean isLeftEarly(Link link) {
        boolean gone = link.downNanos() > 0;
        if (gone) {
            log.warn("left-early", "neighbour", link.neighbour().name());
        }
        return gone;
    }

    private void await(long nanos, BooleanSupplier over) throws InterruptedException {
        long end = events.nanos() + nanos;
        while (!over.getAsBoolean() && events.nanos() < end) {
            events.await(20);
        }
    }

    /** Called after giving up on a site, so that the news reaches the others that wait. */
    void letOthersHear() {
        try {
            await(SPREADING_NANOS, () -> false);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Called after somebody broke the protocol, until all have shown what they were told, or some do not. */
    void forTestimonies() {
        try {
            await(
                    TESTIFYING_NANOS,
                    () -> events.bulletin().testimonies().stream().allMatch(Optional::isPresent));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        letOthersHear();
    }

    /**
     * Called after giving up because of an objection, so that the reason reaches the others, including those that are
     * just starting.
     */
    void letOthersKnow() throws InterruptedException {
        await(FAREWELL_NANOS, () -> false);
        await(STARTING_NANOS, () -> events.haveMetAll() || isLeaving());
    }
}
