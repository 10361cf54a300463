package dev.starling.peer.transport;

import static dev.starling.support.Await.await;

import dev.starling.peer.keys.Authority;
import dev.starling.peer.trust.Credentials;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A site that leaves and is started again at once. */
@Tag("thorough")
class RestartTest {

    private static final int TIMES = 200;
    private static final Authority AUTHORITY = Authority.create(Instant.now(), Duration.ofDays(1));
    private static final Limits LIMITS = new Limits(100, 1000, 50);
    private static final LinkEvents NOTHING = new LinkEvents() {};

    private static Endpoint open(int node, int other, Credentials credentials, int port) throws IOException {
        return Endpoint.open(
                new Identity(node, "site-" + node, "run", "digest"),
                credentials,
                Optional.of(new InetSocketAddress("127.0.0.1", port)),
                List.of(new Neighbour(other, "site-" + other, "site-" + other)),
                LIMITS,
                NOTHING);
    }

    private static Credentials credentials(int node) {
        return AUTHORITY
                .issue("site-" + node, Instant.now(), Duration.ofDays(1))
                .credentials();
    }

    @Test
    void findsItsPortFreeHoweverOftenItIsRestarted() throws Exception {
        Credentials own = credentials(1);
        try (Endpoint neighbour = open(0, 1, credentials(0), 0)) {
            Endpoint site = open(1, 0, own, 0);
            int port = site.port();
            neighbour.connect(Map.of(1, new InetSocketAddress("127.0.0.1", port)));
            for (int time = 0; time < TIMES; time++) {
                site.connect(Map.of());
                // Most are left with a link that stands, some before there is one.
                if (time % 10 != 0) {
                    await(site.link(0)::isUp);
                }
                site.close();
                site = open(1, 0, own, port);
            }
            site.close();
        }
    }
}
