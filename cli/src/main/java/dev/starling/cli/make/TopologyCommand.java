package dev.starling.cli.make;

import dev.starling.cli.Main;
import dev.starling.cli.console.ConsoleCommand;
import dev.starling.cli.console.Json;
import dev.starling.cli.options.CompletionCandidates;
import dev.starling.cli.options.JsonOption;
import dev.starling.cli.options.SeedOption;
import dev.starling.data.InvalidInputException;
import dev.starling.network.EdgeListReader;
import dev.starling.network.Network;
import dev.starling.network.Spectrum;
import dev.starling.network.Topology;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Describes a graph. */
@Command(
        name = "topology",
        description = "Describes a graph: its size, its diameter and how well it is connected.",
        footer = {
            "",
            "Names: complete, ring, line, star, grid[:RxC], torus[:RxC], hypercube, random-regular[:DEGREE],",
            "erdos-renyi[:P], watts-strogatz[:DEGREE:P], binary-tree.",
            "",
            "Examples:",
            "  starling topology ring --nodes 16",
            "  starling topology grid:3x4 --json",
            "  starling topology --graph links.txt",
            "  starling topology torus --nodes 64 --dot | dot -Tsvg > torus.svg"
        })
public final class TopologyCommand extends ConsoleCommand {

    private static final int USUAL_NODES = 16;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "NAME",
            completionCandidates = CompletionCandidates.OfTopology.class,
            description = "Name of the graph, such as ring or grid:3x4.")
    private String name;

    @Option(names = "--nodes", paramLabel = "N", description = "Number of nodes (default: 16).")
    private Integer nodes;

    @Option(
            names = "--graph",
            paramLabel = "FILE",
            description = "File with the graph, one edge per line: two names and optionally a weight.")
    private Path graph;

    @Mixin
    private SeedOption seed;

    @Option(names = "--dot", description = "Print the graph in Graphviz's DOT language instead.")
    private boolean dot;

    @Mixin
    private JsonOption json;

    @Override
    public Integer call() {
        Network network = network();
        PrintWriter out = out();
        if (dot) {
            out.print(network.toDot());
            return Main.DONE;
        }
        Spectrum spectrum = Spectrum.of(network);
        if (json.isGiven()) {
            Json.print(out, generator -> {
                generator.with("network", network.description());
                generator.with("nodes", network.size());
                generator.with("edges", network.edges());
                generator.with("gamma", spectrum.gamma());
                generator.with("lambdaMin", spectrum.smallest());
                generator.with("lambdaMax", spectrum.largest());
                generator.with("diameter", network.diameter());
                generator.with("minDegree", degrees(network).min().orElse(0));
                generator.with("meanDegree", degrees(network).average().orElse(0));
                generator.with("maxDegree", degrees(network).max().orElse(0));
            });
            return Main.DONE;
        }
        print(out, network, spectrum);
        return Main.DONE;
    }

    private void print(PrintWriter out, Network network, Spectrum spectrum) {
        int least = degrees(network).min().orElse(0);
        int most = degrees(network).max().orElse(0);
        out.println(network.description());
        out.printf(Locale.US, "nodes       %d%n", network.size());
        out.printf(Locale.US, "edges       %d%n", network.edges());
        out.printf(Locale.US, "gamma       %.6g  (lambda_min/lambda_max; 1 is best)%n", spectrum.gamma());
        out.printf(
                Locale.US, "lambda_min  %.6g  (smallest non-zero eigenvalue of the Laplacian)%n", spectrum.smallest());
        out.printf(Locale.US, "lambda_max  %.6g%n", spectrum.largest());
        out.printf(Locale.US, "diameter    %d%n", network.diameter());
        out.println("degree      " + (least == most ? String.valueOf(most) : least + " to " + most));
    }

    private static IntStream degrees(Network network) {
        return IntStream.range(0, network.size()).map(network::degree);
    }

    private Network network() {
        if (graph != null) {
            if (name != null || nodes != null) {
                throw new InvalidInputException("--graph " + graph + " says what the graph is; leave out "
                        + (name != null ? "'" + name + "'" : "--nodes " + nodes));
            }
            return EdgeListReader.read(graph);
        }
        if (name == null) {
            throw new InvalidInputException("which graph? give a name such as ring, or --graph FILE; there are: "
                    + String.join(", ", Topology.names()));
        }
        Topology family = Topology.named(name);
        return family.build(nodes != null ? nodes : family.fixedNodes().orElse(USUAL_NODES), seed.value());
    }
}
