package dev.starling.lab.conversation;

import dev.starling.method.adfs.TunedAdfs;
import dev.starling.network.Network;
import dev.starling.network.Timing;
import dev.starling.problem.Conditioning;
import java.util.List;

/** {@code adfs-matchings}: S-ADFS in whose rounds a node talks to at most one neighbour. */
public final class MatchingsMethod extends SmoothMethod {

    /** Creates the method. */
    public MatchingsMethod() {
        super("adfs-matchings", "ADFS on a random matching in every round");
    }

    @Override
    Variant variant(Network network, List<Conditioning> nodes, Timing timing) {
        PartialTuning tuning = EdgeSampling.matchings(network).tune(network, nodes, timing);
        return new Variant(
                tuning,
                TunedAdfs.constants(tuning.tuning()),
                (problem, place, seed) -> new PartialAdfs(problem, network, place.node(), tuning, seed));
    }
}
