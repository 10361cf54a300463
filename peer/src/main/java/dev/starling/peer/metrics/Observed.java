package dev.starling.peer.metrics;

import dev.starling.peer.bulletin.Bulletin;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.transport.Link;
import dev.starling.peer.transport.Traffic;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;

/**
 * All that can be seen of a site from outside: read when somebody asks, never stored.
 *
 * @param config what the site's file says
 * @param status where the site stands
 * @param bulletin what is known of the other sites
 * @param links its links
 * @param traffic what went over all of them, and what was refused
 * @param certificateEnd when the site's certificate expires; it may be renewed meanwhile
 */
public record Observed(
        SiteConfig config,
        Status status,
        Bulletin bulletin,
        List<Link> links,
        Traffic traffic,
        Supplier<Instant> certificateEnd) {

    /** Copies the list. */
    public Observed {
        links = List.copyOf(links);
    }

    boolean isCertificateExpired() {
        return Instant.now().isAfter(certificateEnd.get());
    }

    /** Whether the site gets on, or has ended well. */
    boolean isWell() {
        return status.isWell() && !isCertificateExpired();
    }

    /** What the site is doing, in words: what {@code /health} says. */
    String health() {
        String waiting = status.waitingFor().isEmpty() ? "" : " for " + status.waitingFor();
        String expired = isCertificateExpired() ? "; its certificate expired " + certificateEnd.get() : "";
        return status.phase().lowerCase() + waiting + expired;
    }
}
