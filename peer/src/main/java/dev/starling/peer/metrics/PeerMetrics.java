package dev.starling.peer.metrics;

import dev.starling.peer.transport.Link;
import dev.starling.peer.transport.Refusal;
import dev.starling.peer.transport.Traffic;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.function.ToDoubleFunction;

/** Where a site stands and what its links carried, as Prometheus' metrics: read when someone asks, never stored. */
final class PeerMetrics {

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final Labels site;

    private PeerMetrics(String site) {
        this.site = Labels.of("site", site);
    }

    /** The metrics of one site, in a registry of their own. */
    static PrometheusRegistry of(Observed observed) {
        PeerMetrics metrics = new PeerMetrics(observed.config().site());
        metrics.progress(observed.status());
        metrics.links(observed.status(), observed.traffic());
        metrics.neighbours(observed);
        metrics.recovery(observed.status());
        metrics.gauge(
                "starling_certificate_expiry_seconds",
                "When the site's certificate expires, in seconds since 1970.",
                () -> observed.certificateEnd().get().getEpochSecond());
        return metrics.registry;
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
        GaugeWithCallback.builder()
                .name(name)
                .help(help)
                .constLabels(site)
                .labelNames("neighbour")
                .callback(gauge -> links.forEach(link ->
                        gauge.call(value.applyAsDouble(link), link.neighbour().name())))
                .register(registry);
    }

    private void counter(String name, String help, List<Link> links, ToDoubleFunction<Link> value) {
        CounterWithCallback.builder()
                .name(name)
                .help(help)
                .constLabels(site)
                .labelNames("neighbour")
                .callback(counter -> links.forEach(link ->
                        counter.call(value.applyAsDouble(link), link.neighbour().name())))
                .register(registry);
    }

    private void progress(Status status) {
        GaugeWithCallback.builder()
                .name("starling_phase")
                .help("1 for what the site is doing, 0 for what it is not.")
                .constLabels(site)
                .labelNames("phase")
                .callback(gauge -> {
                    Status.Phase current = status.phase();
                    for (Status.Phase phase : Status.Phase.values()) {
                        gauge.call(phase == current ? 1 : 0, phase.lowerCase());
                    }
                })
                .register(registry);
        gauge(
                "starling_gap",
                "Certified relative duality gap.",
                () -> status.certificate().relativeGap());
        gauge(
                "starling_objective",
                "Certified objective.",
                () -> status.certificate().objective());
        gauge(
                "starling_epochs",
                "Proximal steps per sample.",
                () -> status.certificate().epochs());
        counter("starling_rounds_total", "Communication rounds.", status::rounds);
    }

    private void links(Status status, Traffic traffic) {
        gauge("starling_links", "Neighbours of this site.", status::links);
        gauge("starling_links_up", "Neighbours whose link stands.", status::linksUp);
        gauge("starling_tau", "Delay tuned for, in proximal steps.", status::tau);
        gauge("starling_link_seconds", "Delay of the slowest link, one way.", () -> status.linkMicros() * 1e-6);
        counter("starling_sent_bytes_total", "Bytes of frames sent.", traffic::bytesSent);
        counter("starling_received_bytes_total", "Bytes of frames received.", traffic::bytesReceived);
        counter("starling_sent_frames_total", "Frames sent.", traffic::framesSent);
        counter("starling_received_frames_total", "Frames received.", traffic::framesReceived);
        counter("starling_connections_total", "Connections that became links.", traffic::connections);
        refusals("starling_refused_total", "Callers refused for who they are.", false, traffic);
        refusals("starling_malformed_total", "Frames refused for what they are.", true, traffic);
    }

    /** Refusals by reason, those that have not happened among them. */
    private void refusals(String name, String help, boolean ofFrames, Traffic traffic) {
        CounterWithCallback.builder()
                .name(name)
                .help(help)
                .constLabels(site)
                .labelNames("reason")
                .callback(counter -> {
                    for (Refusal refusal : Refusal.values()) {
                        if (refusal.isOfFrames() == ofFrames) {
                            counter.call(traffic.refused(refusal), refusal.label());
                        }
                    }
                })
                .register(registry);
    }

    private void recovery(Status status) {
        gauge("starling_checkpoint_round", "Round of the newest checkpoint.", status::checkpointRound);
        gauge("starling_kept_bytes", "Messages kept for neighbours.", status::keptBytes);
        counter("starling_checkpoints_total", "Checkpoints written.", status::checkpoints);
        counter("starling_recoveries_total", "Restarts of this site in this run.", status::recoveries);
    }

    private void gauge(String name, String help, DoubleSupplier value) {
        GaugeWithCallback.builder()
                .name(name)
                .help(help)
                .constLabels(site)
                .callback(gauge -> gauge.call(value.getAsDouble()))
                .register(registry);
    }

    private void counter(String name, String help, DoubleSupplier value) {
        CounterWithCallback.builder()
                .name(name)
                .help(help)
                .constLabels(site)
                .callback(counter -> counter.call(value.getAsDouble()))
                .register(registry);
    }
}
