package dev.starling.peer.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.peer.keys.Authority;
import dev.starling.peer.transport.ConnectProxy;
import dev.starling.peer.transport.Credentials;
import dev.starling.peer.transport.Relay;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A whole run of three sites, none of which opens a port: they get out through a proxy and meet by way of a relay. */
class RelayedPeersTest {

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"newton", "adfs"})
    void endsWithTheModelOfDirectLinks(String method) throws Exception {
        Dataset rows = Generator.classification(240, 6).noise(0.2).seed(4).generate();
        List<String> training = List.of("lambda: 1e-2", "gap: 1e-4", "tau: 30", "method: " + method);
        try (ConnectProxy proxy = new ConnectProxy();
                ProcessNetwork network =
                        new ProcessNetwork(directory, "complete", 3, training).with(rows, UnaryOperator.identity());
                Relay relay = relay()) {
            for (int site = 0; site < 3; site++) {
                network.edit(
                        site,
                        text -> text.replaceAll("(?m)^listen: .*$", "relay: relay.example.org:" + relay.port())
                                .replaceAll("(?m)^    address: .*\\R", "")
                                .replaceAll("(?m)^# proxy: .*$", "proxy: 127.0.0.1:" + proxy.port()));
            }
            List<PeerReport> reports = PeerTest.run(network);
            String expected = network.simulated(
                            trainer -> trainer.method(method).lambda(1e-2).gap(1e-4), 30)
                    .model()
                    .hash();
            assertThat(reports)
                    .extracting(report -> report.fit().model().hash())
                    .containsExactly(expected, expected, expected);
            assertThat(relay.bytes()).isPositive();
            // The name of the relay is looked up by the proxy: sites behind one often cannot.
            assertThat(proxy.targets()).containsOnly("relay.example.org:" + relay.port());
        }
    }

    private Relay relay() throws Exception {
        Credentials own = Authority.load(directory.resolve("keys"))
                .issue("relay", Instant.now(), Duration.ofDays(1))
                .credentials();
        return Relay.open(
                new InetSocketAddress("127.0.0.1", 0), () -> own, new Relay.Capacity(50, 10), new Relay.Events() {});
    }
}
