package dev.starling.lab.conversation;

import dev.starling.method.adfs.TunedAdfs;
import dev.starling.method.adfs.draws.AliasTable;
import dev.starling.network.Network;
import dev.starling.network.Timing;
import dev.starling.problem.Conditioning;
import java.util.List;

/**
 * {@code adfs-local}: locally synchronous ADFS, in which neighbours talk in pairs, so that a slow node delays only its
 * neighbours.
 */
public final class LocalMethod extends Conversation {

    /** Creates the method. */
    public LocalMethod() {
        super("adfs-local", "locally synchronous ADFS, one edge at a time");
    }

    @Override
    Variant on(Network network, List<Conditioning> nodes, Timing timing) {
        LocalTuning tuning = LocalTuning.of(network, nodes, timing);
        AliasTable choosing = tuning.choosing();
        return new Variant(
                tuning,
                TunedAdfs.constants(tuning.tuning()),
                (problem, place, seed) -> new LocalAdfs(problem, network, place.node(), tuning, choosing, seed));
    }
}
