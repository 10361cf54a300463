package dev.starling.cores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoopsTest {

    private static <T> T on(int threads, java.util.function.Supplier<T> work) {
        return new Cores(threads).call(work);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 16})
    void everyIterationRunsOnce(int threads) {
        for (int count : new int[] {0, 1, 2, 5, 1000}) {
            AtomicIntegerArray runs = new AtomicIntegerArray(count);
            on(threads, () -> {
                Loops.run(count, runs::getAndIncrement);
                return null;
            });
            for (int k = 0; k < count; k++) {
                assertThat(runs.get(k)).as("%s of %s", k, count).isEqualTo(1);
            }
        }
    }

    @Test
    void iterationsRunAtTheSameTimeOnceTheirCodeIsNotNew() {
        CountDownLatch all = new CountDownLatch(4);
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        AtomicBoolean isNew = new AtomicBoolean(true);
        Thread caller = Thread.currentThread();
        IntConsumer body = k -> {
            try {
                if (isNew.get()) {
                    assertThat(Thread.currentThread()).isSameAs(caller);
                    Thread.sleep(13);
                    return;
                }
                threads.add(Thread.currentThread());
                all.countDown();
                assertThat(all.await(30, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        };
        on(4, () -> {
            Loops.run(2, body);
            isNew.set(false);
            Loops.run(4, body);
            return null;
        });
        assertThat(threads).hasSize(4);
    }

    @Test
    void threadsAreLentToTheCallersThreadAndGivenBack() {
        Thread caller = Thread.currentThread();
        on(4, () -> {
            assertThat(Cores.here()).isEqualTo(4);
            assertThat(on(2, Cores::here)).isEqualTo(2);
            assertThat(Cores.here()).isEqualTo(4);
            return assertThat(Thread.currentThread()).isSameAs(caller);
        });
        assertThatThrownBy(() -> on(4, () -> Integer.parseInt("none"))).isInstanceOf(NumberFormatException.class);
        assertThat(Cores.here()).isEqualTo(1);
    }

    @Test
    void loopsWithinLoopsEnd() {
        AtomicInteger runs = new AtomicInteger();
        on(3, () -> {
            for (int times = 0; times < 200; times++) {
                Loops.run(5, k -> Loops.run(7, l -> runs.getAndIncrement()));
            }
            return null;
        });
        assertThat(runs).hasValue(200 * 5 * 7);
    }

    @Test
    void aLoopOutsideOfCoresRunsOnTheCallersThread() {
        Loops.run(100, k -> assertThat(Thread.currentThread().getName()).doesNotContain("starling-worker"));
        assertThat(Cores.here()).isEqualTo(1);
        assertThat(on(3, Cores::here)).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void theFirstFailureIsThrown(int threads) {
        for (int attempt = 0; attempt < 50; attempt++) {
            assertThatThrownBy(() -> on(threads, () -> {
                        Loops.run(100, k -> {
                            if (k % 10 == 7) {
                                throw new IllegalStateException("iteration " + k);
                            }
                        });
                        return null;
                    }))
                    .hasMessageContaining("iteration 7");
        }
    }

    @Test
    void loopsInLoopsEnd() {
        AtomicInteger runs = new AtomicInteger();
        on(3, () -> {
            Loops.run(20, outer -> Loops.run(20, inner -> runs.getAndIncrement()));
            return null;
        });
        assertThat(runs.get()).isEqualTo(400);
    }

    @Test
    void rowsAreVisitedOnceEach() {
        int[] visits = new int[10_007];
        on(4, () -> {
            Loops.overRows(visits.length, 100, (from, to) -> Arrays.fill(visits, from, to, visits[from] + 1));
            return null;
        });
        assertThat(visits).containsOnly(1);
        assertThat(Loops.rows(50)).isEqualTo(4096);
        assertThat(Loops.rows(1)).isEqualTo(65536);
        assertThat(Loops.rows(1e9)).isEqualTo(1024);
    }
}
