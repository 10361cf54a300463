package dev.starling.peer.metrics;

import dev.starling.peer.bulletin.Bulletin;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.transport.Link;
import dev.starling.peer.transport.Traffic;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;

/**
 * Everything about a site that monitoring shows; it is read on request, never stored.
 *
 * @param config the site's configuration
 * @param status the site's progress
 * @param bulletin what is known about the other sites
 * @param links its links
 * @param traffic what was sent and received over all of them, and what was refused
 * @param certificateEnd returns when the site's certificate expires; it may be renewed while the site runs
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

    /** Whether the site is making progress or has finished successfully. */
    boolean isWell() {
        return status.isWell() && !isCertificateExpired();
    }

    /** What the site is doing, as text: the answer of {@code /health}. */
    String health() {
        String waiting = status.waitingFor().isEmpty() ? "" : " for " + status.waitingFor();
        String expired = isCertificateExpired() ? "; its certificate expired " + certificateEnd.get() : "";
        return status.phase().lowerCase() + waiting + expired;
    }
}
