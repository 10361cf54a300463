package dev.starling.peer.setup;

import dev.starling.data.InvalidInputException;
import dev.starling.network.Network;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.keys.Authority;
import dev.starling.peer.trust.KeyPin;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The text of a site's file, with comments for the person who will look after it: {@code site.yaml}, filled in.
 *
 * @param sites the names of all sites, in order
 * @param network who talks to whom
 * @param run the name of the run
 * @param hosts the host of every site
 * @param firstPort the port of the first site; every other site listens on the port after the previous site's
 * @param training the lines of the training section, without indentation
 * @param pins the public key of every site, in order; empty if they are not known yet
 * @param study the file of the study that all sites follow; empty if rows are purely numeric
 */
public record SiteFiles(
        List<String> sites,
        Network network,
        String run,
        List<String> hosts,
        int firstPort,
        List<String> training,
        List<KeyPin> pins,
        Optional<String> study) {

    /** What lines of the template begin with that are only for sites that follow a study. */
    private static final String STUDY = "@study@";

    /** The same for sites that follow none. */
    private static final String ROWS = "@rows@";

    /** Validates names and sizes. */
    public SiteFiles {
        sites = List.copyOf(sites);
        hosts = List.copyOf(hosts);
        training = List.copyOf(training);
        pins = List.copyOf(pins);
        sites.forEach(Authority::requireSiteName);
        SiteConfig.requireRunName(run);
        if (sites.stream().distinct().count() != sites.size()) {
            throw new InvalidInputException("sites " + sites + " contain a name twice; names must differ");
        }
        if (sites.size() != network.size()
                || sites.size() != hosts.size()
                || (!pins.isEmpty() && pins.size() != sites.size())) {
            throw new InvalidInputException(sites.size() + " sites, " + hosts.size() + " hosts and a network of "
                    + network.size() + " nodes; there must be the same number of each");
        }
    }

    /** Creates the files of sites that listen, whose keys are not known yet, and whose rows are purely numeric. */
    public SiteFiles(
            List<String> sites, Network network, String run, List<String> hosts, int firstPort, List<String> training) {
        this(sites, network, run, hosts, firstPort, training, List.of(), Optional.empty());
    }

    /** Returns the text of one site's file. */
    public String text(int node) {
        String left = study.isPresent() ? ROWS : STUDY;
        String text = template()
                .lines()
                .filter(line -> !line.startsWith(left))
                .map(line -> line.replace(ROWS, "").replace(STUDY, "") + "\n")
                .collect(Collectors.joining());
        return text.replace("@site@", sites.get(node))
                .replace("@run@", run)
                .replace("@file@", study.orElse(""))
                .replace("@sites@", String.join(", ", sites))
                .replace("@edges@\n", edges())
                .replace("@listen@", listenHost(hosts.get(node)) + ":" + (firstPort + node))
                .replace("@neighbours@\n", neighbours(node))
                .replace("@keys@\n", keys())
                .replace("@training@\n", lines(training.stream(), setting -> "  " + setting));
    }

    private static String template() {
        try (InputStream in = SiteFiles.class.getResourceAsStream("site.yaml")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static <T> String lines(Stream<T> each, Function<T, String> line) {
        return each.map(one -> line.apply(one) + "\n").collect(Collectors.joining());
    }

    private String edges() {
        return lines(
                IntStream.range(0, network.edges()).boxed(),
                edge -> "  - [" + sites.get(network.tail(edge)) + ", " + sites.get(network.head(edge)) + "]");
    }

    private String neighbours(int node) {
        return (network.degree(node) == 0 ? "neighbours: {}\n" : "neighbours:\n")
                + lines(
                        Arrays.stream(network.neighbours(node)).boxed(),
                        other -> "  " + sites.get(other) + ":\n    address: " + hosts.get(other) + ":"
                                + (firstPort + other));
    }

    private String keys() {
        return pins.isEmpty()
                ? "# keys:\n" + lines(sites.stream(), site -> "#   " + site + ": 64 hexadecimal digits")
                : "keys:\n"
                        + lines(
                                IntStream.range(0, sites.size()).boxed(),
                                node -> "  " + sites.get(node) + ": " + pins.get(node));
    }

    private static String listenHost(String host) {
        return host.equals("localhost") || host.startsWith("127.") ? "127.0.0.1" : "0.0.0.0";
    }
}
