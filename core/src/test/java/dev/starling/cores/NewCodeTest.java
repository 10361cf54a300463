package dev.starling.cores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class NewCodeTest {

    private static void work(long millis) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    /** Runs something on some threads at the same time. */
    private static void together(int threads, Runnable work) {
        Thread[] all =
                IntStream.range(0, threads).mapToObj(k -> new Thread(work)).toArray(Thread[]::new);
        for (Thread thread : all) {
            thread.start();
        }
        for (Thread thread : all) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Test
    void threadsTakeTurnsWhileCodeIsNew() {
        NewCode code = new NewCode(TimeUnit.HOURS.toNanos(1));
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        together(
                8,
                () -> code.inTurn(() -> {
                    most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                    work(1);
                    inside.decrementAndGet();
                }));

        assertThat(most).hasValue(1);
        assertThat(code.isNew()).isTrue();
    }

    @Test
    void threadsRunCodeAtTheSameTimeOnceItIsNotNew() {
        NewCode code = new NewCode();
        while (code.isNew()) {
            code.inTurn(() -> work(1));
        }
        CountDownLatch both = new CountDownLatch(2);
        AtomicInteger met = new AtomicInteger();
        together(
                2,
                () -> code.inTurn(() -> {
                    both.countDown();
                    try {
                        met.addAndGet(both.await(10, TimeUnit.SECONDS) ? 1 : 0);
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                }));

        assertThat(met).hasValue(2);
    }

    @Test
    void codeWithinCodeWaitsForNobody() throws InterruptedException {
        NewCode first = new NewCode(TimeUnit.HOURS.toNanos(1));
        NewCode second = new NewCode(TimeUnit.HOURS.toNanos(1));
        CountDownLatch bothInside = new CountDownLatch(2);
        AtomicInteger ended = new AtomicInteger();
        Runnable meet = () -> {
            bothInside.countDown();
            while (bothInside.getCount() > 0) {
                Thread.onSpinWait();
            }
        };
        Thread other = new Thread(() -> second.inTurn(() -> {
            meet.run();
            first.inTurn(ended::incrementAndGet);
        }));
        other.start();
        first.inTurn(() -> {
            meet.run();
            second.inTurn(ended::incrementAndGet);
        });
        other.join();

        assertThat(ended).hasValue(2);
    }

    @Test
    void aThreadWhoseTurnNeverComesGoesOnAnyway() throws InterruptedException {
        NewCode code = new NewCode(TimeUnit.MILLISECONDS.toNanos(1));
        CountDownLatch went = new CountDownLatch(1);
        Thread waiting = new Thread(() -> code.inTurn(went::countDown));
        code.inTurn(() -> {
            waiting.start();
            try {
                assertThat(went.await(20, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        waiting.join();
    }

    @Test
    void aFailureEndsTheTurn() {
        NewCode code = new NewCode();
        assertThatThrownBy(() -> code.inTurn(() -> {
                    throw new IllegalStateException("broken");
                }))
                .hasMessage("broken");
        AtomicInteger ran = new AtomicInteger();
        together(1, () -> code.inTurn(ran::incrementAndGet));

        assertThat(ran).hasValue(1);
    }
}
