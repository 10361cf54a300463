package dev.starling.runtime;

import dev.starling.node.Exchange;
import dev.starling.node.NodeProgram;

/**
 * Drives one node program as far as its messages let it: sends what it says, waits for what it awaits, and keeps its
 * idealised clock. Only one thread at a time drives a node.
 */
final class NodeDriver implements Meter {

    private static final double[][] NO_MESSAGES = {};

    private final NodeProgram program;
    private final int node;
    private final Mailboxes mailboxes;
    private final Delays delays;
    private final Observer observer;
    private final double stepCost;

    private Exchange waiting;
    private double[][] messages = NO_MESSAGES;
    private boolean done;

    private double clock;
    private double work;
    private long rounds;
    private long messagesSent;
    private long numbersSent;

    NodeDriver(NodeProgram program, int node, Mailboxes mailboxes, Delays delays, Observer observer) {
        this.program = program;
        this.node = node;
        this.mailboxes = mailboxes;
        this.delays = delays;
        this.observer = observer;
        this.stepCost = delays.step().applyAsDouble(node);
    }

    /** Takes the node on by at most one exchange; false if it has ended or the message it waits for is not there. */
    boolean tryProgress() {
        if (done) {
            return false;
        }
        boolean begun = waiting == null;
        if (begun) {
            begin(program.advance());
        }
        if (done || !allArrived()) {
            return begun;
        }
        complete();
        return true;
    }

    private void begin(Exchange exchange) {
        if (exchange.kind() == Exchange.Kind.END) {
            done = true;
            observer.afterEnd(node);
            return;
        }
        waiting = exchange;
        work += exchange.work();
        clock += exchange.work() * stepCost;
        for (int neighbour : exchange.to()) {
            mailboxes.between(node, neighbour).send(exchange.payload(), exchange.length(), clock);
        }
        messagesSent += exchange.to().length;
        numbersSent += (long) exchange.to().length * exchange.length();
        if (messages.length != exchange.from().length) {
            messages = new double[exchange.from().length][];
        }
    }

    private boolean allArrived() {
        for (int neighbour : waiting.from()) {
            if (mailboxes.between(neighbour, node).isEmpty()) {
                return false;
            }
        }
        return true;
    }

    private void complete() {
        int[] from = waiting.from();
        boolean round = waiting.kind() == Exchange.Kind.ROUND;
        for (int k = 0; k < from.length; k++) {
            Mailbox mailbox = mailboxes.between(from[k], node);
            messages[k] = mailbox.peek();
            if (round) {
                clock = Math.max(clock, mailbox.peekTime() + delays.message().between(from[k], node));
            }
        }
        program.absorb(messages);
        for (int neighbour : from) {
            mailboxes.between(neighbour, node).take();
        }
        waiting = null;
        if (round) {
            if (from.length > 0) {
                rounds++;
            }
            observer.afterRound(node, program, this);
        }
    }

    boolean isDone() {
        return done;
    }

    @Override
    public double clock() {
        return clock;
    }

    @Override
    public long rounds() {
        return rounds;
    }

    @Override
    public double work() {
        return work;
    }

    @Override
    public long bytesSent() {
        return numbersSent * Double.BYTES;
    }

    long messagesSent() {
        return messagesSent;
    }

    long numbersSent() {
        return numbersSent;
    }
}
