package dev.starling.peer.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.peer.keys.Authority;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What an exchange over a link takes, beside a plain gRPC ping of the same size; printed for docs/reliability.md. */
@Tag("faults")
class LatencyTest {

    private static final int WARM_UP = 5_000;
    private static final int PINGS = 5_000;
    private static final int FEATURES = 54;

    private static final MethodDescriptor.Marshaller<byte[]> BYTES = new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    };

    private static final MethodDescriptor<byte[], byte[]> ECHO = MethodDescriptor.<byte[], byte[]>newBuilder()
            .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
            .setFullMethodName("test.Echo/Echo")
            .setRequestMarshaller(BYTES)
            .setResponseMarshaller(BYTES)
            .build();

    @Test
    void reportsARoundTripBesideAPlainPing() throws Exception {
        double plain = plainPing();
        double link = linkPingPong();
        System.out.printf(
                Locale.ROOT,
                "FAULTS latency: %d doubles, one way: plain gRPC ping %.1f us, exchange over a link (mutual TLS, log, "
                        + "node threads) %.1f us%n",
                FEATURES,
                plain,
                link);
        assertThat(link).isPositive();
    }

    private static double median(long[] trips) {
        Arrays.sort(trips);
        return trips[trips.length / 2] * 0.5e-3;
    }

    /** Echo of plaintext bytes on one stream, a waiting thread at one end and the network thread at the other. */
    private static double plainPing() throws Exception {
        Server server = NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
                .directExecutor()
                .addService(ServerServiceDefinition.builder("test.Echo")
                        .addMethod(ECHO, ServerCalls.asyncBidiStreamingCall(LatencyTest::echo))
                        .build())
                .build()
                .start();
        ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", server.getPort())
                .usePlaintext()
                .directExecutor()
                .build();
        try {
            SynchronousQueue<byte[]> answers = new SynchronousQueue<>();
            StreamObserver<byte[]> out = ClientCalls.asyncBidiStreamingCall(
                    channel.newCall(ECHO, CallOptions.DEFAULT), new StreamObserver<>() {
                        @Override
                        public void onNext(byte[] value) {
                            try {
                                answers.put(value);
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                        }

                        @Override
                        public void onError(Throwable t) {}

                        @Override
                        public void onCompleted() {}
                    });
            long[] trips = new long[PINGS];
            for (int k = -WARM_UP; k < PINGS; k++) {
                long start = System.nanoTime();
                out.onNext(new byte[8 * FEATURES]);
                assertThat(answers.poll(10, TimeUnit.SECONDS)).isNotNull();
                if (k >= 0) {
                    trips[k] = System.nanoTime() - start;
                }
            }
            out.onCompleted();
            return median(trips);
        } finally {
            channel.shutdownNow();
            server.shutdownNow();
        }
    }

    private static StreamObserver<byte[]> echo(StreamObserver<byte[]> out) {
        return new StreamObserver<>() {
            @Override
            public void onNext(byte[] value) {
                out.onNext(value);
            }

            @Override
            public void onError(Throwable t) {}

            @Override
            public void onCompleted() {
                out.onCompleted();
            }
        };
    }

    /** Two nodes that answer each other, each on a thread of its own that parks while it waits, as peers do. */
    private static double linkPingPong() throws Exception {
        Authority authority = Authority.create(Instant.now(), Duration.ofDays(1));
        Thread here = Thread.currentThread();
        Thread[] there = new Thread[1];
        try (Endpoint second = Endpoint.open(
                        new Identity(1, "b", "r", "n"),
                        authority.issue("b", Instant.now(), Duration.ofDays(1)).credentials(),
                        Optional.of(new InetSocketAddress("127.0.0.1", 0)),
                        List.of(new Neighbour(0, "a", "a")),
                        new Limits(FEATURES, 10, 10),
                        waking(() -> there[0]));
                Endpoint first = Endpoint.open(
                        new Identity(0, "a", "r", "n"),
                        authority.issue("a", Instant.now(), Duration.ofDays(1)).credentials(),
                        Optional.empty(),
                        List.of(new Neighbour(1, "b", "b")),
                        new Limits(FEATURES, 10, 10),
                        waking(() -> here))) {
            second.connect(Map.of());
            first.connect(Map.of(1, new InetSocketAddress("127.0.0.1", second.port())));
            double[] vector = new double[FEATURES];
            there[0] = new Thread(() -> {
                for (int k = 0; k < WARM_UP + PINGS; k++) {
                    take(second.link(0));
                    second.link(0).send(vector, FEATURES, 0);
                }
            });
            there[0].start();
            long[] trips = new long[PINGS];
            for (int k = -WARM_UP; k < PINGS; k++) {
                long start = System.nanoTime();
                first.link(1).send(vector, FEATURES, 0);
                take(first.link(1));
                if (k >= 0) {
                    trips[k] = System.nanoTime() - start;
                }
            }
            there[0].join();
            return median(trips);
        }
    }

    private static void take(Link link) {
        while (!link.hasMessage()) {
            LockSupport.parkNanos(50_000_000);
        }
        link.poll();
    }

    private static LinkEvents waking(java.util.function.Supplier<Thread> whom) {
        return new LinkEvents() {
            @Override
            public void onArrival(Link link) {
                LockSupport.unpark(whom.get());
            }
        };
    }
}
