package dev.starling.cli.options;

import dev.starling.data.Dealing;
import dev.starling.data.InvalidInputException;
import dev.starling.network.EdgeListReader;
import dev.starling.network.GraphRecipe;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The graph over which the nodes communicate: the options shared by every command that needs a network. */
@Under(Section.NODES)
public final class NetworkOptions {

    /** How many nodes a graph has by default: the same on every machine, since the bits of a model depend on it. */
    public static final int NODES_OF_A_GRAPH = 4;

    @Option(
            names = "--nodes",
            paramLabel = "N",
            description =
                    "Number of nodes that share the rows (default: 1 to train; 4 with a --topology, to compare and"
                            + " to plan, or one per row if there are fewer rows).")
    private Integer nodes;

    @Option(
            names = "--topology",
            paramLabel = "TOPOLOGY",
            completionCandidates = CompletionCandidates.OfTopology.class,
            description = "Graph that connects the nodes (default: complete): complete, ring, line, star, grid, torus,"
                    + " hypercube, random-regular, erdos-renyi, watts-strogatz or binary-tree; for their"
                    + " parameters see 'starling help topology'.")
    private String topology;

    @Option(
            names = "--graph",
            paramLabel = "FILE",
            description = "File with the graph, one edge per line: two names and optionally a weight.")
    private Path graph;

    @Option(
            names = "--deal",
            paramLabel = "HOW",
            defaultValue = "turns",
            description = "How rows are dealt to the nodes (default: ${DEFAULT-VALUE}): turns, blocks, labels, column:C"
                    + " (sorted by a column), sizes:S (node k gets a share of k^-S) or dirichlet:A (of each class,"
                    + " shares at random; the smaller A, the more nodes differ).")
    private String deal;

    private GraphRecipe like = GraphRecipe.UNKNOWN;

    /** How rows are dealt to the nodes. */
    public Dealing dealing() {
        return Dealing.named(deal);
    }

    /** Fills in what the options leave open from the graph of an earlier run. */
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

    /**
     * The network that was asked for.
     *
     * @param usual the number of nodes if the options say nothing at all
     */
    public Network network(long seed, int usual) {
        if (like.isComplete()) {
            return like.build();
        }
        if (graph == null) {
            Topology family = Topology.named(familyName());
            int size = nodes != null
                    ? requireNode(nodes)
                    : family.fixedNodes().orElse(topology != null ? NODES_OF_A_GRAPH : usual);
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

    /**
     * Returns the network, or a smaller one if there are fewer rows than nodes and no option fixes the number of nodes.
     */
    public Network fitting(Network network, int rows, long seed) {
        boolean chosen = like.isComplete()
                || nodes != null
                || graph != null
                || Topology.named(familyName()).fixedNodes().isPresent();
        return chosen || rows >= network.size()
                ? network
                : Topology.named(familyName()).build(rows, seed);
    }

    private String familyName() {
        return topology == null ? "complete" : topology;
    }

    private static int requireNode(int count) {
        if (count < 1) {
            throw new InvalidInputException("--nodes " + count + "; there must be at least one");
        }
        return count;
    }

    /**
     * The topology of the graph without its dimensions, so that it can be built in any size; empty if the graph comes
     * from a file.
     */
    public Optional<String> family() {
        return graph != null ? Optional.empty() : Optional.of(familyName().replaceFirst("(?<=^(grid|torus)):.*", ""));
    }
}
