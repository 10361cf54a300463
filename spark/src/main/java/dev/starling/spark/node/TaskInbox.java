package dev.starling.spark.node;

import dev.starling.node.Exchange;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * Where a task finds what tasks of the same process send it: those need no connection. Spark gives the tasks of an
 * executor nothing in common but its classes, so they find each other by name in a table of this one.
 */
final class TaskInbox implements AutoCloseable {

    private static final Map<String, TaskInbox> OPEN = new ConcurrentHashMap<>();

    private final String stage;
    private final int partition;
    private final Map<Integer, Queue<double[]>> senders = new ConcurrentHashMap<>();
    private volatile Thread owner;

    private TaskInbox(String stage, int partition) {
        this.stage = stage;
        this.partition = partition;
    }

    /** The inbox of a partition in one attempt at a stage, which no other may share the name of. */
    static TaskInbox open(String stage, int partition) {
        TaskInbox inbox = new TaskInbox(stage, partition);
        OPEN.put(inbox.name(partition), inbox);
        return inbox;
    }

    /** How many are open in this process. */
    static int count() {
        return OPEN.size();
    }

    private String name(int other) {
        return stage + "/" + other;
    }

    /** The thread that takes out what comes in. */
    void ownedBy(Thread thread) {
        owner = thread;
    }

    /** The line to the task of another partition, if it runs in this process. */
    Optional<TaskLine> lineTo(int other) {
        return Optional.ofNullable(OPEN.get(name(other)))
                .map(inbox -> new MemoryLine(queue(other), inbox, inbox.queue(partition)));
    }

    private Queue<double[]> queue(int sender) {
        return senders.computeIfAbsent(sender, key -> new ConcurrentLinkedQueue<>());
    }

    @Override
    public void close() {
        OPEN.remove(name(partition));
    }

    /** A line within the process. A task that fails is missed by Spark, which then ends the others of its stage. */
    private record MemoryLine(Queue<double[]> inbox, TaskInbox other, Queue<double[]> outbox) implements TaskLine {

        @Override
        public void send(Exchange exchange) {
            double[] payload = exchange.payload();
            boolean asItIs = exchange.isFrozen() && exchange.length() == payload.length;
            outbox.add(asItIs ? payload : Arrays.copyOf(payload, exchange.length()));
            LockSupport.unpark(other.owner);
        }

        @Override
        public double[] poll() {
            return inbox.poll();
        }

        @Override
        public void requireAlive() {}

        @Override
        public void trim() {}

        @Override
        public void finish() {}

        @Override
        public boolean mayLeave() {
            return true;
        }
    }
}
