package dev.starling.peer.metrics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.starling.data.InvalidInputException;
import dev.starling.peer.transport.Traffic;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Answers {@code GET /metrics} in Prometheus' text form and {@code GET /health} (200 while all is well, 503 while the
 * peer waits for someone or has stopped), on an address of its own.
 */
public final class Monitor implements AutoCloseable {

    private final HttpServer server;
    private final ExecutorService executor;
    private final String site;
    private final Status status;
    private final Traffic traffic;

    private Monitor(HttpServer server, ExecutorService executor, String site, Status status, Traffic traffic) {
        this.server = server;
        this.executor = executor;
        this.site = site;
        this.status = status;
        this.traffic = traffic;
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
            Monitor monitor = new Monitor(server, executor, site, status, traffic);
            server.setExecutor(executor);
            server.createContext("/metrics", exchange -> monitor.answer(exchange, 200, monitor.metrics()));
            server.createContext("/health", exchange -> monitor.answer(exchange, monitor.code(), monitor.health()));
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

    private void answer(HttpExchange exchange, int code, String text) throws IOException {
        try (exchange) {
            if (!exchange.getRequestMethod().equals("GET")) {
                exchange.sendResponseHeaders(405, -1);
                return;
            }
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
            exchange.sendResponseHeaders(code, bytes.length);
            try (OutputStream body = exchange.getResponseBody()) {
                body.write(bytes);
            }
        }
    }

    private int code() {
        return switch (status.phase()) {
            case WAITING, STOPPED -> 503;
            default -> 200;
        };
    }

    private String health() {
        String waiting = status.waitingFor().isEmpty() ? "" : " for " + status.waitingFor();
        return status.phase().name().toLowerCase(Locale.ROOT) + waiting + "\n";
    }

    private String metrics() {
        StringBuilder text = new StringBuilder();
        for (Status.Phase phase : Status.Phase.values()) {
            text.append(String.format(
                    Locale.ROOT,
                    "starling_phase{site=\"%s\",phase=\"%s\"} %d%n",
                    site,
                    phase.name().toLowerCase(Locale.ROOT),
                    phase == status.phase() ? 1 : 0));
        }
        gauge(
                text,
                "starling_gap",
                "Certified relative duality gap.",
                status.certificate().relativeGap());
        gauge(
                text,
                "starling_objective",
                "Certified objective.",
                status.certificate().objective());
        gauge(
                text,
                "starling_epochs",
                "Proximal steps per sample.",
                status.certificate().epochs());
        gauge(text, "starling_links", "Neighbours of this site.", status.links());
        gauge(text, "starling_links_up", "Neighbours whose link stands.", status.linksUp());
        gauge(text, "starling_tau", "Delay tuned for, in proximal steps.", status.tau());
        gauge(text, "starling_link_seconds", "Delay of the slowest link, one way.", status.linkMicros() * 1e-6);
        gauge(text, "starling_checkpoint_round", "Round of the newest checkpoint.", status.checkpointRound());
        gauge(text, "starling_kept_bytes", "Messages kept for neighbours.", status.keptBytes());
        counter(text, "starling_rounds_total", "Communication rounds.", status.rounds());
        counter(text, "starling_checkpoints_total", "Checkpoints written.", status.checkpoints());
        counter(text, "starling_recoveries_total", "Restarts of this site in this run.", status.recoveries());
        counter(text, "starling_sent_bytes_total", "Bytes of frames sent.", traffic.bytesSent());
        counter(text, "starling_received_bytes_total", "Bytes of frames received.", traffic.bytesReceived());
        counter(text, "starling_sent_frames_total", "Frames sent.", traffic.framesSent());
        counter(text, "starling_received_frames_total", "Frames received.", traffic.framesReceived());
        counter(text, "starling_connections_total", "Connections that became links.", traffic.connections());
        counter(text, "starling_refused_total", "Callers refused for who they are.", traffic.refused());
        counter(text, "starling_malformed_total", "Frames refused for what they are.", traffic.malformed());
        return text.toString();
    }

    private void gauge(StringBuilder text, String name, String help, double value) {
        sample(text, name, help, "gauge", Double.toString(value).replace("Infinity", "Inf"));
    }

    private void counter(StringBuilder text, String name, String help, long value) {
        sample(text, name, help, "counter", Long.toString(value));
    }

    private void sample(StringBuilder text, String name, String help, String type, String value) {
        text.append("# HELP ").append(name).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
        text.append(name)
                .append("{site=\"")
                .append(site)
                .append("\"} ")
                .append(value)
                .append('\n');
    }

    @Override
    public void close() {
        server.stop(0);
        executor.shutdownNow();
    }
}
