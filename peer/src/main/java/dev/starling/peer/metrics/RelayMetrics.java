package dev.starling.peer.metrics;

import dev.starling.peer.transport.Relay;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Instant;
import java.util.function.Supplier;

/** The load of a relay as Prometheus metrics: how many sites are connected and how much they send, but not which. */
final class RelayMetrics {

    private RelayMetrics() {}

    /** The metrics of one relay, in a registry of their own. */
    static PrometheusRegistry of(Relay relay, Supplier<Instant> certificateEnd) {
        MetricSet set = new MetricSet("relay");
        set.gauge("starling_relay_sites", "Sites that are connected.", relay::sites);
        set.gauge("starling_relay_ends", "Ends of edges that are connected.", relay::ends);
        set.gauge("starling_relay_waiting", "Ends of edges that wait for the other end.", relay::waiting);
        set.counter("starling_relay_meetings_total", "How often the two ends of an edge were joined.", relay::meetings);
        set.counter("starling_relay_bytes_total", "Bytes forwarded.", relay::bytes);
        set.refusals("starling_relay", relay::refused);
        set.certificateEnd(certificateEnd);
        return set.registry();
    }
}
