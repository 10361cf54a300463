package dev.starling.method.adfs;

import dev.starling.network.Network;
import dev.starling.network.Timing;
import dev.starling.problem.Conditioning;
import java.util.List;

/** {@code adfs-matchings}: S-ADFS in whose rounds a node talks to one neighbour at most. */
public final class MatchingsMethod extends SmoothMethod {

    /** The method. */
    public MatchingsMethod() {
        super("adfs-matchings", "ADFS on a random matching in every round");
    }

    @Override
    Course course(Network network, List<Conditioning> nodes, Timing timing) {
        PartialTuning tuning = EdgeSampling.matchings(network).tune(network, nodes, timing);
        return new Course(
                tuning,
                TunedAdfs.constants(tuning.tuning()),
                (problem, node, seed) -> new PartialAdfs(problem, network, node, tuning, seed));
    }
}
