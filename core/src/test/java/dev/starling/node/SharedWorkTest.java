package dev.starling.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.starling.data.InvalidInputException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class SharedWorkTest {

    @Test
    void computesOneValueWhileComputingAnother() {
        // As many names as a job with fifty classes has: some share a bin of a hash table with the inner one.
        for (int k = 0; k < 50; k++) {
            SharedWork shared = new SharedWork();
            int index = k;
            String made = shared.once("targets " + k, () -> shared.once("rows", () -> "rows") + " of " + index);
            assertEquals("rows of " + k, made);
        }
    }

    @Test
    void computesAValueOnceForAllThreads() throws Exception {
        SharedWork shared = new SharedWork();
        AtomicInteger calls = new AtomicInteger();
        int nodes = 4;
        CountDownLatch ready = new CountDownLatch(nodes);
        ExecutorService threads = Executors.newFixedThreadPool(nodes);
        try {
            Callable<Object> node = () -> {
                ready.countDown();
                ready.await();
                return shared.once(
                        "targets",
                        () -> shared.once("rows", () -> {
                            calls.incrementAndGet();
                            return new Object();
                        }));
            };
            List<Future<Object>> values = IntStream.range(0, nodes)
                    .mapToObj(any -> threads.submit(node))
                    .toList();
            Object first = values.get(0).get(10, TimeUnit.SECONDS);
            for (Future<Object> value : values) {
                assertSame(first, value.get(10, TimeUnit.SECONDS));
            }
        } finally {
            threads.shutdownNow();
        }
        assertEquals(1, calls.get());
    }

    @Test
    void computesAValueAgainAfterForgettingOrFailure() {
        SharedWork shared = new SharedWork();
        assertThrows(
                InvalidInputException.class,
                () -> shared.once("rows", () -> {
                    throw new InvalidInputException("no rows");
                }));
        assertEquals("first", shared.once("rows", () -> "first"));
        assertEquals("first", shared.once("rows", () -> "second"));
        shared.forget("rows");
        assertEquals("third", shared.once("rows", () -> "third"));
    }
}
