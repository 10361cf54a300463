package dev.starling.lab.conversation;

import dev.starling.network.Network;
import dev.starling.network.Timing;
import dev.starling.problem.Conditioning;
import java.util.List;

/** {@code adfs-matchings}: S-ADFS in whose rounds a node talks to at most one neighbour. */
public final class MatchingsMethod extends Conversation {

    /** Creates the method. */
    public MatchingsMethod() {
        super("adfs-matchings", "ADFS on a random matching in every round");
    }

    @Override
    Variant on(Network network, List<Conditioning> nodes, Timing timing) {
        return Variant.on(EdgeSampling.matchings(network), network, nodes, timing);
    }
}
