package dev.starling.method.adfs;

import dev.starling.network.Network;
import dev.starling.network.Timing;
import dev.starling.problem.Conditioning;
import java.util.List;

/**
 * {@code adfs-local}: locally synchronous ADFS, one conversation of two neighbours at a time, so that a slow node holds
 * up its neighbours only.
 */
public final class LocalMethod extends SmoothMethod {

    /** The method. */
    public LocalMethod() {
        super("adfs-local", "locally synchronous ADFS, one edge at a time");
    }

    @Override
    Course course(Network network, List<Conditioning> nodes, Timing timing) {
        LocalTuning tuning = LocalTuning.of(network, nodes, timing);
        AliasTable choosing = tuning.choosing();
        return new Course(
                tuning,
                TunedAdfs.constants(tuning.tuning()),
                (problem, node, seed) -> new LocalAdfs(problem, network, node, tuning, choosing, seed));
    }
}
