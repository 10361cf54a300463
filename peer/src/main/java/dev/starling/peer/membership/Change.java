package dev.starling.peer.membership;

import dev.starling.data.InvalidInputException;
import dev.starling.network.Network;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.policy.Policy;
import dev.starling.peer.trust.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A change of membership: a run is followed by another one over a different set of sites.
 *
 * @param run the name of the run that follows
 * @param previousRun the name of the run that it replaces
 * @param previousNetwork SHA-256 of the network of the previous run
 * @param previousSites the sites of the previous run, in order
 * @param sites the sites of the run that follows, in order
 * @param edges who talks to whom in it, by name
 * @param addresses where each site can be reached, {@code host:port}; {@value #UNKNOWN} if all its neighbours know its
 *     address already
 * @param keys SHA-256 of the public key of each site; empty if they are not pinned
 * @param previousKeys SHA-256 of the public key of each site of the previous run; empty if they were not pinned
 * @param settings SHA-256 of the training settings, which stay the same
 * @param start SHA-256 of the point from which training continues; {@value #COLD} if it starts from scratch
 */
public record Change(
        String run,
        String previousRun,
        String previousNetwork,
        List<String> previousSites,
        List<String> sites,
        List<String> edges,
        Map<String, String> addresses,
        Map<String, String> keys,
        Map<String, String> previousKeys,
        String settings,
        String start) {

    /** The address of a site that the proposer does not know, and that no new neighbour needs. */
    public static final String UNKNOWN = "unknown";

    /** The start of a run that begins from scratch. */
    public static final String COLD = "cold";

    private static final String TITLE = "starling change 1";

    /** Copies the lists. */
    public Change {
        previousSites = List.copyOf(previousSites);
        sites = List.copyOf(sites);
        edges = List.copyOf(edges);
        addresses = Map.copyOf(addresses);
        keys = Map.copyOf(keys);
        previousKeys = Map.copyOf(previousKeys);
        requireAllOrNone(sites, keys);
        requireAllOrNone(previousSites, previousKeys);
        if (keys.isEmpty() && !previousKeys.isEmpty()) {
            throw new InvalidInputException("the keys of the previous run are pinned; pin those of all sites again");
        }
        for (String site : previousKeys.keySet()) {
            if (sites.contains(site) && !keys.get(site).equals(previousKeys.get(site))) {
                // Otherwise whoever keeps the authority could put somebody else in the place of a site that stays.
                throw new InvalidInputException("the change gives site " + site
                        + " another key than it had in the previous run; a site keeps its key through a change");
            }
        }
        if (run.equals(previousRun)) {
            throw new InvalidInputException(
                    "the new run is called " + run + ", like the previous one; give it another name");
        }
        if (sites.equals(previousSites)) {
            throw new InvalidInputException(
                    "sites " + sites + " are the same as in the previous run; there is nothing to change");
        }
    }

    /** The sites that no longer take part. */
    public List<String> removed() {
        return previousSites.stream().filter(site -> !sites.contains(site)).toList();
    }

    /** The sites that join. */
    public List<String> added() {
        return sites.stream().filter(site -> !previousSites.contains(site)).toList();
    }

    private static void requireAllOrNone(List<String> names, Map<String, String> keys) {
        if (!keys.isEmpty() && !keys.keySet().equals(Set.copyOf(names))) {
            throw new InvalidInputException("the change pins the keys of " + new TreeSet<>(keys.keySet())
                    + "; it must pin those of all sites " + names + ", or none");
        }
    }

    /**
     * The sites whose own sums the change reveals: those that are set apart from the others by ones or by twos.
     * Wherever both runs evaluate the same point, totals with and without them differ by their sums.
     */
    public Set<String> concerned() {
        return SiteClasses.exposed(List.of(Set.copyOf(previousSites)), Set.copyOf(sites), Policy.DEFAULT.fewestSites());
    }

    /** What the change reveals, for people to read before they sign. */
    public String revealed() {
        String differ = "the totals of the two runs differ by their sums alone (gradients, and with newton curvatures,"
                + " at the points that both runs evaluate)";
        List<String> moves = new ArrayList<>();
        removed().forEach(site -> moves.add("site " + site + " leaves"));
        added().forEach(site -> moves.add("site " + site + " joins"));
        return String.join(", ", moves) + ": " + differ
                + (concerned().isEmpty()
                        ? ", which at least three sites have together"
                        : ", so that every site learns them, or any that shares what it knows with one of "
                                + String.join(", ", concerned()));
    }

    /** The network of the run that follows. */
    public Network network() {
        int[][] pairs = new int[edges.size()][];
        for (int e = 0; e < pairs.length; e++) {
            String[] ends = edges.get(e).split(" ", -1);
            pairs[e] = new int[] {sites.indexOf(ends[0]), ends.length == 2 ? sites.indexOf(ends[1]) : -1};
            if (pairs[e][0] < 0 || pairs[e][1] < 0) {
                throw new InvalidInputException("edge '" + edges.get(e) + "' is not between two of the sites " + sites);
            }
        }
        return Network.of(sites.size(), pairs);
    }

    /** Checks that a site's file belongs to the run that follows. */
    public void requireFits(SiteConfig config) {
        require(config.run().equals(run), config, "run " + config.run(), "the change says " + run);
        require(config.sites().equals(sites), config, "sites " + config.sites(), "the change says " + sites);
        require(keysOf(config).equals(keys), config, "other keys", "the change says " + keys);
        require(edgesOf(config).equals(edges), config, "edges " + edgesOf(config), "the change says " + edges);
        require(
                settingsOf(config).equals(settings),
                config,
                "different training settings",
                "the change keeps those of the previous run");
    }

    /** Checks that a site's file belongs to the previous run, and to exactly the network that the change replaces. */
    public void requireFollows(SiteConfig config) {
        require(config.run().equals(previousRun), config, "run " + config.run(), "the change says " + previousRun);
        require(
                networkOf(config).equals(previousNetwork),
                config,
                "a different network",
                "the change applies to that of the previous run");
        require(
                keysOf(config).equals(previousKeys),
                config,
                "other keys",
                "the change says that those of the previous run were " + previousKeys);
        require(
                settingsOf(config).equals(settings),
                config,
                "different training settings",
                "the change keeps those of the previous run");
    }

    private static void require(boolean holds, SiteConfig config, String found, String expected) {
        if (!holds) {
            throw new InvalidInputException("the file of site " + config.site() + " has " + found + "; " + expected);
        }
    }

    static List<String> edgesOf(SiteConfig config) {
        List<String> edges = new ArrayList<>();
        for (int edge = 0; edge < config.network().edges(); edge++) {
            edges.add(config.sites().get(config.network().tail(edge)) + " "
                    + config.sites().get(config.network().head(edge)));
        }
        return edges;
    }

    static Map<String, String> keysOf(SiteConfig config) {
        Map<String, String> keys = new HashMap<>();
        config.pins().forEach((node, pin) -> keys.put(config.sites().get(node), pin.sha256()));
        return keys;
    }

    static String settingsOf(SiteConfig config) {
        return Sha256.hex(config.trainingText());
    }

    static String networkOf(SiteConfig config) {
        return Sha256.hex(config.networkText());
    }

    /** The text that is signed; every site produces the same bytes. */
    public String text() {
        StringBuilder text = new StringBuilder(TITLE).append('\n');
        line(text, "run", run);
        line(text, "previous-run", previousRun);
        line(text, "previous-network", previousNetwork);
        line(text, "previous-sites", String.join(",", previousSites));
        line(text, "sites", String.join(",", sites));
        line(text, "edges", String.join(",", edges));
        for (String site : sites) {
            line(text, "address", site + " " + addresses.get(site));
            if (!keys.isEmpty()) {
                line(text, "key", site + " " + keys.get(site));
            }
        }
        for (String site : previousKeys.isEmpty() ? List.<String>of() : previousSites) {
            line(text, "previous-key", site + " " + previousKeys.get(site));
        }
        line(text, "settings", settings);
        line(text, "start", start);
        return text.toString();
    }

    private static void line(StringBuilder text, String key, String value) {
        text.append(key).append(": ").append(value).append('\n');
    }

    /** Parses what {@link #text} returned. */
    static Change parse(String text) {
        Map<String, String> values = new LinkedHashMap<>();
        Map<String, String> addresses = new LinkedHashMap<>();
        Map<String, String> keys = new LinkedHashMap<>();
        Map<String, String> previousKeys = new LinkedHashMap<>();
        List<String> lines = text.lines().toList();
        for (String line : lines.subList(Math.min(1, lines.size()), lines.size())) {
            String[] parts = line.split(": ", 2);
            String value = parts.length == 2 ? parts[1] : "";
            String[] pair = value.split(" ", 2);
            switch (parts[0]) {
                case "address" -> addresses.put(pair[0], pair[pair.length - 1]);
                case "previous-key" -> previousKeys.put(pair[0], pair[pair.length - 1]);
                case "key" -> keys.put(pair[0], pair[pair.length - 1]);
                default -> values.put(parts[0], value);
            }
        }
        Change change = new Change(
                values.getOrDefault("run", ""),
                values.getOrDefault("previous-run", ""),
                values.getOrDefault("previous-network", ""),
                List.of(values.getOrDefault("previous-sites", "").split(",")),
                List.of(values.getOrDefault("sites", "").split(",")),
                List.of(values.getOrDefault("edges", "").split(",")),
                addresses,
                keys,
                previousKeys,
                values.getOrDefault("settings", ""),
                values.getOrDefault("start", ""));
        if (!change.text().equals(text)) {
            throw new InvalidInputException("the change is not formatted as this program formats it; it was altered");
        }
        return change;
    }

    /** SHA-256 of the text. */
    public byte[] digest() {
        return Sha256.digest().digest(text().getBytes(StandardCharsets.UTF_8));
    }

    /** The digest in hexadecimal, by which every site's file refers to the change. */
    public String name() {
        return Sha256.hex(text());
    }
}
