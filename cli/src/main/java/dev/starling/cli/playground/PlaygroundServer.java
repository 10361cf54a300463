package dev.starling.cli.playground;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.starling.cli.console.Json;
import dev.starling.cli.page.GraphLayout;
import dev.starling.cli.page.HtmlPage;
import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.internal.JsonObject;
import dev.starling.internal.Version;
import dev.starling.lab.comparison.ComparedMethods;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.runtime.StopSignal;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Serves the playground to browsers on this machine: the page, graphs to start from, and races, one at a time, as
 * events.
 *
 * <p>Only requests whose Host is this very address are answered, and all but the page itself need the token in the
 * page, so that no other page open in the browser can run anything here.
 */
final class PlaygroundServer implements AutoCloseable {

    private static final int THREADS = 8;
    private static final List<String> CHOSEN = List.of("adfs", "adfs-local", "msda", "dsba", "newton");

    /** Methods for losses with kinks, which the playground does not have. */
    private static final Set<String> LEFT_OUT = Set.of("ns-adfs", "multipliers");

    /**
     * What the page starts with.
     *
     * @param source where the rows come from; empty if they were generated
     */
    record Start(Dataset rows, String source, String topology, int nodes) {}

    private final HttpServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS, PlaygroundServer::daemon);
    private final Start start;
    private final String token = token();

    /** The stop signal of the current race, which is requested when the next one starts. */
    private final AtomicReference<StopSignal> race = new AtomicReference<>(StopSignal.manual());

    private PlaygroundServer(HttpServer server, Start start) {
        this.server = server;
        this.start = start;
    }

    /** Starts a server on a port of the loopback interface; 0 for any free port. */
    static PlaygroundServer start(int port, Start start) {
        try {
            HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port), 0);
            PlaygroundServer playground = new PlaygroundServer(http, start);
            http.setExecutor(playground.threads);
            http.createContext("/", playground::answer);
            http.start();
            return playground;
        } catch (IOException e) {
            throw new InvalidInputException(
                    "port " + port + " of 127.0.0.1 cannot be opened: " + e.getMessage()
                            + "; use another, or 0 for any free port",
                    e);
        }
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "playground");
        thread.setDaemon(true);
        return thread;
    }

    private static String token() {
        byte[] bytes = new byte[16];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** The address to open in a browser. */
    URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            Map<String, String> query = query(exchange.getRequestURI());
            if (!isMine(exchange.getRequestHeaders().getFirst("Host"))) {
                refuse(exchange, 403);
            } else if (!exchange.getRequestMethod().equals("GET")) {
                refuse(exchange, 405);
            } else if (path.equals("/")) {
                send(exchange, "text/html", HtmlPage.filled(PlaygroundServer.class, "playground.html", this::page));
            } else if (!token.equals(query.get("token"))) {
                refuse(exchange, 403);
            } else if (path.equals("/graph")) {
                send(exchange, "application/json", Json.text(json -> graph(json, query)));
            } else if (path.equals("/race")) {
                race(exchange, query);
            } else {
                refuse(exchange, 404);
            }
        }
    }

    /**
     * Guards against DNS rebinding: a page elsewhere whose name resolves to this address sends its own name as Host.
     */
    private boolean isMine(String host) {
        int port = server.getAddress().getPort();
        return List.of("127.0.0.1:" + port, "localhost:" + port).contains(host);
    }

    private static Map<String, String> query(URI uri) {
        Map<String, String> query = new HashMap<>();
        String raw = uri.getRawQuery() == null ? "" : uri.getRawQuery();
        for (String part : raw.split("&")) {
            String[] pair = part.split("=", 2);
            query.put(
                    URLDecoder.decode(pair[0], StandardCharsets.UTF_8),
                    pair.length < 2 ? "" : URLDecoder.decode(pair[1], StandardCharsets.UTF_8));
        }
        return query;
    }

    private static void refuse(HttpExchange exchange, int status) throws IOException {
        exchange.sendResponseHeaders(status, -1);
    }

    private static void send(HttpExchange exchange, String type, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type + "; charset=utf-8");
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        exchange.sendResponseHeaders(200, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private void page(JsonObject json) {
        json.with("token", token);
        json.with("version", Version.current());
        json.with("rows", start.rows().rows());
        json.with("features", start.rows().features());
        json.with("source", start.source());
        json.with("topology", start.topology());
        json.with("nodes", start.nodes());
        json.with("mostNodes", Race.MOST_NODES);
        json.with("topologies", Topology.names());
        json.with("chosen", CHOSEN);
        List<String> methods = ComparedMethods.names().stream()
                .filter(method -> !LEFT_OUT.contains(method))
                .toList();
        json.objects(
                "methods",
                methods,
                (one, method) -> one.with("name", method).with("description", ComparedMethods.description(method)));
    }

    private static void graph(JsonObject json, Map<String, String> query) {
        Network network;
        try {
            network = Topology.named(Race.text(query, "topology")).build(Race.size(query), 1);
        } catch (InvalidInputException e) {
            json.with("problem", e.getMessage());
            return;
        }
        json.with("nodes", List.of(GraphLayout.of(network)));
        json.with("edges", GraphLayout.edges(network));
    }

    private void race(HttpExchange exchange, Map<String, String> query) throws IOException {
        StopSignal stop = StopSignal.manual();
        race.getAndSet(stop).request();
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream; charset=utf-8");
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        exchange.sendResponseHeaders(200, 0);
        EventStream events = new EventStream(exchange.getResponseBody(), stop::request);
        try {
            Race.of(query).run(start.rows(), events, stop);
            events.end();
        } catch (InvalidInputException e) {
            events.problem(e.getMessage());
        }
    }

    /** Ends the current race, and stops the server. */
    @Override
    public void close() {
        race.get().request();
        server.stop(0);
        threads.shutdownNow();
    }
}
