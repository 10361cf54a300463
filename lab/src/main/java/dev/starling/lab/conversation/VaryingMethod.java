package dev.starling.lab.conversation;

import dev.starling.method.Method;
import dev.starling.network.Network;
import dev.starling.network.Timing;
import dev.starling.problem.Conditioning;
import java.util.List;
import java.util.Optional;

/** {@code adfs-varying}: S-ADFS on a graph of which every round has only some of the edges, drawn by a rule. */
public final class VaryingMethod extends Conversation {

    private static final String NAME = "adfs-varying";

    private final String rule;

    /** Creates the method for rounds that have each edge with probability 1/2. */
    public VaryingMethod() {
        super(NAME, "ADFS on edges that change from round to round");
        this.rule = "random:0.5";
    }

    private VaryingMethod(String rule) {
        super(NAME + ":" + rule, "ADFS on edges that change from round to round, " + rule);
        this.rule = rule;
        EdgeSampling.named(rule);
    }

    @Override
    public Optional<Method> with(String parameter) {
        return Optional.of(new VaryingMethod(parameter));
    }

    @Override
    Variant on(Network network, List<Conditioning> nodes, Timing timing) {
        return Variant.on(EdgeSampling.named(rule).apply(network), network, nodes, timing);
    }
}
