package dev.starling.peer.metrics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.starling.data.InvalidInputException;
import dev.starling.peer.transport.Traffic;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Answers {@code GET /metrics} in the text form of Prometheus or OpenMetrics, whichever is asked for, and {@code GET
 * /health} (200 while all is well, 503 while the peer waits for someone or has stopped), on an address of its own.
 */
public final class Monitor implements AutoCloseable {

    private final HttpServer server;
    private final ExecutorService executor;
    private final Status status;
    private final PrometheusRegistry registry;
    private final ExpositionFormats formats = ExpositionFormats.init();

    private Monitor(HttpServer server, ExecutorService executor, Status status, PrometheusRegistry registry) {
        this.server = server;
        this.executor = executor;
        this.status = status;
        this.registry = registry;
    }

    /** Starts answering. */
    public static Monitor start(InetSocketAddress address, String site, Status status, Traffic traffic) {
        try {
            InetSocketAddress resolved = new InetSocketAddress(address.getHostString(), address.getPort());
            HttpServer server = HttpServer.create(resolved, 16);
            ExecutorService executor = Executors.newSingleThreadExecutor(task -> {
                Thread thread = new Thread(task, "starling-monitor");
                thread.setDaemon(true);
                return thread;
            });
            Monitor monitor = new Monitor(server, executor, status, PeerMetrics.of(site, status, traffic));
            server.setExecutor(executor);
            server.createContext("/metrics", monitor::metrics);
            server.createContext("/health", monitor::health);
            server.start();
            return monitor;
        } catch (IOException e) {
            throw new InvalidInputException(
                    "monitoring: cannot listen on " + address.getHostString() + ":" + address.getPort() + ": "
                            + e.getMessage(),
                    e);
        }
    }

    /** The port it answers on. */
    public int port() {
        return server.getAddress().getPort();
    }

    private void metrics(HttpExchange exchange) throws IOException {
        ExpositionFormatWriter writer =
                formats.findWriter(exchange.getRequestHeaders().getFirst("Accept"));
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        writer.write(text, registry.scrape());
        answer(exchange, 200, writer.getContentType(), text.toByteArray());
    }

    private void health(HttpExchange exchange) throws IOException {
        Status.Phase phase = status.phase();
        boolean well = phase != Status.Phase.WAITING && phase != Status.Phase.STOPPED;
        String waiting = status.waitingFor().isEmpty() ? "" : " for " + status.waitingFor();
        String text = phase.name().toLowerCase(Locale.ROOT) + waiting + "\n";
        answer(exchange, well ? 200 : 503, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
    }

    private static void answer(HttpExchange exchange, int code, String type, byte[] body) throws IOException {
        try (exchange) {
            if (!exchange.getRequestMethod().equals("GET")) {
                exchange.sendResponseHeaders(405, -1);
                return;
            }
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.sendResponseHeaders(code, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        executor.shutdownNow();
    }
}
