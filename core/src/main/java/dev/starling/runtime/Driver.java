package dev.starling.runtime;

import dev.starling.node.Exchange;
import dev.starling.node.NodeProgram;
import dev.starling.node.Phase;
import dev.starling.node.State;
import dev.starling.node.Stateful;
import java.io.IOException;
import java.util.OptionalLong;

/**
 * Drives one node as far as the available messages allow: sends its messages, waits for those it awaits, and keeps its
 * idealised clock. All runtimes use this driver; they differ in the channel, in what they do while a node waits, and in
 * their {@link Host}. Only one thread at a time may drive a node.
 */
public final class Driver implements Stateful {

    /** What a runtime does around exchanges. */
    public interface Host {

        /** A host that does nothing. */
        Host NONE = new Host() {};

        /** Called before anything of an exchange leaves the node; throws to refuse the exchange. */
        default void before(Exchange exchange) {}

        /** Called after an exchange is complete; the node's state may be saved here with {@link Driver#state}. */
        default void after(Exchange exchange, Driver driver) {}

        /**
         * Answers a question of the program. A node restored from an earlier state asks again, so a host that restores
         * states must save the state before the next message leaves.
         */
        default double[] answer(String question) {
            throw new IllegalStateException("nobody here can answer '" + question + "'");
        }

        /** Called when the program has ended. */
        default void ended() {}
    }

    /** What to do while a node waits. */
    @FunctionalInterface
    public interface Idle {

        /**
         * Pauses briefly; throws to give up.
         *
         * @param times the number of consecutive calls without progress in between
         * @param from a neighbour whose message is missing; −1 if a neighbour has no room for this node's message
         */
        void rest(int times, int from);
    }

    private static final double[][] NO_MESSAGES = {};

    private final NodeProgram program;
    private final int node;
    private final Channel channel;
    private final Delays delays;
    private final Host host;
    private final double stepCost;

    private Exchange waiting;
    private int sent;
    private double[][] messages = NO_MESSAGES;
    private volatile boolean done;

    private double clock;
    private double work;
    private long rounds;
    private long messagesSent;
    private long numbersSent;

    /** Creates a driver of a node that has not started yet. */
    public Driver(NodeProgram program, int node, Channel channel, Delays delays, Host host) {
        this.program = program;
        this.node = node;
        this.channel = channel;
        this.delays = delays;
        this.host = host;
        this.stepCost = delays.step().applyAsDouble(node);
    }

    /** Advances the node by at most one exchange; returns false if it has ended or must wait. */
    public boolean tryProgress() {
        if (done) {
            return false;
        }
        boolean begun = waiting == null;
        if (begun) {
            begin(program.advance());
        }
        if (done || !allSent() || !allArrived()) {
            return begun;
        }
        complete();
        return true;
    }

    /** Drives the node to its end on this thread. */
    public void run(Idle idle) {
        int times = 0;
        while (!done) {
            if (tryProgress()) {
                times = 0;
            } else {
                times++;
                idle.rest(times, missing());
            }
        }
    }

    private void begin(Exchange exchange) {
        if (exchange.kind() == Exchange.Kind.END) {
            done = true;
            host.ended();
            return;
        }
        waiting = exchange;
        sent = 0;
        work += exchange.work();
        clock = delays.disturbance().worked(node, clock, exchange.work() * stepCost);
        host.before(exchange);
        if (program instanceof Phase<?> phase) {
            channel.expect(phase.longestMessage());
        }
        if (messages.length != exchange.from().length) {
            messages = new double[exchange.from().length][];
        }
    }

    private boolean allSent() {
        int[] to = waiting.to();
        while (sent < to.length) {
            if (!channel.send(to[sent], waiting, clock)) {
                return false;
            }
            long times = delays.disturbance().transmissions(node, to[sent], clock);
            sent++;
            messagesSent += times;
            numbersSent += times * waiting.length();
        }
        return true;
    }

    private boolean allArrived() {
        for (int neighbour : waiting.from()) {
            if (channel.peek(neighbour) == null) {
                return false;
            }
        }
        return true;
    }

    private int missing() {
        for (int neighbour : waiting.from()) {
            if (channel.peek(neighbour) == null) {
                return neighbour;
            }
        }
        return -1;
    }

    private void complete() {
        Exchange exchange = waiting;
        if (exchange.kind() == Exchange.Kind.ASK) {
            program.absorb(new double[][] {host.answer(exchange.question())});
        } else {
            absorb(exchange);
        }
        waiting = null;
        if (exchange.kind() == Exchange.Kind.ROUND && exchange.from().length > 0) {
            rounds++;
        }
        host.after(exchange, this);
    }

    private void absorb(Exchange exchange) {
        int[] from = exchange.from();
        boolean round = exchange.kind() == Exchange.Kind.ROUND;
        for (int k = 0; k < from.length; k++) {
            messages[k] = channel.peek(from[k]);
            if (round) {
                clock = Math.max(clock, arrival(from[k]));
                channel.follow(from[k]);
            }
        }
        program.absorb(messages);
        for (int neighbour : from) {
            channel.take(neighbour);
        }
    }

    private double arrival(int from) {
        double duration = delays.message().between(from, node);
        return delays.disturbance().arrived(from, node, channel.peekClock(from), duration);
    }

    /** Drops the pending exchange, because the node is being stopped. */
    void drop() {
        waiting = null;
    }

    /** The node that is driven. */
    public NodeProgram program() {
        return program;
    }

    /** Whether the program has ended. May be called from any thread. */
    public boolean isDone() {
        return done;
    }

    /** The idealised time of the node. */
    public double clock() {
        return clock;
    }

    /** The communication rounds of the node so far. */
    public long rounds() {
        return rounds;
    }

    /**
     * How many messages had to be sent one after another for the node to be where it is, see {@link Channel#latency}.
     */
    public OptionalLong latency() {
        return channel.latency();
    }

    /** The computation of the node so far, in proximal steps. */
    public double work() {
        return work;
    }

    /** The payload of the messages sent so far, in bytes. */
    public long bytesSent() {
        return numbersSent * Double.BYTES;
    }

    /** The number of messages sent so far. */
    public long messagesSent() {
        return messagesSent;
    }

    @Override
    public void state(State s) throws IOException {
        if (waiting != null && !s.isRestoring()) {
            throw new IllegalStateException("a state can only be saved between exchanges");
        }
        clock = s.number(clock);
        work = s.number(work);
        rounds = s.number(rounds);
        messagesSent = s.number(messagesSent);
        numbersSent = s.number(numbersSent);
        program.state(s);
    }
}
