package dev.starling.peer.config;

import dev.starling.data.Format;
import dev.starling.data.InvalidInputException;
import dev.starling.job.Scaling;
import dev.starling.job.Settings;
import dev.starling.loss.Logistic;
import dev.starling.network.Network;
import dev.starling.peer.keys.Authority;
import dev.starling.peer.keys.OwnerOnly;
import dev.starling.peer.transport.Credentials;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Everything a site's file says.
 *
 * @param site the site's name
 * @param run the name of the run, the same at all sites
 * @param listen the only address the site listens on, for neighbours
 * @param sites the names of all sites: the first is node 0
 * @param network who talks to whom, by number
 * @param neighbours the sites this one has an edge to, by number
 * @param tls the files of the certificates and the key
 * @param data where the rows are
 * @param training what all sites train together
 * @param maxFeatures the most features that this site lets any site have
 * @param state where checkpoints go
 * @param checkpoints when they are written and how many are kept
 * @param patience how long a neighbour may be gone before the site gives up
 * @param monitoring where metrics and health can be asked for
 * @param model where the model is written
 */
public record SiteConfig(
        String site,
        String run,
        InetSocketAddress listen,
        List<String> sites,
        Network network,
        Map<Integer, Remote> neighbours,
        Tls tls,
        Data data,
        Settings training,
        int maxFeatures,
        Path state,
        Checkpoints checkpoints,
        Duration patience,
        Optional<InetSocketAddress> monitoring,
        Optional<Path> model) {

    private static final List<String> KEYS = List.of(
            "version",
            "site",
            "run",
            "listen",
            "sites",
            "edges",
            "neighbours",
            "tls",
            "data",
            "training",
            "state",
            "checkpoints",
            "wait",
            "monitoring",
            "model");

    private static final Set<String> SETTINGS =
            Settings.of(new Logistic()).toMap().keySet();
    private static final String STANDARDIZE = "standardize";
    private static final String MAX_FEATURES = "max-features";
    private static final List<String> TRAINING_KEYS = Stream.concat(
                    SETTINGS.stream(), Stream.of(STANDARDIZE, MAX_FEATURES))
            .toList();

    private static final Pattern RUN_NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    /** A neighbour: where it is reached and the name its certificate must carry. */
    public record Remote(String address, int port, String certificateName) {
        /** Where it is reached; the name is looked up when it is dialled. */
        public InetSocketAddress socketAddress() {
            return InetSocketAddress.createUnresolved(address, port);
        }
    }

    /** Where the certificates and the key are. */
    public record Tls(Path authority, Path certificate, Path key) {
        /** Reads them; refuses a key that others may read. */
        public Credentials load() {
            return Credentials.ofPem(
                    Authority.readPublic(authority), Authority.readPublic(certificate), OwnerOnly.read(key));
        }
    }

    /** Where the rows are and how to read them, and their weights if they have any. */
    public record Data(Path file, Format format, Optional<String> labelColumn, Optional<Path> weights) {}

    /**
     * When checkpoints are written.
     *
     * @param every the time between two
     * @param keep how many are kept
     * @param bytes write one early when neighbours have to keep more than this for the site
     */
    public record Checkpoints(Duration every, int keep, long bytes) {}

    /** Copies the lists. */
    public SiteConfig {
        sites = List.copyOf(sites);
        neighbours = Map.copyOf(neighbours);
    }

    /** This site's number. */
    public int node() {
        return sites.indexOf(site);
    }

    /** What two sites must agree on to have the same network: the names of all sites, in order, and the edges. */
    public String networkText() {
        StringBuilder text = new StringBuilder(String.join(",", sites)).append('\n');
        for (int edge = 0; edge < network.edges(); edge++) {
            text.append(network.tail(edge))
                    .append('-')
                    .append(network.head(edge))
                    .append('\n');
        }
        return text.toString();
    }

    /** Reads a site's file; paths in it are relative to where it is. */
    public static SiteConfig read(Path file) {
        String text;
        try {
            text = Files.readString(file);
        } catch (NoSuchFileException e) {
            throw new InvalidInputException(file + " does not exist; 'starling network new' writes one per site", e);
        } catch (IOException e) {
            throw new InvalidInputException(file + " cannot be read: " + e.getMessage(), e);
        }
        Path absolute = file.toAbsolutePath().getParent();
        return parse(text, file.toString(), absolute == null ? Path.of("") : absolute);
    }

    static SiteConfig parse(String text, String name, Path base) {
        Object root;
        try {
            LoadSettings settings = LoadSettings.builder()
                    .setLabel(name)
                    .setAllowDuplicateKeys(false)
                    .setMaxAliasesForCollections(10)
                    .setCodePointLimit(1 << 20)
                    .build();
            root = new Load(settings).loadFromString(text);
        } catch (MarkedYamlEngineException e) {
            String where = e.getProblemMark()
                    .map(mark -> ", line " + (mark.getLine() + 1))
                    .orElse("");
            throw new InvalidInputException(name + where + ": not YAML: " + e.getProblem(), e);
        } catch (YamlEngineException e) {
            throw new InvalidInputException(
                    name + ": not YAML: " + e.getMessage().lines().findFirst().orElse(""), e);
        }
        Section section = Section.of(name, "", root, KEYS);
        return new Reader(section, section.section("training", TRAINING_KEYS), base).read();
    }

    /** Reads the parts one after the other. */
    private record Reader(Section root, Section training, Path base) {

        SiteConfig read() {
            if (!root.string("version").equals("1")) {
                throw root.error("version", "is " + root.string("version") + "; this program reads version 1");
            }
            String site = root.string("site");
            List<String> sites = sites();
            if (!sites.contains(site)) {
                throw root.error("site", "is '" + site + "'; it must be one of the sites " + sites);
            }
            Network network = network(sites);
            String run = root.string("run");
            if (!RUN_NAME.matcher(run).matches()) {
                throw root.error("run", "is '" + run + "'; it must be 1 to 64 letters, digits, dots and hyphens");
            }
            return new SiteConfig(
                    site,
                    run,
                    address(root, "listen", root.string("listen")),
                    sites,
                    network,
                    neighbours(site, sites, network),
                    tls(),
                    data(),
                    settings(),
                    maxFeatures(),
                    path(root.string("state")),
                    checkpoints(),
                    root.duration("wait", Duration.ofMinutes(10)),
                    root.optionalString("monitoring").map(text -> address(root, "monitoring", text)),
                    root.optionalString("model").map(this::path));
        }

        private Path path(String text) {
            return base.resolve(text);
        }

        private List<String> sites() {
            List<String> names =
                    root.list("sites").stream().map(String::valueOf).toList();
            names.forEach(Authority::requireSiteName);
            if (names.isEmpty()) {
                throw root.error("sites", "is missing; it must list all sites, such as [a, b, c]");
            }
            if (names.stream().distinct().count() != names.size()) {
                throw root.error("sites", "names a site twice");
            }
            return names;
        }

        private Network network(List<String> sites) {
            List<Object> edges = root.list("edges");
            int[][] pairs = new int[edges.size()][];
            for (int e = 0; e < pairs.length; e++) {
                if (!(edges.get(e) instanceof List<?> pair) || pair.size() != 2) {
                    throw root.error("edges", "holds " + edges.get(e) + "; each must be a pair, such as [a, b]");
                }
                pairs[e] = new int[] {
                    number(sites, String.valueOf(pair.get(0))), number(sites, String.valueOf(pair.get(1)))
                };
            }
            return Network.of(sites.size(), pairs);
        }

        private int number(List<String> sites, String name) {
            int number = sites.indexOf(name);
            if (number < 0) {
                throw InvalidInputException.unknownName("site", name, sites);
            }
            return number;
        }

        private Map<Integer, Remote> neighbours(String site, List<String> sites, Network network) {
            Section section = root.names("neighbours");
            Map<Integer, Remote> result = new TreeMap<>();
            for (int node : network.neighbours(sites.indexOf(site))) {
                String name = sites.get(node);
                if (!section.has(name)) {
                    throw root.error(
                            "neighbours", "has no '" + name + "', to which there is an edge; give its address");
                }
                Section one = section.section(name, List.of("address", "certificate"));
                InetSocketAddress address = address(one, "address", one.string("address"));
                result.put(
                        node,
                        new Remote(
                                address.getHostString(),
                                address.getPort(),
                                one.optionalString("certificate").orElse(name)));
            }
            for (String name : section.keys()) {
                if (!result.containsKey(number(sites, name))) {
                    throw root.error("neighbours", "has '" + name + "', to which there is no edge");
                }
            }
            return result;
        }

        private Tls tls() {
            Section section = root.section("tls", List.of("authority", "certificate", "key"));
            return new Tls(
                    path(section.string("authority")),
                    path(section.string("certificate")),
                    path(section.string("key")));
        }

        private Data data() {
            Section section = root.section("data", List.of("file", "format", "label-column", "weights"));
            String format = section.optionalString("format").orElse("auto");
            List<String> formats = List.of("auto", "libsvm", "csv");
            if (!formats.contains(format)) {
                throw InvalidInputException.unknownName("data format", format, formats);
            }
            return new Data(
                    path(section.string("file")),
                    Format.valueOf(format.toUpperCase(Locale.ROOT)),
                    section.optionalString("label-column"),
                    section.optionalString("weights").map(this::path));
        }

        private Settings settings() {
            Map<String, String> settings = new LinkedHashMap<>();
            for (String key : SETTINGS) {
                training.text(key).ifPresent(text -> settings.put(key, text));
            }
            if (training.has("labels")) {
                training.list("labels");
            }
            if (training.has(STANDARDIZE)) {
                if (settings.containsKey("scaling")) {
                    throw training.error(STANDARDIZE, "and training.scaling are both given; leave one out");
                }
                settings.put("scaling", (standardizes() ? Scaling.STANDARDIZE : Scaling.NONE).lowerCase());
            }
            return training.checked(() -> Settings.of(settings));
        }

        private boolean standardizes() {
            String text = training.string(STANDARDIZE);
            if (!text.equals("true") && !text.equals("false")) {
                throw training.error(STANDARDIZE, "is '" + text + "'; it must be true or false");
            }
            return text.equals("true");
        }

        private int maxFeatures() {
            long most = training.integer(MAX_FEATURES, 1_000_000);
            if (most < 1 || most > 100_000_000) {
                throw training.error(MAX_FEATURES, "is " + most + "; it must be between 1 and 100000000");
            }
            return (int) most;
        }

        private Checkpoints checkpoints() {
            Section section = root.section("checkpoints", List.of("every", "keep", "megabytes"));
            Duration every = section.duration("every", Duration.ofSeconds(30));
            long keep = section.integer("keep", 2);
            if (keep < 2 || keep > 100) {
                throw section.error(
                        "keep", "is " + keep + "; it must be 2 to 100, so that one is left if the newest is damaged");
            }
            long megabytes = section.integer("megabytes", 64);
            if (megabytes < 1 || megabytes > 100_000) {
                throw section.error("megabytes", "is " + megabytes + "; it must be between 1 and 100000");
            }
            return new Checkpoints(every, (int) keep, megabytes << 20);
        }

        private static InetSocketAddress address(Section section, String key, String text) {
            int colon = text.lastIndexOf(':');
            try {
                int port = Integer.parseInt(text.substring(colon + 1));
                if (colon > 0 && port >= 0 && port <= 65535) {
                    return InetSocketAddress.createUnresolved(text.substring(0, colon), port);
                }
            } catch (NumberFormatException e) {
                throw section.error(key, "is '" + text + "'; it must be HOST:PORT, such as 192.0.2.7:7400");
            }
            throw section.error(key, "is '" + text + "'; it must be HOST:PORT, such as 192.0.2.7:7400");
        }
    }
}
