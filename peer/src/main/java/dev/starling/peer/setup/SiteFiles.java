package dev.starling.peer.setup;

import dev.starling.data.InvalidInputException;
import dev.starling.network.Network;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.keys.Authority;
import dev.starling.peer.policy.Policy;
import dev.starling.peer.transport.KeyPin;
import java.util.List;
import java.util.Optional;

/**
 * The text of a site's file, commented for the person who will look after it.
 *
 * @param sites the names of all sites, in order
 * @param network who talks to whom
 * @param run the name of the run
 * @param hosts the host of every site; empty if all are reached by way of a relay only
 * @param firstPort the port of the first site; each further one listens on the next
 * @param training lines of the training section, without indentation
 * @param pins the public key of every site, in order; empty if they are not known yet
 * @param relay HOST:PORT where sites meet that cannot reach each other
 * @param study the file of the study that all sites follow; empty where rows are numbers
 */
public record SiteFiles(
        List<String> sites,
        Network network,
        String run,
        List<String> hosts,
        int firstPort,
        List<String> training,
        List<KeyPin> pins,
        Optional<String> relay,
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
            throw new InvalidInputException("sites " + sites + " name one twice; names must differ");
        }
        boolean reached = hosts.size() == sites.size() || (hosts.isEmpty() && relay.isPresent());
        if (sites.size() != network.size() || !reached || (!pins.isEmpty() && pins.size() != sites.size())) {
            throw new InvalidInputException(sites.size() + " sites, " + hosts.size() + " hosts and a network of "
                    + network.size() + " nodes; there must be as many of each");
        }
    }

    /** Files of sites that listen, whose keys are not known yet, and whose rows are numbers. */
    public SiteFiles(
            List<String> sites, Network network, String run, List<String> hosts, int firstPort, List<String> training) {
        this(sites, network, run, hosts, firstPort, training, List.of(), Optional.empty(), Optional.empty());
    }

    /** The same files for sites that follow a study. */
    public SiteFiles following(String file) {
        return new SiteFiles(sites, network, run, hosts, firstPort, training, pins, relay, Optional.of(file));
    }

    /** The file of one site. */
    public String text(int node) {
        String site = sites.get(node);
        StringBuilder text = new StringBuilder();
        line(text, "# Site " + site + " of a Starling network. Every site has a file like this one;");
        line(text, "# what is marked (same everywhere) must be the same in all of them.");
        line(text, "version: 1");
        line(text, "");
        line(text, "# The name of this site: the one its certificate carries.");
        line(text, "site: " + site);
        line(text, "");
        line(text, "# The name of this run (same everywhere). A new run over the same sites needs a new name.");
        line(text, "run: " + run);
        line(text, "");
        line(text, "# All sites, in order, and who talks to whom (same everywhere).");
        line(text, "sites: [" + String.join(", ", sites) + "]");
        line(text, "edges:");
        for (int edge = 0; edge < network.edges(); edge++) {
            line(text, "  - [" + sites.get(network.tail(edge)) + ", " + sites.get(network.head(edge)) + "]");
        }
        line(text, "");
        addresses(text, node);
        line(
                text,
                "# Who this site is and whom it believes; 'starling keys' makes these files, or your own authority.");
        line(text, "tls:");
        line(text, "  authority: keys/" + Authority.CERTIFICATE_FILE);
        line(text, "  certificate: keys/" + site + ".pem");
        line(text, "  key: keys/" + site + ".key");
        line(text, "  # password: keys/" + site + ".password # the file of the password of an encrypted key");
        line(text, "  # revoked: keys/" + Authority.REVOKED_FILE + "      # certificates that are no longer good");
        line(text, "");
        keys(text);
        data(text, site);
        line(
                text,
                "# What is trained (same everywhere). The method is auto, newton, adfs, …; between sites adfs needs");
        line(text, "# the consent of all, see policy.");
        line(text, "training:");
        training.forEach(setting -> line(text, "  " + setting));
        if (study.isEmpty()) {
            line(text, "  # intercept: true    # an intercept that is not regularised");
            line(text, "  # bias: 1            # or one that is regularised like the other weights");
            line(text, "  # standardize: true  # features to mean 0 and deviation 1, over the rows of all sites");
            line(text, "  # labels: [0, 1]     # if no site has rows of every class");
        }
        line(text, "  # class-weights: {1: 2.5}  # or balanced: all classes weigh the same");
        line(text, "  # max-seconds: 600   # stop all sites then, certified or not");
        line(text, "  # tau: 500           # the delay of a round in proximal steps; left out, it is measured");
        line(text, "  # max-features: 1000000");
        line(text, "");
        line(text, "# Where checkpoints go, how often one is written, how many are kept (at least 2), and how many");
        line(text, "# megabytes of messages neighbours may have to keep before one is written early.");
        line(text, "state: state-" + site);
        line(text, "checkpoints:");
        line(text, "  every: 30s");
        line(text, "  keep: 2");
        line(text, "  megabytes: 64");
        line(text, "");
        line(text, "# How long a neighbour may be gone before this site saves its state and stops.");
        line(text, "wait: 10m");
        line(text, "");
        line(text, "# Where the model is written.");
        line(text, "model: model-" + site + ".json");
        line(text, "");
        line(text, "# Metrics (/metrics) and health (/health) over plain HTTP; left out, there are none.");
        line(text, "# monitoring: 127.0.0.1:9464");
        line(text, "");
        policy(text);
        return text.toString();
    }

    private void data(StringBuilder text, String site) {
        if (study.isPresent()) {
            line(
                    text,
                    "# This site's rows: a CSV file whose columns have names, plain, gzip or bzip2. They never leave the");
            line(text, "# site. What the columns mean, and what is minimised, is in the study (same everywhere).");
            line(text, "data:");
            line(text, "  file: " + site + ".csv");
            line(text, "  study: " + study.get());
        } else {
            line(text, "# This site's rows: LIBSVM or CSV, plain, gzip or bzip2. They never leave the site.");
            line(text, "data:");
            line(text, "  file: " + site + ".libsvm");
            line(text, "  # format: auto        # auto, libsvm or csv");
            line(text, "  # label-column: label # for CSV: a name, a number from 1, or last");
            line(text, "  # weights: weights.txt # one per row, in a file of their own");
            line(text, "  # study: study.yaml   # for a CSV file of columns with names: what they mean");
        }
        line(text, "");
    }

    private static void policy(StringBuilder text) {
        Policy usual = Policy.DEFAULT;
        line(
                text,
                "# What this site lets out, checked by the site itself before anything leaves it. What is shown holds");
        line(text, "# unless it says otherwise; docs/security.md explains each.");
        line(text, "policy:");
        line(text, "  # two-sites: accept      # a run of two sites, in which each can compute the other's sums");
        line(text, "  # estimates: accept      # adfs: neighbours see estimates, from which rows can be computed");
        line(text, "  # fewest-sites: " + usual.fewestSites());
        line(text, "  # fewest-rows: " + usual.fewestRows() + "           # own rows in any sum");
        line(
                text,
                "  # released-part: " + usual.releasedPart()
                        + "        # numbers told, as a part of the values stored");
        line(text, "  # passes: " + usual.mostPasses() + "                # sums at a point, in a run with curvatures");
        line(text, "  # gradients: " + usual.mostGradients() + "            # sums at a point, in a run without");
        line(text, "  # curvatures: " + usual.mostCurvatures());
        line(text, "  # farthest: " + usual.farthest() + "             # (λ/2)‖θ‖² in units of the objective at 0");
        line(
                text,
                "  # leverage: " + usual.leverage() + "             # the part that one row may have in what was told");
        line(
                text,
                "  # fewest-per-column: " + usual.fewestPerColumn()
                        + "     # own rows in which a column is not 0, if any");
        line(text, "  # fewest-sites-per-column: " + usual.fewestSitesPerColumn());
    }

    private void addresses(StringBuilder text, int node) {
        if (hosts.isEmpty()) {
            line(text, "# This site opens no port. With an address here neighbours can also come directly.");
            line(text, "# listen: 0.0.0.0:" + (firstPort + node));
        } else {
            line(text, "# The only address this site listens on for its neighbours.");
            line(text, "listen: " + listenHost(hosts.get(node)) + ":" + (firstPort + node));
        }
        line(text, "");
        line(
                text,
                "# Where sites meet that cannot reach each other ('starling relay'), and the HTTP proxy through which");
        line(text, "# this site gets out, if it needs one.");
        line(text, relay.map(where -> "relay: " + where).orElse("# relay: relay.example.org:7443"));
        line(text, "# proxy: proxy.example.org:3128");
        line(text, "");
        line(
                text,
                "# Where the neighbours are. 'certificate: NAME' if a neighbour's certificate carries another name.");
        line(text, network.degree(node) == 0 || hosts.isEmpty() ? "neighbours: {}" : "neighbours:");
        for (int neighbour : hosts.isEmpty() ? new int[0] : network.neighbours(node)) {
            line(text, "  " + sites.get(neighbour) + ":");
            line(text, "    address: " + hosts.get(neighbour) + ":" + (firstPort + neighbour));
        }
        line(text, "");
    }

    private void keys(StringBuilder text) {
        line(
                text,
                "# The public key of every site (same everywhere): the SHA-256 of what its certificate is for. Ask each");
        line(text, "# site for its own by a way you trust: 'starling keys show' prints it.");
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
