package dev.starling.peer.events;

import dev.starling.peer.metrics.Status;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Set;

/** Logs a site's events as they happen; the status remembers those that an operator may look for. */
public record EventLog(Logger logger, String site, Status status) {

    /** Events that happen all the time and can be seen from the status anyway. */
    private static final Set<String> ROUTINE = Set.of("certificate", "checkpoint", "phase", "waiting");

    /** Logs something that is as it should be: an event, then alternating keys and values. */
    public void info(String event, Object... keysAndValues) {
        log(Level.INFO, PeerEvent.of(site, event, keysAndValues));
    }

    /** Logs something that an operator may want to look into. */
    public void warn(String event, Object... keysAndValues) {
        log(Level.WARNING, PeerEvent.of(site, event, keysAndValues));
    }

    private void log(Level level, PeerEvent event) {
        if (!ROUTINE.contains(event.name())) {
            status.happened(level == Level.WARNING, event.name(), event.describe());
        }
        logger.log(level, (Object) event);
    }
}
