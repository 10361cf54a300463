package dev.starling.peer.node;

import dev.starling.data.InvalidInputException;
import dev.starling.node.Exchange;
import dev.starling.node.NodeProgram;
import dev.starling.peer.transport.Link;
import dev.starling.peer.transport.Message;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/**
 * Drives one node program over the links of its site, as {@code runtime.Simulator} drives many over mailboxes: sends
 * what it says, waits for what it awaits, keeps its idealised clock.
 */
final class NodeLoop {

    /** What the loop asks of the site between and during exchanges. */
    interface Host {
        /** Called after every round; the program and the links are then in a state that may be saved. */
        void afterRound();

        /** Called now and then while a message is awaited; throws to give up. */
        void whileWaiting(Link link, long waitedNanos);

        /** Whether to stop here, between exchanges. */
        boolean isLeaving();
    }

    private static final long NAP_NANOS = 50_000_000;
    private static final int YIELDS = 20;
    private static final double[][] NO_MESSAGES = {};

    private final NodeProgram program;
    private final Link[] links;
    private final double tau;
    private final boolean even;
    private final Progress progress;
    private final Host host;
    private double[][] messages = NO_MESSAGES;
    private long bytesTaken;

    /**
     * A loop at the point where the program stands.
     *
     * @param links the link to every node that is a neighbour, by its number
     * @param even whether rounds bring vectors as long as those they take out, as ADFS's do
     */
    NodeLoop(NodeProgram program, Link[] links, double tau, boolean even, Progress progress, Host host) {
        this.program = program;
        this.links = links;
        this.tau = tau;
        this.even = even;
        this.progress = progress;
        this.host = host;
    }

    /** Drives the program to its end; false if the site leaves before. */
    boolean run() {
        while (!host.isLeaving()) {
            Exchange exchange = program.advance();
            if (exchange.kind() == Exchange.Kind.END) {
                return true;
            }
            step(exchange);
        }
        return false;
    }

    private void step(Exchange exchange) {
        progress.clock += exchange.work();
        for (int neighbour : exchange.to()) {
            links[neighbour].send(exchange.payload(), exchange.length(), progress.clock);
        }
        int[] from = exchange.from();
        boolean round = exchange.kind() == Exchange.Kind.ROUND;
        int length = exchange.length();
        if (messages.length != from.length) {
            messages = new double[from.length][];
        }
        double clock = progress.clock;
        for (int k = 0; k < from.length; k++) {
            Message message = await(links[from[k]]);
            messages[k] = message.values();
            if (round) {
                requireVector(links[from[k]], message, even ? length : message.values().length);
                clock = Math.max(clock, message.clock() + tau);
            }
            bytesTaken += (long) Double.BYTES * message.values().length;
        }
        absorb(from);
        if (round) {
            progress.clock = clock;
            progress.rounds += from.length > 0 ? 1 : 0;
            host.afterRound();
        }
    }

    private void absorb(int[] from) {
        try {
            program.absorb(messages);
        } catch (ArrayIndexOutOfBoundsException e) {
            throw new PeerStoppedException("a vector that is too short came from site " + names(from), e);
        } catch (InvalidInputException e) {
            throw new PeerStoppedException("what came from site " + names(from) + " is wrong: " + e.getMessage(), e);
        }
    }

    private String names(int[] nodes) {
        return Arrays.stream(nodes)
                .mapToObj(node -> links[node].neighbour().name())
                .collect(Collectors.joining(" or "));
    }

    /** What a round brings must be as long as is due, and numbers. */
    private static void requireVector(Link link, Message message, int length) {
        double[] values = message.values();
        double sum = 0;
        for (double value : values) {
            sum += value * 0;
        }
        if (values.length != length || sum != 0 || !Double.isFinite(message.clock())) {
            throw new PeerStoppedException("site " + link.neighbour().name() + " sent a vector of " + values.length
                    + " entries" + (sum != 0 ? " that are not all finite" : "") + " where " + length
                    + " finite ones are due; it is at fault, or not what it says it is");
        }
    }

    private Message await(Link link) {
        for (int k = 0; k < YIELDS; k++) {
            if (link.hasMessage()) {
                return link.poll();
            }
            Thread.yield();
        }
        long start = System.nanoTime();
        while (!link.hasMessage()) {
            LockSupport.parkNanos(this, NAP_NANOS);
            long waited = System.nanoTime() - start;
            if (waited > NAP_NANOS) {
                host.whileWaiting(link, waited);
            }
        }
        return link.poll();
    }

    /** Bytes taken in since this was last asked. */
    long takeBytes() {
        long bytes = bytesTaken;
        bytesTaken = 0;
        return bytes;
    }

    long bytesTaken() {
        return bytesTaken;
    }
}
