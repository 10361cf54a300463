package dev.starling.peer.metrics;

import dev.starling.peer.transport.Relay;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Instant;
import java.util.function.Supplier;

/** What a relay has to do, as Prometheus' metrics: how many come and how much they say, and of nobody who. */
final class RelayMetrics {

    private RelayMetrics() {}

    /** The metrics of one relay, in a registry of their own. */
    static PrometheusRegistry of(Relay relay, Supplier<Instant> certificateEnd) {
        MetricSet set = new MetricSet("relay");
        set.gauge("starling_relay_sites", "Sites that are there.", relay::sites);
        set.gauge("starling_relay_ends", "Ends of edges that are there.", relay::ends);
        set.gauge("starling_relay_waiting", "Ends of edges that wait for the other one.", relay::waiting);
        set.counter("starling_relay_meetings_total", "How often two ends of an edge have met.", relay::meetings);
        set.counter("starling_relay_bytes_total", "Bytes handed on.", relay::bytes);
        set.refusals("starling_relay", relay::refused);
        set.certificateEnd(certificateEnd);
        return set.registry();
    }
}
