package dev.starling.peer.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs of real processes into which faults of all kinds are thrown at random: as many as {@code starling.faults} says
 * for each method, with the seed {@code starling.faults.seed}. Every run must end with the simulator's bits.
 */
@Tag("faults")
class FaultCampaignTest {

    private static final int FAULTS = Integer.getInteger("starling.faults", 24);
    private static final long SEED = Long.getLong("starling.faults.seed", 1);
    private static final int SITES = 4;
    private static final Path FAKETIME = Path.of("/usr/bin/faketime");

    private static final double LAMBDA = 1e-6;
    private static final double GAP = 1e-9;

    /** Where a process may die by itself, as its own log has it. */
    private static final List<String> EVENTS = List.of(
            "event=started",
            "event=link-up",
            "event=phase name=rows",
            "event=phase name=facts",
            "event=agreed",
            "event=certificate",
            "event=checkpoint",
            "event=resumed",
            "event=phase name=totals",
            "event=solved");

    /** What is done to a site. */
    private enum Fault {
        KILLED,
        KILLED_AT_AN_EVENT,
        PAUSED,
        CHECKPOINT_TORN,
        CHECKPOINT_LOST,
        CHECKPOINTS_SWAPPED,
        DISK_FULL_AND_FREED,
        SECOND_PROCESS,
        CLOCK_JUMPED,
        LINK_CUT,
        LINK_DELAYED
    }

    @TempDir
    private Path directory;

    private final Map<Fault, Integer> injected = new EnumMap<>(Fault.class);
    private Random random;
    private int runs;

    private int total() {
        return injected.values().stream().mapToInt(Integer::intValue).sum();
    }

    @Test
    void shouldEndWithTheSameBitsByAdfsWhateverHappens() throws Exception {
        campaign("adfs", Generator.classification(4000, 40).noise(0.1).seed(3).generate());
    }

    @Test
    void shouldEndWithTheSameBitsByNewtonsMethodWhateverHappens() throws Exception {
        campaign("newton", Generator.classification(4000, 40).noise(0.1).seed(3).generate());
    }

    private void campaign(String method, Dataset rows) throws Exception {
        random = new Random(SEED);
        long start = System.nanoTime();
        while (total() < FAULTS) {
            oneRun(method, rows);
            System.out.printf(
                    Locale.ROOT,
                    "FAULTS campaign, %s: runs %d, faults %d, all finished, hashes equal true, seconds %.0f, %s%n",
                    method,
                    runs,
                    total(),
                    (System.nanoTime() - start) * 1e-9,
                    injected);
        }
    }

    /** A run with as many faults as find room in it. */
    private void oneRun(String method, Dataset rows) throws Exception {
        Path folder = Files.createDirectory(directory.resolve("run-" + runs++));
        List<String> training = List.of("method: " + method, "lambda: " + LAMBDA, "gap: " + GAP, "tau: 20");
        UnaryOperator<String> often =
                text -> text.replace("every: 30s", "every: 100ms").replace("wait: 10m", "wait: 300s");
        try (ProcessNetwork network = new ProcessNetwork(folder, "ring", SITES, training).with(rows, often);
                DroppingProxy proxy = new DroppingProxy(network.firstPort + 1)) {
            network.edit(
                    0,
                    text -> text.replace(
                            "address: 127.0.0.1:" + (network.firstPort + 1), "address: 127.0.0.1:" + proxy.port()));
            for (int site = 0; site < SITES; site++) {
                if (random.nextInt(3) == 0) {
                    dieAt(network, site);
                } else {
                    network.start(site);
                }
            }
            while (total() < FAULTS && !isAnySolved(network)) {
                Thread.sleep(random.nextInt(600));
                inject(network, proxy, Fault.values()[random.nextInt(Fault.values().length)], random.nextInt(SITES));
                restartTheDead(network);
            }
            proxy.delay(0);
            proxy.cut(false);
            awaitEnd(network);
            UnaryOperator<Trainer> same =
                    trainer -> trainer.method(method).lambda(LAMBDA).gap(GAP);
            assertThat(network.hashes()).isEqualTo(network.expected(same));
        }
    }

    private static boolean isAnySolved(ProcessNetwork network) throws IOException {
        for (int site = 0; site < SITES; site++) {
            if (network.isSolved(site)) {
                return true;
            }
        }
        return false;
    }

    private void dieAt(ProcessNetwork network, int site) {
        network.start(site, List.of("env", "STARLING_TEST_HALT=" + EVENTS.get(random.nextInt(EVENTS.size()))));
        count(Fault.KILLED_AT_AN_EVENT);
    }

    private void count(Fault fault) {
        injected.merge(fault, 1, Integer::sum);
    }

    private void inject(ProcessNetwork network, DroppingProxy proxy, Fault fault, int site) throws Exception {
        switch (fault) {
            case KILLED -> {
                network.killAnyhow(site);
                network.start(site);
            }
            case KILLED_AT_AN_EVENT -> {
                network.killAnyhow(site);
                dieAt(network, site);
                return;
            }
            case PAUSED -> {
                network.signal(site, "STOP");
                Thread.sleep(200 + random.nextInt(2000));
                network.signal(site, "CONT");
            }
            case CHECKPOINT_TORN, CHECKPOINT_LOST, CHECKPOINTS_SWAPPED -> {
                network.killAnyhow(site);
                boolean spoilt = spoil(network.state(site), fault);
                network.start(site);
                if (!spoilt) {
                    count(Fault.KILLED);
                    return;
                }
            }
            case DISK_FULL_AND_FREED -> {
                network.killAnyhow(site);
                // A limit on the size of a file stands in for a full disk: the write fails in the middle.
                network.start(site, List.of("bash", "-c", "ulimit -f 4; exec \"$@\"", "limited"));
                network.exit(site);
                network.start(site);
            }
            case SECOND_PROCESS -> {
                // It finds the state in use; if the first has just ended by itself it may find it free.
                boolean running = network.isRunning(site);
                int code = network.second(site);
                assertThat(code).isIn(running ? List.of(2) : List.of(0, 2, PeerMain.HALTED));
            }
            case CLOCK_JUMPED -> {
                if (!Files.isExecutable(FAKETIME)) {
                    return;
                }
                network.killAnyhow(site);
                String jump = random.nextBoolean() ? "+3h" : "-30m";
                network.start(site, List.of("env", "FAKETIME_DONT_FAKE_MONOTONIC=1", FAKETIME.toString(), "-f", jump));
            }
            case LINK_CUT -> {
                proxy.cut(true);
                Thread.sleep(200 + random.nextInt(3000));
                proxy.cut(false);
            }
            case LINK_DELAYED -> {
                proxy.delay(20 + random.nextInt(80));
                Thread.sleep(500 + random.nextInt(1500));
                proxy.delay(0);
            }
        }
        count(fault);
    }

    /** Damages the newest checkpoint if there are two, so that one is left; false if there are not. */
    private boolean spoil(Path state, Fault fault) throws IOException {
        List<Path> files = new ArrayList<>();
        if (Files.exists(state)) {
            try (Stream<Path> all = Files.list(state)) {
                all.filter(file -> file.getFileName().toString().matches("checkpoint-\\d+\\.bin"))
                        .sorted(Comparator.reverseOrder())
                        .forEach(files::add);
            }
        }
        if (files.size() < 2) {
            return false;
        }
        byte[] newest = Files.readAllBytes(files.get(0));
        switch (fault) {
            case CHECKPOINT_TORN ->
                Files.write(files.get(0), java.util.Arrays.copyOf(newest, random.nextInt(newest.length)));
            case CHECKPOINT_LOST -> Files.delete(files.get(0));
            default -> {
                Files.write(files.get(0), Files.readAllBytes(files.get(1)));
                Files.write(files.get(1), newest);
            }
        }
        return true;
    }

    /** Whoever died by itself, or was limited, is started again; one that has ended well is left. */
    private static void restartTheDead(ProcessNetwork network) throws Exception {
        for (int site = 0; site < SITES; site++) {
            if (!network.isRunning(site) && network.exit(site) != 0) {
                network.start(site);
            }
        }
    }

    private static void awaitEnd(ProcessNetwork network) throws Exception {
        long end = System.nanoTime() + ProcessNetwork.LIMIT.toNanos();
        boolean running = true;
        while (running) {
            restartTheDead(network);
            Thread.sleep(100);
            running = false;
            for (int site = 0; site < SITES; site++) {
                running |= network.isRunning(site) || network.exit(site) != 0;
            }
            if (System.nanoTime() > end) {
                throw new AssertionError("the sites do not end:\n" + network.tail(0));
            }
        }
    }
}
