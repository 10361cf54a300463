package dev.starling.cli.playground;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.lab.comparison.Comparison;
import dev.starling.lab.comparison.ComparisonListener;
import dev.starling.lab.comparison.Conditions;
import dev.starling.lab.failing.FailingNetwork;
import dev.starling.lab.failing.Outages;
import dev.starling.lab.failing.Stragglers;
import dev.starling.loss.Logistic;
import dev.starling.network.Network;
import dev.starling.runtime.StopSignal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * One race: some methods on a drawn network, under chosen conditions.
 *
 * @param gap the suboptimality that is the finish line
 */
record Race(Network network, List<String> methods, double lambda, double gap, Conditions conditions) {

    /** The most nodes that can be drawn. */
    static final int MOST_NODES = 64;

    private static final int POINTS = 160;

    /** How long an edge stays down and a node slow, in idealised time. */
    private static final double STRETCH = 100;

    /** Returns the race that a page's request asks for. */
    static Race of(Map<String, String> query) {
        FailingNetwork failing =
                FailingNetwork.NONE.jitter(number(query, "jitter")).loss(number(query, "loss"));
        double outages = number(query, "outages");
        double stragglers = number(query, "stragglers");
        if (outages > 0) {
            failing = failing.outages(new Outages.AtRandom(outages, STRETCH));
        }
        if (stragglers > 0) {
            failing = failing.stragglers(new Stragglers(stragglers, number(query, "factor"), STRETCH));
        }
        return new Race(
                network(size(query), text(query, "edges")),
                Arrays.asList(text(query, "methods").split(",")),
                number(query, "lambda"),
                number(query, "gap"),
                Conditions.usual(number(query, "tau")).failing(failing));
    }

    /** Runs the race to its end or until it is stopped; the listener is called while it runs, on several threads. */
    void run(Dataset rows, ComparisonListener listener, StopSignal stop) {
        Comparison.of(rows, new Logistic(), lambda, network, conditions)
                .methods(methods)
                .gap(gap)
                .points(POINTS)
                .listener(listener)
                .stopSignal(stop)
                .run();
    }

    static int size(Map<String, String> query) {
        double nodes = number(query, "nodes");
        if (nodes != Math.rint(nodes) || nodes < 2 || nodes > MOST_NODES) {
            throw new InvalidInputException(text(query, "nodes") + " nodes; there can be 2 to " + MOST_NODES);
        }
        return (int) nodes;
    }

    private static Network network(int nodes, String edges) {
        int[][] pairs = InvalidInputException.parsed(
                () -> Arrays.stream(edges.split(","))
                        .map(edge -> Arrays.stream(edge.split("-", 2))
                                .mapToInt(Integer::parseInt)
                                .toArray())
                        .toArray(int[][]::new),
                () -> "edges '" + edges + "' must be pairs of nodes, such as 0-1,1-2");
        return Network.of(nodes, pairs);
    }

    static String text(Map<String, String> query, String name) {
        String value = query.get(name);
        if (value == null || value.isEmpty()) {
            throw new InvalidInputException("'" + name + "' is missing from the request");
        }
        return value;
    }

    private static double number(Map<String, String> query, String name) {
        String value = text(query, name);
        return InvalidInputException.parsed(
                () -> Double.parseDouble(value), () -> name + " '" + value + "' is not a number");
    }
}
