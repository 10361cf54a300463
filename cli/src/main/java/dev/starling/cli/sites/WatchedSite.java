package dev.starling.cli.sites;

import dev.starling.cli.console.Json;
import dev.starling.data.InvalidInputException;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.metrics.SiteReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A site whose progress is watched.
 *
 * @param config the content of its file
 * @param address the address of its monitoring
 */
record WatchedSite(SiteConfig config, InetSocketAddress address) {

    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .connectTimeout(TIMEOUT)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();

    /**
     * Whether a site makes progress.
     *
     * @param text the site's answer, or why there is none
     */
    record Health(boolean well, String text) {}

    static WatchedSite of(Path file) {
        SiteConfig config = SiteConfig.read(file);
        InetSocketAddress address = config.monitoring()
                .filter(one -> one.getPort() > 0)
                .orElseThrow(() -> new InvalidInputException(
                        file + " has no 'monitoring:'; give it an address to ask, such as 127.0.0.1:9464"));
        return new WatchedSite(config, address);
    }

    String name() {
        return config.site();
    }

    /** Returns the reports of sites as JSON; all are asked at the same time. */
    static List<String> reports(List<WatchedSite> sites) {
        return sites.parallelStream().map(WatchedSite::report).toList();
    }

    Health health() {
        try {
            HttpResponse<String> answer = get("/health");
            return new Health(answer.statusCode() == 200, answer.body().strip());
        } catch (IOException e) {
            return new Health(false, reason(e));
        }
    }

    private String report() {
        try {
            HttpResponse<String> answer = get("/status");
            return answer.statusCode() == 200 ? answer.body() : unreachable("it answers " + answer.statusCode());
        } catch (IOException e) {
            return unreachable(reason(e));
        }
    }

    private HttpResponse<String> get(String path) throws IOException {
        // The host of an IPv6 address already includes its brackets.
        URI uri = URI.create("http://" + address.getHostString() + ":" + address.getPort() + path);
        try {
            return CLIENT.send(
                    HttpRequest.newBuilder(uri).timeout(TIMEOUT).build(), HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private String reason(IOException e) {
        String where = address.getHostString() + ":" + address.getPort();
        return e instanceof ConnectException
                ? "no answer at " + where + "; it is not running"
                : "no answer from " + where + ": " + e.getMessage();
    }

    /** Returns the report of a site that does not answer: its name, and the network according to its file. */
    private String unreachable(String reason) {
        StringWriter text = new StringWriter();
        Json.print(new PrintWriter(text), json -> {
            json.with("site", config.site());
            json.with("unreachable", reason);
            SiteReport.writeNetwork(json, config);
        });
        return text.toString().strip();
    }
}
