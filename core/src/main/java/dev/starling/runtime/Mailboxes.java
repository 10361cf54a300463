package dev.starling.runtime;

import dev.starling.network.Network;
import java.util.Arrays;

/** One mailbox for each direction of each edge: the only way from one node to another. */
final class Mailboxes {

    private final Network network;
    private final Mailbox[][] from;

    Mailboxes(Network network) {
        this.network = network;
        this.from = new Mailbox[network.size()][];
        for (int node = 0; node < from.length; node++) {
            from[node] = new Mailbox[network.degree(node)];
            for (int k = 0; k < from[node].length; k++) {
                from[node][k] = new Mailbox();
            }
        }
    }

    /** The mailbox from one node to a neighbour. */
    Mailbox between(int sender, int receiver) {
        int k = Arrays.binarySearch(network.neighbours(sender), receiver);
        if (k < 0) {
            throw new IllegalArgumentException("node " + receiver + " is not a neighbour of node " + sender);
        }
        return from[sender][k];
    }
}
