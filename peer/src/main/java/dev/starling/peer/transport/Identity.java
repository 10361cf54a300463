package dev.starling.peer.transport;

/**
 * Who a node is and what it takes part in; the two ends of a link must agree on all but the first two.
 *
 * @param node its number in the network
 * @param name what it is called, for messages
 * @param program the version of the program
 * @param run the name of the run
 * @param network a digest of the network: names in order, and edges
 */
public record Identity(int node, String name, String program, String run, String network) {}
