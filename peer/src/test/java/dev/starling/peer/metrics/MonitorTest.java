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
import org.junit.jupiter.api.Test;

class MonitorTest {

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
            assertThat(get(monitor, "/metrics").body())
                    .contains("starling_gap{site=\"a\"} 0.5")
                    .contains("starling_rounds_total{site=\"a\"} 42")
                    .contains("starling_phase{site=\"a\",phase=\"training\"} 1");
            status.enter(Status.Phase.WAITING, "site b");
            HttpResponse<String> waiting = get(monitor, "/health");
            assertThat(waiting.statusCode()).isEqualTo(503);
            assertThat(waiting.body()).isEqualTo("waiting for site b\n");
        }
    }
}
