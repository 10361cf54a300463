package dev.starling.peer.config;

import dev.starling.data.Format;
import dev.starling.data.InvalidInputException;
import dev.starling.network.Network;
import dev.starling.peer.keys.Authority;
import dev.starling.peer.keys.KeyFiles;
import dev.starling.peer.keys.Password;
import dev.starling.peer.policy.Policy;
import dev.starling.peer.trust.KeyPin;
import dev.starling.study.Study;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * Reads a site's file, section by section.
 *
 * @param root the whole file
 * @param training reads its section {@code training}
 * @param base what paths are relative to
 */
record SiteReader(Section root, TrainingReader training, Path base) {

    private static final List<String> KEYS = List.of(
            "version",
            "site",
            "run",
            "listen",
            "sites",
            "edges",
            "neighbours",
            "keys",
            "proxy",
            "proxy-authority",
            "tls",
            "data",
            "training",
            "threads",
            "state",
            "register",
            "checkpoints",
            "wait",
            "stall",
            "monitoring",
            "model",
            "policy",
            "change");

    private static final int MOST_THREADS = 1024;

    private static final List<String> POLICY_KEYS = List.of(
            "fewest-sites",
            "two-sites",
            "estimates",
            "fewest-rows",
            "released-part",
            "passes",
            "gradients",
            "curvatures",
            "passes-ever",
            "farthest",
            "leverage",
            "fewest-per-column",
            "independent",
            "masks",
            "site-estimates",
            "audit");

    private static final List<String> DATA_KEYS = List.of("file", "format", "label-column", "weights", "study");

    static SiteConfig parse(String text, String name, Path base) {
        LoadSettings settings = LoadSettings.builder()
                .setLabel(name)
                .setAllowDuplicateKeys(false)
                .setMaxAliasesForCollections(10)
                .setCodePointLimit(1 << 20)
                .build();
        Object root = WordFile.yaml(settings, text, name);
        Section section = Section.of(name, "", root, KEYS);
        return new SiteReader(section, TrainingReader.of(section), base).read();
    }

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
        root.checked(() -> {
            SiteConfig.requireRunName(run);
            return run;
        });
        Optional<Study> study = study();
        return new SiteConfig(
                site,
                run,
                root.address("listen").orElseThrow(() -> root.error("listen", "is missing; give an address")),
                sites,
                network,
                neighbours(site, sites, network),
                pins(sites),
                root.proxy("proxy", this::proxyAuthorities),
                tls(),
                data(study),
                training.settings(study),
                training.maxFeatures(),
                threads(),
                path(root.string("state")),
                path(root.optionalString("register").orElse("register")),
                checkpoints(),
                new SiteConfig.Patience(
                        root.duration("wait", Duration.ofMinutes(10)), root.duration("stall", Duration.ofMinutes(30))),
                root.address("monitoring"),
                root.optionalString("model").map(this::path),
                policy(),
                change());
    }

    private List<X509Certificate> proxyAuthorities() {
        return root.optionalString("proxy-authority")
                .map(this::path)
                .map(file -> KeyFiles.certificates(file, "proxy-authority"))
                .orElse(List.of());
    }

    private int threads() {
        long threads = root.integer("threads", Runtime.getRuntime().availableProcessors());
        if (threads < 1 || threads > MOST_THREADS) {
            throw root.error("threads", "is " + threads + "; it must be from 1 to " + MOST_THREADS);
        }
        return (int) threads;
    }

    private Policy policy() {
        Section section = root.section("policy", POLICY_KEYS);
        Policy defaults = Policy.DEFAULT;
        return new Policy(
                count(section, "fewest-sites", defaults.fewestSites()),
                is(section, "two-sites", "accept", "refuse"),
                is(section, "estimates", "accept", "refuse"),
                count(section, "fewest-rows", defaults.fewestRows()),
                number(section, "released-part", defaults.releasedPart()),
                count(section, "passes", defaults.mostPasses()),
                count(section, "gradients", defaults.mostGradients()),
                count(section, "curvatures", defaults.mostCurvatures()),
                count(section, "passes-ever", defaults.mostPassesEver()),
                number(section, "farthest", defaults.farthest()),
                number(section, "leverage", defaults.leverage()),
                count(section, "fewest-per-column", defaults.fewestPerColumn()),
                independent(section),
                !is(section, "masks", "off", "on"),
                is(section, "site-estimates", "accept", "refuse"),
                is(section, "audit", "keep", "erase"));
    }

    private static int independent(Section section) {
        boolean all = section.optionalString("independent").orElse("all").equals("all");
        return all ? Policy.ALL : count(section, "independent", Policy.ALL);
    }

    private static int count(Section section, String key, int defaultValue) {
        long value = section.integer(key, defaultValue);
        if (value < 0 || value > Integer.MAX_VALUE) {
            throw section.error(key, "is " + value + "; it must be a whole number, 0 or more, such as " + defaultValue);
        }
        return (int) value;
    }

    private static double number(Section section, String key, double defaultValue) {
        String text = section.optionalString(key).orElse(Double.toString(defaultValue));
        try {
            double value = Double.parseDouble(text);
            if (value >= 0) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw section.error(key, "is '" + text + "'; it must be a number, such as " + defaultValue);
        }
        throw section.error(key, "is " + text + "; it must not be negative");
    }

    private static boolean is(Section section, String key, String word, String usual) {
        String text = section.optionalString(key).orElse(usual);
        if (!text.equals(word) && !text.equals(usual)) {
            throw section.error(key, "is '" + text + "'; it must be " + word + " or " + usual);
        }
        return text.equals(word);
    }

    private Optional<SiteConfig.Changed> change() {
        if (!root.has("change")) {
            return Optional.empty();
        }
        Section section = root.section("change", List.of("digest", "file", "start"));
        return Optional.of(new SiteConfig.Changed(
                section.string("digest"),
                path(section.string("file")),
                section.optionalString("start").map(this::path)));
    }

    private Path path(String text) {
        return base.resolve(text);
    }

    private List<String> sites() {
        List<String> names = root.list("sites").stream().map(String::valueOf).toList();
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
            pairs[e] =
                    new int[] {number(sites, String.valueOf(pair.get(0))), number(sites, String.valueOf(pair.get(1)))};
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

    private Map<Integer, SiteConfig.Remote> neighbours(String site, List<String> sites, Network network) {
        Section section = root.names("neighbours");
        Map<Integer, SiteConfig.Remote> result = new TreeMap<>();
        for (int node : network.neighbours(sites.indexOf(site))) {
            String name = sites.get(node);
            Section one = section.section(name, List.of("address", "certificate"));
            result.put(
                    node,
                    new SiteConfig.Remote(
                            one.address("address")
                                    .orElseThrow(() -> root.error(
                                            "neighbours",
                                            "has no address for '" + name + "', to which there is an edge; give one")),
                            one.optionalString("certificate").orElse(name)));
        }
        for (String name : section.keys()) {
            if (!result.containsKey(number(sites, name))) {
                throw root.error("neighbours", "has '" + name + "', to which there is no edge");
            }
        }
        return result;
    }

    private Map<Integer, KeyPin> pins(List<String> sites) {
        Section section = root.names("keys");
        Map<Integer, KeyPin> pins = new TreeMap<>();
        for (String name : section.keys()) {
            String digits = section.string(name);
            pins.put(number(sites, name), section.checked(() -> new KeyPin(digits)));
        }
        if (!pins.isEmpty() && pins.size() < sites.size()) {
            List<String> missing =
                    sites.stream().filter(name -> !section.has(name)).toList();
            throw root.error("keys", "has no key for " + missing + "; pin the keys of all sites or of none");
        }
        return pins;
    }

    private KeyFiles tls() {
        Section section = root.section("tls", List.of("authority", "certificate", "key", "password", "revoked"));
        Path key = path(section.string("key"));
        return new KeyFiles(
                path(section.string("authority")),
                section.optionalString("certificate").map(this::path).orElse(key),
                key,
                section.optionalString("password").map(this::path).map(Password::inFile),
                section.optionalString("revoked").map(this::path));
    }

    private SiteConfig.Data data(Optional<Study> study) {
        Section section = root.section("data", DATA_KEYS);
        String format = section.optionalString("format").orElse("auto");
        List<String> formats = List.of("auto", "libsvm", "csv");
        if (!formats.contains(format)) {
            throw InvalidInputException.unknownName("data format", format, formats);
        }
        return new SiteConfig.Data(
                path(section.string("file")),
                Format.valueOf(format.toUpperCase(Locale.ROOT)),
                section.optionalString("label-column"),
                section.optionalString("weights").map(this::path),
                study);
    }

    private Optional<Study> study() {
        Section section = root.section("data", DATA_KEYS);
        Optional<Study> study = section.optionalString("study").map(this::path).map(WordFile::readStudy);
        for (String key : study.isPresent() ? List.of("label-column", "weights") : List.<String>of()) {
            if (section.has(key)) {
                throw section.error(key, "and data.study are both given; the study names the columns, so leave it out");
            }
        }
        return study;
    }

    private SiteConfig.Checkpoints checkpoints() {
        Section section = root.section("checkpoints", List.of("every", "keep", "megabytes", "kept-megabytes"));
        Duration every = section.duration("every", Duration.ofSeconds(30));
        long keep = section.integer("keep", 2);
        if (keep < 2 || keep > 100) {
            throw section.error(
                    "keep", "is " + keep + "; it must be 2 to 100, so that one is left if the newest is damaged");
        }
        return new SiteConfig.Checkpoints(
                every, (int) keep, megabytes(section, "megabytes", 64), megabytes(section, "kept-megabytes", 512));
    }

    private static long megabytes(Section section, String key, long defaultValue) {
        long megabytes = section.integer(key, defaultValue);
        if (megabytes < 1 || megabytes > 100_000) {
            throw section.error(key, "is " + megabytes + "; it must be between 1 and 100000");
        }
        return megabytes << 20;
    }
}
