package dev.starling.peer.simulation;

import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.peer.cohort.CohortRegister;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.keys.Authority;
import dev.starling.peer.setup.RowSplit;
import dev.starling.peer.setup.SiteFiles;
import dev.starling.peer.trust.KeyPin;
import dev.starling.runtime.Simulator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** A network and what it trains; everything about a simulation that does not depend on its seed. */
final class Scenario {

    static final String RUN = "test";
    /** The network without the last site. */
    static final String SMALLER = "complete";

    /** Every class of people that two runs tell apart has at least this many. */
    static final int FEWEST = 5;

    static final String FILE = "/site.yaml";

    private static final int MOST_SITES = 5;
    private static final Authority AUTHORITY = Authority.create(Instant.now(), Duration.ofDays(30));
    private static final List<String> NAMES = IntStream.range(0, MOST_SITES)
            .mapToObj(k -> "site-" + (char) ('a' + k))
            .toList();
    private static final List<Authority.SiteKeys> KEYS = NAMES.stream()
            .map(name -> AUTHORITY.issue(name, Instant.now(), Duration.ofDays(30)))
            .toList();

    /** Rules for runs on few rows, which are otherwise as strict as they can be. */
    private static final List<String> OPEN = List.of(
            "policy:",
            "  two-sites: accept",
            "  estimates: accept",
            "  fewest-rows: " + FEWEST,
            "  released-part: 1e9",
            "  passes: 100000",
            "  passes-ever: 1000000",
            "  gradients: 100000",
            "  curvatures: 100000",
            "  leverage: 2",
            "  farthest: 1e300",
            "  fewest-per-column: 0",
            "  fewest-sites: 0");

    private final String name;
    private final int sites;
    private final Network network;
    private final List<String> texts = new ArrayList<>();
    private final Dataset rows;
    private final UnaryOperator<Trainer> trainer;
    private final boolean measured;
    private final boolean divided;
    private final Map<Double, String> expected = new ConcurrentHashMap<>();
    private final List<Map<String, VirtualDisk.Node>> disks = new ArrayList<>();

    private Scenario(
            String name,
            String topology,
            int sites,
            Dataset rows,
            List<String> training,
            UnaryOperator<String> edit,
            UnaryOperator<Trainer> trainer) {
        this.name = name;
        this.sites = sites;
        this.rows = rows;
        this.trainer = trainer;
        this.measured = training.stream().noneMatch(line -> line.startsWith("tau"));
        this.divided = training.stream().anyMatch(line -> line.startsWith("holdout"));
        this.network = Topology.named(topology).build(sites, 1);
        List<String> names = NAMES.subList(0, sites);
        List<KeyPin> pins = KEYS.subList(0, sites).stream()
                .map(keys -> KeyPin.of(keys.credentials().certificate()))
                .toList();
        SiteFiles files = new SiteFiles(
                names,
                network,
                RUN,
                names.stream().map(one -> "127.0.0.1").toList(),
                7000,
                training,
                pins,
                Optional.empty());
        for (int site = 0; site < sites; site++) {
            texts.add(edit.apply(files.text(site)
                    .replaceFirst("(?m)^policy:$", String.join("\n", OPEN))
                    .replace("every: 30s", "every: 5ms")
                    .replace("wait: 10m", "wait: 60s\nstall: 600s\nthreads: 1")));
            disks.add(newDisk(site));
        }
    }

    private Map<String, VirtualDisk.Node> newDisk(int site) {
        SimulatedSecurity.enter(name.hashCode() + site);
        VirtualDisk disk = new VirtualDisk(new World(site, null));
        Authority.SiteKeys keys = KEYS.get(site);
        disk.makeDirectory("/keys");
        disk.set("/keys/authority.pem", keys.authority());
        disk.set("/keys/" + NAMES.get(site) + ".pem", keys.certificate());
        disk.set("/keys/" + NAMES.get(site) + ".key", keys.key());
        disk.set(FILE, texts.get(site).getBytes(StandardCharsets.UTF_8));
        try {
            Path folder = new VirtualFileSystem(disk).getPath("/register-" + NAMES.get(site));
            CohortRegister.create(folder);
            disk.force("/", disk.get("/"));
            disk.force(folder.toString(), disk.get(folder.toString()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            SimulatedSecurity.leave();
        }
        return disk.backup();
    }

    int sites() {
        return sites;
    }

    String site(int site) {
        return NAMES.get(site);
    }

    Network network() {
        return network;
    }

    /** Whether some of the rows are held out. */
    boolean isDivided() {
        return divided;
    }

    boolean isMeasured() {
        return measured;
    }

    /** A disk on which a site has everything it needs and nothing else. */
    VirtualDisk disk(World world, int site) {
        VirtualDisk disk = new VirtualDisk(world);
        disk.restore(disks.get(site), path -> !path.equals("/"));
        return disk;
    }

    static SiteConfig config(VirtualDisk disk) {
        return SiteConfig.read(new VirtualFileSystem(disk).getPath(FILE));
    }

    Dataset rows(int site) {
        return RowSplit.part(rows, site, sites);
    }

    /** The hash that all sites but the last must end with if they begin anew. */
    String expectedWithoutTheLast(double tau) {
        return expected.computeIfAbsent(
                -tau,
                delay -> trainer.apply(Trainer.logistic())
                        .network(Topology.named(SMALLER).build(sites - 1, 1))
                        .delay(-delay)
                        .runner(new Simulator())
                        .fit(rows.picked(IntStream.range(0, rows.rows())
                                .filter(row -> row % sites != sites - 1)
                                .toArray()))
                        .model()
                        .hash());
    }

    /** The hash that all sites must end with. */
    String expected(double tau) {
        return expected.computeIfAbsent(
                tau,
                delay -> trainer.apply(Trainer.logistic())
                        .network(network)
                        .delay(delay)
                        .runner(new Simulator())
                        .fit(rows)
                        .model()
                        .hash());
    }

    @Override
    public String toString() {
        return name;
    }

    private static Dataset rows(int count, int columns) {
        double[][] values = new double[count][columns];
        double[] labels = new double[count];
        for (int i = 0; i < count; i++) {
            Random random = new Random(7919L * i + 1);
            double score = random.nextGaussian();
            for (int c = 0; c < columns; c++) {
                values[i][c] = random.nextGaussian();
                score += c < 2 ? values[i][c] : 0;
            }
            labels[i] = score > 0 ? 1 : -1;
        }
        return Dataset.of(values, labels);
    }

    private static final UnaryOperator<String> SAME = UnaryOperator.identity();
    private static final UnaryOperator<String> RARE_CHECKPOINTS = text -> text.replace("every: 5ms", "every: 30s");

    private static UnaryOperator<Trainer> newton(double lambda, double gap) {
        return trainer -> trainer.method("newton").lambda(lambda).gap(gap);
    }

    private static UnaryOperator<Trainer> adfs(double lambda, double gap) {
        return trainer -> trainer.method("adfs").lambda(lambda).gap(gap);
    }

    /** All scenarios. */
    static final List<Scenario> ALL = List.of(
            new Scenario(
                    "newton on a line of three",
                    "line",
                    3,
                    rows(60, 3),
                    List.of("method: newton", "lambda: 1e-2", "gap: 1e-6", "tau: 30"),
                    SAME,
                    newton(1e-2, 1e-6)),
            new Scenario(
                    "newton with held-out rows on a star of three",
                    "star",
                    3,
                    rows(90, 3),
                    List.of("method: newton", "lambda: 1e-2", "gap: 1e-6", "tau: 30", "holdout: 0.3"),
                    RARE_CHECKPOINTS,
                    newton(1e-2, 1e-6).andThen(trainer -> trainer.holdout(0.3))::apply),
            new Scenario(
                    "adfs on a ring of three",
                    "ring",
                    3,
                    rows(60, 3),
                    List.of("method: adfs", "lambda: 1e-1", "gap: 1e-2", "tau: 8", "max-epochs: 300"),
                    SAME,
                    adfs(1e-1, 1e-2)),
            new Scenario(
                    "adfs with a tight limit on numbers on a line of three",
                    "line",
                    3,
                    rows(60, 3),
                    List.of("method: adfs", "lambda: 1e-1", "gap: 1e-2", "tau: 8", "max-epochs: 300"),
                    text -> text.replace("released-part: 1e9", "released-part: 1.5"),
                    adfs(1e-1, 1e-2)),
            new Scenario(
                    "adfs with a measured delay on a line of three",
                    "line",
                    3,
                    rows(60, 3),
                    List.of("method: adfs", "lambda: 1e-1", "gap: 1e-2", "max-epochs: 300"),
                    SAME,
                    adfs(1e-1, 1e-2)),
            new Scenario(
                    "newton on a complete graph of four",
                    "complete",
                    4,
                    rows(80, 2),
                    List.of("method: newton", "lambda: 1e-1", "gap: 1e-4", "tau: 30"),
                    SAME,
                    newton(1e-1, 1e-4)));
}
