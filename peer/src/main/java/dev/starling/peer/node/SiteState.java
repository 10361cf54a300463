package dev.starling.peer.node;

import dev.starling.node.State;
import dev.starling.peer.bulletin.Bulletin;
import dev.starling.peer.bulletin.Presence;
import dev.starling.peer.checkpoint.AnswerLog;
import dev.starling.peer.keys.Bytes;
import dev.starling.peer.transport.Link;
import dev.starling.peer.transport.Traffic;
import dev.starling.runtime.Driver;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Everything that a site must have on disk to continue after a crash: what it has spent, who takes part, which
 * neighbours are known to have their results, the state of every link, the job, and its sums.
 */
final class SiteState {

    private final Bulletin bulletin;
    private final List<Link> links;
    private final Driver driver;
    private final SiteSums sums;
    private final AnswerLog answers;
    private final Traffic traffic;
    private final LongSupplier nanos;
    private final Set<Integer> finished = new HashSet<>();
    private final SiteExpenses spent = new SiteExpenses();
    private long drivenSince;

    SiteState(
            Bulletin bulletin,
            List<Link> links,
            Driver driver,
            SiteSums sums,
            AnswerLog answers,
            Traffic traffic,
            LongSupplier nanos) {
        this.bulletin = bulletin;
        this.links = links;
        this.driver = driver;
        this.sums = sums;
        this.answers = answers;
        this.traffic = traffic;
        this.nanos = nanos;
    }

    /** What earlier processes of this site spent, and what was measured. */
    SiteExpenses spent() {
        return spent;
    }

    /** Starts the clock of the run. */
    void begin() {
        drivenSince = nanos.getAsLong();
    }

    /** Stops the clock of the run. */
    void end() {
        spent.seconds = totals().seconds;
        drivenSince = 0;
    }

    boolean isDriven() {
        return drivenSince != 0;
    }

    /** The links to neighbours that are not known to have their results. */
    List<Link> unfinished() {
        return links.stream()
                .filter(link -> !finished.contains(link.neighbour().node()))
                .toList();
    }

    /** What all processes of this site have spent so far. */
    SiteExpenses totals() {
        SiteExpenses totals = new SiteExpenses();
        totals.recoveries = spent.recoveries;
        totals.seconds = spent.seconds + (isDriven() ? (nanos.getAsLong() - drivenSince) * 1e-9 : 0);
        totals.bytesSent = spent.bytesSent + traffic.bytesSent();
        totals.bytesReceived = spent.bytesReceived + traffic.bytesReceived();
        totals.stepMicros = spent.stepMicros;
        totals.linkMicros = spent.linkMicros;
        return totals;
    }

    byte[] toBytes() {
        return Bytes.of(totals(), (s, totals) -> {
            totals.state(s);
            bulletin.state(s);
            run(s);
            return totals;
        });
    }

    /**
     * Restores what an earlier process wrote.
     *
     * @return whether it belongs to these data and settings; if not, this object must not be used any further
     */
    boolean restore(byte[] content, int self, Presence own) throws IOException {
        State s = State.restoring(new DataInputStream(new ByteArrayInputStream(content)));
        spent.state(s);
        spent.recoveries++;
        bulletin.state(s);
        if (!bulletin.presence(self).equals(own)) {
            return false;
        }
        run(s);
        return true;
    }

    private void run(State s) throws IOException {
        for (Link link : links) {
            int node = link.neighbour().node();
            boolean hasResult = s.flag(link.isNeighbourFinished() || finished.contains(node));
            if (s.isRestoring() && hasResult) {
                finished.add(node);
            }
            link.state(s);
        }
        driver.state(s);
        sums.state(s);
        answers.state(s);
    }
}
