package dev.starling.peer.metrics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.starling.data.InvalidInputException;
import dev.starling.peer.transport.Surroundings;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;

/**
 * A read-only HTTP server, on an address of its own, for monitoring a site. {@code GET /} is a page that keeps itself
 * up to date from {@code /status} (JSON), {@code /metrics} is for Prometheus, in its own text format or that of
 * OpenMetrics, and {@code /health} answers 200 while the site makes progress, 503 while it waits for another site or
 * has stopped.
 */
public final class Monitor implements AutoCloseable {

    private final HttpServer server;
    private final ExecutorService executor;

    private Monitor(HttpServer server, ExecutorService executor) {
        this.server = server;
        this.executor = executor;
    }

    /** Starts a server for a site. */
    public static Monitor start(InetSocketAddress address, Observed observed) {
        Monitor monitor = start(address);
        monitor.answerWith(PeerMetrics.of(observed));
        monitor.answer("/health", exchange -> Answer.text(observed.isWell() ? 200 : 503, observed.health() + "\n"));
        monitor.answer("/status", exchange -> Answer.json(SiteReport.json(observed)));
        monitor.answer("/", exchange -> Answer.html(StatusPage.live(observed)));
        return monitor;
    }

    private void answerWith(PrometheusRegistry registry) {
        ExpositionFormats formats = ExpositionFormats.init();
        answer("/metrics", exchange -> {
            ExpositionFormatWriter writer =
                    formats.findWriter(exchange.getRequestHeaders().getFirst("Accept"));
            ByteArrayOutputStream text = new ByteArrayOutputStream();
            writer.write(text, registry.scrape());
            return new Answer(200, writer.getContentType(), text.toByteArray());
        });
    }

    /** Starts a server that serves no paths yet. */
    public static Monitor start(InetSocketAddress address) {
        try {
            InetSocketAddress resolved = new InetSocketAddress(address.getHostString(), address.getPort());
            HttpServer server = HttpServer.create(resolved, 16);
            ExecutorService executor = Surroundings.real().worker("starling-monitor");
            server.setExecutor(executor);
            server.start();
            return new Monitor(server, executor);
        } catch (IOException e) {
            throw new InvalidInputException(
                    "monitoring: cannot listen on " + address.getHostString() + ":" + address.getPort() + ": "
                            + e.getMessage(),
                    e);
        }
    }

    /**
     * The answer to a request.
     *
     * @param code the HTTP status code
     * @param type the content type of the body
     */
    public record Answer(int code, String type, byte[] body) {

        static Answer text(int code, String text) {
            return of(code, "text/plain; charset=utf-8", text);
        }

        /** A JSON object. */
        public static Answer json(String text) {
            return of(200, "application/json; charset=utf-8", text);
        }

        /** An HTML page. */
        public static Answer html(String text) {
            return of(200, "text/html; charset=utf-8", text);
        }

        private static Answer of(int code, String type, String text) {
            return new Answer(code, type, text.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Computes the answer to a request. */
    @FunctionalInterface
    public interface Answering {
        /** Returns the answer; an exception closes the connection. */
        Answer answer(HttpExchange exchange) throws IOException;
    }

    /** Serves requests for exactly this path, not for longer paths below it. */
    public void answer(String path, Answering answering) {
        server.createContext(path, handler(path, answering));
    }

    private HttpHandler handler(String path, Answering answering) {
        return exchange -> {
            try (exchange) {
                Answer answer = refusal(exchange, path);
                answer = answer == null ? answering.answer(exchange) : answer;
                exchange.getResponseHeaders().set("Content-Type", answer.type());
                exchange.getResponseHeaders().set("Cache-Control", "no-store");
                exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
                exchange.getResponseHeaders().set("Content-Security-Policy", StatusPage.POLICY);
                exchange.sendResponseHeaders(answer.code(), answer.body().length);
                exchange.getResponseBody().write(answer.body());
            }
        };
    }

    private Answer refusal(HttpExchange exchange, String path) {
        if (!exchange.getRequestMethod().equals("GET")) {
            return Answer.text(405, "only GET\n");
        }
        if (!exchange.getRequestURI().getPath().equals(path)) {
            return Answer.text(404, "there are /, /status, /metrics and /health\n");
        }
        if (server.getAddress().getAddress().isLoopbackAddress() && !isLoopback(exchange)) {
            // Guards against DNS rebinding: a foreign page whose host name resolves to this machine could otherwise
            // read the answers.
            return Answer.text(403, "ask for localhost or 127.0.0.1\n");
        }
        return null;
    }

    private static boolean isLoopback(HttpExchange exchange) {
        String host = String.valueOf(exchange.getRequestHeaders().getFirst("Host"));
        return host.matches("(localhost|127(\\.\\d{1,3}){3}|\\[::1])(:\\d{1,5})?");
    }

    /** The port on which it listens. */
    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        executor.shutdownNow();
    }
}
