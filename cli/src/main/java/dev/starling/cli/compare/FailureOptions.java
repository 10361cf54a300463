package dev.starling.cli.compare;

import dev.starling.cli.console.Json;
import dev.starling.cli.options.Section;
import dev.starling.cli.options.Under;
import dev.starling.data.InvalidInputException;
import dev.starling.lab.comparison.Conditions;
import dev.starling.lab.conversation.EdgeSampling;
import dev.starling.lab.failing.FailingNetwork;
import dev.starling.lab.failing.Outages;
import dev.starling.lab.failing.Stragglers;
import dev.starling.network.Network;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.Option;

/** What goes wrong in the simulated network: delays, lost messages, outages, stragglers, changing edges. */
@Under(Section.FAILURES)
final class FailureOptions {

    @Option(
            names = "--jitter",
            paramLabel = "J",
            description = "Make messages take longer at random: tau times 1 + J E, where E is exponential with mean 1.")
    private Double jitter;

    @Option(
            names = "--message-loss",
            paramLabel = "P",
            description = "Lose a message with this probability; it is sent again after 2 tau, until it arrives.")
    private Double loss;

    @Option(
            names = "--outages",
            paramLabel = "P:T",
            description =
                    "Make edges come and go: in every period of length T an edge is down with probability P, and its"
                            + " messages wait. With turns:T, matchings of edges take turns of length T.")
    private String outages;

    @Option(
            names = "--stragglers",
            paramLabel = "P:F:T",
            description = "In every period of length T, make each node F times slower with probability P.")
    private String stragglers;

    @Option(
            names = "--varying",
            paramLabel = "RULE",
            description =
                    "Draw the edges of every round at random, without waiting for the others: random:Q (each edge with"
                            + " probability Q), matchings or pairs. Methods that need all edges are refused.")
    private String varying;

    /** Adds to the conditions what the options let go wrong on a network. */
    Conditions on(Network network, Conditions usual) {
        FailingNetwork failing = FailingNetwork.NONE;
        if (jitter != null) {
            failing = failing.jitter(jitter);
        }
        if (loss != null) {
            failing = failing.loss(loss);
        }
        if (outages != null) {
            failing = failing.outages(rule());
        }
        if (stragglers != null) {
            double[] numbers = numbers("--stragglers", stragglers, 3, "0.1:10:100");
            failing = failing.stragglers(new Stragglers(numbers[0], numbers[1], numbers[2]));
        }
        Conditions disturbed = usual.failing(failing);
        return varying == null
                ? disturbed
                : disturbed.varying(EdgeSampling.named(varying).apply(network));
    }

    private Outages rule() {
        if (outages.startsWith("turns:")) {
            double[] length = numbers("--outages", outages.substring("turns:".length()), 1, "turns:50");
            return new Outages.InTurns(length[0]);
        }
        double[] numbers = numbers("--outages", outages, 2, "0.1:100 or turns:50");
        return new Outages.AtRandom(numbers[0], numbers[1]);
    }

    private static double[] numbers(String option, String text, int count, String example) {
        return InvalidInputException.parsed(
                () -> Arrays.stream(text.split(":", -1))
                        .mapToDouble(Double::parseDouble)
                        .toArray(),
                numbers -> numbers.length == count,
                () -> malformed(option, text, example));
    }

    private static String malformed(String option, String text, String example) {
        return option + " '" + text + "' must be numbers with colons between them, such as " + example;
    }

    /** What to add to a title; empty if nothing goes wrong. */
    String title() {
        List<String> parts = new ArrayList<>();
        if (jitter != null) {
            parts.add("jitter " + Json.text(jitter));
        }
        if (loss != null) {
            parts.add("message loss " + Json.text(loss));
        }
        if (outages != null) {
            parts.add("outages " + outages);
        }
        if (stragglers != null) {
            parts.add("stragglers " + stragglers);
        }
        if (varying != null) {
            parts.add("varying " + varying);
        }
        return String.join("", parts.stream().map(part -> ", " + part).toList());
    }
}
