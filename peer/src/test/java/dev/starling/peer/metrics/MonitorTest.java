package dev.starling.peer.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.certificate.Certificate;
import dev.starling.network.Topology;
import dev.starling.peer.bulletin.Bulletin;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.keys.Authority;
import dev.starling.peer.setup.SiteFiles;
import dev.starling.peer.transport.Endpoint;
import dev.starling.peer.transport.Identity;
import dev.starling.peer.transport.Limits;
import dev.starling.peer.transport.LinkEvents;
import dev.starling.peer.transport.Neighbour;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a site lets others see of it over HTTP. */
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
        "starling_malformed_total",
        "starling_certificate_expiry_seconds",
        "starling_neighbour_up",
        "starling_neighbour_down_seconds",
        "starling_neighbour_kept_bytes",
        "starling_neighbour_sent_bytes_total",
        "starling_neighbour_received_bytes_total",
        "starling_neighbour_sent_vectors_total",
        "starling_neighbour_taken_vectors_total",
        "starling_neighbour_connections_total",
        "starling_neighbour_waited_seconds_total"
    };

    @TempDir
    private Path directory;

    private final Status status = new Status();
    private Endpoint endpoint;
    private Monitor monitor;

    @BeforeEach
    void watchSiteA() throws IOException {
        SiteFiles files = new SiteFiles(
                List.of("a", "b"),
                Topology.named("line").build(2, 1),
                "run-1",
                List.of("127.0.0.1", "127.0.0.1"),
                7400,
                List.of());
        Path file = directory.resolve("a.yaml");
        Files.writeString(file, files.text(0));
        Bulletin bulletin = new Bulletin(0, 2, (site, reason, objection, gone) -> {});
        endpoint = Endpoint.open(
                new Identity(0, "a", "r", "n"),
                Authority.create(Instant.now(), Duration.ofDays(1))
                        .issue("a", Instant.now(), Duration.ofDays(1))
                        .credentials(),
                Optional.empty(),
                List.of(new Neighbour(1, "b", "b", Optional.empty())),
                new Limits(4, 4, 4),
                new LinkEvents() {});
        status.enter(Status.Phase.TRAINING, "");
        status.begin("newton");
        status.certificate(new Certificate(2, 1, 100, 7), 3);
        status.rounds(42);
        monitor = watch(bulletin, Instant.now().plusSeconds(3600));
    }

    private Monitor watch(Bulletin bulletin, Instant certificateEnd) {
        return Monitor.start(
                InetSocketAddress.createUnresolved("127.0.0.1", 0),
                new Observed(
                        SiteConfig.read(directory.resolve("a.yaml")),
                        status,
                        bulletin,
                        List.of(endpoint.link(1)),
                        endpoint.traffic(),
                        () -> certificateEnd));
    }

    @AfterEach
    void close() {
        monitor.close();
        endpoint.close();
    }

    private HttpResponse<String> get(String path) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + monitor.port() + path))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void exportsTheStateOfTheSiteToPrometheus() throws Exception {
        status.waited("b", 2_500_000_000L);
        HttpResponse<String> metrics = get("/metrics");
        assertThat(metrics.headers().firstValue("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("text/plain; version=0.0.4"));
        assertThat(metrics.body())
                .contains("# TYPE starling_gap gauge\nstarling_gap{site=\"a\"} 0.5\n")
                .contains("# TYPE starling_rounds_total counter\nstarling_rounds_total{site=\"a\"} 42.0\n")
                .contains("starling_phase{phase=\"training\",site=\"a\"} 1.0\n")
                .contains("starling_phase{phase=\"waiting\",site=\"a\"} 0.0\n")
                .contains("starling_neighbour_up{neighbour=\"b\",site=\"a\"} 0.0\n")
                .contains("starling_neighbour_waited_seconds_total{neighbour=\"b\",site=\"a\"} 2.5\n");
        assertThat(NAME.matcher(metrics.body()).results().map(MatchResult::group))
                .containsExactlyInAnyOrder(NAMES);
    }

    @Test
    void isHealthyOnlyWhileTheSiteMakesProgress() throws Exception {
        assertHealth(200, "training\n");
        status.enter(Status.Phase.WAITING, "site b");
        assertHealth(503, "waiting for site b\n");
        status.enter(Status.Phase.GATHERING, "site b");
        assertHealth(503, "gathering for site b\n");
        status.enter(Status.Phase.GATHERING, "");
        assertHealth(200, "gathering\n");
        status.enter(Status.Phase.FINISHED, "");
        assertHealth(200, "finished\n");
        status.enter(Status.Phase.STOPPED, "");
        assertHealth(503, "stopped\n");
    }

    @Test
    void isNotHealthyWithAnExpiredCertificate() throws Exception {
        monitor.close();
        Instant end = Instant.parse("2020-01-01T00:00:00Z");
        monitor = watch(new Bulletin(0, 2, (site, reason, objection, gone) -> {}), end);
        assertHealth(503, "training; its certificate expired " + end + "\n");
    }

    private void assertHealth(int code, String text) throws Exception {
        HttpResponse<String> health = get("/health");
        assertThat(health.statusCode()).as(text).isEqualTo(code);
        assertThat(health.body()).isEqualTo(text);
    }

    @Test
    void refusesOtherPathsMethodsAndHostNames() throws Exception {
        assertThat(get("/metrics/more").statusCode()).isEqualTo(404);
        assertThat(get("/etc/passwd").statusCode()).isEqualTo(404);
        HttpResponse<String> posted = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + monitor.port() + "/status"))
                                .POST(HttpRequest.BodyPublishers.ofString("{}"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(posted.statusCode()).isEqualTo(405);
        // A name that was made to mean this machine.
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), monitor.port())) {
            socket.getOutputStream()
                    .write("GET /status HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            socket.setSoTimeout(5000);
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("HTTP/1.1 403 ");
        }
    }

    @Test
    void servesASelfContainedPageThatEscapesNames() throws Exception {
        status.happened(true, "refused", "who=</script><script>alert(1)</script>");
        HttpResponse<String> page = get("/");
        assertThat(page.headers().firstValue("Content-Security-Policy"))
                .hasValueSatisfying(policy -> assertThat(policy).startsWith("default-src 'none'"));
        assertThat(page.body().replace("http://www.w3.org/2000/svg", "")).doesNotContain("http:", "https:", "src=");
        assertThat(page.body().split("</script>", -1)).hasSize(3);
        assertThat(page.body()).contains("\"targetGap\":1.0E-6", "\\u003c/script>");
        assertThat(get("/status").body())
                .contains("\"site\":\"a\"", "\"gap\":0.5", "\"name\":\"refused\"", "\"rounds\":42");
    }
}
