package dev.starling.lab.baseline;

import dev.starling.network.Network;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Problem;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/** A node's place in a run: its number, its samples and its neighbours. */
record NodeSetup(int node, LocalProblem problem, LaplacianRow around) {

    /** The programs of all nodes, made side by side. */
    static <P> List<P> all(Problem problem, Network network, Function<NodeSetup, P> program) {
        return IntStream.range(0, problem.size())
                .parallel()
                .mapToObj(i -> new NodeSetup(i, problem.nodes().get(i), LaplacianRow.of(network, i)))
                .map(program)
                .toList();
    }
}
