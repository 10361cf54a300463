package dev.starling.peer.transport;

import static dev.starling.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.starling.node.Exchange;
import dev.starling.peer.keys.Authority;
import dev.starling.peer.trust.Credentials;
import dev.starling.peer.wire.Frame;
import dev.starling.peer.wire.Hello;
import dev.starling.peer.wire.Vector;
import dev.starling.support.SavedStates;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class EndpointTest {

    private static final Authority AUTHORITY = Authority.create(Instant.now(), Duration.ofDays(1));
    private static final Limits LIMITS = new Limits(100, 1000, 50);
    private static final String RUN = "run";

    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable closeable : open) {
            closeable.close();
        }
    }

    private static Credentials credentials(String name) {
        return AUTHORITY.issue(name, Instant.now(), Duration.ofDays(1)).credentials();
    }

    private static Identity identity(int node) {
        return new Identity(node, "site-" + node, RUN, "digest");
    }

    /** Node 1, which listens for node 0. */
    private Endpoint listener(LinkEvents events) throws IOException {
        Endpoint endpoint = Endpoint.open(
                identity(1),
                credentials("site-1"),
                Optional.of(new InetSocketAddress("127.0.0.1", 0)),
                List.of(new Neighbour(0, "site-0", "site-0")),
                LIMITS,
                events);
        open.add(0, endpoint);
        endpoint.connect(Map.of());
        return endpoint;
    }

    /** Node 0, which dials node 1. */
    private Endpoint dialler(Credentials credentials, LinkEvents events) throws IOException {
        Endpoint endpoint = Endpoint.open(
                identity(0),
                credentials,
                Optional.empty(),
                List.of(new Neighbour(1, "site-1", "site-1")),
                LIMITS,
                events);
        open.add(0, endpoint);
        return endpoint;
    }

    private static void connect(Endpoint dialler, int port) throws IOException {
        dialler.connect(Map.of(1, new InetSocketAddress("127.0.0.1", port)));
    }

    private static double next(Link link) throws InterruptedException {
        await(link::hasMessage);
        return link.poll().values()[0];
    }

    @Test
    void carriesVectorsBothWaysInOrder() throws Exception {
        Endpoint second = listener(new LinkEvents() {});
        Endpoint first = dialler(credentials("site-0"), new LinkEvents() {});
        connect(first, second.port());
        for (int k = 0; k < 200; k++) {
            first.link(1).send(new double[] {k, -0.0}, 2, k);
            second.link(0).send(new double[] {-k}, 1, k);
        }
        for (int k = 0; k < 200; k++) {
            await(second.link(0)::hasMessage);
            Message message = second.link(0).poll();
            assertThat(message.values()).containsExactly(k, -0.0);
            assertThat(message.clock()).isEqualTo(k);
            assertThat(next(first.link(1))).isEqualTo(-(double) k);
        }
    }

    @Test
    void resendsToARestartedNeighbourWhatItsCheckpointLacks() throws Exception {
        Endpoint second = listener(new LinkEvents() {});
        Endpoint first = dialler(credentials("site-0"), new LinkEvents() {});
        connect(first, second.port());
        for (int k = 0; k < 10; k++) {
            second.link(0).send(new double[] {k}, 1, 0);
        }
        for (int k = 0; k < 4; k++) {
            assertThat(next(first.link(1))).isEqualTo(k);
        }
        byte[] saved = SavedStates.of(first.link(1));
        assertThat(next(first.link(1))).isEqualTo(4);
        first.close();

        Endpoint again = dialler(credentials("site-0"), new LinkEvents() {});
        SavedStates.restore(again.link(1), saved);
        connect(again, second.port());
        for (int k = 4; k < 10; k++) {
            assertThat(next(again.link(1))).isEqualTo(k);
        }
    }

    @Test
    void dropsWhatARestartedNeighbourSendsAgain() throws Exception {
        Endpoint second = listener(new LinkEvents() {});
        Endpoint first = dialler(credentials("site-0"), new LinkEvents() {});
        connect(first, second.port());
        byte[] saved = SavedStates.of(first.link(1));
        first.link(1).send(new double[] {1}, 1, 0);
        first.link(1).send(new double[] {2}, 1, 0);
        assertThat(next(second.link(0))).isEqualTo(1);
        assertThat(next(second.link(0))).isEqualTo(2);
        first.close();

        Endpoint again = dialler(credentials("site-0"), new LinkEvents() {});
        SavedStates.restore(again.link(1), saved);
        connect(again, second.port());
        for (int k = 1; k <= 3; k++) {
            again.link(1).send(new double[] {k}, 1, 0);
        }
        assertThat(next(second.link(0))).isEqualTo(3);
    }

    @Test
    void forgetsWhatTheNeighbourHasStored() throws Exception {
        Endpoint second = listener(new LinkEvents() {});
        Endpoint first = dialler(credentials("site-0"), new LinkEvents() {});
        connect(first, second.port());
        for (int k = 0; k < 5; k++) {
            first.link(1).send(new double[] {k + 0.5}, 1, 0);
        }
        for (int k = 0; k < 5; k++) {
            next(second.link(0));
        }
        assertThat(first.link(1).keptBytes()).isEqualTo(40);
        second.link(0).durable(3);
        await(() -> first.link(1).keptBytes() == 16);
    }

    @Test
    void namesBothProtocolsWhenTheyDiffer() throws Exception {
        Endpoint second = listener(new LinkEvents() {});
        Hello other = Hello.newBuilder().setProtocol(Wire.PROTOCOL + 1).build();
        assertThat(second.link(0).handshake().mismatch(other))
                .contains("site-0 speaks protocol " + (Wire.PROTOCOL + 1), "site-1 protocol " + Wire.PROTOCOL);
    }

    @Test
    void refusesAValidCertificateOfAnotherSite() throws Exception {
        Endpoint second = listener(new LinkEvents() {});
        Endpoint imposter = dialler(credentials("site-2"), new LinkEvents() {});
        connect(imposter, second.port());
        await(() -> second.traffic().refused() > 0);
        assertThat(second.link(0).isUp()).isFalse();
    }

    @Test
    void doesNotTalkToAListenerWithAnotherName() throws Exception {
        CompletableFuture<String> reason = new CompletableFuture<>();
        Endpoint imposter = Endpoint.open(
                identity(1),
                credentials("site-2"),
                Optional.of(new InetSocketAddress("127.0.0.1", 0)),
                List.of(new Neighbour(0, "site-0", "site-0")),
                LIMITS,
                new LinkEvents() {});
        open.add(imposter);
        imposter.connect(Map.of());
        Endpoint first = dialler(credentials("site-0"), down(reason));
        connect(first, imposter.port());
        assertThat(reason.get(20, TimeUnit.SECONDS)).contains("site-1");
        assertThat(first.link(1).isUp()).isFalse();
    }

    private static LinkEvents down(CompletableFuture<String> reason) {
        return new LinkEvents() {
            @Override
            public void onDown(Link link, String why) {
                reason.complete(why);
            }
        };
    }

    @Test
    void refusesACertificateOfAnotherAuthority() throws Exception {
        Authority other = Authority.create(Instant.now(), Duration.ofDays(1));
        Credentials strangers =
                other.issue("site-0", Instant.now(), Duration.ofDays(1)).credentials();
        Credentials believing =
                new Credentials(credentials("site-0").authorities(), strangers.chain(), strangers.key());
        assertNeverUp(believing);
    }

    @Test
    void refusesAnExpiredCertificate() throws Exception {
        assertNeverUp(AUTHORITY
                .issue("site-0", Instant.now().minus(Duration.ofDays(9)), Duration.ofDays(2))
                .credentials());
    }

    private void assertNeverUp(Credentials credentials) throws Exception {
        CompletableFuture<String> reason = new CompletableFuture<>();
        Endpoint second = listener(new LinkEvents() {});
        Endpoint first = dialler(credentials, down(reason));
        connect(first, second.port());
        reason.get(20, TimeUnit.SECONDS);
        Thread.sleep(300);
        assertThat(second.link(0).isUp()).isFalse();
        assertThat(first.link(1).isUp()).isFalse();
    }

    @Test
    void refusesPlaintext() throws Exception {
        Endpoint second = listener(new LinkEvents() {});
        ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", second.port())
                .usePlaintext()
                .build();
        open.add(channel::shutdownNow);
        assertThat(RawStream.send(channel, List.of(hello(0)))).isNotEqualTo(Status.Code.OK);
        assertThat(second.link(0).isUp()).isFalse();
    }

    @Test
    void refusesTls12() throws Exception {
        Endpoint second = listener(new LinkEvents() {});
        ManagedChannel channel = channel(second.port(), credentials("site-0"), "TLSv1.2");
        assertThat(RawStream.send(channel, List.of(hello(0)))).isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(second.link(0).isUp()).isFalse();
    }

    @Test
    void closesAStreamWithAnOversizedFrame() throws Exception {
        Endpoint second = listener(new LinkEvents() {});
        ManagedChannel channel = channel(second.port(), credentials("site-0"), "TLSv1.3");
        byte[] large = vector(0, 1_000_000).toByteArray();
        assertThat(RawStream.send(channel, List.of(hello(0), large))).isNotEqualTo(Status.Code.OK);
        await(() -> !second.link(0).isUp());
        await(() -> second.traffic().malformed() == 1);
    }

    /** Its sender is a phase ahead: the vector, and what is behind it, waits there and is no fault. */
    @Test
    void holdsBackAVectorUntilItIsExpected() throws Exception {
        Endpoint second = listener(new LinkEvents() {});
        Endpoint first = dialler(credentials("site-0"), new LinkEvents() {});
        connect(first, second.port());
        second.link(0).expect(1);
        double[] large = new double[3 * Wire.PART_BYTES / Double.BYTES + 5];
        Arrays.setAll(large, k -> k < large.length / 2 ? k + 0.5 : k);
        first.link(1).send(new double[] {1}, 1, 0);
        first.link(1).send(large, large.length, 7);
        first.link(1).send(new double[] {2}, 1, 0);
        assertThat(next(second.link(0))).isEqualTo(1);
        Thread.sleep(200);
        assertThat(second.link(0).hasMessage()).isFalse();
        assertThat(second.link(0).isUp()).isTrue();
        assertThat(second.traffic().bytesReceived()).isLessThan(2 * Wire.PART_BYTES);
        second.link(0).expect(large.length);
        await(second.link(0)::hasMessage);
        assertThat(second.link(0).poll()).satisfies(message -> {
            assertThat(message.values()).isEqualTo(large);
            assertThat(message.clock()).isEqualTo(7);
        });
        assertThat(next(second.link(0))).isEqualTo(2);
        assertThat(second.traffic().malformed()).isZero();
    }

    @Test
    void closesAStreamWithInconsistentParts() throws Exception {
        Endpoint second = listener(new LinkEvents() {});
        ManagedChannel channel = channel(second.port(), credentials("site-0"), "TLSv1.3");
        byte[] begin = Frame.newBuilder()
                .setVector(Vector.newBuilder()
                        .setValues(ByteString.copyFrom(new byte[8]))
                        .setFollowing(2))
                .build()
                .toByteArray();
        assertThat(RawStream.send(channel, List.of(hello(0), begin, vector(0, 3).toByteArray())))
                .isEqualTo(Status.Code.ABORTED);
        assertThat(second.traffic().malformed()).isEqualTo(1);
    }

    @Test
    void closesAStreamWithAGapInItsNumbers() throws Exception {
        Endpoint second = listener(new LinkEvents() {});
        ManagedChannel channel = channel(second.port(), credentials("site-0"), "TLSv1.3");
        assertThat(RawStream.send(channel, List.of(hello(0), vector(5, 2).toByteArray())))
                .isEqualTo(Status.Code.ABORTED);
        assertThat(second.traffic().malformed()).isEqualTo(1);
    }

    @Test
    void countsRandomFramesAndStillServesTheNeighbour() throws Exception {
        Endpoint second = listener(new LinkEvents() {});
        Random random = new Random(5);
        int frames = 300;
        // Few enough on each connection that it is not closed for resetting streams too often.
        for (int sent = 0; sent < frames; sent += 100) {
            ManagedChannel channel = channel(second.port(), credentials("site-0"), "TLSv1.3");
            for (int k = 0; k < 100; k++) {
                byte[] bytes = new byte[1 + random.nextInt(60)];
                random.nextBytes(bytes);
                assertThat(RawStream.send(channel, List.of(bytes))).isEqualTo(Status.Code.ABORTED);
            }
        }
        assertThat(second.traffic().malformed()).isEqualTo(frames);
        Endpoint first = dialler(credentials("site-0"), new LinkEvents() {});
        connect(first, second.port());
        first.link(1).send(new double[] {7}, 1, 0);
        assertThat(next(second.link(0))).isEqualTo(7);
    }

    @Test
    void closesAConnectionThatResetsTooManyStreamsAndStillServesTheNeighbour() throws Exception {
        Endpoint second = listener(new LinkEvents() {});
        ManagedChannel channel = channel(second.port(), credentials("site-0"), "TLSv1.3");
        Status.Code end = Status.Code.ABORTED;
        // On a slow machine the first of them are forgotten before there are too many within the time that counts.
        for (int k = 0; k < 3000 && end == Status.Code.ABORTED; k++) {
            end = RawStream.send(channel, List.of(new byte[] {1}));
        }
        assertThat(end).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        Endpoint first = dialler(credentials("site-0"), new LinkEvents() {});
        connect(first, second.port());
        first.link(1).send(new double[] {7}, 1, 0);
        assertThat(next(second.link(0))).isEqualTo(7);
    }

    @Tag("thorough")
    @Test
    void readsNoFasterThanTheNodeConsumes() throws Exception {
        Endpoint second = listener(new LinkEvents() {});
        Endpoint first = dialler(credentials("site-0"), new LinkEvents() {});
        connect(first, second.port());
        for (int k = 0; k < 50_000; k++) {
            first.link(1).send(new double[100], 100, 0);
        }
        await(second.link(0)::hasMessage);
        Thread.sleep(300);
        // What is read waits to be taken in; the rest waits in the sender's log and the connection's window.
        assertThat(second.traffic().framesReceived()).isLessThan(200);
        for (int k = 0; k < 50_000; k++) {
            await(second.link(0)::hasMessage);
            second.link(0).poll();
        }
    }

    /** Sixty-four vectors would be few, but these are long. */
    @Test
    void slowsDownANeighbourThatSendsLongVectorsTooFast() throws Exception {
        Endpoint second = listener(new LinkEvents() {});
        Endpoint first = dialler(credentials("site-0"), new LinkEvents() {});
        connect(first, second.port());
        int entries = 200_000;
        second.link(0).expect(entries);
        for (int k = 0; k < 40; k++) {
            double[] vector = new double[entries];
            vector[0] = k;
            first.link(1).send(vector, entries, 0);
        }
        await(second.link(0)::hasMessage);
        Thread.sleep(300);
        assertThat(second.traffic().bytesReceived()).isLessThan(16 << 20);
        for (int k = 0; k < 40; k++) {
            assertThat(next(second.link(0))).isEqualTo(k);
        }
    }

    @Test
    void sendsNoMoreThanItKeepsUntilTheNeighbourHasStoredIt() throws Exception {
        Endpoint second = listener(new LinkEvents() {});
        Endpoint first = dialler(credentials("site-0"), new LinkEvents() {});
        connect(first, second.port());
        LinkChannel channel = new LinkChannel(List.of(first.link(1)), 2, 800);
        double[] vector = new double[50];
        Arrays.fill(vector, 0.5);
        Exchange exchange = new Exchange().tell(new int[] {1}, vector, 50);
        assertThat(channel.send(1, exchange, 0)).isTrue();
        assertThat(channel.send(1, exchange, 0)).isTrue();
        assertThat(channel.send(1, exchange, 0)).isFalse();
        assertThat(channel.full()).hasValue(1);
        next(second.link(0));
        second.link(0).durable(1);
        await(() -> first.link(1).keptBytes() == 400);
        assertThat(channel.send(1, exchange, 0)).isTrue();
        assertThat(channel.full()).isEmpty();
    }

    private static byte[] hello(int node) {
        return Frame.newBuilder()
                .setHello(Hello.newBuilder()
                        .setProtocol(Wire.PROTOCOL)
                        .setRun(RUN)
                        .setNode(node)
                        .setNetwork(identity(node).networkDigest()))
                .build()
                .toByteArray();
    }

    private static Frame vector(long sequence, int entries) {
        return Frame.newBuilder()
                .setVector(
                        Vector.newBuilder().setSequence(sequence).setValues(ByteString.copyFrom(new byte[8 * entries])))
                .build();
    }

    private ManagedChannel channel(int port, Credentials credentials, String protocol) throws IOException {
        ManagedChannel channel = RawStream.channel(port, "site-1", credentials, protocol);
        open.add(channel::shutdownNow);
        return channel;
    }
}
