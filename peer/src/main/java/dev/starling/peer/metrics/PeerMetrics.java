package dev.starling.peer.metrics;

import dev.starling.peer.transport.Link;
import dev.starling.peer.transport.Traffic;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.List;
import java.util.function.ObjDoubleConsumer;
import java.util.function.ToDoubleFunction;

/** Where a site stands and what its links carried, as Prometheus' metrics: read when someone asks, never stored. */
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

    /** What there is of every neighbour. */
    private void neighbours(Observed observed) {
        List<Link> links = observed.links();
        gauge("starling_neighbour_up", "1 if the link stands.", links, link -> link.isUp() ? 1 : 0);
        gauge(
                "starling_neighbour_down_seconds",
                "For how long the link has been down; 0 while it stands.",
                links,
                link -> link.downNanos() * 1e-9);
        gauge("starling_neighbour_kept_bytes", "Messages kept for the neighbour.", links, Link::keptBytes);
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
        counter("starling_neighbour_taken_vectors_total", "Vectors taken in from the neighbour.", links, Link::taken);
        counter(
                "starling_neighbour_connections_total",
                "How often the link was made.",
                links,
                link -> link.traffic().connections());
        counter(
                "starling_neighbour_waited_seconds_total",
                "Time in which this site had nothing to do but to wait for the neighbour.",
                links,
                link -> observed.status().waitedSeconds(link.neighbour().name()));
    }

    private void gauge(String name, String help, List<Link> links, ToDoubleFunction<Link> value) {
        set.gauge(name, help, NEIGHBOUR, tell -> each(links, value, tell));
    }

    private void counter(String name, String help, List<Link> links, ToDoubleFunction<Link> value) {
        set.counter(name, help, NEIGHBOUR, tell -> each(links, value, tell));
    }

    private static void each(List<Link> links, ToDoubleFunction<Link> value, ObjDoubleConsumer<String> tell) {
        links.forEach(link -> tell.accept(link.neighbour().name(), value.applyAsDouble(link)));
    }

    private void progress(Status status) {
        set.gauge("starling_phase", "1 for what the site is doing, 0 for what it is not.", "phase", tell -> {
            Status.Phase current = status.phase();
            for (Status.Phase phase : Status.Phase.values()) {
                tell.accept(phase.lowerCase(), phase == current ? 1 : 0);
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
        set.gauge("starling_links", "Neighbours of this site.", status::links);
        set.gauge("starling_links_up", "Neighbours whose link stands.", status::linksUp);
        set.gauge("starling_tau", "Delay tuned for, in proximal steps.", status::tau);
        set.gauge("starling_link_seconds", "Delay of the slowest link, one way.", () -> status.linkMicros() * 1e-6);
        set.counter("starling_sent_bytes_total", "Bytes of frames sent.", traffic::bytesSent);
        set.counter("starling_received_bytes_total", "Bytes of frames received.", traffic::bytesReceived);
        set.counter("starling_sent_frames_total", "Frames sent.", traffic::framesSent);
        set.counter("starling_received_frames_total", "Frames received.", traffic::framesReceived);
        set.counter("starling_connections_total", "Connections that became links.", traffic::connections);
        set.refusals("starling", traffic::refused);
    }

    private void recovery(Status status) {
        set.gauge("starling_checkpoint_round", "Round of the newest checkpoint.", status::checkpointRound);
        set.gauge("starling_kept_bytes", "Messages kept for neighbours.", status::keptBytes);
        set.counter("starling_checkpoints_total", "Checkpoints written.", status::checkpoints);
        set.counter("starling_recoveries_total", "Restarts of this site in this run.", status::recoveries);
    }
}
