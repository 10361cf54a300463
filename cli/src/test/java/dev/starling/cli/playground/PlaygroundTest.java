package dev.starling.cli.playground;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.cli.Chromium;
import dev.starling.cli.Cli;
import dev.starling.data.Generator;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The playground's server by its answers, and its page in a real browser where there is one. */
@Timeout(600)
@Tag("thorough")
class PlaygroundTest {

    private static final String CONDITIONS =
            "&tau=5&lambda=0.01&stragglers=0&factor=10&loss=0&jitter=0&outages=0&gap=0.001";

    @TempDir
    private static Path folder;

    private static PlaygroundServer server;
    private static String token;

    @BeforeAll
    static void serve() throws IOException, InterruptedException {
        server = PlaygroundServer.start(
                0, new PlaygroundServer.Start(Generator.classification(300, 6).generate(), "", "grid", 9));
        Matcher matcher = Pattern.compile("\"token\":\"([0-9a-f]{32})\"").matcher(get("").body());
        assertThat(matcher.find()).isTrue();
        token = matcher.group(1);
    }

    @AfterAll
    static void end() {
        server.close();
    }

    private static HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(server.address().resolve("/" + path))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    private static String race(String rest) throws IOException, InterruptedException {
        return get("race?token=" + token + CONDITIONS + rest).body();
    }

    @Test
    void aRaceIsAStreamOfPointsFromTheSimulator() throws IOException, InterruptedException {
        String events = race("&nodes=4&edges=0-1,1-2,2-3,3-0&methods=adfs,newton");
        assertThat(events).startsWith("event: optimum\ndata: {\"objective\":").endsWith("event: end\ndata: {}\n\n");
        assertThat(events.split("event: finish", -1)).hasSize(3);
        // The same as compare says of the same rows, graph and settings: nothing here is a second implementation.
        Path rows = folder.resolve("rows.txt");
        Generator.classification(300, 6).write(rows);
        Path ring = folder.resolve("ring.txt");
        Files.writeString(ring, "0 1\n1 2\n2 3\n3 0\n");
        Cli cli = Cli.run(
                "compare", rows, "--graph", ring, "--lambda 0.01 --algorithms adfs --gap 1e-3 --points 160 --csv -q");
        List<String> lines = cli.out().lines().toList();
        String[] last = lines.get(lines.size() - 1).split(",");
        assertThat(events).contains("\"method\":\"adfs\",\"time\":" + Double.parseDouble(last[2]) + ",");
    }

    @Test
    void anImpossibleRaceIsReportedInOneLine() throws IOException, InterruptedException {
        assertThat(race("&nodes=4&edges=0-1,2-3&methods=adfs"))
                .contains("event: problem")
                .contains("not connected");
        assertThat(race("&nodes=4&edges=0-1,x&methods=adfs"))
                .contains("edges '0-1,x' must be pairs of nodes, such as 0-1,1-2");
        assertThat(race("&nodes=400&edges=0-1&methods=adfs")).contains("400 nodes; there can be 2 to 64");
        assertThat(race("&nodes=2&edges=0-1&methods=adfs2")).contains("unknown algorithm 'adfs2'");
    }

    @Test
    void initialGraphsHavePositionsAndEdges() throws IOException, InterruptedException {
        String graph = get("graph?token=" + token + "&topology=ring&nodes=5").body();
        assertThat(graph)
                .containsPattern(
                        "\"nodes\":\\[(\\[[0-9.E-]+,[0-9.E-]+\\],?){5}\\],\"edges\":\\[(\\[\\d,\\d\\],?){5}\\]");
        assertThat(get("graph?token=" + token + "&topology=hypercube&nodes=5").body())
                .contains("{\"problem\":\"a hypercube of 5 nodes does not exist");
    }

    @Test
    void requestsWithoutTheTokenOrForOtherHostsAreRefused() throws IOException, InterruptedException {
        assertThat(get("race?token=wrong" + CONDITIONS).statusCode()).isEqualTo(403);
        assertThat(get("graph?topology=ring&nodes=5").statusCode()).isEqualTo(403);
        assertThat(get("other?token=" + token).statusCode()).isEqualTo(404);
        try (Socket socket = new Socket("127.0.0.1", server.address().getPort())) {
            socket.setSoTimeout(30_000);
            socket.getOutputStream()
                    .write("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            byte[] answer = new byte[12];
            assertThat(socket.getInputStream().readNBytes(answer, 0, 12)).isEqualTo(12);
            assertThat(new String(answer, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 403");
        }
    }

    @Test
    void thePageNeedsNoNetwork() throws IOException, InterruptedException {
        assertThat(get("").body()
                        .replace("http://www.w3.org/2000/svg", "")
                        .replace("/*! https://github.com/leeoniya/uPlot (v1.6.32) */", ""))
                .doesNotContain("http:", "https:", "@import", "<script src", "@COMMON", "@UPLOT", "@DATA");
    }

    @Test
    void badOptionsAreReportedInOneLine() {
        assertThat(Cli.run("playground", "--nodes 100").err())
                .isEqualTo("starling: --nodes 100; there can be 2 to 64\n");
        assertThat(Cli.run("playground", "--port -1").err())
                .isEqualTo("starling: --port -1; a port is between 0 and 65535\n");
        assertThat(Cli.run("playground", "--topology rings").err()).startsWith("starling: unknown topology 'rings'");
    }

    private static final String DONE = "document.body.dataset.race === 'done'";

    private static Chromium browser() throws Exception {
        Chromium chromium = new Chromium(folder, 1400, 1000);
        chromium.open(server.address());
        chromium.await("document.readyState === 'complete' && " + DONE);
        return chromium;
    }

    @Test
    void theBrowserShowsTheRaceWithoutErrors() throws Exception {
        try (Chromium page = browser()) {
            assertThat(page.evaluate("document.querySelectorAll('#graph g').length"))
                    .isEqualTo("9");
            assertThat(page.evaluate("document.querySelectorAll('#graph line').length"))
                    .isEqualTo("12");
            // Moving the clock to its end shows every method's finish.
            page.evaluate("(() => { const m = document.getElementById('moment'); m.value = 1000;"
                    + " m.dispatchEvent(new Event('input')); })()");
            assertThat(page.evaluate("document.getElementById('now').textContent"))
                    .isEqualTo("at the end");
            assertThat(page.evaluate("document.querySelectorAll('#lanes .won').length"))
                    .isEqualTo("1");
            assertThat(page.evaluate("document.querySelectorAll('#chart canvas').length"))
                    .isEqualTo("1");
            assertThat(page.complaints()).isEmpty();
        }
    }

    @Test
    void theGraphIsEditedByKeyboard() throws Exception {
        try (Chromium page = browser()) {
            page.evaluate("document.getElementById('undo').focus()");
            page.press("Tab", 0);
            String focused = "document.activeElement.getAttribute('data-node')";
            String status = "document.getElementById('status').textContent";
            assertThat(page.evaluate(focused)).isEqualTo("0");
            // Takes the node, goes on to the next, wherever that lies, and joins or parts them.
            String lines = "document.querySelectorAll('#graph line').length";
            page.press("Enter", 0);
            assertThat(page.evaluate(status)).contains("node 0 is selected");
            for (String arrow : List.of("ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight")) {
                if (page.evaluate(focused).equals("0")) {
                    page.press(arrow, 0);
                }
            }
            String other = page.evaluate(focused);
            assertThat(other).isNotEqualTo("0");
            page.press("Enter", 0);
            String changed = page.evaluate(lines);
            assertThat(page.evaluate(status)).containsPattern("(connected|disconnected) 0 and " + other);
            assertThat(changed).isIn("11", "13");
            page.press("z", 2);
            assertThat(page.evaluate(lines)).isEqualTo("12");
            // A new node is joined to this one, and may go again.
            page.press("n", 0);
            assertThat(page.evaluate("document.querySelectorAll('#graph g').length"))
                    .isEqualTo("10");
            assertThat(page.evaluate(lines)).isEqualTo("13");
            assertThat(page.evaluate(focused)).isEqualTo("9");
            page.await("document.body.dataset.race === 'running' || " + DONE);
            page.press("Delete", 0);
            assertThat(page.evaluate("document.querySelectorAll('#graph g').length"))
                    .isEqualTo("9");
            page.await(DONE);
            assertThat(page.complaints()).isEmpty();
        }
    }

    @Test
    void movingASliderByKeyboardStartsANewRace() throws Exception {
        try (Chromium page = browser()) {
            String shown = "document.querySelector('#tau').getAttribute('aria-valuetext')";
            String before = page.evaluate(shown);
            page.evaluate("document.getElementById('tau').focus()");
            page.press("ArrowRight", 0);
            assertThat(page.evaluate(shown)).isNotEqualTo(before);
            page.await("document.body.dataset.race !== 'done'");
            page.await(DONE);
            assertThat(page.complaints()).isEmpty();
        }
    }

    @Test
    void aDisconnectedGraphIsNotRacedOn() throws Exception {
        try (Chromium page = browser()) {
            page.evaluate("document.getElementById('topology').value = 'line'");
            page.evaluate("document.getElementById('topology').dispatchEvent(new Event('change'))");
            page.await("document.querySelectorAll('#graph line').length === 8 && " + DONE);
            page.click("#graph g[data-node=\"3\"]");
            page.click("#graph g[data-node=\"4\"]");
            page.await("document.getElementById('status').textContent.includes('not connected')");
            page.await("document.body.dataset.race === 'waiting'");
            page.press("z", 2);
            page.await(DONE);
        }
    }

    @Test
    void thePageFitsOnAPhone() throws Exception {
        try (Chromium page = new Chromium(folder, 500, 900)) {
            page.open(server.address());
            page.await("document.readyState === 'complete' && " + DONE);
            assertThat(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))
                    .isEqualTo("0");
        }
    }
}
