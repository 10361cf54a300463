package dev.starling.network;

import dev.starling.data.InvalidInputException;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.IntFunction;

/**
 * A named family of graphs, from which a network of any suitable size can be built.
 *
 * <p>Names: {@code complete}, {@code ring}, {@code line}, {@code star}, {@code grid}, {@code torus}, {@code hypercube},
 * {@code random-regular}, {@code erdos-renyi}, {@code watts-strogatz}, {@code binary-tree}. Some take parameters:
 * {@code grid:3x4}, {@code torus:3x4} (sides; otherwise the most square rectangle), {@code random-regular:4} (degree),
 * {@code erdos-renyi:0.2} (probability of an edge), {@code watts-strogatz:4:0.1} (degree, probability of rewiring).
 *
 * <p>A random graph is determined by the number of nodes and the seed; if it is disconnected, it is drawn again with
 * the following seeds. A side of length 2 of a torus has a single edge, a side of length 1 none.
 *
 * <pre>{@code
 * Network network = Topology.named("grid").build(100, 0); // 10 by 10
 * }</pre>
 */
public final class Topology {

    /** The names of all families. */
    private static final List<String> NAMES = List.of(
            "complete",
            "ring",
            "line",
            "star",
            "grid",
            "torus",
            "hypercube",
            "random-regular",
            "erdos-renyi",
            "watts-strogatz",
            "binary-tree");

    private static final int MOST_NODES = 10_000_000;

    @FunctionalInterface
    private interface Recipe {
        Network build(int nodes, long seed);
    }

    private final String name;
    private final OptionalInt fixedNodes;
    private final Recipe recipe;

    private Topology(String name, OptionalInt fixedNodes, Recipe recipe) {
        this.name = name;
        this.fixedNodes = fixedNodes;
        this.recipe = recipe;
    }

    /**
     * The topology with a name that may include parameters, such as {@code ring} or {@code grid:3x4}.
     *
     * @throws InvalidInputException if there is none, or its parameters are invalid
     */
    public static Topology named(String spelling) {
        String[] parts = spelling.split(":", -1);
        return switch (parts[0]) {
            case "complete" -> plain(spelling, parts, RegularGraphs::complete);
            case "ring" -> plain(spelling, parts, RegularGraphs::ring);
            case "line" -> plain(spelling, parts, RegularGraphs::line);
            case "star" -> plain(spelling, parts, RegularGraphs::star);
            case "grid", "torus" -> rectangle(spelling, parts);
            case "hypercube" -> plain(spelling, parts, RegularGraphs::hypercube);
            case "random-regular" -> randomRegular(spelling, parts);
            case "erdos-renyi" -> erdosRenyi(spelling, parts);
            case "watts-strogatz" -> wattsStrogatz(spelling, parts);
            case "binary-tree" -> plain(spelling, parts, RegularGraphs::binaryTree);
            default -> throw InvalidInputException.unknownName("topology", parts[0], NAMES);
        };
    }

    /** All names, without parameters. */
    public static List<String> names() {
        return NAMES;
    }

    /** The name, with the parameters that were given. */
    public String name() {
        return name;
    }

    /** The number of nodes if the parameters fix it, as {@code grid:3x4} does. */
    public OptionalInt fixedNodes() {
        return fixedNodes;
    }

    /**
     * The network of this family with this many nodes.
     *
     * @param seed determines random graphs; others ignore it
     * @throws InvalidInputException if there is none of that size
     */
    public Network build(int nodes, long seed) {
        if (nodes < 1 || nodes > MOST_NODES) {
            throw new InvalidInputException("a " + name + " graph of " + nodes + " nodes cannot be built; use 1 to "
                    + MOST_NODES + " nodes, and no more than there are rows");
        }
        if (fixedNodes.isPresent() && fixedNodes.getAsInt() != nodes) {
            throw new InvalidInputException("topology " + name + " has " + fixedNodes.getAsInt() + " nodes, not "
                    + nodes + "; ask for " + fixedNodes.getAsInt() + " nodes or another topology");
        }
        return (nodes == 1 ? single() : recipe.build(nodes, seed)).builtBy(this, seed);
    }

    private Network single() {
        return Network.build(name + " of 1", Network.numbers(1), new EdgeBuffer(0));
    }

    @Override
    public String toString() {
        return name;
    }

    /** A family without parameters, which has one graph for each size. */
    private static Topology plain(String spelling, String[] parts, IntFunction<Network> built) {
        requireParameters(spelling, parts, 0, parts[0]);
        return ofAnySize(spelling, (nodes, seed) -> built.apply(nodes));
    }

    private static Topology rectangle(String spelling, String[] parts) {
        String family = parts[0];
        boolean torus = family.equals("torus");
        if (parts.length == 1) {
            return ofAnySize(spelling, (nodes, seed) -> {
                int rows = RegularGraphs.mostSquareSide(family, nodes);
                return RegularGraphs.rectangle(rows, nodes / rows, torus);
            });
        }
        String usage = family + ":ROWSxCOLUMNS, such as " + family + ":3x4";
        requireParameters(spelling, parts, 1, usage);
        String[] sides = parts[1].split("x", -1);
        if (sides.length != 2) {
            throw malformed(spelling, usage);
        }
        int rows = integer(spelling, sides[0], usage);
        int columns = integer(spelling, sides[1], usage);
        if (rows < 1 || columns < 1 || (long) rows * columns > MOST_NODES) {
            throw malformed(spelling, usage);
        }
        return new Topology(
                spelling,
                OptionalInt.of(rows * columns),
                (nodes, seed) -> RegularGraphs.rectangle(rows, columns, torus));
    }

    private static Topology randomRegular(String spelling, String[] parts) {
        if (parts.length == 1) {
            return ofAnySize(spelling, (nodes, seed) -> RandomGraphs.regular(nodes, Math.min(4, nodes - 1), seed));
        }
        String usage = "random-regular:DEGREE, such as random-regular:4";
        requireParameters(spelling, parts, 1, usage);
        int degree = integer(spelling, parts[1], usage);
        return ofAnySize(spelling, (nodes, seed) -> RandomGraphs.regular(nodes, degree, seed));
    }

    private static Topology erdosRenyi(String spelling, String[] parts) {
        if (parts.length == 1) {
            return ofAnySize(
                    spelling,
                    (nodes, seed) -> RandomGraphs.erdosRenyi(nodes, RandomGraphs.likelyConnected(nodes), seed));
        }
        String usage = "erdos-renyi:PROBABILITY, such as erdos-renyi:0.2";
        requireParameters(spelling, parts, 1, usage);
        double probability = probability(spelling, parts[1], usage);
        return ofAnySize(spelling, (nodes, seed) -> RandomGraphs.erdosRenyi(nodes, probability, seed));
    }

    private static Topology wattsStrogatz(String spelling, String[] parts) {
        if (parts.length == 1) {
            return ofAnySize(
                    spelling, (nodes, seed) -> RandomGraphs.wattsStrogatz(nodes, nodes > 4 ? 4 : 2, 0.1, seed));
        }
        String usage = "watts-strogatz:DEGREE:PROBABILITY, such as watts-strogatz:4:0.1";
        requireParameters(spelling, parts, 2, usage);
        int degree = integer(spelling, parts[1], usage);
        double rewiring = probability(spelling, parts[2], usage);
        return ofAnySize(spelling, (nodes, seed) -> RandomGraphs.wattsStrogatz(nodes, degree, rewiring, seed));
    }

    private static Topology ofAnySize(String spelling, Recipe recipe) {
        return new Topology(spelling, OptionalInt.empty(), recipe);
    }

    private static void requireParameters(String spelling, String[] parts, int wanted, String usage) {
        if (parts.length != wanted + 1) {
            throw malformed(spelling, usage);
        }
    }

    private static int integer(String spelling, String text, String usage) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new InvalidInputException(malformed(spelling, usage).getMessage(), e);
        }
    }

    private static double probability(String spelling, String text, String usage) {
        try {
            double value = Double.parseDouble(text);
            if (value >= 0 && value <= 1) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw new InvalidInputException(malformed(spelling, usage).getMessage(), e);
        }
        throw malformed(spelling, usage);
    }

    private static InvalidInputException malformed(String spelling, String usage) {
        return new InvalidInputException("topology '" + spelling + "' must be written " + usage);
    }
}
