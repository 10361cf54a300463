package dev.starling.peer.transport;

import java.util.Optional;

/**
 * A node at the other end of an edge.
 *
 * @param node its number in the network
 * @param name what it is called, for messages
 * @param certificateName the name its certificate must carry
 * @param pin the public key its certificate must be for, if that is known
 */
public record Neighbour(int node, String name, String certificateName, Optional<KeyPin> pin) {

    /** A node whose public key is not known beforehand. */
    public Neighbour(int node, String name, String certificateName) {
        this(node, name, certificateName, Optional.empty());
    }
}
