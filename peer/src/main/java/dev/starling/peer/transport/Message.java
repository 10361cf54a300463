package dev.starling.peer.transport;

/**
 * A vector that arrived.
 *
 * @param values its entries; the receiver's to keep
 * @param clock the sender's idealised clock
 */
public record Message(double[] values, double clock) {}
