package dev.starling.peer.transport;

import static dev.starling.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.peer.keys.Authority;
import dev.starling.peer.trust.Credentials;
import dev.starling.peer.trust.KeyPin;
import dev.starling.peer.trust.Refusal;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Site 0 dials site 1: a link stands only if both are who the other knows. */
class WhoIsBelievedTest {

    private static final Instant NOW = Instant.now();
    private static final Duration DAY = Duration.ofDays(1);
    private static final Authority AUTHORITY = Authority.create(NOW.minus(Duration.ofDays(30)), Duration.ofDays(60));
    private static final Limits LIMITS = new Limits(100, 1000, 50);

    private final List<AutoCloseable> open = new ArrayList<>();
    private final End[] ends = {new End(), new End()};

    /** What one end shows, whom it expects, and what it says. */
    private static final class End {
        final AtomicReference<Credentials> credentials = new AtomicReference<>();
        Optional<KeyPin> expects = Optional.empty();
        final ConcurrentLinkedQueue<String> said = new ConcurrentLinkedQueue<>();
        Endpoint endpoint;

        KeyPin pin() {
            return KeyPin.of(credentials.get().certificate());
        }

        String journal() {
            return String.join("\n", said);
        }
    }

    private record Journal(End end) implements LinkEvents {
        @Override
        public void onDown(Link link, String reason) {
            end.said.add("down: " + reason);
        }

        @Override
        public void onRefused(String who, Refusal why, String reason) {
            end.said.add("refused " + why.label() + ": " + reason);
        }
    }

    WhoIsBelievedTest() {
        for (int node = 0; node < 2; node++) {
            ends[node].credentials.set(issued(node, NOW));
        }
    }

    private static Credentials issued(int node, Instant from) {
        return AUTHORITY.issue("site-" + node, from, DAY).credentials();
    }

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable closeable : open) {
            closeable.close();
        }
    }

    private void start() throws IOException {
        listen();
        ends[0].endpoint = open(0, Optional.empty());
        ends[0].endpoint.connect(Map.of(1, new InetSocketAddress("127.0.0.1", ends[1].endpoint.port())));
    }

    private void listen() throws IOException {
        ends[1].endpoint = open(1, Optional.of(new InetSocketAddress("127.0.0.1", 0)));
        ends[1].endpoint.connect(Map.of());
    }

    private Endpoint open(int node, Optional<InetSocketAddress> listen) throws IOException {
        int other = 1 - node;
        Endpoint endpoint = Endpoint.open(
                new Identity(node, "site-" + node, "run", "network"),
                ends[node].credentials::get,
                listen,
                List.of(new Neighbour(other, "site-" + other, "site-" + other, ends[node].expects)),
                LIMITS,
                new Journal(ends[node]),
                Optional.empty());
        open.add(0, endpoint);
        return endpoint;
    }

    /** Waits until an end has refused the other for a reason, and its link has not stood for a while after. */
    private void assertRefused(int end, Refusal why) throws Exception {
        Traffic traffic = ends[end].endpoint.traffic();
        await(() -> traffic.refused(why) > 1);
        for (End one : ends) {
            assertThat(one.endpoint.traffic().connections()).isZero();
        }
        assertThat(ends[end].journal()).contains("refused " + why.label());
    }

    @Test
    void connectsToTheHoldersOfThePinnedKeys() throws Exception {
        ends[0].expects = Optional.of(ends[1].pin());
        ends[1].expects = Optional.of(ends[0].pin());
        start();
        await(() -> ends[0].endpoint.link(1).isUp() && ends[1].endpoint.link(0).isUp());
        assertThat(ends[1].endpoint.traffic().refused()).isZero();
    }

    /** The certificate is good in every way but that the authority's key made it for somebody else's key. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void refusesACertificateForTheRightNameButAnotherKey(int forger) throws Exception {
        int honest = 1 - forger;
        ends[honest].expects = Optional.of(ends[forger].pin());
        ends[forger].credentials.set(issued(forger, NOW));
        start();
        assertRefused(honest, Refusal.KEY);
        assertThat(ends[honest].journal())
                .contains(ends[honest].expects.get() + " is pinned")
                .contains(ends[forger].pin().sha256());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void refusesARevokedCertificate(int revoked) throws Exception {
        int honest = 1 - revoked;
        Credentials own = ends[honest].credentials.get();
        X509CRL list = (X509CRL) CertificateFactory.getInstance("X.509")
                .generateCRL(new ByteArrayInputStream(AUTHORITY.revoke(
                        Optional.empty(),
                        List.of(ends[revoked].credentials.get().certificate()),
                        NOW,
                        DAY)));
        ends[honest].credentials.set(new Credentials(own.authorities(), own.chain(), own.key(), List.of(list)));
        start();
        assertRefused(honest, Refusal.REVOKED);
        assertThat(ends[honest].journal()).contains("was revoked at");
    }

    /** Both ends say so, each with its clock: one of the clocks may be what is wrong. */
    @ParameterizedTest
    @CsvSource({"0, -9, EXPIRED", "1, -9, EXPIRED", "0, 5, NOT_YET_VALID", "1, 5, NOT_YET_VALID"})
    void saysAtBothEndsThatACertificateIsOutsideItsDates(int wrong, int days, Refusal why) throws Exception {
        ends[wrong].credentials.set(issued(wrong, NOW.plus(Duration.ofDays(days))));
        start();
        assertRefused(1 - wrong, why);
        assertThat(ends[1 - wrong].journal())
                .contains(why == Refusal.EXPIRED ? "expired at" : "is not valid before")
                .contains("the clock here says");
        await(() -> ends[wrong].journal().contains("refuses this site's certificate"));
        assertThat(ends[wrong].journal()).contains("which is valid from").contains("the clock here says");
    }

    @Test
    void usesARenewedCertificateOnTheNextConnection() throws Exception {
        ends[1].credentials.set(issued(1, NOW.minus(Duration.ofDays(9))));
        start();
        assertRefused(0, Refusal.EXPIRED);
        ends[1].credentials.set(issued(1, NOW));
        await(() -> ends[0].endpoint.link(1).isUp());
        ends[0].endpoint.close();
        ends[0].credentials.set(issued(0, NOW.minus(Duration.ofDays(9))));
        ends[0].endpoint = open(0, Optional.empty());
        ends[0].endpoint.connect(Map.of(1, new InetSocketAddress("127.0.0.1", ends[1].endpoint.port())));
        await(() -> ends[1].endpoint.traffic().refused(Refusal.EXPIRED) > 0);
        ends[0].credentials.set(issued(0, NOW));
        await(() -> ends[0].endpoint.link(1).isUp());
    }

    @Test
    void countsFailedHandshakes() throws Exception {
        listen();
        Traffic traffic = ends[1].endpoint.traffic();
        for (String words : List.of("GET / HTTP/1.1\r\n\r\n", "", "\u0016\u0003\u0001")) {
            try (Socket stranger = new Socket(InetAddress.getLoopbackAddress(), ends[1].endpoint.port())) {
                stranger.getOutputStream().write(words.getBytes(StandardCharsets.ISO_8859_1));
            }
        }
        await(() -> traffic.refused(Refusal.NOT_TLS) == 2 && traffic.refused(Refusal.HANDSHAKE) == 1);
        assertThat(traffic.refused()).isEqualTo(3);
        assertThat(traffic.malformed()).isZero();
    }
}
