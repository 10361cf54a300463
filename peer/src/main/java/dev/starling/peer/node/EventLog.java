package dev.starling.peer.node;

import dev.starling.peer.metrics.Status;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Set;

/** A site's events, told to a logger as they happen; the status remembers those that an operator may look for. */
final class EventLog {

    /** What happens all the time, and is seen from the status anyway. */
    private static final Set<String> ROUTINE = Set.of("certificate", "checkpoint", "phase", "waiting");

    private final Logger logger;
    private final String site;
    private final Status status;

    EventLog(Logger logger, String site, Status status) {
        this.logger = logger;
        this.site = site;
        this.status = status;
    }

    /** Tells what happens as it should: an event, then keys and values in turn. */
    void info(String event, Object... keysAndValues) {
        tell(Level.INFO, PeerEvent.of(site, event, keysAndValues));
    }

    /** Tells what someone may want to look into. */
    void warn(String event, Object... keysAndValues) {
        tell(Level.WARNING, PeerEvent.of(site, event, keysAndValues));
    }

    private void tell(Level level, PeerEvent event) {
        if (!ROUTINE.contains(event.name())) {
            status.happened(level == Level.WARNING, event.name(), event.describe());
        }
        logger.log(level, (Object) event);
    }
}
