package dev.starling.peer.node;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.transport.Surroundings;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** A site with rows in memory and surroundings of someone's choice, which ends as the command does. */
public final class SimulatedSite {

    /** The exit code of a site that may be started again. */
    public static final int AGAIN = 75;

    /**
     * How a site ended.
     *
     * @param code the exit code
     * @param reason why, if it is not 0
     * @param report its result, if there is one
     */
    public record Ending(int code, String reason, Optional<PeerReport> report) {}

    private final Peer peer;

    /** Creates a site that has not started yet. */
    public SimulatedSite(SiteConfig config, Consumer<String> log, Dataset rows, Surroundings surroundings) {
        peer = new Peer(config, new LineLogger(log), one -> Site.of(one, rows), surroundings);
    }

    /** Asks it to leave, as SIGTERM does. */
    public void leave() {
        peer.leave();
    }

    /**
     * Takes part in the run to the site's end.
     *
     * @param whenSolved is called when the model would be written
     */
    public Ending run(Consumer<PeerReport> whenSolved) {
        AtomicReference<PeerReport> written = new AtomicReference<>();
        try {
            PeerReport report = peer.run(solved -> {
                written.set(solved);
                whenSolved.accept(solved);
            });
            return new Ending(report.fit().isCertified() ? 0 : 1, "not certified", Optional.of(report));
        } catch (PeerStoppedException e) {
            return new Ending(e.isResumable() ? AGAIN : 1, e.getMessage(), Optional.ofNullable(written.get()));
        } catch (InvalidInputException e) {
            return new Ending(2, e.getMessage(), Optional.ofNullable(written.get()));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
