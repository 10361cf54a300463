package dev.starling.peer.transport;

import dev.starling.peer.trust.Credentials;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** The surroundings of a site that is a process. */
final class RealSurroundings implements Surroundings {

    private volatile Thread driver;
    private volatile boolean woken;

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public void rest(long nanos) {
        driver = Thread.currentThread();
        if (!woken) {
            LockSupport.parkNanos(this, nanos);
        }
        woken = false;
    }

    @Override
    public void wake() {
        woken = true;
        LockSupport.unpark(driver);
    }

    @Override
    public void later(Runnable task, long millis) {
        CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS).execute(task);
    }

    @Override
    public ExecutorService worker(String name) {
        return Executors.newSingleThreadExecutor(daemon(name));
    }

    /** Makes threads that do not keep a process alive. */
    static ThreadFactory daemon(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }

    @Override
    public Edges open(
            Identity self,
            Supplier<Credentials> credentials,
            InetSocketAddress listen,
            List<Neighbour> neighbours,
            Limits limits,
            LinkEvents events,
            Optional<Proxy> proxy)
            throws IOException {
        return Endpoint.open(self, credentials, Optional.of(listen), neighbours, limits, events, proxy);
    }
}
