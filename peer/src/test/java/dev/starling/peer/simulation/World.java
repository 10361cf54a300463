package dev.starling.peer.simulation;

import java.util.Arrays;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The order in which everything happens. One thing happens at a time: a frame arrives, a thread goes on until it has to
 * wait, a file is written. What comes next is decided by virtual time, and times are drawn from a seed, so that the
 * same seed gives the same events.
 */
public final class World {

    /** Decides what goes wrong, and checks what must always hold. */
    public interface Weather {
        /** Called before something happens to a process, which it may kill. */
        default void before(VirtualProcess process, String what) {}

        /** Called whenever a process is about to change its disk; may kill it or let the change fail. */
        default Trouble onDisk(VirtualProcess process, String operation, String file) {
            return Trouble.NONE;
        }

        /** Called after everything that happens. */
        default void after() {}
    }

    /** How a change of a disk may fail. */
    public enum Trouble {
        /** It does not. */
        NONE,
        /** The disk is full; some of the bytes may have been written. */
        FULL,
        /** The process dies while it writes. */
        DEATH
    }

    private record Event(long time, long order, VirtualProcess owner, String what, Runnable action)
            implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            return time != other.time ? Long.compare(time, other.time) : Long.compare(order, other.order);
        }
    }

    private static final long LONGEST_STEP_SECONDS = 60;

    private final SplittableRandom random;
    private final Consumer<String> trace;
    private final PriorityQueue<Event> queue = new PriorityQueue<>();
    private final Semaphore back = new Semaphore(0);
    private Weather weather = new Weather() {};
    private VirtualProcess running;
    private long now;
    private long order;
    private long events;

    /**
     * Creates a world in which nothing has happened.
     *
     * @param trace receives a line about everything that happens; null if nobody wants to know
     */
    public World(long seed, Consumer<String> trace) {
        this.random = new SplittableRandom(seed);
        this.trace = trace;
    }

    void set(Weather newWeather) {
        weather = newWeather;
    }

    Weather weather() {
        return weather;
    }

    SplittableRandom random() {
        return random;
    }

    /** A number from 0 to a bound. */
    public int any(int bound) {
        return random.nextInt(bound);
    }

    /** Whether something happens that happens once in so many times. */
    public boolean onceIn(int times) {
        return random.nextInt(times) == 0;
    }

    /** The virtual time. */
    public long now() {
        return now;
    }

    /** How many things have happened. */
    public long events() {
        return events;
    }

    /** The process whose code is running; null if it is nobody's. */
    VirtualProcess running() {
        return running;
    }

    boolean isTraced() {
        return trace != null;
    }

    /** Adds a line to the trace. */
    public void tell(Supplier<String> line) {
        if (trace != null) {
            trace.accept(String.format("%8d %14.6f  %s", events, now * 1e-9, line.get()));
        }
    }

    /**
     * Lets something happen after a while.
     *
     * @param owner the process to which it happens; it does not happen if that is dead by then
     */
    public void in(long nanos, VirtualProcess owner, String what, Runnable action) {
        queue.add(new Event(now + Math.max(0, nanos), order++, owner, what, action));
    }

    /** Lets the next thing happen; returns false if nothing is left to happen. */
    boolean step() {
        Event event = queue.poll();
        if (event == null) {
            return false;
        }
        now = Math.max(now, event.time);
        VirtualProcess owner = event.owner;
        if (owner != null && !owner.isAlive()) {
            return true;
        }
        if (owner != null && owner.frozenUntil() > now) {
            queue.add(new Event(owner.frozenUntil(), order++, owner, event.what, event.action));
            return true;
        }
        events++;
        if (owner != null) {
            weather.before(owner, event.what);
            if (!owner.isAlive()) {
                return true;
            }
        }
        tell(() -> (owner == null ? "-" : owner.toString()) + "  " + event.what);
        as(owner, event.action);
        weather.after();
        return true;
    }

    /** Runs code of a process on this thread. */
    void as(VirtualProcess process, Runnable action) {
        VirtualProcess before = running;
        running = process;
        try {
            action.run();
        } catch (Crash e) {
            tell(() -> process + "  is dead");
        } finally {
            running = before;
        }
    }

    /** Lets a thread of a process go on until it waits or ends. */
    void handOver(Semaphore go) {
        go.release();
        try {
            if (!back.tryAcquire(LONGEST_STEP_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("a process neither waits nor ends:" + stacks());
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static String stacks() {
        StringBuilder text = new StringBuilder();
        Thread.getAllStackTraces().forEach((thread, stack) -> {
            if (thread.getName().equals(VirtualProcess.THREAD) && thread.getState() == Thread.State.RUNNABLE) {
                text.append("\n    ").append(Arrays.toString(stack));
            }
        });
        return text.toString();
    }

    /** Called by a thread that has been let go on, when it waits or ends. */
    void handBack() {
        back.release();
    }
}
