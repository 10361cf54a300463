package dev.starling.peer.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.Fit;
import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.data.LibsvmWriter;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.peer.cohort.CohortRegister;
import dev.starling.peer.keys.Authority;
import dev.starling.peer.setup.RowSplit;
import dev.starling.peer.setup.SiteFiles;
import dev.starling.runtime.Simulator;
import dev.starling.support.FreePorts;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Sites as real processes on loopback, which a test may start, kill, pause and ask for their results. */
final class ProcessNetwork implements AutoCloseable {

    static final Duration LIMIT = Duration.ofSeconds(Long.getLong("starling.peer.limit", 120));

    /** Rules for runs on so few rows that no site would agree to them. */
    static final List<String> OPEN = List.of(
            "policy:",
            "  two-sites: accept",
            "  estimates: accept",
            "  fewest-rows: 1",
            "  released-part: 1e9",
            "  passes: 100000",
            "  passes-ever: 1000000",
            "  gradients: 100000",
            "  curvatures: 100000",
            "  leverage: 2",
            "  farthest: 1e300",
            "  fewest-per-column: 0",
            "  fewest-sites: 0");

    final Path directory;
    final List<String> sites = new ArrayList<>();
    final Authority authority;
    final Network network;
    final int firstPort;
    private final List<String> training;
    private final Process[] processes;
    private final long[] spokenBefore;
    private final Path[] files;
    private Dataset rows;
    private String upgraded = "";

    ProcessNetwork(Path directory, String topology, int size, List<String> training) throws IOException {
        this(directory, topology, size, training, FreePorts.first(size));
    }

    ProcessNetwork(Path directory, String topology, int size, List<String> training, int firstPort) throws IOException {
        this.directory = directory;
        this.training = training;
        this.processes = new Process[size];
        this.spokenBefore = new long[size];
        this.files = new Path[size];
        this.authority = Authority.create(Instant.now(), Duration.ofDays(1));
        this.network = Topology.named(topology).build(size, 1);
        this.firstPort = firstPort;
        authority.save(directory.resolve("keys"));
        for (int k = 0; k < size; k++) {
            sites.add("site-" + k);
            files[k] = directory.resolve(sites.get(k) + ".yaml");
            Authority.save(
                    authority.issue(sites.get(k), Instant.now(), Duration.ofDays(1)),
                    sites.get(k),
                    directory.resolve("keys"));
        }
    }

    /** Makes the register of a site that has taken part in no run, unless there is one. */
    static void makeRegister(Path directory, String site) throws IOException {
        if (!CohortRegister.exists(directory.resolve("register-" + site))) {
            CohortRegister.create(directory.resolve("register-" + site));
        }
    }

    /** Splits the rows and writes a file per site, each edited as a test likes. */
    ProcessNetwork with(Dataset data, UnaryOperator<String> edit) throws IOException {
        rows = data;
        List<String> hosts = sites.stream().map(site -> "127.0.0.1").toList();
        SiteFiles files = new SiteFiles(sites, network, "test", hosts, firstPort, training);
        for (int k = 0; k < sites.size(); k++) {
            Dataset part = RowSplit.part(data, k, sites.size());
            LibsvmWriter.write(part, directory.resolve(sites.get(k) + ".libsvm"));
            String text = files.text(k);
            if (data.isWeighted()) {
                String weights = sites.get(k) + ".weights";
                Files.write(
                        directory.resolve(weights),
                        IntStream.range(0, part.rows())
                                .mapToObj(row -> String.valueOf(part.weight(row)))
                                .toList());
                text = text.replaceFirst("(?m)^  # weights: .*$", "  weights: " + weights);
            }
            makeRegister(directory, sites.get(k));
            Files.writeString(yaml(k), edit.apply(text.replaceFirst("(?m)^policy:$", String.join("\n", OPEN))));
        }
        return this;
    }

    void edit(int site, UnaryOperator<String> edit) throws IOException {
        Files.writeString(yaml(site), edit.apply(Files.readString(yaml(site))));
    }

    Path yaml(int site) {
        return files[site];
    }

    /** Has a site go by another file from its next start on. */
    void follow(int site, Path file) {
        files[site] = file;
    }

    Path state(int site) {
        return directory.resolve("state-" + sites.get(site)).resolve("test");
    }

    void startAll() {
        for (int k = 0; k < sites.size(); k++) {
            start(k);
        }
    }

    void start(int site) {
        start(site, List.of());
    }

    /** From here on, sites that are started run another version of the program. */
    void upgrade(String version) throws IOException {
        Path folder = directory.resolve("version-" + version);
        Path file = folder.resolve("dev/starling/internal/version.properties");
        Files.createDirectories(file.getParent());
        Files.writeString(file, "version=" + version);
        upgraded = folder + File.pathSeparator;
    }

    /** Starts a site, perhaps by way of another command. */
    void start(int site, List<String> prefix) {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                "-cp",
                upgraded + System.getProperty("java.class.path"),
                PeerMain.class.getName(),
                yaml(site).toString()));
        try {
            spokenBefore[site] = Files.exists(journal(site)) ? Files.size(journal(site)) : 0;
            processes[site] = new ProcessBuilder(command)
                    .redirectError(
                            ProcessBuilder.Redirect.appendTo(journal(site).toFile()))
                    .redirectOutput(
                            ProcessBuilder.Redirect.appendTo(output(site).toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path journal(int site) {
        return directory.resolve(sites.get(site) + ".log");
    }

    Path output(int site) {
        return directory.resolve(sites.get(site) + ".out");
    }

    /** SIGKILL, of a site that is not at its end yet: a test that comes too late shows nothing. */
    void kill(int site) throws IOException, InterruptedException {
        processes[site].destroyForcibly().waitFor();
        if (count(site, Pattern.compile("event=solved")) > 0) {
            throw new AssertionError(sites.get(site) + " had solved its problem before it was killed");
        }
    }

    /** SIGKILL, whatever the site is doing. */
    void killAnyhow(int site) throws InterruptedException {
        processes[site].destroyForcibly().waitFor();
    }

    /**
     * Starts another process for a site and waits until it has ended, or is ended because the first has; its exit code,
     * or none if the first did not live as long.
     */
    OptionalInt second(int site) throws InterruptedException {
        Process first = processes[site];
        long before = spokenBefore[site];
        start(site);
        Process other = processes[site];
        processes[site] = first;
        spokenBefore[site] = before;
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!other.waitFor(20, TimeUnit.MILLISECONDS) && first.isAlive()) {
            if (System.nanoTime() > end) {
                other.destroyForcibly().waitFor();
                throw new AssertionError("a second process of " + sites.get(site) + " does not end");
            }
        }
        if (!first.isAlive()) {
            other.destroyForcibly().waitFor();
            return OptionalInt.empty();
        }
        return OptionalInt.of(other.exitValue());
    }

    /** What a site has said since it was last started. */
    String saidSinceStart(int site) throws IOException {
        byte[] all = Files.exists(journal(site)) ? Files.readAllBytes(journal(site)) : new byte[0];
        int from = (int) Math.min(all.length, spokenBefore[site]);
        return new String(all, from, all.length - from, StandardCharsets.UTF_8);
    }

    /** SIGTERM. */
    void terminate(int site) {
        processes[site].destroy();
    }

    boolean isRunning(int site) {
        return processes[site].isAlive();
    }

    void signal(int site, String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(processes[site].pid()))
                .start()
                .waitFor();
    }

    /** Lets no file of a site become longer than this any more: from here on its disk is full. */
    void fillDisk(int site, int bytes) throws IOException, InterruptedException {
        String pid = Long.toString(processes[site].pid());
        assertThat(new ProcessBuilder("prlimit", "--pid", pid, "--fsize=" + bytes)
                        .start()
                        .waitFor())
                .isZero();
    }

    /** Waits until a site's journal has a pattern at least this many times. */
    void await(int site, String pattern, int times) throws IOException, InterruptedException {
        Pattern compiled = Pattern.compile(pattern);
        long end = System.nanoTime() + LIMIT.toNanos();
        while (count(site, compiled) < times) {
            if (System.nanoTime() > end) {
                throw new AssertionError(sites.get(site) + " never said " + pattern + ":\n" + tail(site));
            }
            if (!processes[site].isAlive() && count(site, compiled) < times) {
                throw new AssertionError(sites.get(site) + " ended before it said " + pattern + ":\n" + tail(site));
            }
            Thread.sleep(10);
        }
    }

    long count(int site, Pattern pattern) throws IOException {
        if (!Files.exists(journal(site))) {
            return 0;
        }
        return pattern.matcher(Files.readString(journal(site))).results().count();
    }

    String tail(int site) throws IOException {
        List<String> lines = Files.readAllLines(journal(site));
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 15), lines.size()));
    }

    /** Waits for the end of a site; its exit code. */
    int exit(int site) throws IOException, InterruptedException {
        if (!processes[site].waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError(sites.get(site) + " does not end:\n" + tail(site));
        }
        return processes[site].exitValue();
    }

    /** A value of a site's result line. */
    String result(int site, String key) throws IOException {
        Matcher matcher =
                Pattern.compile("(?:^| )" + key + "=(\\S+)", Pattern.MULTILINE).matcher(Files.readString(output(site)));
        if (!matcher.find()) {
            throw new AssertionError(sites.get(site) + " has no result:\n" + tail(site));
        }
        return matcher.group(1);
    }

    /** Waits for all sites to end well; the hashes of their models. */
    List<String> hashes() throws IOException, InterruptedException {
        List<String> hashes = new ArrayList<>();
        for (int k = 0; k < sites.size(); k++) {
            if (exit(k) != 0) {
                throw new AssertionError(sites.get(k) + " failed:\n" + tail(k));
            }
            hashes.add(result(k, "hash"));
        }
        return hashes;
    }

    /** What one process gives on the same split with the delay that the sites agreed on. */
    Fit simulated(UnaryOperator<Trainer> settings, double tau) {
        return settings.apply(Trainer.logistic())
                .network(network)
                .delay(tau)
                .runner(new Simulator())
                .fit(rows);
    }

    /** The hash that all sites must end with, so often as there are sites. */
    List<String> expected(UnaryOperator<Trainer> settings) throws IOException {
        String hash = simulated(settings, Double.parseDouble(result(0, "tau")))
                .model()
                .hash();
        String[] all = new String[sites.size()];
        Arrays.fill(all, hash);
        return List.of(all);
    }

    @Override
    public void close() {
        for (Process process : processes) {
            if (process != null) {
                process.destroyForcibly().onExit().join();
            }
        }
    }
}
