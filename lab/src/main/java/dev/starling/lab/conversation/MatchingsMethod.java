package dev.starling.lab.conversation;

import dev.starling.method.Facts;
import dev.starling.method.Objective;
import dev.starling.method.Shape;
import dev.starling.method.Tuned;
import dev.starling.network.Network;
import dev.starling.network.Timing;
import java.util.List;

/** {@code adfs-matchings}: S-ADFS in whose rounds a node talks to at most one neighbour. */
public final class MatchingsMethod extends SmoothMethod {

    /** Creates the method. */
    public MatchingsMethod() {
        super("adfs-matchings", "ADFS on a random matching in every round");
    }

    @Override
    public Tuned tune(Network network, Objective objective, Shape shape, List<Facts> facts, Timing timing) {
        return tuned(
                network,
                shape,
                facts,
                timing,
                (weighted, nodes) -> Variant.on(EdgeSampling.matchings(weighted), weighted, nodes, timing));
    }
}
