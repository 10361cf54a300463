package dev.starling.peer.metrics;

import dev.starling.peer.transport.Link;
import dev.starling.peer.transport.Traffic;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.List;
import java.util.function.ObjDoubleConsumer;
import java.util.function.ToDoubleFunction;

/**
 * A site's progress and the traffic of its links as Prometheus metrics; they are computed when scraped, never stored.
 */
final class PeerMetrics {

    private static final String NEIGHBOUR = "neighbour";

    private final MetricSet set;

    private PeerMetrics(MetricSet set) {
        this.set = set;
    }

    /** The metrics of one site, in a registry of their own. */
    static PrometheusRegistry of(Observed observed) {
        PeerMetrics metrics = new PeerMetrics(new MetricSet(observed.config().site()));
        metrics.progress(observed.status());
        metrics.links(observed.status(), observed.traffic());
        metrics.neighbours(observed);
        metrics.recovery(observed.status());
        metrics.set.certificateEnd(observed.certificateEnd());
        return metrics.set.registry();
    }

    /** Registers the metrics that exist for each neighbour. */
    private void neighbours(Observed observed) {
        List<Link> links = observed.links();
        gauge("starling_neighbour_up", "1 if the link is up.", links, link -> link.isUp() ? 1 : 0);
        gauge(
                "starling_neighbour_down_seconds",
                "For how long the link has been down; 0 while it is up.",
                links,
                link -> link.downNanos() * 1e-9);
        gauge("starling_neighbour_kept_bytes", "Bytes of messages kept for the neighbour.", links, Link::keptBytes);
        counter(
                "starling_neighbour_sent_bytes_total",
                "Bytes of frames sent to the neighbour.",
                links,
                link -> link.traffic().bytesSent());
        counter(
                "starling_neighbour_received_bytes_total",
                "Bytes of frames received from the neighbour.",
                links,
                link -> link.traffic().bytesReceived());
        counter("starling_neighbour_sent_vectors_total", "Vectors sent to the neighbour.", links, Link::sent);
        counter(
                "starling_neighbour_taken_vectors_total",
                "Vectors from the neighbour that were processed.",
                links,
                Link::taken);
        counter(
                "starling_neighbour_connections_total",
                "How often the link was established.",
                links,
                link -> link.traffic().connections());
        counter(
                "starling_neighbour_waited_seconds_total",
                "Time that this site spent waiting for the neighbour.",
                links,
                link -> observed.status().waitedSeconds(link.neighbour().name()));
    }

    private void gauge(String name, String help, List<Link> links, ToDoubleFunction<Link> value) {
        set.gauge(name, help, NEIGHBOUR, values -> each(links, value, values));
    }

    private void counter(String name, String help, List<Link> links, ToDoubleFunction<Link> value) {
        set.counter(name, help, NEIGHBOUR, values -> each(links, value, values));
    }

    private static void each(List<Link> links, ToDoubleFunction<Link> value, ObjDoubleConsumer<String> values) {
        links.forEach(link -> values.accept(link.neighbour().name(), value.applyAsDouble(link)));
    }

    private void progress(Status status) {
        set.gauge("starling_phase", "1 for the current phase of the site, 0 for the others.", "phase", values -> {
            Status.Phase current = status.phase();
            for (Status.Phase phase : Status.Phase.values()) {
                values.accept(phase.lowerCase(), phase == current ? 1 : 0);
            }
        });
        set.gauge(
                "starling_gap",
                "Certified relative duality gap.",
                () -> status.certificate().relativeGap());
        set.gauge(
                "starling_objective",
                "Certified objective.",
                () -> status.certificate().objective());
        set.gauge(
                "starling_epochs",
                "Proximal steps per sample.",
                () -> status.certificate().epochs());
        set.counter("starling_rounds_total", "Communication rounds.", status::rounds);
    }

    private void links(Status status, Traffic traffic) {
        set.gauge(
                "starling_links",
                "Neighbours of this site.",
                () -> status.links().all());
        set.gauge(
                "starling_links_up",
                "Neighbours whose link is up.",
                () -> status.links().up());
        set.gauge(
                "starling_tau",
                "Delay for which the method was tuned, in proximal steps.",
                () -> status.delay().tau());
        set.gauge(
                "starling_link_seconds",
                "One-way delay of the slowest link.",
                () -> status.delay().linkMicros() * 1e-6);
        set.counter("starling_sent_bytes_total", "Bytes of frames sent.", traffic::bytesSent);
        set.counter("starling_received_bytes_total", "Bytes of frames received.", traffic::bytesReceived);
        set.counter("starling_sent_frames_total", "Frames sent.", traffic::framesSent);
        set.counter("starling_received_frames_total", "Frames received.", traffic::framesReceived);
        set.counter("starling_connections_total", "Connections that became links.", traffic::connections);
        set.refusals("starling", traffic::refused);
    }

    private void recovery(Status status) {
        set.gauge(
                "starling_checkpoint_round",
                "Round of the newest checkpoint.",
                () -> status.saved().round());
        set.gauge(
                "starling_kept_bytes",
                "Bytes of messages kept for neighbours.",
                () -> status.saved().keptBytes());
        set.counter(
                "starling_checkpoints_total",
                "Checkpoints written.",
                () -> status.saved().written());
        set.counter("starling_recoveries_total", "Restarts of this site in this run.", status::recoveries);
    }
}
