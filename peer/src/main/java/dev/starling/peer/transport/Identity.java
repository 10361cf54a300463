package dev.starling.peer.transport;

import com.google.protobuf.ByteString;
import dev.starling.peer.trust.Sha256;
import java.nio.charset.StandardCharsets;

/**
 * Who a node is and what it takes part in; the two ends of a link must agree on everything except the first two.
 *
 * @param node its number in the network
 * @param name its name, for messages
 * @param run the name of the run
 * @param network a description of the network, such as names in order and edges; its digest is compared
 */
public record Identity(int node, String name, String run, String network) {

    /** SHA-256 of the network's description. */
    ByteString networkDigest() {
        return ByteString.copyFrom(Sha256.digest().digest(network.getBytes(StandardCharsets.UTF_8)));
    }
}
