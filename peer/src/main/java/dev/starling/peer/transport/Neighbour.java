package dev.starling.peer.transport;

/**
 * A node at the other end of an edge.
 *
 * @param node its number in the network
 * @param name what it is called, for messages
 * @param certificateName the name its certificate must carry
 */
public record Neighbour(int node, String name, String certificateName) {}
