package dev.starling.peer.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.certificate.Certificate;
import dev.starling.peer.keys.Authority;
import dev.starling.peer.transport.Endpoint;
import dev.starling.peer.transport.Identity;
import dev.starling.peer.transport.Limits;
import dev.starling.peer.transport.LinkEvents;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class MonitorTest {

    private static final Pattern NAME = Pattern.compile("(?<=# TYPE )\\S+");

    /** Dashboards and alerts of those who run peers know these. */
    private static final String[] NAMES = {
        "starling_phase",
        "starling_gap",
        "starling_objective",
        "starling_epochs",
        "starling_links",
        "starling_links_up",
        "starling_tau",
        "starling_link_seconds",
        "starling_checkpoint_round",
        "starling_kept_bytes",
        "starling_rounds_total",
        "starling_checkpoints_total",
        "starling_recoveries_total",
        "starling_sent_bytes_total",
        "starling_received_bytes_total",
        "starling_sent_frames_total",
        "starling_received_frames_total",
        "starling_connections_total",
        "starling_refused_total",
        "starling_malformed_total"
    };

    private static HttpResponse<String> get(Monitor monitor, String path) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + monitor.port() + path))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void shouldSayWhereTheSiteStands() throws Exception {
        Status status = new Status();
        status.enter(Status.Phase.TRAINING, "");
        status.certificate(new Certificate(2, 1, 100, 7));
        status.rounds(42);
        try (Endpoint endpoint = Endpoint.open(
                        new Identity(0, "a", "v", "r", "n"),
                        Authority.create(Instant.now(), Duration.ofDays(1))
                                .issue("a", Instant.now(), Duration.ofDays(1))
                                .credentials(),
                        Optional.empty(),
                        List.of(),
                        new Limits(4, 4, 4),
                        new LinkEvents() {});
                Monitor monitor = Monitor.start(
                        InetSocketAddress.createUnresolved("127.0.0.1", 0), "a", status, endpoint.traffic())) {
            assertThat(get(monitor, "/health").statusCode()).isEqualTo(200);
            HttpResponse<String> metrics = get(monitor, "/metrics");
            assertThat(metrics.headers().firstValue("Content-Type"))
                    .hasValueSatisfying(type -> assertThat(type).startsWith("text/plain; version=0.0.4"));
            assertThat(metrics.body())
                    .contains("# TYPE starling_gap gauge\nstarling_gap{site=\"a\"} 0.5\n")
                    .contains("# TYPE starling_rounds_total counter\nstarling_rounds_total{site=\"a\"} 42.0\n")
                    .contains("starling_phase{phase=\"training\",site=\"a\"} 1.0\n")
                    .contains("starling_phase{phase=\"waiting\",site=\"a\"} 0.0\n");
            assertThat(NAME.matcher(metrics.body()).results().map(MatchResult::group))
                    .containsExactlyInAnyOrder(NAMES);
            status.enter(Status.Phase.WAITING, "site b");
            HttpResponse<String> waiting = get(monitor, "/health");
            assertThat(waiting.statusCode()).isEqualTo(503);
            assertThat(waiting.body()).isEqualTo("waiting for site b\n");
        }
    }
}
