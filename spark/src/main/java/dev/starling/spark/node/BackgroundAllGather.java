package dev.starling.spark.node;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.spark.BarrierTaskContext;

/**
 * One {@code allGather} of the tasks of a barrier stage, on a thread of its own while the task does other work. Spark
 * checks once a second whether it is complete, and also whenever that thread is interrupted; a task that waits for the
 * result interrupts it so that it checks more often.
 */
final class BackgroundAllGather {

    private static final long CHECK_MILLIS = 5;

    private final BarrierTaskContext context;
    private final CompletableFuture<String[]> all = new CompletableFuture<>();
    private final Thread thread;

    BackgroundAllGather(BarrierTaskContext context, String own) {
        this.context = context;
        this.thread = new Thread(() -> gather(own), "starling-addresses");
        thread.setDaemon(true);
        thread.start();
    }

    private void gather(String own) {
        try {
            all.complete(context.allGather(own));
        } catch (Throwable e) {
            all.completeExceptionally(e);
        }
    }

    /** Whether the thread sleeps between two checks; anywhere else an interrupt would abort the gathering. */
    private boolean isAsleep() {
        if (thread.getState() != Thread.State.TIMED_WAITING) {
            return false;
        }
        for (StackTraceElement frame : thread.getStackTrace()) {
            if (!frame.getClassName().equals("java.lang.Thread")) {
                return frame.getClassName().equals(BarrierTaskContext.class.getName());
            }
        }
        return false;
    }

    /** Waits for the messages of all tasks, and returns them by partition. */
    String[] await() {
        while (true) {
            try {
                return all.get(CHECK_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                context.killTaskIfInterrupted();
                if (isAsleep()) {
                    thread.interrupt();
                }
            } catch (ExecutionException e) {
                context.killTaskIfInterrupted();
                throw new IllegalStateException(
                        "the tasks could not exchange addresses: " + e.getCause(), e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                context.killTaskIfInterrupted();
                throw new IllegalStateException("interrupted while the tasks exchanged addresses", e);
            }
        }
    }
}
