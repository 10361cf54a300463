package dev.starling.peer.node;

import dev.starling.data.InvalidInputException;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.facts.FactBook;
import dev.starling.peer.metrics.Status;
import dev.starling.peer.transport.Link;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** What a site does while it waits for others: it says for whom, and throws when it gives up. */
final class Waiting {

    private static final long REPORT_NANOS = 5_000_000_000L;
    private static final long GRACE_NANOS = 2_000_000_000L;

    private final SiteConfig config;
    private final EventLog log;
    private final Status status;
    private final PeerEvents events;
    private final FactBook book;
    private final BooleanSupplier leaving;
    private long lastReport = System.nanoTime();

    /**
     * A site that has yet to wait.
     *
     * @param leaving whether the site has been asked to leave
     */
    Waiting(SiteConfig config, EventLog log, Status status, PeerEvents events, FactBook book, BooleanSupplier leaving) {
        this.config = config;
        this.log = log;
        this.status = status;
        this.events = events;
        this.book = book;
        this.leaving = leaving;
    }

    /** Gives up if a neighbour or what the sites say does not fit. */
    void requireNoObjection() {
        Optional<String> objection = events.objection().or(book::contradiction);
        if (objection.isPresent()) {
            throw new InvalidInputException(objection.get());
        }
    }

    /** Before training, for word of sites that are missing. */
    void forSites(List<Integer> missing, long waitedNanos) {
        String names = "site "
                + String.join(", ", missing.stream().map(config.sites()::get).toList());
        if (leaving.getAsBoolean()) {
            throw new PeerStoppedException("stopped while waiting for " + names + ", before training");
        }
        if (waitedNanos > config.patience().toNanos()) {
            throw new PeerStoppedException(
                    "no word of " + names + " since " + events.ago(waitedNanos) + "; start again when they are there");
        }
        sayFor(names);
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
        long down = link.downNanos();
        if (leaving.getAsBoolean() && (down > 0 || waitedNanos > GRACE_NANOS)) {
            throw new PeerStoppedException("stopped while waiting for site " + name + "; its state of round "
                    + durableRound + " is saved, start again to resume");
        }
        if (down > config.patience().toNanos()) {
            throw new PeerStoppedException("site " + name + " has been gone since " + events.ago(down)
                    + " (longer than wait: " + config.patience().toSeconds() + "s); the state of round "
                    + durableRound + " is saved, start again to resume");
        }
        if (down > 0 && waitedNanos > 0) {
            status.enter(Status.Phase.WAITING, "site " + name);
        }
        if (waitedNanos > REPORT_NANOS && isReportDue()) {
            log.info("waiting", "for", "site " + name, "link", down > 0 ? "down since " + events.ago(down) : "up");
        }
    }

    /** After training, for a neighbour that has yet to end. */
    void forTheEndOf(Link link) {
        if (isReportDue()) {
            log.info("finished-waiting", "for", "site " + link.neighbour().name());
        }
    }
}
