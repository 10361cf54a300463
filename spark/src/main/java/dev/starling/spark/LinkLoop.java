package dev.starling.spark;

import dev.starling.node.Exchange;
import dev.starling.node.NodeProgram;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** Drives node programs over a task's links, one after another, and counts what that takes. */
final class LinkLoop {

    private static final double[][] NO_MESSAGES = {};

    private final Neighbourhood neighbours;
    private double[][] messages = NO_MESSAGES;
    private long rounds;
    private long numbersSent;

    LinkLoop(Neighbourhood neighbours) {
        this.neighbours = neighbours;
    }

    /** Drives a program to its end, and runs the given action after every exchange of the given kind. */
    void run(NodeProgram program, Exchange.Kind kind, Runnable action) {
        for (Exchange exchange = program.advance();
                exchange.kind() != Exchange.Kind.END;
                exchange = program.advance()) {
            step(program, exchange);
            if (exchange.kind() == Exchange.Kind.ROUND) {
                neighbours.betweenRounds();
            }
            if (exchange.kind() == kind) {
                action.run();
            }
        }
    }

    private void step(NodeProgram program, Exchange exchange) {
        for (int neighbour : exchange.to()) {
            neighbours.send(neighbour, exchange.payload(), exchange.length());
        }
        numbersSent += (long) exchange.to().length * exchange.length();
        int[] from = exchange.from();
        if (messages.length != from.length) {
            messages = new double[from.length][];
        }
        for (int k = 0; k < from.length; k++) {
            messages[k] = neighbours.await(from[k]);
        }
        if (exchange.kind() == Exchange.Kind.ROUND && from.length > 0) {
            rounds++;
        }
        program.absorb(messages);
    }

    long rounds() {
        return rounds;
    }

    /** Entries of all vectors sent. */
    long numbersSent() {
        return numbersSent;
    }

    void save(DataOutput out) throws IOException {
        out.writeLong(rounds);
        out.writeLong(numbersSent);
    }

    void restore(DataInput in) throws IOException {
        rounds = in.readLong();
        numbersSent = in.readLong();
    }
}
