package dev.starling.peer.events;

import dev.starling.peer.trust.Printable;
import dev.starling.peer.trust.Refusal;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;

/**
 * Logs who was refused, at most once every few seconds, since whoever is refused may come back a thousand times a
 * second. Refusals in between are logged together afterwards, as counts by reason.
 */
public final class RefusalLog {

    private final EventLog log;
    private final Executor delayed;
    private final Map<Refusal, Long> unreported = new EnumMap<>(Refusal.class);
    private boolean quiet;

    public RefusalLog(EventLog log, Executor delayed) {
        this.log = log;
        this.delayed = delayed;
    }

    public synchronized void report(String who, Refusal why, String reason) {
        if (quiet) {
            unreported.merge(why, 1L, Long::sum);
            return;
        }
        log.warn("refused", "who", Printable.of(who), "why", why.label(), "reason", Printable.of(reason, 400));
        beQuiet();
    }

    private void beQuiet() {
        quiet = true;
        delayed.execute(this::reportCounts);
    }

    private synchronized void reportCounts() {
        quiet = false;
        if (!unreported.isEmpty()) {
            String counts = unreported.entrySet().stream()
                    .map(entry -> entry.getKey().label() + ":" + entry.getValue())
                    .collect(Collectors.joining(","));
            unreported.clear();
            log.warn("refused-more", "count", counts);
            beQuiet();
        }
    }
}
