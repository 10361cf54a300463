package dev.starling.lab.baseline.node;

import dev.starling.network.Network;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Problem;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/** What a node's program is created from: the node's number, its samples and its neighbours. */
public record NodeSetup(int node, LocalProblem problem, LaplacianRow around) {

    /** Creates the programs of all nodes in parallel. */
    public static <P> List<P> all(Problem problem, Network network, Function<NodeSetup, P> program) {
        return IntStream.range(0, problem.size())
                .parallel()
                .mapToObj(i -> new NodeSetup(i, problem.nodes().get(i), LaplacianRow.of(network, i)))
                .map(program)
                .toList();
    }
}
