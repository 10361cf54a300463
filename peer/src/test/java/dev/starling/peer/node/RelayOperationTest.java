package dev.starling.peer.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.internal.Version;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.keys.Authority;
import dev.starling.peer.metrics.Monitor;
import dev.starling.peer.transport.ConnectProxy;
import dev.starling.peer.transport.Credentials;
import dev.starling.peer.transport.Endpoint;
import dev.starling.peer.transport.Identity;
import dev.starling.peer.transport.Limits;
import dev.starling.peer.transport.LinkEvents;
import dev.starling.peer.transport.Neighbour;
import dev.starling.peer.transport.OutboundRoute;
import dev.starling.peer.transport.Relay;
import dev.starling.support.FreePorts;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What those who run sites and relays are told of a relay before and during a run. */
@Tag("thorough")
class RelayOperationTest {

    @TempDir
    private Path directory;

    private ProcessNetwork network;

    @BeforeEach
    void threeSites() throws IOException {
        Dataset rows = Generator.classification(240, 6).noise(0.2).seed(4).generate();
        network = new ProcessNetwork(directory, "complete", 3, List.of("lambda: 1e-2", "gap: 1e-4"))
                .with(rows, UnaryOperator.identity());
    }

    private void meetAt(int port) throws IOException {
        for (int site = 0; site < 3; site++) {
            network.edit(
                    site,
                    text -> text.replaceAll("(?m)^(listen|relay): .*$", "relay: 127.0.0.1:" + port)
                            .replaceAll("(?m)^    address: .*\\R", ""));
        }
    }

    private static Relay relay(Authority authority) throws IOException {
        Credentials own =
                authority.issue("relay", Instant.now(), Duration.ofDays(1)).credentials();
        return Relay.open(
                new InetSocketAddress("127.0.0.1", 0), () -> own, new Relay.Capacity(50, 10), new Relay.Events() {});
    }

    /** A site that waits at the relay for its neighbour 0, as a run does. */
    private Endpoint waitingSite(int node, Relay relay) throws IOException {
        Credentials own = network.authority
                .issue("site-" + node, Instant.now(), Duration.ofDays(1))
                .credentials();
        Endpoint endpoint = Endpoint.open(
                new Identity(node, "site-" + node, Version.current(), "test", config().networkText()),
                () -> own,
                Optional.empty(),
                List.of(new Neighbour(0, "site-0", "site-0")),
                new Limits(10, 100, 10),
                new LinkEvents() {},
                new OutboundRoute(Optional.empty(), Optional.of(new InetSocketAddress("127.0.0.1", relay.port()))));
        endpoint.connect(Map.of());
        return endpoint;
    }

    private SiteConfig config() {
        return SiteConfig.read(network.yaml(0));
    }

    private List<String> findings() {
        return SiteCheck.of(config()).findings().stream()
                .filter(finding -> finding.text().contains("relay"))
                .map(finding -> finding.verdict() + " " + finding.text())
                .toList();
    }

    @Test
    void reportsAMissingRelayAsLater() throws Exception {
        int port = FreePorts.first(1);
        meetAt(port);
        assertThat(findings())
                .anySatisfy(text -> assertThat(text)
                        .startsWith("LATER relay 127.0.0.1:" + port + " is not started yet, or cannot be reached"))
                .contains(
                        "LATER neighbour site-1 can be checked once the relay is running",
                        "LATER neighbour site-2 can be checked once the relay is running");
    }

    @Test
    void distinguishesANeighbourAtTheRelayFromAMissingOne() throws Exception {
        try (Relay relay = relay(network.authority)) {
            meetAt(relay.port());
            try (Endpoint one = waitingSite(1, relay)) {
                assertThat(findings())
                        .anySatisfy(text -> assertThat(text)
                                .isEqualTo("OK relay 127.0.0.1:" + relay.port() + " answers and is who it should be"))
                        .anySatisfy(text -> assertThat(text)
                                .isEqualTo("OK neighbour site-1, through the relay, answers and is who it should be"))
                        .anySatisfy(text -> assertThat(text)
                                .isEqualTo("LATER neighbour site-2, through the relay, is not at the relay yet"));
                assertThat(one.link(0).isUp()).isFalse();
            }
        }
    }

    @Test
    void reachesTheRelayThroughAProxy() throws Exception {
        try (Relay relay = relay(network.authority);
                ConnectProxy proxy = new ConnectProxy()) {
            meetAt(relay.port());
            network.edit(0, text -> text.replaceAll("(?m)^# proxy: .*$", "proxy: 127.0.0.1:" + proxy.port()));
            assertThat(findings())
                    .contains("OK relay 127.0.0.1:" + relay.port() + " through the proxy 127.0.0.1:" + proxy.port()
                            + " answers and is who it should be");
            assertThat(proxy.targets()).contains("127.0.0.1:" + relay.port());
        }
    }

    @Test
    void reportsARelayOfAnotherAuthorityAsWrong() throws Exception {
        try (Relay relay = relay(Authority.create(Instant.now(), Duration.ofDays(1)))) {
            meetAt(relay.port());
            assertThat(findings())
                    .anySatisfy(text -> assertThat(text)
                            .startsWith("WRONG relay 127.0.0.1:" + relay.port() + " answers, but is not usable: "));
        }
    }

    @Test
    void countsTrafficAndRefusalsOfARelay() throws Exception {
        try (Relay relay = relay(network.authority);
                Monitor monitor = Monitor.start(
                        InetSocketAddress.createUnresolved("127.0.0.1", 0), relay, () -> Instant.ofEpochSecond(1))) {
            meetAt(relay.port());
            try (Endpoint one = waitingSite(1, relay)) {
                assertThat(findings()).isNotEmpty();
                assertThat(get(monitor, "/metrics"))
                        .containsPattern("(?m)^starling_relay_meetings_total\\{site=\"relay\"} 1\\.0$")
                        .containsPattern("(?m)^starling_relay_bytes_total\\{site=\"relay\"} [1-9]")
                        .containsPattern("(?m)^starling_relay_refused_total\\{reason=\"name\",site=\"relay\"} 0\\.0$")
                        .containsPattern("(?m)^starling_relay_sites\\{site=\"relay\"} [12]\\.0$");
                assertThat(one.port()).isZero();
            }
            assertThat(get(monitor, "/health")).contains("its certificate expired 1970-01-01T00:00:01Z");
        }
    }

    private static String get(Monitor monitor, String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + monitor.port() + path))
                .timeout(Duration.ofSeconds(20))
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
    }
}
