package dev.starling.peer.transport;

/**
 * A vector that arrived.
 *
 * @param values its entries; the receiver may keep the array
 * @param clock the sender's clock, in idealised time
 */
public record Message(double[] values, double clock) {}
