package dev.starling.peer.metrics;

import dev.starling.peer.transport.Refusal;
import dev.starling.peer.transport.Traffic;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.Locale;
import java.util.function.DoubleSupplier;

/** Where a site stands and what its links carried, as Prometheus' metrics: read when someone asks, never stored. */
final class PeerMetrics {

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final Labels site;

    private PeerMetrics(String site) {
        this.site = Labels.of("site", site);
    }

    /** The metrics of one site, in a registry of their own. */
    static PrometheusRegistry of(String site, Status status, Traffic traffic) {
        PeerMetrics metrics = new PeerMetrics(site);
        metrics.progress(status);
        metrics.links(status, traffic);
        metrics.recovery(status);
        return metrics.registry;
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
                        gauge.call(phase == current ? 1 : 0, phase.name().toLowerCase(Locale.ROOT));
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
