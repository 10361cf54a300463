package dev.starling.node;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * One node of a decentralized algorithm, as a pure state machine: no clock, no thread, no socket, no logging. Its
 * driver repeats
 *
 * <pre>{@code
 * Exchange exchange = program.advance();   // works locally until there is something to send or to await
 * // deliver exchange.payload() to exchange.to(), wait for one message from each of exchange.from()
 * program.absorb(messages);                // messages[k] came from exchange.from()[k]
 * }</pre>
 *
 * until an exchange is of kind {@link Exchange.Kind#END}. The result depends only on the messages, so every driver gets
 * the same bits.
 */
public interface NodeProgram {

    /** Works locally until the node next has something to send or to await, and returns that exchange. */
    Exchange advance();

    /**
     * Takes in the messages of the neighbours.
     *
     * @param messages one array for each entry of the exchange's {@code from}; it may be longer than what was sent, and
     *     is valid only during the call
     */
    void absorb(double[][] messages);

    /** Writes the exact state; called between an {@link #absorb} and the next {@link #advance}. */
    void save(DataOutput out) throws IOException;

    /**
     * Restores a state that {@link #save} wrote; this program must be built from the same data, parameters and seed.
     */
    void restore(DataInput in) throws IOException;
}
