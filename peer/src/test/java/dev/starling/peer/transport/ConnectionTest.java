package dev.starling.peer.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.peer.wire.Frame;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ConnectionTest {

    private static final int ROUNDS = 200_000;

    /** A stream that is as strict as gRPC's. */
    private static final class Strict extends SilentStream {
        private final AtomicInteger ended = new AtomicInteger();
        private volatile String failure;

        @Override
        public void onNext(Frame frame) {
            if (ended.get() > 0) {
                failure = "call is closed";
            }
        }

        @Override
        public void onCompleted() {
            if (ended.incrementAndGet() > 1) {
                failure = "call already closed";
            }
        }
    }

    /** The node that has finished and the neighbour that leaves, or whose stream breaks, in the same moment. */
    @ParameterizedTest
    @MethodSource("endings")
    @Timeout(60)
    void endsOnceWhoeverEndsItAndSendsNothingAfterwards(Consumer<Connection> one, Consumer<Connection> other)
            throws Exception {
        Strict[] streams = new Strict[ROUNDS];
        Connection[] connections = new Connection[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            Strict stream = new Strict();
            streams[round] = stream;
            connections[round] = new Connection(stream, stream::onCompleted);
        }
        AtomicInteger arrived = new AtomicInteger();
        CompletableFuture<Void> far = CompletableFuture.runAsync(() -> inStep(connections, other, arrived));
        inStep(connections, one, arrived);
        far.get(30, TimeUnit.SECONDS);

        assertThat(streams).extracting(stream -> stream.ended.get()).containsOnly(1);
        assertThat(streams).extracting(stream -> stream.failure).containsOnlyNulls();
    }

    static Stream<Arguments> endings() {
        Consumer<Connection> complete = Connection::complete;
        Consumer<Connection> abort = Connection::abort;
        Consumer<Connection> send = connection -> connection.send(Frame.getDefaultInstance());
        return Stream.of(Arguments.of(complete, complete), Arguments.of(complete, abort), Arguments.of(send, complete));
    }

    /** Two threads that call this with the same counter do the same round at the same time, to some nanoseconds. */
    private static void inStep(Connection[] connections, Consumer<Connection> action, AtomicInteger arrived) {
        for (int round = 0; round < connections.length; round++) {
            arrived.incrementAndGet();
            for (int spins = 0; arrived.get() < 2 * (round + 1); spins++) {
                if (spins < 1000) {
                    Thread.onSpinWait();
                } else {
                    // The other thread may be waiting for a core.
                    Thread.yield();
                }
            }
            action.accept(connections[round]);
        }
    }
}
