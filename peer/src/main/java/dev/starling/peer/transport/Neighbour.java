package dev.starling.peer.transport;

import dev.starling.peer.trust.KeyPin;
import java.util.Optional;

/**
 * A node at the other end of an edge.
 *
 * @param node its number in the network
 * @param name its name, for messages
 * @param certificateName the name that its certificate must carry
 * @param pin the public key that its certificate must be for, if it is known
 */
public record Neighbour(int node, String name, String certificateName, Optional<KeyPin> pin) {

    /** Creates a neighbour whose public key is not known in advance. */
    public Neighbour(int node, String name, String certificateName) {
        this(node, name, certificateName, Optional.empty());
    }
}
