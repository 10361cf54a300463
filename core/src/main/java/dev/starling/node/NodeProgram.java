package dev.starling.node;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * One node of a decentralized algorithm, as a pure state machine: no clock, no thread, no socket, no logging. Whoever
 * drives it calls, again and again,
 *
 * <pre>{@code
 * Exchange exchange = program.advance();   // works locally until there is something to say or to hear
 * // deliver exchange.payload() to exchange.to(), wait for one message from each of exchange.from()
 * program.absorb(messages);                // messages[k] came from exchange.from()[k]
 * }</pre>
 *
 * until an exchange of kind {@link Exchange.Kind#END}. The result is a function of the messages alone, so every driver
 * gets the same bits.
 */
public interface NodeProgram {

    /** Works locally until the node next has something to say or to hear, and returns that. */
    Exchange advance();

    /**
     * Takes in what the neighbours said.
     *
     * @param messages one vector for each entry of the exchange's {@code from}, at least as long as what was sent;
     *     valid during the call only
     */
    void absorb(double[][] messages);

    /** Writes the exact state between an {@link #absorb} and the next {@link #advance}. */
    void save(DataOutput out) throws IOException;

    /** Takes up a state that {@link #save} wrote, in a program built from the same data, parameters and seed. */
    void restore(DataInput in) throws IOException;
}
