package dev.starling.peer.node;

import dev.starling.peer.transport.Printable;
import dev.starling.peer.transport.Refusal;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Tells the log who was refused, at most once in a few seconds: whoever is refused may come back a thousand times a
 * second. What was not told one by one is told by number and reason when the time is over.
 */
final class RefusalLog {

    private final EventLog log;
    private final Executor afterwards;
    private final Map<Refusal, Long> untold = new EnumMap<>(Refusal.class);
    private boolean quiet;

    RefusalLog(EventLog log) {
        this(log, CompletableFuture.delayedExecutor(5, TimeUnit.SECONDS));
    }

    RefusalLog(EventLog log, Executor afterwards) {
        this.log = log;
        this.afterwards = afterwards;
    }

    synchronized void tell(String who, Refusal why, String reason) {
        if (quiet) {
            untold.merge(why, 1L, Long::sum);
            return;
        }
        log.warn("refused", "who", Printable.of(who), "why", why.label(), "reason", Printable.of(reason, 400));
        beQuiet();
    }

    private void beQuiet() {
        quiet = true;
        afterwards.execute(this::speakAgain);
    }

    private synchronized void speakAgain() {
        quiet = false;
        if (!untold.isEmpty()) {
            String counts = untold.entrySet().stream()
                    .map(entry -> entry.getKey().label() + ":" + entry.getValue())
                    .collect(Collectors.joining(","));
            untold.clear();
            log.warn("refused-more", "count", counts);
            beQuiet();
        }
    }
}
