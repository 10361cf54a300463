package dev.starling.peer.transport;

import static dev.starling.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.starling.peer.keys.Authority;
import dev.starling.peer.wire.Meeting;
import dev.starling.peer.wire.Piece;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sites that open no port meet by way of a relay. */
class RelayTest {

    private static final Authority AUTHORITY = Authority.create(Instant.now(), Duration.ofDays(1));
    private static final Limits LIMITS = new Limits(1000, 1000, 50);

    private final List<AutoCloseable> open = new ArrayList<>();
    private final ConcurrentLinkedQueue<String> refused = new ConcurrentLinkedQueue<>();
    private Relay relay;

    private static Credentials credentials(String name) {
        return AUTHORITY.issue(name, Instant.now(), Duration.ofDays(1)).credentials();
    }

    @BeforeEach
    void openRelay() throws IOException {
        Credentials own = credentials("relay");
        relay = Relay.open(
                new InetSocketAddress("127.0.0.1", 0), () -> own, new Relay.Capacity(20, 3), new Relay.Events() {
                    @Override
                    public void onRefused(String who, Refusal why, String reason) {
                        refused.add(why + " " + reason);
                    }
                });
        open.add(relay);
    }

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable closeable : open) {
            closeable.close();
        }
    }

    private Endpoint site(int node, String run, Optional<InetSocketAddress> proxy, int... neighbours)
            throws IOException {
        Credentials own = credentials("site-" + node);
        Endpoint endpoint = Endpoint.open(
                new Identity(node, "site-" + node, "v1", run, "network"),
                () -> own,
                Optional.empty(),
                Arrays.stream(neighbours)
                        .mapToObj(other -> new Neighbour(other, "site-" + other, "site-" + other))
                        .toList(),
                LIMITS,
                new LinkEvents() {},
                new OutboundRoute(proxy, Optional.of(new InetSocketAddress("127.0.0.1", relay.port()))));
        open.add(0, endpoint);
        endpoint.connect(Map.of());
        return endpoint;
    }

    private static double next(Link link) throws InterruptedException {
        await(link::hasMessage);
        return link.poll().values()[0];
    }

    @Test
    void joinsThreeSitesOfWhichNoneListens() throws Exception {
        Endpoint[] sites = {
            site(0, "run", Optional.empty(), 1, 2),
            site(1, "run", Optional.empty(), 0, 2),
            site(2, "run", Optional.empty(), 0, 1)
        };
        for (int from = 0; from < 3; from++) {
            assertThat(sites[from].port()).isZero();
            for (int to = 0; to < 3; to++) {
                if (from != to) {
                    sites[from].link(to).send(new double[] {10 * from + to}, 1, 0);
                }
            }
        }
        for (int to = 0; to < 3; to++) {
            for (int from = 0; from < 3; from++) {
                if (from != to) {
                    assertThat(next(sites[to].link(from))).isEqualTo(10.0 * from + to);
                }
            }
        }
        assertThat(relay.ends()).isEqualTo(6);
        assertThat(relay.bytes()).isPositive();
    }

    @Test
    void goesThroughAProxyAndReconnectsWhenItIsCut() throws Exception {
        try (ConnectProxy proxy = new ConnectProxy()) {
            Optional<InetSocketAddress> way =
                    Optional.of(InetSocketAddress.createUnresolved("127.0.0.1", proxy.port()));
            Endpoint first = site(0, "run", way, 1);
            Endpoint second = site(1, "run", way, 0);
            first.link(1).send(new double[] {1}, 1, 0);
            assertThat(next(second.link(0))).isEqualTo(1);
            assertThat(proxy.targets()).hasSizeGreaterThanOrEqualTo(2).containsOnly("127.0.0.1:" + relay.port());
            proxy.cut();
            second.link(0).send(new double[] {2}, 1, 0);
            assertThat(next(first.link(1))).isEqualTo(2);
        }
    }

    @Test
    void prefersADirectLinkAndFallsBackToTheRelay() throws Exception {
        Credentials own = credentials("site-0");
        Endpoint first = Endpoint.open(
                new Identity(0, "site-0", "v1", "run", "network"),
                () -> own,
                Optional.empty(),
                List.of(new Neighbour(1, "site-1", "site-1")),
                LIMITS,
                new LinkEvents() {},
                new OutboundRoute(Optional.empty(), Optional.of(new InetSocketAddress("127.0.0.1", relay.port()))));
        open.add(0, first);
        Endpoint second = site(1, "run", Optional.empty(), 0);
        first.connect(Map.of(1, new InetSocketAddress("127.0.0.1", 1)));
        second.link(0).send(new double[] {3}, 1, 0);
        assertThat(next(first.link(1))).isEqualTo(3);
    }

    @Test
    void doesNotConnectDifferentRuns() throws Exception {
        Endpoint first = site(0, "run-1", Optional.empty(), 1);
        site(1, "run-2", Optional.empty(), 0);
        await(() -> relay.ends() >= 2);
        Thread.sleep(300);
        assertThat(first.link(1).isUp()).isFalse();
        assertThat(relay.bytes()).isZero();
    }

    /** Millions of numbers cross while one end does not read: they stay with their sender. */
    @Tag("thorough")
    @Test
    void readsNoFasterThanTheOtherEndConsumes() throws Exception {
        Endpoint first = site(0, "run", Optional.empty(), 1);
        Endpoint second = site(1, "run", Optional.empty(), 0);
        await(() -> first.link(1).isUp());
        double[] halves = new double[1000];
        Arrays.fill(halves, 0.5);
        for (int k = 0; k < 10_000; k++) {
            first.link(1).send(halves, 1000, 0);
        }
        await(second.link(0)::hasMessage);
        Thread.sleep(300);
        assertThat(relay.bytes()).isLessThan(8_000_000);
        for (int k = 0; k < 10_000; k++) {
            next(second.link(0));
        }
        assertThat(relay.bytes()).isGreaterThan(80_000_000);
    }

    private ManagedChannel caller(Credentials credentials) throws IOException {
        ManagedChannel channel = RawStream.channel(relay.port(), "relay", credentials, "TLSv1.3");
        open.add(0, channel::shutdownNow);
        return channel;
    }

    /** What becomes of a tunnel that asks for a meeting. */
    private static CompletableFuture<Status> ask(ManagedChannel channel, Piece piece) {
        CompletableFuture<Status> end = new CompletableFuture<>();
        StreamObserver<Piece> out = ClientCalls.asyncBidiStreamingCall(
                channel.newCall(RelayWire.TUNNEL, CallOptions.DEFAULT), new StreamObserver<>() {
                    @Override
                    public void onNext(Piece answer) {}

                    @Override
                    public void onError(Throwable t) {
                        end.complete(Status.fromThrowable(t));
                    }

                    @Override
                    public void onCompleted() {
                        end.complete(Status.OK);
                    }
                });
        out.onNext(piece);
        return end;
    }

    private static Piece meeting(String self, String other, int digest) {
        return Piece.newBuilder()
                .setMeeting(Meeting.newBuilder()
                        .setNetwork(ByteString.copyFrom(new byte[digest]))
                        .setSelf(self)
                        .setOther(other))
                .build();
    }

    @Test
    void refusesASiteThatWaitsUnderAnotherName() throws Exception {
        ManagedChannel site = caller(credentials("site-2"));
        assertThat(ask(site, meeting("site-0", "site-1", 32))
                        .get(20, TimeUnit.SECONDS)
                        .getCode())
                .isEqualTo(Status.Code.PERMISSION_DENIED);
        assertThat(refused).singleElement().asString().startsWith("NAME");
        assertThat(relay.ends()).isZero();
    }

    @Test
    void refusesInvalidMeetings() throws Exception {
        ManagedChannel site = caller(credentials("site-2"));
        for (Piece piece : List.of(
                meeting("site-2", "site-1", 5),
                meeting("site-2", "site-2", 32),
                meeting("site-2", "x".repeat(300), 32),
                Piece.newBuilder().setContent(ByteString.copyFromUtf8("x")).build(),
                Piece.getDefaultInstance())) {
            assertThat(ask(site, piece).get(20, TimeUnit.SECONDS).getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
        }
        assertThat(refused).hasSize(5).allMatch(text -> text.startsWith("MALFORMED"));
        assertThat(relay.ends()).isZero();
    }

    @Test
    void refusesStrangersAndOneTunnelTooMany() throws Exception {
        Credentials stranger = Authority.create(Instant.now(), Duration.ofDays(1))
                .issue("site-2", Instant.now(), Duration.ofDays(1))
                .credentials();
        Credentials believing = new Credentials(credentials("site-2").authorities(), stranger.chain(), stranger.key());
        assertThat(ask(caller(believing), meeting("site-2", "site-1", 32))
                        .get(20, TimeUnit.SECONDS)
                        .getCode())
                .isEqualTo(Status.Code.UNAVAILABLE);
        await(() -> refused.stream().anyMatch(text -> text.startsWith("AUTHORITY")));

        List<CompletableFuture<Status>> ends = new ArrayList<>();
        for (int k = 0; k < 4; k++) {
            ends.add(ask(caller(credentials("site-3")), meeting("site-3", "other-" + k, 32)));
            int count = Math.min(3, k + 1);
            await(() -> relay.ends() == count);
        }
        assertThat(ends.get(3).get(20, TimeUnit.SECONDS).getDescription()).contains("already has 3 tunnels");
        assertThat(ends.subList(0, 3)).noneMatch(CompletableFuture::isDone);
    }

    @Test
    void acceptsNoMoreConnectionsThanItsLimit() throws Exception {
        List<java.net.Socket> silent = new ArrayList<>();
        for (int k = 0; k < 30; k++) {
            silent.add(new java.net.Socket("127.0.0.1", relay.port()));
        }
        await(() -> refused.stream().filter(text -> text.startsWith("TOO_MANY")).count() == 10);
        for (java.net.Socket socket : silent) {
            socket.close();
        }
        Endpoint first = site(0, "run", Optional.empty(), 1);
        site(1, "run", Optional.empty(), 0);
        await(() -> first.link(1).isUp());
    }
}
