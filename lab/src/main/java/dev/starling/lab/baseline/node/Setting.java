package dev.starling.lab.baseline.node;

import dev.starling.lab.conversation.EdgeSampling;
import dev.starling.network.Network;
import dev.starling.node.EstimatingProgram;
import dev.starling.problem.Problem;
import java.util.List;
import java.util.function.Function;

/**
 * What a method's programs are made for.
 *
 * @param method the method's name, for messages
 * @param step the factor of its theory's step size
 * @param rounds which edges a round has
 * @param delay τ
 */
public record Setting(
        String method, double step, Problem problem, Network network, EdgeSampling rounds, double delay, long seed) {

    /** The extreme eigenvalues of the graph. */
    public Gossip gossip() {
        return Gossip.of(network);
    }

    /** What parameters are computed from, after checking that the method can handle the problem. */
    public BaselineFacts facts() {
        return BaselineFacts.of(method, problem, network);
    }

    /** Checks that the method can handle the problem. */
    public void require() {
        BaselineFacts.require(method, problem, network);
    }

    /** Creates the programs of all nodes in parallel. */
    public <P extends EstimatingProgram> List<P> nodes(Function<NodeSetup, P> program) {
        return NodeSetup.all(problem, network, program);
    }
}
