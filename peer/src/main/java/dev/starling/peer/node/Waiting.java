package dev.starling.peer.node;

import dev.starling.data.InvalidInputException;
import dev.starling.peer.bulletin.Bulletin;
import dev.starling.peer.bulletin.Presence;
import dev.starling.peer.bulletin.WaitingFor;
import dev.starling.peer.config.SiteConfig;
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

/** What a site does while it waits for others: it says for whom, and throws when it gives up. */
final class Waiting {

    private static final long REPORT_NANOS = 5_000_000_000L;
    private static final long GRACE_NANOS = 2_000_000_000L;
    private static final long FAREWELL_NANOS = 10_000_000_000L;
    private static final long FAREWELL_MILLIS = 1000;
    private static final long STARTING_NANOS = 4_000_000_000L;
    private static final long SPREADING_MILLIS = 300;

    private static final String GONE = "which is gone";

    private final SiteConfig config;
    private final EventLog log;
    private final Status status;
    private final PeerEvents events;
    private final BooleanSupplier leaving;
    private long lastReport = System.nanoTime();
    private Status.Phase phaseBefore = Status.Phase.GATHERING;
    private WaitingFor said;
    private long saidNanos = System.nanoTime() - GRACE_NANOS;
    private long words;

    /**
     * A site that has yet to wait.
     *
     * @param leaving whether the site has been asked to leave
     */
    Waiting(SiteConfig config, EventLog log, Status status, PeerEvents events, BooleanSupplier leaving) {
        this.config = config;
        this.log = log;
        this.status = status;
        this.events = events;
        this.leaving = leaving;
    }

    /** Whether the site has been asked to leave. */
    boolean isLeaving() {
        return leaving.getAsBoolean();
    }

    /** Gives up if a neighbour or what the sites say does not fit. */
    void requireNoObjection() {
        requireNone(events.objection());
    }

    private static void requireNone(Optional<String> objection) {
        if (objection.isPresent()) {
            throw new InvalidInputException(objection.get());
        }
    }

    /** For word of all sites, and that they mean the same. */
    void forAllSites() throws InterruptedException {
        status.enter(Status.Phase.GATHERING, "");
        Bulletin bulletin = events.bulletin();
        long start = System.nanoTime();
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
            forSites(missing, System.nanoTime() - start);
            bulletin.await(100);
        }
    }

    /** For all sites to show that they know everyone and hold their keys. */
    void forSession(SumSession session) throws InterruptedException {
        long start = System.nanoTime();
        while (!session.isKnown() || !session.missing().isEmpty()) {
            requireNoObjection();
            forSites(session.missing(), System.nanoTime() - start);
            events.bulletin().await(100);
        }
    }

    private void forSites(List<Integer> missing, long waitedNanos) {
        requireNone(events.heard());
        requireNobodyGone("nothing was trained yet");
        String names = "site "
                + String.join(", ", missing.stream().map(config.sites()::get).toList());
        if (leaving.getAsBoolean()) {
            throw new PeerStoppedException("stopped while waiting for " + names + ", before training");
        }
        if (waitedNanos > config.patience().toNanos()) {
            throw PeerStoppedException.gone(
                    missing.get(0),
                    "no word of " + names + " since " + events.ago(waitedNanos) + "; start again when they are there");
        }
        say(new WaitingFor(missing, true));
        sayFor(names);
    }

    /** Leaves with the others when one of them has given up on a site: the run cannot go on without either. */
    private void requireNobodyGone(String saved) {
        Optional<PeerEvents.Departure> word = events.departure(config.patience().toNanos());
        if (word.isPresent()) {
            String teller = config.sites().get(word.get().teller());
            int gone = word.get().gone();
            throw PeerStoppedException.gone(
                    gone,
                    (gone == config.node()
                                    ? "this site"
                                    : "site " + config.sites().get(gone)) + " is gone, says site " + teller
                            + ", which has given up (\"" + word.get().reason() + "\"); " + saved
                            + ", start again to resume");
        }
    }

    /** Before training, for a link over which a delay is to be measured. */
    void toMeasure(Link link) {
        sayFor("site " + link.neighbour().name());
    }

    private void sayFor(String whom) {
        status.enter(Status.Phase.GATHERING, whom);
        if (isReportDue()) {
            log.info("waiting", "for", whom);
        }
    }

    private boolean isReportDue() {
        boolean due = System.nanoTime() - lastReport > REPORT_NANOS;
        if (due) {
            lastReport = System.nanoTime();
        }
        return due;
    }

    /** For a message on a link, with the state of a round on disk. */
    void forMessage(Link link, long waitedNanos, long durableRound) {
        String name = link.neighbour().name();
        String saved = "the state of round " + durableRound + " is saved";
        long down = link.downNanos();
        if (waitedNanos > GRACE_NANOS) {
            // Rows that do not fit are the job's to tell, to all sites at once; this is for those it does not reach.
            requireNone(events.heard());
            requireNobodyGone(saved);
            say(new WaitingFor(List.of(link.neighbour().node()), down > 0));
        }
        if (leaving.getAsBoolean() && (down > 0 || waitedNanos > GRACE_NANOS)) {
            throw new PeerStoppedException(
                    "stopped while waiting for site " + name + "; " + saved + ", start again to resume");
        }
        if (down > config.patience().toNanos()) {
            String lastWord = events.bulletin()
                    .reasonOf(link.neighbour().node())
                    .map(reason -> ", its last word: \"" + reason + "\"")
                    .orElse("");
            throw PeerStoppedException.gone(
                    link.neighbour().node(),
                    "site " + name + " has been gone since " + events.ago(down) + " (longer than wait: "
                            + config.patience().toSeconds() + "s)" + lastWord + "; " + saved
                            + ", start again to resume");
        }
        String why = down > 0 ? GONE : because(link.neighbour().node());
        if (waitedNanos > 0) {
            noteWaiting("site " + name + ", " + why, why.endsWith(GONE));
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
            // All are there again, and compute: that is not waiting for somebody who is gone.
            status.enter(phaseBefore, "");
        } else {
            phaseBefore = status.phase();
        }
    }

    /** Why a site that is there does not answer: for whom it waits itself, to the end of the chain. */
    private String because(int site) {
        StringBuilder text = new StringBuilder();
        Set<Integer> seen = new HashSet<>(Set.of(config.node()));
        WaitingFor wait = events.bulletin().waitOf(site);
        while (!wait.sites().isEmpty() && seen.add(wait.sites().get(0))) {
            int next = wait.sites().get(0);
            text.append(text.isEmpty() ? "" : ", ")
                    .append("which waits for site ")
                    .append(config.sites().get(next));
            if (wait.down()) {
                return text.append(", ").append(GONE).toString();
            }
            wait = events.bulletin().waitOf(next);
        }
        return text.toString();
    }

    /** Tells all for whom this site waits, though not many times a second. */
    private void say(WaitingFor wait) {
        long now = System.nanoTime();
        if (!wait.equals(said) && now - saidNanos > GRACE_NANOS) {
            said = wait;
            saidNanos = now;
            events.bulletin().waitFor((((long) status.recoveries()) << 32) + ++words, wait);
        }
    }

    /** The site gets on. */
    void forNobody() {
        if (said == null || !said.sites().isEmpty()) {
            say(WaitingFor.NONE);
        }
    }

    /** For all sites to sign the result; those that have not done so after a while are missing in the model's file. */
    void forSignatures() throws InterruptedException {
        long end =
                System.nanoTime() + Math.min(FAREWELL_NANOS, config.patience().toNanos());
        Bulletin bulletin = events.bulletin();
        while (bulletin.attestations().stream().anyMatch(Optional::isEmpty)) {
            if (isLeaving() || System.nanoTime() > end) {
                long signed = bulletin.attestations().stream()
                        .filter(Optional::isPresent)
                        .count();
                log.warn(
                        "signatures-missing",
                        "signed",
                        signed,
                        "of",
                        config.sites().size());
                return;
            }
            bulletin.await(20);
        }
    }

    /** For a neighbour to have a checkpoint past what is kept for it. */
    void forRoom(Link link, long waitedNanos, long durableRound) {
        String what = "site " + link.neighbour().name() + " to have a checkpoint past the " + (link.keptBytes() >> 20)
                + " MB that are kept for it";
        if (isLeaving() || waitedNanos > config.patience().toNanos()) {
            throw new PeerStoppedException("stopped while waiting for " + what + " (checkpoints.kept-megabytes); the"
                    + " state of round " + durableRound + " is saved, start again to resume");
        }
        status.enter(Status.Phase.WAITING, what);
        if (waitedNanos > REPORT_NANOS && isReportDue()) {
            log.warn("waiting", "for", what);
        }
    }

    /**
     * After training, until the neighbours need nothing more from this site; whether that is so.
     *
     * @param links those to neighbours whose last word is not known yet
     * @param patience for how long one of them may be gone
     * @param onLastWord called when one has said its last word
     */
    boolean forTheEndOfAll(List<Link> links, Duration patience, Runnable onLastWord) throws InterruptedException {
        status.enter(Status.Phase.FINISHED, "");
        long start = System.nanoTime();
        List<Link> left = new ArrayList<>(links);
        while (!left.isEmpty() && !isLeaving()) {
            int before = left.size();
            left.removeIf(Link::isNeighbourFinished);
            if (left.size() < before) {
                onLastWord.run();
            }
            if (System.nanoTime() - start > patience.toNanos()) {
                left.removeIf(this::isLeftEarly);
            }
            if (!left.isEmpty()) {
                if (isReportDue()) {
                    log.info(
                            "finished-waiting",
                            "for",
                            "site " + left.get(0).neighbour().name());
                }
                events.bulletin().await(20);
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

    /** After giving up on a site: the word should reach those who are waiting, too. */
    void letOthersHear() {
        try {
            Thread.sleep(SPREADING_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** After giving up: what is wrong should reach the others, also those that are just starting. */
    void letOthersKnow() throws InterruptedException {
        Thread.sleep(FAREWELL_MILLIS);
        long end = System.nanoTime() + STARTING_NANOS;
        while (!events.haveMetAll() && !isLeaving() && System.nanoTime() < end) {
            events.bulletin().await(20);
        }
    }
}
