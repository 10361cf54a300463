package dev.starling.peer.simulation;

import dev.starling.peer.transport.Edges;
import dev.starling.peer.transport.Identity;
import dev.starling.peer.transport.Limits;
import dev.starling.peer.transport.LinkEvents;
import dev.starling.peer.transport.Neighbour;
import dev.starling.peer.transport.Proxy;
import dev.starling.peer.transport.Surroundings;
import dev.starling.peer.transport.VirtualNetwork;
import dev.starling.peer.trust.Credentials;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * One process of a site. Its code runs in a thread of its own, but only while the world lets it, until it waits for
 * something.
 */
public final class VirtualProcess implements Surroundings {

    static final String THREAD = "simulated";

    private static final ExecutorService THREADS = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(null, task, THREAD, 1 << 20);
        thread.setDaemon(true);
        return thread;
    });

    private static final long MICROS = 1000;
    private static final long MILLIS = 1000 * MICROS;
    private static final long LONGEST_NAP = 3000 * MILLIS;
    private static final int MOST_DOUBLINGS = 8;

    private final World world;
    private final VirtualNetwork network;
    private final VirtualDisk disk;
    private final int site;
    private final int number;
    private final long secret;
    private final Semaphore go = new Semaphore(0);
    private boolean alive;
    private boolean hasThread;
    private volatile Thread thread;
    private boolean resting;
    private boolean woken;
    private long rests;
    private int idle;
    private long frozenUntil;
    private long clockOffset;
    private long readCost;
    private Runnable whenDead = () -> {};

    /**
     * Creates a process that has not been started.
     *
     * @param number how many processes this site had before
     * @param secret the seed of its random bytes
     */
    public VirtualProcess(World world, VirtualNetwork network, VirtualDisk disk, int site, int number, long secret) {
        this.world = world;
        this.network = network;
        this.disk = disk;
        this.site = site;
        this.number = number;
        this.secret = secret;
    }

    /** The world in which it lives. */
    public World world() {
        return world;
    }

    /** The number of its site. */
    public int site() {
        return site;
    }

    /** Whether it runs. */
    public boolean isAlive() {
        return alive;
    }

    long frozenUntil() {
        return frozenUntil;
    }

    /** Stops it for a while, as SIGSTOP does. */
    void freeze(long nanos) {
        frozenUntil = world.now() + nanos;
    }

    /** Sets its clock forward. */
    void jump(long nanos) {
        clockOffset += nanos;
        wake();
    }

    /** Makes every look at the clock take this long. */
    void slow(long nanos) {
        readCost = nanos;
    }

    /** Sets what its death does to its connections. */
    public void whenDead(Runnable action) {
        whenDead = action;
    }

    /**
     * Starts it.
     *
     * @param program runs to the end of the process and must not throw anything but a crash
     */
    void start(Runnable program) {
        alive = true;
        hasThread = true;
        THREADS.execute(() -> {
            thread = Thread.currentThread();
            go.acquireUninterruptibly();
            SimulatedSecurity.enter(secret);
            try {
                if (alive) {
                    program.run();
                }
            } catch (Crash e) {
                // it has been dealt with
            } finally {
                SimulatedSecurity.leave();
                boolean ended = alive;
                hasThread = false;
                alive = false;
                if (ended) {
                    disk.release(this);
                    whenDead.run();
                }
                world.handBack();
            }
        });
        world.in(0, this, "starts", () -> world.handOver(go));
    }

    /** Kills it. What was not forced to disk may be lost. */
    void kill() {
        if (!alive) {
            return;
        }
        alive = false;
        disk.crash(this, world.random());
        whenDead.run();
        if (hasThread && Thread.currentThread() != thread) {
            // Its thread sees that it is dead and ends, even if it dies in what another thread does for it.
            world.as(this, () -> world.handOver(go));
        }
    }

    @Override
    public long nanos() {
        clockOffset += readCost;
        return world.now() + clockOffset;
    }

    @Override
    public void rest(long nanos) {
        requireLife();
        if (!woken) {
            long id = ++rests;
            resting = true;
            world.in(late(nanos), this, "has waited", () -> goOn(id));
            block();
            idle++;
        }
        if (woken) {
            idle = 0;
        }
        woken = false;
    }

    /** A system may let a thread sleep for longer than it asked for, and the less there is to do the longer it does. */
    private long late(long nanos) {
        return Math.max(nanos, Math.min(LONGEST_NAP, nanos << Math.min(idle, MOST_DOUBLINGS)));
    }

    private void block() {
        world.handBack();
        go.acquireUninterruptibly();
        requireLife();
    }

    private void requireLife() {
        if (!alive) {
            throw new Crash();
        }
    }

    private void goOn(long id) {
        if (resting && rests == id) {
            resting = false;
            world.handOver(go);
        }
    }

    @Override
    public void wake() {
        if (!woken && alive) {
            woken = true;
            if (resting) {
                long id = rests;
                world.in(world.any((int) (50 * MICROS)), this, "is woken", () -> goOn(id));
            }
        }
    }

    @Override
    public void later(Runnable task, long millis) {
        world.in(millis * MILLIS, this, "has a task", task);
    }

    @Override
    public ExecutorService worker(String name) {
        return new Worker();
    }

    @Override
    public Edges open(
            Identity self,
            Supplier<Credentials> credentials,
            InetSocketAddress listen,
            List<Neighbour> neighbours,
            Limits limits,
            LinkEvents events,
            Optional<Proxy> proxy) {
        return network.open(this, self, neighbours, limits, events);
    }

    @Override
    public String toString() {
        return (char) ('a' + site) + "" + number;
    }

    /** Does its work some time after it was asked to. */
    private final class Worker extends AbstractExecutorService {
        private int left;
        private long last;
        private boolean shutdown;

        @Override
        public void execute(Runnable task) {
            left++;
            long delay = world.onceIn(8) ? world.any(2000) * MILLIS : world.any(3000) * MICROS;
            last = Math.max(last, world.now() + delay);
            world.in(last - world.now(), VirtualProcess.this, "writes in the background", () -> {
                task.run();
                left--;
            });
        }

        @Override
        protected <T> RunnableFuture<T> newTaskFor(Callable<T> callable) {
            return new Awaited<>(callable);
        }

        @Override
        protected <T> RunnableFuture<T> newTaskFor(Runnable task, T value) {
            return new Awaited<>(Executors.callable(task, value));
        }

        @Override
        public void shutdown() {
            shutdown = true;
        }

        @Override
        public List<Runnable> shutdownNow() {
            shutdown = true;
            return new ArrayList<>();
        }

        @Override
        public boolean isShutdown() {
            return shutdown;
        }

        @Override
        public boolean isTerminated() {
            return shutdown && left == 0;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            long end = world.now() + unit.toNanos(timeout);
            while (alive && left > 0 && world.now() < end) {
                rest(Math.max(1, end - world.now()));
            }
            return left == 0;
        }
    }

    /** A task for which the process may wait without keeping the world from going on. */
    private final class Awaited<T> extends FutureTask<T> {
        Awaited(Callable<T> task) {
            super(task);
        }

        @Override
        public void run() {
            super.run();
            wake();
        }

        @Override
        protected void setException(Throwable failure) {
            if (failure instanceof Crash crash) {
                throw crash;
            }
            super.setException(failure);
        }

        @Override
        public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException {
            while (!isDone()) {
                rest(unit.toNanos(timeout));
            }
            woken = true;
            return super.get();
        }
    }
}
