package dev.starling.peer.setup;

import dev.starling.data.InvalidInputException;
import dev.starling.network.Network;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.keys.Authority;
import dev.starling.peer.policy.Policy;
import dev.starling.peer.transport.KeyPin;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The text of a site's file, with comments for the person who will look after it.
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

    /** Returns the same files for sites that follow a study. */
    public SiteFiles following(String file) {
        return new SiteFiles(sites, network, run, hosts, firstPort, training, pins, Optional.of(file));
    }

    /** Returns the text of one site's file. */
    public String text(int node) {
        String site = sites.get(node);
        StringBuilder text = new StringBuilder();
        line(text, "# Site " + site + " of a Starling network. Every site has a file like this one;");
        line(text, "# settings marked (same everywhere) must be the same in all of them.");
        line(text, "version: 1");
        line(text, "");
        line(text, "# The name of this site, which is also the name in its certificate.");
        line(text, "site: " + site);
        line(text, "");
        line(text, "# The name of this run (same everywhere). A new run over the same sites needs a new name.");
        line(text, "run: " + run);
        line(text, "");
        line(text, "# All sites, in order, and which of them are connected (same everywhere).");
        line(text, "sites: [" + String.join(", ", sites) + "]");
        line(text, "edges:");
        for (int edge = 0; edge < network.edges(); edge++) {
            line(text, "  - [" + sites.get(network.tail(edge)) + ", " + sites.get(network.head(edge)) + "]");
        }
        line(text, "");
        addresses(text, node);
        line(
                text,
                "# This site's certificate and key, and the authority it trusts. 'starling keys' makes these files;");
        line(text, "# those of your own certificate authority will do as well.");
        line(text, "tls:");
        line(text, "  authority: keys/" + Authority.CERTIFICATE_FILE);
        line(text, "  certificate: keys/" + site + ".pem");
        line(text, "  key: keys/" + site + ".key");
        line(text, "  # password: keys/" + site + ".password # file with the password, if the key is encrypted");
        line(text, "  # revoked: keys/" + Authority.REVOKED_FILE + " # list of revoked certificates");
        line(text, "");
        keys(text);
        data(text, site);
        line(
                text,
                "# What is trained (same everywhere). The method is auto, newton, adfs, …; adfs between sites needs");
        line(text, "# the consent of all sites: see policy, below.");
        line(text, "training:");
        training.forEach(setting -> line(text, "  " + setting));
        if (study.isEmpty()) {
            optional(text, "intercept: true", "an intercept that is not regularised");
            optional(text, "bias: 1", "or one that is regularised like the other weights");
            optional(text, "standardize: true", "scale features to mean 0 and deviation 1 over the rows of all sites");
            optional(text, "labels: [0, 1]", "all classes; needed if no site has rows of every class");
        }
        optional(text, "class-weights: {1: 2.5}", "or balanced, which gives all classes the same total weight");
        optional(text, "max-seconds: 600", "stop all sites after this time, whether certified or not");
        optional(text, "tau: 500", "delay of a message in proximal steps; measured if left out");
        optional(text, "max-features: 1000000", "accept at most this many features from any site");
        line(text, "");
        line(text, "# Where checkpoints go, how often one is written, how many are kept (at least 2), and how many");
        line(text, "# megabytes of messages neighbours may have to buffer before one is written early.");
        line(text, "state: state-" + site);
        line(text, "checkpoints:");
        line(text, "  every: 30s");
        line(text, "  keep: 2");
        line(text, "  megabytes: 64");
        line(text, "");
        line(
                text,
                "# Where this site remembers its people over all runs; outlives the state. Back it up after every run.");
        line(text, "register: register-" + site);
        line(text, "");
        line(text, "# How long a neighbour may be unreachable before this site saves its state and stops.");
        line(text, "wait: 10m");
        line(text, "");
        line(text, "# Where the model is written.");
        line(text, "model: model-" + site + ".json");
        line(text, "");
        line(
                text,
                "# Serves a status page (/), metrics (/metrics) and health (/health) over plain HTTP; off if left out.");
        line(text, "# monitoring: 127.0.0.1:9464");
        line(text, "");
        policy(text);
        return text.toString();
    }

    private void data(StringBuilder text, String site) {
        if (study.isPresent()) {
            line(
                    text,
                    "# This site's rows: a CSV file with named columns, plain, gzip or bzip2. They never leave the site.");
            line(text, "# The study (same everywhere) says what the columns mean and what is minimised.");
            line(text, "data:");
            line(text, "  file: " + site + ".csv");
            line(text, "  study: " + study.get());
        } else {
            line(text, "# This site's rows: LIBSVM or CSV, plain, gzip or bzip2. They never leave the site.");
            line(text, "data:");
            line(text, "  file: " + site + ".libsvm");
            optional(text, "format: auto", "auto, libsvm or csv");
            optional(text, "label-column: label", "for CSV: a name, a number from 1, or last");
            optional(text, "weights: weights.txt", "a file with one weight per row");
            optional(text, "study: study.yaml", "for CSV with named columns: what they mean");
        }
        line(text, "");
    }

    private static void policy(StringBuilder text) {
        Policy defaults = Policy.DEFAULT;
        line(
                text,
                "# This site's own rules about what may leave it; the site checks them before it sends anything. The");
        line(
                text,
                "# numbers shown are the defaults; 'accept' is never the default. docs/security.md explains each rule.");
        line(text, "policy:");
        optional(text, "two-sites: accept", "a run with two sites, in which each can compute the other's sums");
        optional(text, "estimates: accept", "adfs: neighbours see estimates, from which rows can be computed");
        optional(text, "site-estimates: accept", "estimates by site, or with fewer than five sites clusters by site");
        optional(
                text,
                "fewest-sites: " + defaults.fewestSites(),
                "refuse runs, columns and classes that fewer sites have");
        optional(
                text,
                "fewest-rows: " + defaults.fewestRows(),
                "every sum covers at least this many of this site's rows");
        optional(
                text,
                "released-part: " + defaults.releasedPart(),
                "numbers released in a run, at most, as a fraction of the non-zero values stored");
        optional(
                text, "passes: " + defaults.mostPasses(), "at most this many sums at a point in a run with curvatures");
        optional(
                text,
                "gradients: " + defaults.mostGradients(),
                "at most this many sums at a point in a run without curvatures");
        optional(text, "curvatures: " + defaults.mostCurvatures(), "at most this many sums of curvatures in a run");
        optional(
                text,
                "farthest: " + defaults.farthest(),
                "how far from 0 a point may be: (λ/2)‖θ‖² in units of the objective at 0");
        optional(
                text,
                "leverage: " + defaults.leverage(),
                "how much of what is released may depend on a single row (0 to 1)");
        optional(
                text,
                "fewest-per-column: " + defaults.fewestPerColumn(),
                "a column (where it is not 0) or class has none or at least this many of this site's rows");
        optional(text, "independent: all", "how many of the other sites do not share what they know");
    }

    /** Adds a setting that is commented out, with an explanation. */
    private static void optional(StringBuilder text, String setting, String explanation) {
        line(text, String.format(Locale.ROOT, "  # %-27s# %s", setting, explanation));
    }

    private void addresses(StringBuilder text, int node) {
        line(text, "# The only address on which this site listens for its neighbours.");
        line(text, "listen: " + listenHost(hosts.get(node)) + ":" + (firstPort + node));
        line(text, "");
        line(text, "# The HTTP proxy that this site needs for outgoing connections, if any.");
        line(text, "# proxy: proxy.example.org:3128");
        line(text, "");
        line(
                text,
                "# The addresses of the neighbours. If a neighbour's certificate carries a name other than the site's,");
        line(text, "# add 'certificate: NAME'.");
        line(text, network.degree(node) == 0 ? "neighbours: {}" : "neighbours:");
        for (int neighbour : network.neighbours(node)) {
            line(text, "  " + sites.get(neighbour) + ":");
            line(text, "    address: " + hosts.get(neighbour) + ":" + (firstPort + neighbour));
        }
        line(text, "");
    }

    private void keys(StringBuilder text) {
        line(
                text,
                "# The SHA-256 of every site's public key (same everywhere). Ask each site for its own over a channel");
        line(text, "# that you trust: 'starling keys show' prints it.");
        if (pins.isEmpty()) {
            line(text, "# keys:");
            sites.forEach(site -> line(text, "#   " + site + ": 64 hexadecimal digits"));
        } else {
            line(text, "keys:");
            for (int node = 0; node < sites.size(); node++) {
                line(text, "  " + sites.get(node) + ": " + pins.get(node));
            }
        }
        line(text, "");
    }

    private static String listenHost(String host) {
        return host.equals("localhost") || host.startsWith("127.") ? "127.0.0.1" : "0.0.0.0";
    }

    private static void line(StringBuilder text, String line) {
        text.append(line).append('\n');
    }
}
