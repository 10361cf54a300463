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

    /** The inbox of another partition's task, if that runs in this process. */
    Optional<TaskInbox> of(int other) {
        return Optional.ofNullable(OPEN.get(name(other)));
    }

    /** The vectors from the task of a partition, in order. */
    Queue<double[]> from(int sender) {
        return senders.computeIfAbsent(sender, key -> new ConcurrentLinkedQueue<>());
    }

    /** Puts in the payload of an exchange, which the sender may change afterwards unless it is frozen. */
    void put(int sender, Exchange exchange) {
        double[] payload = exchange.payload();
        boolean shareable = exchange.isFrozen() && exchange.length() == payload.length;
        from(sender).add(shareable ? payload : Arrays.copyOf(payload, exchange.length()));
        LockSupport.unpark(owner);
    }

    @Override
    public void close() {
        OPEN.remove(name(partition));
    }
}
