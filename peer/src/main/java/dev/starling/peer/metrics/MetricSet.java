package dev.starling.peer.metrics;

import dev.starling.peer.transport.Refusal;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Labels;
import java.time.Instant;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.ObjDoubleConsumer;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * The metrics of one process, all labelled with its name, in a registry of their own; they are computed when scraped.
 */
final class MetricSet {

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final Labels site;

    MetricSet(String site) {
        this.site = Labels.of("site", site);
    }

    PrometheusRegistry registry() {
        return registry;
    }

    void gauge(String name, String help, DoubleSupplier value) {
        GaugeWithCallback.builder()
                .name(name)
                .help(help)
                .constLabels(site)
                .callback(gauge -> gauge.call(value.getAsDouble()))
                .register(registry);
    }

    void counter(String name, String help, DoubleSupplier value) {
        CounterWithCallback.builder()
                .name(name)
                .help(help)
                .constLabels(site)
                .callback(counter -> counter.call(value.getAsDouble()))
                .register(registry);
    }

    /**
     * Registers a gauge for each value of a label.
     *
     * @param values passes each value, with its label, to the consumer it is given
     */
    void gauge(String name, String help, String label, Consumer<ObjDoubleConsumer<String>> values) {
        GaugeWithCallback.builder()
                .name(name)
                .help(help)
                .constLabels(site)
                .labelNames(label)
                .callback(gauge -> values.accept((labelValue, value) -> gauge.call(value, labelValue)))
                .register(registry);
    }

    /**
     * Registers a counter for each value of a label.
     *
     * @param values passes each value, with its label, to the consumer it is given
     */
    void counter(String name, String help, String label, Consumer<ObjDoubleConsumer<String>> values) {
        CounterWithCallback.builder()
                .name(name)
                .help(help)
                .constLabels(site)
                .labelNames(label)
                .callback(counter -> values.accept((labelValue, value) -> counter.call(value, labelValue)))
                .register(registry);
    }

    /** Registers refusals by reason, including those that have not occurred. */
    void refusals(String prefix, ToLongFunction<Refusal> refused) {
        refusals(prefix + "_refused_total", "Callers refused because of who they are.", false, refused);
        refusals(prefix + "_malformed_total", "Frames refused because of what they contain.", true, refused);
    }

    private void refusals(String name, String help, boolean ofFrames, ToLongFunction<Refusal> refused) {
        counter(name, help, "reason", values -> {
            for (Refusal refusal : Refusal.values()) {
                if (refusal.isOfFrames() == ofFrames) {
                    values.accept(refusal.label(), refused.applyAsLong(refusal));
                }
            }
        });
    }

    void certificateEnd(Supplier<Instant> end) {
        gauge(
                "starling_certificate_expiry_seconds",
                "When the certificate expires, in seconds since 1970.",
                () -> end.get().getEpochSecond());
    }
}
