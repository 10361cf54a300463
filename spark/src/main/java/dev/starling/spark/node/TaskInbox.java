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
 * The inbox of a task for vectors from other tasks in the same process, which need no connection. The tasks of an
 * executor share nothing but its classes, so they find each other by name in a static table of this class.
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

    /** Opens the inbox of a partition in one attempt at a stage, whose name must be unique. */
    static TaskInbox open(String stage, int partition) {
        TaskInbox inbox = new TaskInbox(stage, partition);
        OPEN.put(inbox.name(partition), inbox);
        return inbox;
    }

    /** The number of inboxes that are open in this process. */
    static int count() {
        return OPEN.size();
    }

    private String name(int other) {
        return stage + "/" + other;
    }

    /** Sets the thread that reads the inbox. */
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

    /** A line within the process. */
    private record MemoryLine(Queue<double[]> inbox, TaskInbox other, Queue<double[]> outbox) implements TaskLine {

        @Override
        public void send(Exchange exchange) {
            double[] payload = exchange.payload();
            boolean shareable = exchange.isFrozen() && exchange.length() == payload.length;
            outbox.add(shareable ? payload : Arrays.copyOf(payload, exchange.length()));
            LockSupport.unpark(other.owner);
        }

        @Override
        public double[] poll() {
            return inbox.poll();
        }
    }
}
