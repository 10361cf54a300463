package dev.starling.peer.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.keys.Authority;
import dev.starling.peer.transport.ConnectProxy;
import dev.starling.peer.transport.Endpoint;
import dev.starling.peer.transport.Identity;
import dev.starling.peer.transport.Limits;
import dev.starling.peer.transport.LinkEvents;
import dev.starling.peer.transport.Neighbour;
import dev.starling.peer.trust.Credentials;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Sites that cannot be reached: ports of another machine, which {@code ssh -R} or a TCP proxy opens there, lead to
 * theirs, and they get out through an HTTP proxy.
 */
class UnreachableSitesTest {

    private static final Pattern ADDRESS = Pattern.compile("address: 127\\.0\\.0\\.1:(\\d+)");

    @TempDir
    private Path directory;

    private ProcessNetwork network() throws IOException {
        Dataset rows = Generator.classification(240, 6).noise(0.2).seed(4).generate();
        return new ProcessNetwork(
                        directory, "complete", 3, List.of("lambda: 1e-2", "gap: 1e-4", "tau: 30", "method: newton"))
                .with(rows, UnaryOperator.identity());
    }

    @Test
    void sitesBehindAProxyFindTheModelThatTheyFindWhenTheyTalkDirectly() throws Exception {
        Map<Integer, DroppingProxy> forwarded = new TreeMap<>();
        try (ConnectProxy proxy = new ConnectProxy();
                ProcessNetwork network = network()) {
            for (int site = 0; site < 3; site++) {
                int listens = SiteConfig.read(network.yaml(site)).listen().getPort();
                forwarded.put(listens, new DroppingProxy(listens));
            }
            for (int site = 0; site < 3; site++) {
                network.edit(
                        site,
                        text -> ADDRESS.matcher(text)
                                .replaceAll(address -> "address: gate.example.org:"
                                        + forwarded
                                                .get(Integer.valueOf(address.group(1)))
                                                .port())
                                .replaceAll("(?m)^# proxy: .*$", "proxy: 127.0.0.1:" + proxy.port()));
            }
            List<PeerReport> reports = PeerTest.run(network);
            String expected = network.simulated(
                            trainer -> trainer.method("newton").lambda(1e-2).gap(1e-4), 30)
                    .model()
                    .hash();
            assertThat(reports)
                    .extracting(report -> report.fit().model().hash())
                    .containsExactly(expected, expected, expected);
            // The proxy looks up the name of the other machine: sites behind one often cannot.
            assertThat(proxy.targets()).isNotEmpty().allMatch(target -> target.startsWith("gate.example.org:"));
        } finally {
            for (DroppingProxy one : forwarded.values()) {
                one.close();
            }
        }
    }

    private static List<String> neighbours(ProcessNetwork network) {
        return SiteCheck.of(SiteConfig.read(network.yaml(0))).findings().stream()
                .filter(finding -> finding.text().startsWith("neighbour"))
                .map(finding -> finding.verdict() + " " + finding.text())
                .toList();
    }

    private static Endpoint listening(ProcessNetwork network, int node, Authority authority) throws IOException {
        SiteConfig config = SiteConfig.read(network.yaml(node));
        Credentials own = authority
                .issue("site-" + node, Instant.now(), Duration.ofDays(1))
                .credentials();
        Endpoint endpoint = Endpoint.open(
                new Identity(node, "site-" + node, "test", config.networkText()),
                () -> own,
                Optional.of(new InetSocketAddress(
                        config.listen().getHostString(), config.listen().getPort())),
                List.of(new Neighbour(0, "site-0", "site-0")),
                new Limits(10, 100, 10),
                new LinkEvents() {},
                Optional.empty());
        endpoint.connect(Map.of());
        return endpoint;
    }

    @Test
    void aProxyThatAsksForAPasswordIsToldApart() throws Exception {
        try (ProcessNetwork network = network();
                ConnectProxy proxy = new ConnectProxy("site:secret");
                Endpoint one = listening(network, 1, network.authority)) {
            String address = "127.0.0.1:" + proxy.port();
            network.edit(0, text -> text.replaceAll("(?m)^# proxy: .*$", "proxy: " + address));
            assertThat(neighbours(network))
                    .allMatch(text -> text.startsWith("WRONG neighbour")
                            && text.contains("the proxy asks for a user and password"));
            network.edit(0, text -> text.replace("proxy: " + address, "proxy: site:wrong@" + address));
            assertThat(neighbours(network)).allMatch(text -> text.contains("does not accept the user and password"));
            network.edit(0, text -> text.replace("site:wrong@", "site:secret@"));
            assertThat(neighbours(network))
                    .anyMatch(text -> text.startsWith("OK neighbour site-1") && !text.contains("secret"));
            assertThat(proxy.targets()).contains("127.0.0.1:" + one.port());
        }
    }

    /** The proxy reads what it is asked for, and of what sites say nothing: their TLS goes through that with it. */
    @Test
    void sitesFindTheModelThroughAProxyThatWantsTls() throws Exception {
        Authority ofTheProxy = Authority.create(Instant.now(), Duration.ofDays(1));
        Authority.SiteKeys shown = ofTheProxy.issue("localhost", Instant.now(), Duration.ofDays(1));
        Path authority = Files.write(directory.resolve("proxy.pem"), shown.authority());
        try (ConnectProxy proxy = ConnectProxy.withTls("site:secret", shown.credentials());
                ProcessNetwork network = network()) {
            String address = "localhost:" + proxy.port();
            network.edit(0, text -> text.replaceAll("(?m)^# proxy: .*$", "proxy: https://site:secret@" + address));
            assertThat(neighbours(network))
                    .allMatch(text -> text.startsWith("WRONG neighbour")
                            && text.contains("no TLS to the proxy: ")
                            && text.contains("name the authority of the proxy's certificate as proxy-authority")
                            && !text.contains("secret"));
            assertThat(proxy.targets()).isEmpty();
            network.edit(
                    0, text -> text.replace("localhost:", "127.0.0.1:") + "\nproxy-authority: " + authority + "\n");
            assertThat(neighbours(network)).as("another host's certificate").allMatch(text -> text.contains("no TLS"));
            for (int site = 0; site < 2; site++) {
                network.edit(
                        site,
                        text -> text.replaceAll("(?m)^(# )?proxy(-authority)?: .*$", "")
                                + "\nproxy: https://site:secret@" + address + "\nproxy-authority: " + authority + "\n");
            }
            try (Endpoint one = listening(network, 1, network.authority)) {
                assertThat(neighbours(network))
                        .anyMatch(text -> text.startsWith("OK neighbour site-1")
                                && text.contains("through the proxy https://" + address));
                assertThat(proxy.targets()).contains("127.0.0.1:" + one.port());
            }
            String expected = network.simulated(
                            trainer -> trainer.method("newton").lambda(1e-2).gap(1e-4), 30)
                    .model()
                    .hash();
            assertThat(PeerTest.run(network))
                    .extracting(report -> report.fit().model().hash())
                    .containsExactly(expected, expected, expected);
        }
    }

    @Test
    @Tag("thorough")
    void sitesAreFoundByACheckThroughAProxy() throws Exception {
        try (ProcessNetwork network = network();
                ConnectProxy proxy = new ConnectProxy()) {
            assertThat(neighbours(network))
                    .hasSize(2)
                    .allMatch(text -> text.startsWith("LATER neighbour site-")
                            && text.endsWith("is not started yet, or cannot be reached (its machine answers, but the"
                                    + " port is closed)"));
            network.edit(0, text -> text.replaceAll("(?m)^# proxy: .*$", "proxy: 127.0.0.1:" + proxy.port()));
            try (Endpoint one = listening(network, 1, network.authority);
                    Endpoint other = listening(network, 2, Authority.create(Instant.now(), Duration.ofDays(1)))) {
                assertThat(neighbours(network))
                        .anyMatch(text -> text.startsWith("OK neighbour site-1")
                                && text.endsWith("through the proxy 127.0.0.1:" + proxy.port()
                                        + " answers and is who it should be"))
                        .anyMatch(text -> text.startsWith("WRONG neighbour site-2")
                                && text.contains("is not usable: ")
                                && text.contains("on the way that opens TLS"));
                assertThat(proxy.targets()).contains("127.0.0.1:" + one.port(), "127.0.0.1:" + other.port());
            }
        }
    }
}
