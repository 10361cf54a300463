package dev.starling.cli.compare;

import dev.starling.cli.options.DelayOption;
import dev.starling.cli.options.NetworkOptions;
import dev.starling.data.Dealing;
import dev.starling.data.InvalidInputException;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** A grid of values of λ, the graph and τ: methods are compared on every combination. */
final class GridOptions {

    private static final List<String> AXES = List.of("lambda", "topology", "nodes", "tau", "deal");

    @Option(
            names = "--grid",
            paramLabel = "WHAT=V,...",
            description =
                    "Compare on every combination of several values, and print one table. May be repeated, once for"
                            + " each of lambda, topology, nodes, tau and deal, as in lambda=1e-3,1e-5.")
    private List<String> grid = new ArrayList<>();

    /** One combination. */
    record Case(double lambda, Network network, double tau, Dealing dealing) {}

    boolean isGiven() {
        return !grid.isEmpty();
    }

    private Map<String, List<String>> axes() {
        Map<String, List<String>> axes = new LinkedHashMap<>();
        for (String one : grid) {
            String[] parts = one.split("=", 2);
            if (parts.length < 2 || parts[1].isBlank()) {
                throw new InvalidInputException(
                        "--grid '" + one + "' must be a name and values, such as lambda=1e-3,1e-5");
            }
            if (!AXES.contains(parts[0])) {
                throw InvalidInputException.unknownName("axis of a grid", parts[0], AXES);
            }
            if (axes.put(parts[0], ComparisonOptions.words(parts[1])) != null) {
                throw new InvalidInputException("--grid " + parts[0] + " is given twice; put all values into one");
            }
        }
        return axes;
    }

    private static <T> List<T> values(Map<String, List<String>> axes, String name, T usual, Function<String, T> parse) {
        return axes.containsKey(name)
                ? axes.get(name).stream()
                        .map(word -> value(name, word, parse))
                        .distinct()
                        .toList()
                : List.of(usual);
    }

    private static <T> T value(String name, String word, Function<String, T> parse) {
        return InvalidInputException.parsed(
                () -> parse.apply(word),
                () -> "--grid " + name + ": '" + word
                        + "' is not a number; values have commas between them, and every axis"
                        + " is a --grid of its own, as in --grid lambda=1e-3,1e-5 --grid tau=1,100");
    }

    /** The values of λ. */
    List<Double> lambdas(double usual) {
        List<Double> lambdas = values(axes(), "lambda", usual, Double::valueOf);
        lambdas.stream()
                .filter(lambda -> axes().containsKey("lambda") && (!(lambda > 0) || lambda.isInfinite()))
                .findFirst()
                .ifPresent(wrong -> {
                    throw new InvalidInputException(
                            "--grid lambda=" + wrong + " must be positive and finite, for example 1e-4");
                });
        return lambdas;
    }

    /** The networks; what the grid leaves open is taken from the other options. */
    List<Network> networks(NetworkOptions graph, Network usual, long seed) {
        Map<String, List<String>> axes = axes();
        if (!axes.containsKey("topology") && !axes.containsKey("nodes")) {
            return List.of(usual);
        }
        Optional<String> family = graph.family();
        if (family.isEmpty()) {
            throw new InvalidInputException("--graph says what the graph is, and --grid "
                    + (axes.containsKey("topology") ? "topology" : "nodes") + " says otherwise; give one of them");
        }
        List<Integer> sizes = values(axes, "nodes", usual.size(), Integer::valueOf);
        return values(axes, "topology", family.get(), name -> name).stream()
                .flatMap(name -> sizes.stream().map(size -> Topology.named(name).build(size, seed)))
                .toList();
    }

    /** The values of τ. */
    List<Double> taus(double usual) {
        List<Double> taus = values(axes(), "tau", usual, Double::valueOf);
        taus.forEach(DelayOption::require);
        return taus;
    }

    /** The ways to deal rows. */
    List<Dealing> dealings(Dealing usual) {
        return values(axes(), "deal", usual.toString(), name -> name).stream()
                .map(Dealing::named)
                .toList();
    }

    /** Every combination; λ changes slowest. */
    static Stream<Case> cases(List<Double> lambdas, List<Network> networks, List<Double> taus, List<Dealing> dealings) {
        return lambdas.stream()
                .flatMap(lambda -> networks.stream()
                        .flatMap(network -> taus.stream()
                                .flatMap(tau -> dealings.stream().map(deal -> new Case(lambda, network, tau, deal)))));
    }
}
