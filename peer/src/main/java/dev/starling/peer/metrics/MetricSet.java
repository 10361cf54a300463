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

/** The metrics of one process, all labelled with its name, in a registry of their own: read when someone asks. */
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
     * A gauge for each value of a label.
     *
     * @param values tells them all, with the label's value
     */
    void gauge(String name, String help, String label, Consumer<ObjDoubleConsumer<String>> values) {
        GaugeWithCallback.builder()
                .name(name)
                .help(help)
                .constLabels(site)
                .labelNames(label)
                .callback(gauge -> values.accept((of, value) -> gauge.call(value, of)))
                .register(registry);
    }

    /**
     * A counter for each value of a label.
     *
     * @param values tells them all, with the label's value
     */
    void counter(String name, String help, String label, Consumer<ObjDoubleConsumer<String>> values) {
        CounterWithCallback.builder()
                .name(name)
                .help(help)
                .constLabels(site)
                .labelNames(label)
                .callback(counter -> values.accept((of, value) -> counter.call(value, of)))
                .register(registry);
    }

    /** Refusals by reason, those that have not happened among them. */
    void refusals(String prefix, ToLongFunction<Refusal> refused) {
        refusals(prefix + "_refused_total", "Callers refused for who they are.", false, refused);
        refusals(prefix + "_malformed_total", "Frames refused for what they are.", true, refused);
    }

    private void refusals(String name, String help, boolean ofFrames, ToLongFunction<Refusal> refused) {
        counter(name, help, "reason", tell -> {
            for (Refusal refusal : Refusal.values()) {
                if (refusal.isOfFrames() == ofFrames) {
                    tell.accept(refusal.label(), refused.applyAsLong(refusal));
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
