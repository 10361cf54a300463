package dev.starling.peer.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.peer.wire.Frame;
import java.util.Arrays;
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

    /** On two cores all rounds take less; without, the two threads hardly ever run at the same time anyway. */
    private static final long MOST_NANOS = 4_000_000_000L;

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
        Strict[] all = new Strict[ROUNDS];
        Connection[] connections = new Connection[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            Strict stream = new Strict();
            all[round] = stream;
            connections[round] = new Connection(stream, stream::onCompleted);
        }
        AtomicInteger arrived = new AtomicInteger();
        AtomicInteger end = new AtomicInteger(ROUNDS);
        CompletableFuture<Void> far = CompletableFuture.runAsync(() -> inStep(connections, other, arrived, end));
        inStep(connections, one, arrived, end);
        far.get(30, TimeUnit.SECONDS);

        Strict[] streams = Arrays.copyOf(all, end.get());
        assertThat(streams)
                .hasSizeGreaterThan(100)
                .extracting(stream -> stream.ended.get())
                .containsOnly(1);
        assertThat(streams).extracting(stream -> stream.failure).containsOnlyNulls();
    }

    static Stream<Arguments> endings() {
        Consumer<Connection> complete = Connection::complete;
        Consumer<Connection> abort = Connection::abort;
        Consumer<Connection> send = connection -> connection.send(Frame.getDefaultInstance());
        return Stream.of(Arguments.of(complete, complete), Arguments.of(complete, abort), Arguments.of(send, complete));
    }

    /** Two threads that call this with the same counters do the same round at the same time, to some nanoseconds. */
    private static void inStep(
            Connection[] connections, Consumer<Connection> action, AtomicInteger arrived, AtomicInteger end) {
        long start = System.nanoTime();
        for (int round = 0; round < end.get(); round++) {
            if (System.nanoTime() - start > MOST_NANOS) {
                // The other thread is in this round or in the one before.
                end.compareAndSet(connections.length, round + 1);
            }
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
