package dev.starling.peer.metrics;

import dev.starling.peer.transport.Link;
import dev.starling.peer.transport.Traffic;
import dev.starling.peer.trust.Refusal;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.ObjDoubleConsumer;
import java.util.function.ToDoubleFunction;

/**
 * A site's progress and the traffic of its links as Prometheus metrics, all labelled with its name; they are computed
 * when scraped, never stored. What ends in {@value #COUNTED} only ever grows.
 */
final class PeerMetrics {

    private static final String COUNTED = "_total";

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final Observed observed;

    private PeerMetrics(Observed observed) {
        this.observed = observed;
    }

    /** The metrics of one site, in a registry of their own. */
    static PrometheusRegistry of(Observed observed) {
        PeerMetrics metrics = new PeerMetrics(observed);
        metrics.progress(observed.status());
        metrics.links(observed.status(), observed.traffic());
        metrics.neighbours();
        metrics.recovery(observed.status());
        metrics.one(
                "starling_certificate_expiry_seconds",
                "When the certificate expires, in seconds since 1970.",
                () -> observed.certificateEnd().get().getEpochSecond());
        return metrics.registry;
    }

    private void one(String name, String help, DoubleSupplier value) {
        register(name, help, values -> values.accept("", value.getAsDouble()));
    }

    /** Registers what there is for each neighbour. */
    private void link(String name, String help, ToDoubleFunction<Link> value) {
        each(
                name,
                help,
                "neighbour",
                values -> observed.links()
                        .forEach(link -> values.accept(link.neighbour().name(), value.applyAsDouble(link))));
    }

    /** Registers refusals by reason, including those that have not occurred. */
    private void refusals(String name, String help, boolean ofFrames, Traffic traffic) {
        each(name, help, "reason", values -> {
            for (Refusal refusal : Refusal.values()) {
                if (refusal.isOfFrames() == ofFrames) {
                    values.accept(refusal.label(), traffic.refused(refusal));
                }
            }
        });
    }

    /**
     * Registers what there is for each value of a label.
     *
     * @param values passes each value, with its label, to the consumer it is given
     */
    private void each(String name, String help, String label, Consumer<ObjDoubleConsumer<String>> values) {
        register(name, help, values, label);
    }

    private void register(String name, String help, Consumer<ObjDoubleConsumer<String>> values, String... labels) {
        Labels site = Labels.of("site", observed.config().site());
        if (name.endsWith(COUNTED)) {
            CounterWithCallback.builder()
                    .name(name)
                    .help(help)
                    .constLabels(site)
                    .labelNames(labels)
                    .callback(counter -> values.accept((label, value) -> counter.call(value, own(label, labels))))
                    .register(registry);
        } else {
            GaugeWithCallback.builder()
                    .name(name)
                    .help(help)
                    .constLabels(site)
                    .labelNames(labels)
                    .callback(gauge -> values.accept((label, value) -> gauge.call(value, own(label, labels))))
                    .register(registry);
        }
    }

    private static String[] own(String label, String... labels) {
        return labels.length == 0 ? labels : new String[] {label};
    }

    /** Registers the metrics that exist for each neighbour. */
    private void neighbours() {
        link("starling_neighbour_up", "1 if the link is up.", link -> link.isUp() ? 1 : 0);
        link(
                "starling_neighbour_down_seconds",
                "For how long the link has been down; 0 while it is up.",
                link -> link.downNanos() * 1e-9);
        link("starling_neighbour_kept_bytes", "Bytes of messages kept for the neighbour.", Link::keptBytes);
        link(
                "starling_neighbour_sent_bytes_total",
                "Bytes of frames sent to the neighbour.",
                link -> link.traffic().bytesSent());
        link(
                "starling_neighbour_received_bytes_total",
                "Bytes of frames received from the neighbour.",
                link -> link.traffic().bytesReceived());
        link("starling_neighbour_sent_vectors_total", "Vectors sent to the neighbour.", Link::sent);
        link("starling_neighbour_taken_vectors_total", "Vectors from the neighbour that were processed.", Link::taken);
        link(
                "starling_neighbour_connections_total",
                "How often the link was established.",
                link -> link.traffic().connections());
        link(
                "starling_neighbour_waited_seconds_total",
                "Time that this site spent waiting for the neighbour.",
                link -> observed.status().waitedSeconds(link.neighbour().name()));
    }

    private void progress(Status status) {
        each("starling_phase", "1 for the current phase of the site, 0 for the others.", "phase", values -> {
            Status.Phase current = status.phase();
            for (Status.Phase phase : Status.Phase.values()) {
                values.accept(phase.lowerCase(), phase == current ? 1 : 0);
            }
        });
        one(
                "starling_gap",
                "Certified relative duality gap.",
                () -> status.certificate().relativeGap());
        one(
                "starling_objective",
                "Certified objective.",
                () -> status.certificate().objective());
        one(
                "starling_epochs",
                "Proximal steps per sample.",
                () -> status.certificate().epochs());
        one("starling_rounds_total", "Communication rounds.", status::rounds);
    }

    private void links(Status status, Traffic traffic) {
        one("starling_links", "Neighbours of this site.", () -> status.links().all());
        one(
                "starling_links_up",
                "Neighbours whose link is up.",
                () -> status.links().up());
        one(
                "starling_tau",
                "Delay for which the method was tuned, in proximal steps.",
                () -> status.delay().tau());
        one(
                "starling_link_seconds",
                "One-way delay of the slowest link.",
                () -> status.delay().linkMicros() * 1e-6);
        one("starling_sent_bytes_total", "Bytes of frames sent.", traffic::bytesSent);
        one("starling_received_bytes_total", "Bytes of frames received.", traffic::bytesReceived);
        one("starling_sent_frames_total", "Frames sent.", traffic::framesSent);
        one("starling_received_frames_total", "Frames received.", traffic::framesReceived);
        one("starling_connections_total", "Connections that became links.", traffic::connections);
        refusals("starling_refused_total", "Callers refused because of who they are.", false, traffic);
        refusals("starling_malformed_total", "Frames refused because of what they contain.", true, traffic);
    }

    private void recovery(Status status) {
        one(
                "starling_checkpoint_round",
                "Round of the newest checkpoint.",
                () -> status.saved().round());
        one(
                "starling_kept_bytes",
                "Bytes of messages kept for neighbours.",
                () -> status.saved().keptBytes());
        one(
                "starling_checkpoints_total",
                "Checkpoints written.",
                () -> status.saved().written());
        one("starling_recoveries_total", "Restarts of this site in this run.", status::recoveries);
    }
}
