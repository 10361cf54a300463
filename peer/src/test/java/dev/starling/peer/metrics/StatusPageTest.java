package dev.starling.peer.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.certificate.Certificate;
import dev.starling.network.Topology;
import dev.starling.peer.bulletin.Bulletin;
import dev.starling.peer.bulletin.WaitingFor;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.keys.Authority;
import dev.starling.peer.setup.SiteFiles;
import dev.starling.peer.sums.ReleasedSums;
import dev.starling.peer.transport.Endpoint;
import dev.starling.peer.transport.Identity;
import dev.starling.peer.transport.Limits;
import dev.starling.peer.transport.LinkEvents;
import dev.starling.peer.transport.Neighbour;
import dev.starling.support.Browser;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of a site in a real browser, where there is one. */
class StatusPageTest {

    private static final int CURVE = 0x1f5fa8;
    private static final int DOWN = 0xb3261e;
    private static final int WAITS = 0xa15c00;

    @TempDir
    private Path folder;

    private final Status status = new Status();
    private final Bulletin bulletin = new Bulletin(0, 4, (site, reason, objection, gone) -> {});
    private Endpoint endpoint;
    private Observed observed;

    @BeforeEach
    void aSiteThatWaitsForItsNeighbour() throws IOException {
        List<String> sites = List.of("a", "b", "c", "d");
        SiteFiles files = new SiteFiles(
                sites,
                Topology.named("ring").build(4, 1),
                "run-1",
                List.of("127.0.0.1", "127.0.0.1", "127.0.0.1", "127.0.0.1"),
                7400,
                List.of());
        Path file = folder.resolve("a.yaml");
        Files.writeString(file, files.text(0));
        endpoint = Endpoint.open(
                new Identity(0, "a", "r", "n"),
                Authority.create(Instant.now(), Duration.ofDays(1))
                        .issue("a", Instant.now(), Duration.ofDays(1))
                        .credentials(),
                Optional.empty(),
                List.of(new Neighbour(1, "b", "b", Optional.empty()), new Neighbour(3, "d", "d", Optional.empty())),
                new Limits(4, 4, 4),
                new LinkEvents() {});
        status.begin("newton");
        for (int k = 0; k < 8; k++) {
            status.certificate(new Certificate(1 + Math.pow(10, -k), 1, 100, k), 8 - k);
        }
        status.part("train 0");
        status.sent(2, 300);
        status.ledger(() -> List.of(new ReleasedSums("hessian", 7, 5000, 60), new ReleasedSums("updates", 1, 1, 0)));
        status.rounds(42);
        status.happened(true, "refused", "who=<img src=x onerror=document.title='broken'>");
        status.enter(Status.Phase.WAITING, "site b, which is gone");
        bulletin.waitFor(1, new WaitingFor(List.of(1), true));
        observed = new Observed(
                SiteConfig.read(file),
                status,
                bulletin,
                List.of(endpoint.link(1), endpoint.link(3)),
                endpoint.traffic(),
                () -> Instant.now().plus(Duration.ofDays(10)));
    }

    @AfterEach
    void close() {
        endpoint.close();
    }

    private Path saved() throws IOException {
        return Files.writeString(folder.resolve("page.html"), StatusPage.saved(observed));
    }

    @Test
    void theBrowserShowsWhoWaitsForWhomWithoutErrors() throws Exception {
        Browser seen = Browser.browse(folder, saved().toUri(), "--dump-dom");
        assertThat(seen.complaints()).isEmpty();
        assertThat(seen.out())
                .contains("<title>! Starling · site a</title>")
                .contains("by site b, which is gone.</p>")
                .contains("<title>a waits for b</title>")
                .contains("<title>a – b: down</title>", "<title>b – c: not a link of this site</title>")
                .contains("certificate, to ", "10 days")
                .contains("<td>train 0</td><td>2</td><td>600</td>")
                .contains("<td>hessian</td><td>7</td><td>5,000</td><td>60</td>")
                .contains("<td>updates</td><td>1</td><td>1</td><td>none</td>")
                .contains("&lt;img src=x");
    }

    @Test
    void theGapLinksAndWaitsHaveTheirColours() throws Exception {
        BufferedImage picture = Browser.picture(folder, saved().toUri(), 1200, 1100);
        for (int colour : new int[] {CURVE, DOWN, WAITS}) {
            assertThat(Browser.pixels(picture, colour))
                    .as("pixels of colour %06X", colour)
                    .isGreaterThan(80);
        }
    }

    @Test
    void thePageFitsOnAPhone() throws Exception {
        assertThat(Browser.onAPhone(folder, StatusPage.saved(observed))).contains("<p id=\"width\">width 390</p>");
    }

    /** The page is of an earlier moment than what it asks for a second later. */
    @Test
    void aLivePageUpdatesItselfUnderItsContentPolicy() throws Exception {
        String early = StatusPage.live(observed);
        status.rounds(4711);
        try (Monitor monitor = Monitor.start(InetSocketAddress.createUnresolved("127.0.0.1", 0))) {
            monitor.answer("/", exchange -> Monitor.Answer.html(early));
            monitor.answer("/status", exchange -> Monitor.Answer.json(SiteReport.json(observed)));
            Browser seen = Browser.browse(
                    folder,
                    URI.create("http://127.0.0.1:" + monitor.port() + "/"),
                    "--dump-dom",
                    "--virtual-time-budget=4000");
            assertThat(seen.complaints()).isEmpty();
            assertThat(early).doesNotContain("4711").contains("\"rounds\":42");
            assertThat(seen.out()).contains("<b>4,711</b><span>rounds</span>");
        }
    }

    @Test
    void severalSitesShareAPageAndAnUnreachableOneIsNamed() throws Exception {
        List<String> reports = new ArrayList<>(List.of(SiteReport.json(observed)));
        reports.add(
                "{\"site\":\"b\",\"unreachable\":\"nobody answers\",\"names\":[\"a\",\"b\",\"c\",\"d\"],\"edges\":[]}");
        Path page = Files.writeString(folder.resolve("watch.html"), StatusPage.of(reports, false));
        Browser seen = Browser.browse(folder, page.toUri(), "--dump-dom");
        assertThat(seen.complaints()).isEmpty();
        assertThat(seen.out())
                .contains("Starling · 2 sites", "Not reached: nobody answers", "<title>b: not reached</title>");
    }
}
