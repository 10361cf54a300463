package dev.starling.node;

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
 * the same bits. Its state is saved or restored only between an {@link #absorb} and the next {@link #advance}.
 */
public interface NodeProgram extends Stateful {

    /** Works locally until the node next has something to send or to await, and returns that exchange. */
    Exchange advance();

    /**
     * Takes in the messages of the neighbours.
     *
     * @param messages one array for each entry of the exchange's {@code from}; it may be longer than what was sent, and
     *     is valid only during the call
     */
    void absorb(double[][] messages);
}
