package dev.starling.support;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for what another thread or process does. */
public final class Await {

    /** Far longer than anything takes, even on a busy machine. */
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static final long MILLISECONDS_BETWEEN_LOOKS = 5;

    private Await() {}

    /** Returns once a condition holds; fails if it never does. */
    public static void await(BooleanSupplier condition) throws InterruptedException {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > LIMIT.toNanos()) {
                throw new AssertionError("what is waited for has not happened within " + LIMIT.toSeconds() + " s");
            }
            Thread.sleep(MILLISECONDS_BETWEEN_LOOKS);
        }
    }
}
