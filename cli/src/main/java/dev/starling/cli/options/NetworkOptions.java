package dev.starling.cli.options;

import dev.starling.data.InvalidInputException;
import dev.starling.network.EdgeListReader;
import dev.starling.network.GraphRecipe;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Which graph the nodes talk over: options that every command which needs a network shares. */
public final class NetworkOptions {

    @Option(
            names = "--nodes",
            paramLabel = "N",
            description = "Number of nodes the rows are dealt out to (default: the number of cores).")
    private Integer nodes;

    @Option(
            names = "--topology",
            paramLabel = "NAME",
            description = {
                "Graph of the nodes (default: complete): complete, ring, line, star, grid[:RxC], torus[:RxC], hypercube,",
                "random-regular[:DEGREE], erdos-renyi[:P], watts-strogatz[:DEGREE:P], binary-tree."
            })
    private String topology;

    @Option(
            names = "--graph",
            paramLabel = "FILE",
            description = "Graph from a file with one edge per line: two names, and optionally a weight.")
    private Path graph;

    private GraphRecipe like = GraphRecipe.UNKNOWN;

    /** Takes from an earlier run's graph what the options leave open. */
    public void like(GraphRecipe recipe) {
        boolean open = nodes == null && topology == null && graph == null;
        if (open) {
            like = recipe;
        } else if (graph == null && topology == null && !recipe.topology().isEmpty()) {
            topology = recipe.topology();
        } else if (graph == null && nodes == null) {
            nodes = recipe.nodes();
        }
    }

    /** The network that was asked for. */
    public Network network(long seed) {
        if (like.isComplete()) {
            return like.build();
        }
        if (graph == null) {
            Topology family = Topology.named(topology == null ? "complete" : topology);
            int size = nodes != null
                    ? requireNode(nodes)
                    : family.fixedNodes().orElse(Runtime.getRuntime().availableProcessors());
            return family.build(size, seed);
        }
        if (topology != null) {
            throw new InvalidInputException("--topology " + topology + " and --graph " + graph
                    + " both say what the graph is; give one of them");
        }
        Network network = EdgeListReader.read(graph);
        if (nodes != null && nodes != network.size()) {
            throw new InvalidInputException("--nodes " + nodes + ", but graph " + graph + " has " + network.size()
                    + " nodes; leave --nodes out");
        }
        return network;
    }

    private static int requireNode(int count) {
        if (count < 1) {
            throw new InvalidInputException("--nodes " + count + "; there must be at least one");
        }
        return count;
    }

    /** The family that the graph is one of, to be built in any size; none if the graph is one of its own. */
    public Optional<String> family() {
        return graph != null
                ? Optional.empty()
                : Optional.of(topology == null ? "complete" : topology.replaceFirst("(?<=^(grid|torus)):.*", ""));
    }
}
