package dev.starling.peer.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Dataset;
import dev.starling.peer.setup.RowSplit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A ring of four processes to which anything may happen, and which must end with the right bits all the same. */
final class NetworkUnderFire implements AutoCloseable {

    static final int SITES = 4;

    /** The site that goes when one goes for good; the link that is cut and delayed is between the first two. */
    private static final int LEAVING = 3;

    private static final Path FAKETIME = Path.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1");

    /** Where a process may die by itself, as its own log has it. */
    private static final List<String> EVENTS = List.of(
            "event=started",
            "event=link-up",
            "event=phase name=rows",
            "event=phase name=facts",
            "event=agreed",
            "event=phase name=\"train",
            "event=certificate",
            "event=checkpoint",
            "event=resumed",
            "event=phase name=totals",
            "event=solved");

    private static final Pattern CHECKPOINT = Pattern.compile("event=checkpoint ");
    private static final Pattern RECOVERED = Pattern.compile("event=(agreed|solved)");

    private final Random random;
    private final ProcessNetwork network;
    private final DroppingProxy proxy;
    private final List<Optional<SmallDisk>> disks = new ArrayList<>();
    private final Map<Fault, Integer> injected = new EnumMap<>(Fault.class);
    private final ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor();
    private final List<Future<?>> undoings = new ArrayList<>();
    private boolean changed;
    private boolean cold;

    NetworkUnderFire(Path folder, List<String> training, Dataset rows, Random random) throws Exception {
        this.random = random;
        UnaryOperator<String> often =
                text -> text.replace("every: 30s", "every: 100ms").replace("wait: 10m", "wait: 300s");
        network = new ProcessNetwork(folder, "ring", SITES, training).with(rows, often);
        proxy = new DroppingProxy(network.firstPort + 1);
        String straight = "address: 127.0.0.1:" + (network.firstPort + 1);
        network.edit(0, text -> text.replace(straight, "address: 127.0.0.1:" + proxy.port()));
        for (int site = 0; site < SITES; site++) {
            disks.add(SmallDisk.mountedAt(network.state(site).getParent()));
        }
        network.startAll();
    }

    ProcessNetwork network() {
        return network;
    }

    Map<Fault, Integer> injected() {
        return injected;
    }

    /** The sites that take part at the moment. */
    int sites() {
        return changed ? SITES - 1 : SITES;
    }

    boolean isAnySolved() throws IOException {
        for (int site = 0; site < sites(); site++) {
            if (network.saidSinceStart(site).contains("event=solved")) {
                return true;
            }
        }
        return false;
    }

    /** Whether a fault of this kind can be made on this machine. */
    static boolean isKnownHere(Fault fault) {
        return fault != Fault.CLOCK_JUMPED || Files.exists(FAKETIME);
    }

    /** Whether a fault of this kind can happen now. */
    boolean isPossible(Fault fault) {
        return fault != Fault.MEMBERSHIP_CHANGED || !changed;
    }

    /** Waits until a site holds its state, so that there is something that can be disturbed. */
    void awaitLife(int site) throws Exception {
        await(20, () -> isAlive(site));
    }

    private boolean isAlive(int site) throws IOException {
        return network.saidSinceStart(site).contains("event=loading");
    }

    /** Waits until a site is back in the run, if it comes to that: others may be in its way. */
    void awaitRecovery(int site) throws Exception {
        await(20, () -> RECOVERED.matcher(network.saidSinceStart(site)).find());
    }

    @FunctionalInterface
    private interface Condition {
        boolean holds() throws Exception;
    }

    private void await(int seconds, Condition condition) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (!condition.holds() && System.nanoTime() < end) {
            Thread.sleep(20);
            restartTheDead();
        }
    }

    private void count(Fault fault) {
        injected.merge(fault, 1, Integer::sum);
    }

    void inject(Fault fault, int site) throws Exception {
        switch (fault) {
            case KILLED -> restart(site, List.of());
            case KILLED_AT_AN_EVENT -> {
                // It counts when it has happened: not every process comes to every event.
                restart(site, List.of("env", "STARLING_TEST_HALT=" + EVENTS.get(random.nextInt(EVENTS.size()))));
                return;
            }
            case PAUSED -> {
                network.signal(site, "STOP");
                afterwards(200 + random.nextInt(2000), () -> network.signal(site, "CONT"));
            }
            case CHECKPOINT_TORN, CHECKPOINT_LOST, CHECKPOINTS_SWAPPED -> {
                // Of the two that a site keeps one must be left, whatever happened to them before.
                await(
                        5,
                        () -> CHECKPOINT
                                        .matcher(network.saidSinceStart(site))
                                        .results()
                                        .count()
                                >= 2);
                network.killAnyhow(site);
                boolean two = CHECKPOINT
                                .matcher(network.saidSinceStart(site))
                                .results()
                                .count()
                        >= 2;
                if (two) {
                    spoil(state(site), fault);
                }
                network.start(site);
                count(two ? fault : Fault.KILLED);
                return;
            }
            case DISK_FULL_AND_FREED -> fillTheDisk(site);
            case SECOND_PROCESS -> {
                // Of two that start at once either may come first.
                OptionalInt code = isAlive(site) ? network.second(site) : OptionalInt.empty();
                if (code.isEmpty()) {
                    return;
                }
                assertThat(code.getAsInt()).as("a second process").isEqualTo(2);
            }
            case CLOCK_JUMPED -> jumpInTime(site);
            case LINK_CUT -> {
                proxy.cut(true);
                boolean silent = random.nextInt(4) == 0;
                afterwards(200 + random.nextInt(2000), () -> {
                    proxy.cut(false);
                    if (!silent) {
                        proxy.reset();
                    }
                });
            }
            case LINK_DELAYED -> {
                proxy.delay(20 + random.nextInt(80));
                afterwards(500 + random.nextInt(1500), () -> proxy.delay(0));
            }
            case MEMBERSHIP_CHANGED -> goOnWithoutTheLast();
        }
        count(fault);
    }

    @FunctionalInterface
    private interface Undoing {
        void run() throws Exception;
    }

    private void afterwards(int millis, Undoing undoing) {
        undoings.add(later.schedule(
                () -> {
                    undoing.run();
                    return null;
                },
                millis,
                TimeUnit.MILLISECONDS));
    }

    private void restart(int site, List<String> prefix) throws InterruptedException {
        network.killAnyhow(site);
        network.start(site, prefix);
    }

    private Path state(int site) {
        return network.state(site).resolveSibling(changed ? Departure.RUN : "test");
    }

    private void spoil(Path state, Fault fault) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(state)) {
            files = all.filter(file -> file.getFileName().toString().matches("checkpoint-\\d+\\.bin"))
                    .sorted(Comparator.reverseOrder())
                    .toList();
        }
        assertThat(files).hasSizeGreaterThanOrEqualTo(2);
        byte[] newest = Files.readAllBytes(files.get(0));
        switch (fault) {
            case CHECKPOINT_TORN -> Files.write(files.get(0), Arrays.copyOf(newest, random.nextInt(newest.length)));
            case CHECKPOINT_LOST -> Files.delete(files.get(0));
            default -> {
                Files.write(files.get(0), Files.readAllBytes(files.get(1)));
                Files.write(files.get(1), newest);
            }
        }
    }

    private void fillTheDisk(int site) throws Exception {
        if (disks.get(site).isEmpty()) {
            // A limit on the size of a file stands in for a full disk: the write fails in the middle.
            restart(site, List.of("bash", "-c", "ulimit -f 4; exec \"$@\"", "limited"));
            network.exit(site);
            network.start(site);
            return;
        }
        SmallDisk disk = disks.get(site).get();
        disk.fill();
        try {
            // A site that has nothing to write does not notice.
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
            while (network.isRunning(site) && System.nanoTime() < end) {
                Thread.sleep(20);
            }
        } finally {
            disk.free();
        }
    }

    /** Starts a site by a clock of its own, and sets that while it runs. */
    private void jumpInTime(int site) throws Exception {
        Path clock = network.directory.resolve("clock-" + site);
        Files.writeString(clock, "+0\n");
        restart(
                site,
                List.of(
                        "env",
                        "LD_PRELOAD=" + FAKETIME,
                        "FAKETIME_TIMESTAMP_FILE=" + clock,
                        "FAKETIME_CACHE_DURATION=1",
                        "DONT_FAKE_MONOTONIC=1",
                        "FAKETIME_DONT_FAKE_MONOTONIC=1"));
        awaitLife(site);
        Files.writeString(clock, random.nextBoolean() ? "+3h\n" : "-30m\n");
    }

    /**
     * The last site is gone for good. The others sign a change while they may still be running, and are moved to the
     * run that follows one after the other, so that for a while they are in different ones.
     */
    private void goOnWithoutTheLast() throws Exception {
        network.killAnyhow(LEAVING);
        Departure departure = Departure.ofTheLast(network, random.nextBoolean());
        cold = departure.cold();
        changed = true;
        for (int site = 0; site < LEAVING; site++) {
            network.follow(site, departure.files().get(site));
            restart(site, List.of());
            Thread.sleep(random.nextInt(300));
        }
    }

    /** Whoever died by itself, or had no room, is started again; one that has ended well is left. */
    void restartTheDead() throws Exception {
        for (int site = 0; site < sites(); site++) {
            if (network.isRunning(site)) {
                continue;
            }
            int code = network.exit(site);
            if (code == PeerMain.HALTED) {
                count(Fault.KILLED_AT_AN_EVENT);
            }
            assertThat(code)
                    .as(network.sites.get(site) + "\n" + network.tail(site))
                    .isNotEqualTo(2);
            if (code != 0) {
                network.start(site);
            }
        }
    }

    /** Waits until all have ended well; the hashes of their models. */
    List<String> hashes() throws Exception {
        for (Future<?> undoing : undoings) {
            undoing.get(ProcessNetwork.LIMIT.toSeconds(), TimeUnit.SECONDS);
        }
        long end = System.nanoTime() + ProcessNetwork.LIMIT.toNanos();
        while (IntStream.range(0, sites()).anyMatch(network::isRunning)
                || !IntStream.range(0, sites()).allMatch(this::endedWell)) {
            restartTheDead();
            Thread.sleep(50);
            if (System.nanoTime() > end) {
                throw new AssertionError("the sites do not end:\n" + tails());
            }
        }
        List<String> hashes = new ArrayList<>();
        for (int site = 0; site < sites(); site++) {
            hashes.add(network.result(site, "hash"));
        }
        return hashes;
    }

    private boolean endedWell(int site) {
        try {
            return !network.isRunning(site) && network.exit(site) == 0;
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    String tails() throws IOException {
        StringBuilder text = new StringBuilder();
        for (int site = 0; site < SITES; site++) {
            text.append(network.sites.get(site))
                    .append(":\n")
                    .append(network.tail(site))
                    .append('\n');
        }
        return text.toString();
    }

    /** Whether sites were moved to another run, which goes on from where the one before was. */
    boolean wentOnWarm() {
        return changed && !cold;
    }

    boolean isChanged() {
        return changed;
    }

    /** The file that a site goes by. */
    Path file(int site) {
        return network.yaml(site);
    }

    /** The rows of each site that takes part. */
    List<Dataset> parts(Dataset all) {
        return IntStream.range(0, sites())
                .mapToObj(site -> RowSplit.part(all, site, SITES))
                .toList();
    }

    /** The rows of the sites that take part, dealt as they have them. */
    Dataset rows(Dataset all) {
        return changed
                ? all.picked(IntStream.range(0, all.rows())
                        .filter(row -> row % SITES != LEAVING)
                        .toArray())
                : all;
    }

    @Override
    public void close() throws IOException {
        later.shutdownNow();
        network.close();
        proxy.close();
        disks.forEach(disk -> disk.ifPresent(SmallDisk::close));
    }
}
