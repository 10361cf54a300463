package dev.starling.peer.simulation;

import dev.starling.data.Dataset;
import dev.starling.job.Holdout;
import dev.starling.job.NodeRows;
import dev.starling.network.SpanningTree;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.node.PeerReport;
import dev.starling.peer.node.SimulatedSite;
import dev.starling.peer.transport.VirtualNetwork;
import dev.starling.peer.wire.Frame;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * A run of a network from a seed. The sites' own code is driven with a virtual clock, virtual links and virtual disks,
 * and things go wrong as the seed has it. After everything that happens, what must always hold is checked.
 */
final class Simulation implements World.Weather {

    /** What kinds of things go wrong, and so how sites may end. */
    enum Mode {
        /** Nothing does. */
        CALM,
        /** Only what a run survives: all sites end with the right model. */
        SURVIVABLE,
        /** A site's files come from a backup, or its rows change: sites may stop, for a reason. */
        RESTORED,
        /** After one run there is another, with other people or without the last site. */
        FOLLOWED,
        /** A site sends what it likes: the others may stop, for a reason. */
        DEVIATING
    }

    /**
     * How a simulation ended.
     *
     * @param violation what did not hold; null if everything did
     * @param faults how often each thing went wrong
     * @param events how many things happened
     * @param right whether all sites ended with the right model
     */
    record Result(String violation, Map<Fault, Integer> faults, long events, boolean right) {}

    private static final long MILLIS = 1_000_000L;
    private static final long SECONDS = 1000 * MILLIS;
    private static final long MOST_EVENTS = 300_000;
    private static final long LONGEST = 48 * 3600 * SECONDS;
    private static final int HEADING = 8;
    private static final double DIGEST_LIMB = 0x1p20;

    private final Scenario scenario;
    private final Mode mode;
    private final World world;
    private final VirtualNetwork network;
    private final SplittableRandom luck;
    private final Map<Fault, Integer> faults = new EnumMap<>(Fault.class);
    private int sites;
    private SpanningTree tree;
    private String run = Scenario.RUN;
    private int gone;
    private boolean cold;
    private final VirtualDisk[] disks;
    private final Dataset[] rows;
    private final SiteConfig[] configs;
    private final List<List<VirtualProcess>> processes = new ArrayList<>();
    private final Map<VirtualProcess, SimulatedSite> programs = new HashMap<>();
    private final SimulatedSite.Ending[] endings;
    private final String[] statements;
    private final int[] numbers;
    private final boolean[] wanted;
    private final int[] checkpointsSince;
    private final Map<List<Object>, double[]> masked = new HashMap<>();
    private final int deviating;
    private final java.util.Set<Integer> deviations = new java.util.HashSet<>();
    private int vectors;
    private int victim;
    private long backupAt;
    private long restoreAt;
    private Map<String, VirtualDisk.Node> backup;
    private long killAt = -1;
    private boolean losesCheckpoint;
    private int left;
    private int rate;
    private boolean spoilt;
    private String violation;

    /**
     * Creates a simulation.
     *
     * @param most how many things go wrong, at most
     * @param trace receives a line about everything that happens; null if nobody wants to know
     */
    Simulation(long seed, Scenario scenario, Mode mode, int most, Consumer<String> trace) {
        this.scenario = scenario;
        this.mode = mode;
        this.world = new World(seed, trace);
        this.network = new VirtualNetwork(world);
        this.luck = new SplittableRandom(seed ^ 0x5DEECE66DL);
        this.sites = scenario.sites();
        this.tree = scenario.network().spanningTree();
        this.disks = new VirtualDisk[sites];
        this.rows = new Dataset[sites];
        this.configs = new SiteConfig[sites];
        this.endings = new SimulatedSite.Ending[sites];
        this.statements = new String[sites];
        this.numbers = new int[sites];
        this.wanted = new boolean[sites];
        this.checkpointsSince = new int[sites];
        Arrays.fill(checkpointsSince, 2);
        this.deviating = mode == Mode.DEVIATING ? luck.nextInt(sites) : -1;
        this.left = mode == Mode.CALM ? 0 : most;
        this.rate = 5 + luck.nextInt(luck.nextBoolean() ? 30 : 150);
        this.victim = luck.nextInt(sites);
        this.backupAt = 20L + luck.nextInt(300);
        this.restoreAt = backupAt + 1 + luck.nextInt(200);
        if (mode == Mode.RESTORED && luck.nextBoolean()) {
            left = 0;
        }
        if (mode == Mode.DEVIATING) {
            int range = 8 << luck.nextInt(4);
            for (int k = luck.nextInt(3); k >= 0; k--) {
                deviations.add(luck.nextInt(range));
            }
        }
        for (int site = 0; site < sites; site++) {
            disks[site] = scenario.disk(world, site);
            rows[site] = scenario.rows(site);
            configs[site] = Scenario.config(disks[site]);
            processes.add(new ArrayList<>());
        }
        world.set(this);
        network.observe(this::sent);
    }

    /**
     * Lets the process die to which this event happens.
     *
     * @param losing whether the newest of its checkpoints is lost as well
     */
    Simulation killingAt(long event, boolean losing) {
        killAt = event;
        losesCheckpoint = losing;
        return this;
    }

    /** Runs it to its end. */
    Result run() {
        SimulatedSecurity.enter(0);
        try {
            return runToTheEnd();
        } finally {
            SimulatedSecurity.leave();
        }
    }

    private Result runToTheEnd() {
        for (int site = 0; site < sites; site++) {
            startIn(site, world.any(1000) * MILLIS);
        }
        while (violation == null && !isOver() && world.step()) {
            if (world.events() > MOST_EVENTS || world.now() > LONGEST) {
                violated("does not end: " + Arrays.toString(endings));
            }
        }
        if (violation == null && mode == Mode.FOLLOWED && isRight()) {
            follow();
            while (violation == null && !isOver() && world.step()) {
                if (world.events() > MOST_EVENTS || world.now() > LONGEST) {
                    violated("the second run does not end: " + Arrays.toString(endings));
                }
            }
        }
        boolean right = violation == null && judge();
        for (int site = 0; site < sites; site++) {
            List.copyOf(processes.get(site)).forEach(VirtualProcess::kill);
            if (disks[site].torn() > 0) {
                faults.merge(Fault.WRITES_LOST, disks[site].torn(), Integer::sum);
            }
        }
        return new Result(violation, faults, world.events(), right);
    }

    private void violated(String what) {
        if (violation == null) {
            violation = what;
            world.tell(() -> "VIOLATED: " + what);
        }
    }

    // ---- sites and their processes

    private void startIn(int site, long nanos) {
        wanted[site] = true;
        world.in(nanos, null, "site " + scenario.site(site) + " is to be started", () -> {
            if (wanted[site]) {
                start(site);
            }
        });
    }

    private void start(int site) {
        wanted[site] = false;
        VirtualProcess process = new VirtualProcess(world, network, disks[site], site, numbers[site]++, secret(site));
        if (scenario.isMeasured()) {
            process.slow((2 + luck.nextInt(20)) * MILLIS);
        }
        processes.get(site).add(process);
        SimulatedSite program = new SimulatedSite(
                configs[site], line -> world.tell(() -> process + "    " + line), rows[site], process);
        programs.put(process, program);
        process.start(() -> {
            SimulatedSite.Ending ending;
            try {
                ending = program.run(report -> {});
            } catch (RuntimeException e) {
                if (world.isTraced()) {
                    e.printStackTrace();
                }
                ending = new SimulatedSite.Ending(-1, e + " at " + e.getStackTrace()[0], java.util.Optional.empty());
            }
            ended(site, process, ending);
        });
    }

    /** The same for all seeds as long as secrets are made once, so that what follows from them is known already. */
    private long secret(int site) {
        return 1000L * scenario.toString().hashCode() + 10L * site + (isSet(site) ? 1 : 0);
    }

    private boolean isSet(int site) {
        return disks[site].get(state(site) + "/session.secret") != null;
    }

    private boolean isRunning(int site) {
        processes.get(site).removeIf(process -> !process.isAlive());
        return !processes.get(site).isEmpty();
    }

    private void ended(int site, VirtualProcess process, SimulatedSite.Ending ending) {
        world.tell(() -> process + "  ENDS with " + ending.code() + ": "
                + (ending.code() == 0 ? statement(ending.report().get()) : ending.reason()));
        processes.get(site).remove(process);
        programs.remove(process);
        // Whoever knows that one has stopped for good starts none again, not even that one's second process.
        boolean again = !isAnyStopped();
        if (again && ending.reason().contains("in use by another process")) {
            if (!isRunning(site)) {
                startIn(site, 2 * SECONDS);
            }
            return;
        }
        if (again && ending.reason().contains(VirtualDisk.FULL)) {
            // Whoever reads that makes room and starts it again, whatever the code.
            startIn(site, 10 * SECONDS);
            return;
        }
        if (!isFinal(endings[site])) {
            endings[site] = ending;
        }
        switch (ending.code()) {
            case 0 -> {
                solved(site, ending.report().get());
                // It left because another site did, which is being started again and needs all of them at once.
                if (again && isAnyToGoOn()) {
                    startIn(site, SECONDS);
                }
            }
            case SimulatedSite.AGAIN -> {
                if (again) {
                    startIn(site, (1 + world.any(4)) * SECONDS);
                    // Whoever has finished early may be needed again.
                    for (int other = 0; other < sites; other++) {
                        if (endings[other] != null && endings[other].code() == 0 && !isRunning(other)) {
                            startIn(other, SECONDS);
                        }
                    }
                }
            }
            case -1 -> violated(scenario.site(site) + " failed: " + ending.reason());
            default -> stopped(site, ending);
        }
    }

    private boolean isAnyToGoOn() {
        return Arrays.stream(endings).anyMatch(ending -> ending != null && ending.code() == SimulatedSite.AGAIN);
    }

    private boolean isAnyStopped() {
        return Arrays.stream(endings).anyMatch(Simulation::isFinal);
    }

    private static boolean isFinal(SimulatedSite.Ending ending) {
        return ending != null && ending.code() != 0 && ending.code() != SimulatedSite.AGAIN;
    }

    private void stopped(int site, SimulatedSite.Ending ending) {
        if (!spoilt) {
            violated(scenario.site(site) + " stopped for good with " + ending.code()
                    + ", although nothing has happened that a run does not survive: " + ending.reason());
        }
        if (ending.reason() == null || ending.reason().isBlank()) {
            violated(scenario.site(site) + " stopped without a reason");
        }
    }

    private static String statement(PeerReport report) {
        return "model " + report.fit().model().hash() + " history "
                + report.fit().model().provenance().signatures().history();
    }

    private void solved(int site, PeerReport report) {
        String statement = statement(report);
        if (statements[site] != null && !statements[site].equals(statement)) {
            violated(scenario.site(site) + " ended twice with 0, with different statements");
        }
        statements[site] = statement;
        for (int other = 0; other < sites; other++) {
            if (statements[other] != null && !statements[other].equals(statement)) {
                violated(scenario.site(site) + " and " + scenario.site(other)
                        + " both ended with 0 and with different statements: " + statement + " and "
                        + statements[other]);
            }
        }
        if (isSecond() && scenario.sites() == sites) {
            return;
        }
        if (mode != Mode.DEVIATING && !hasChangedRows() && (!isSecond() || cold)) {
            String expected =
                    isSecond() ? scenario.expectedWithoutTheLast(report.tau()) : scenario.expected(report.tau());
            if (!report.fit().model().hash().equals(expected)) {
                violated(scenario.site(site) + " ended with 0 and not with the simulator's model");
            }
        }
    }

    private boolean isSecond() {
        return !run.equals(Scenario.RUN);
    }

    private boolean hasChangedRows() {
        return faults.containsKey(Fault.ROWS_CHANGED);
    }

    private boolean isOver() {
        for (int site = 0; site < sites; site++) {
            if (isRunning(site) || wanted[site] || endings[site] == null) {
                return false;
            }
        }
        return isAnyStopped() || IntStream.range(0, sites).allMatch(site -> endings[site].code() == 0);
    }

    private boolean judge() {
        boolean right = isRight();
        if (gone > 0 && gone < Scenario.FEWEST) {
            requireNothingLeft();
        }
        if (!right && !spoilt) {
            violated("cannot go on: " + Arrays.toString(endings));
        }
        return right && violation == null;
    }

    private boolean isRight() {
        return isOver() && IntStream.range(0, sites).allMatch(site -> endings[site].code() == 0);
    }

    // ---- a second run

    private void follow() {
        boolean leaves = sites > 3 && luck.nextBoolean();
        left = 1 + luck.nextInt(10);
        if (leaves) {
            count(Fault.MEMBERSHIP_CHANGED);
            cold = luck.nextBoolean();
            new SecondRun(scenario, configs, disks).withoutTheLast(cold);
            sites--;
        } else {
            boolean corrected = luck.nextBoolean();
            count(corrected ? Fault.CELLS_CORRECTED : Fault.PEOPLE_CHANGED);
            gone = luck.nextInt(2 * Scenario.FEWEST);
            // People who are held out are apart from the others, so that of each too few may be gone.
            spoilt = gone > 0 && (gone < Scenario.FEWEST || scenario.isDivided());
            new SecondRun(scenario, configs, disks).withTheSame();
            int site = luck.nextInt(sites);
            rows[site] = corrected
                    ? corrected(rows[site], luck.nextInt(1 + rows[site].features()))
                    : rows[site].picked(IntStream.range(gone, rows[site].rows()).toArray());
        }
        run = SecondRun.RUN;
        Arrays.fill(endings, null);
        Arrays.fill(statements, null);
        Arrays.fill(checkpointsSince, 2);
        for (int site = 0; site < sites; site++) {
            configs[site] = Scenario.config(disks[site]);
            startIn(site, world.any(1000) * MILLIS);
        }
        tree = configs[0].network().spanningTree();
    }

    /** Rows the first of which have another value in a column, or another label. */
    private Dataset corrected(Dataset before, int column) {
        double[][] values = new double[before.rows()][before.features()];
        double[] labels = before.labels().clone();
        for (int row = 0; row < values.length; row++) {
            before.addTo(row, 1, values[row]);
        }
        for (int row = 0; row < gone; row++) {
            if (column == before.features()) {
                labels[row] = -labels[row];
            } else {
                values[row][column] += 1;
            }
        }
        return Dataset.of(values, labels);
    }

    /** Two runs that differ by a few people would tell everyone about those: nothing of the second may have left. */
    private void requireNothingLeft() {
        if (isRight()) {
            violated("a run without " + gone + " of the people of the one before was not refused");
        }
        for (int site = 0; site < sites; site++) {
            if (new String(disks[site].content(state(site) + "/ledger"), java.nio.charset.StandardCharsets.UTF_8)
                    .contains("what=sum")) {
                violated("sums over people without " + gone + " of those of the run before have left "
                        + scenario.site(site));
            }
        }
    }

    // ---- what goes wrong

    private void count(Fault fault) {
        faults.merge(fault, 1, Integer::sum);
        world.tell(() -> "FAULT " + fault);
    }

    @Override
    public void before(VirtualProcess process, String what) {
        if (world.events() == killAt) {
            if (losesCheckpoint) {
                spoil(process.site(), Fault.CHECKPOINT_LOST);
            } else {
                kill(process.site(), Fault.KILLED);
            }
            return;
        }
        if (mode == Mode.RESTORED) {
            keepAndRestore();
        }
        if (left > 0 && luck.nextInt(rate) == 0) {
            left--;
            strike(process);
        }
    }

    @Override
    public World.Trouble onDisk(VirtualProcess process, String operation, String file) {
        if (operation.equals("deletes") && file.endsWith(".bin")) {
            // The one before it is on disk, and so are the two that a site keeps.
            checkpointsSince[process.site()]++;
        }
        if (operation.equals("writes") && file.endsWith("/answers") && left > 0 && luck.nextInt(3) > 0) {
            // Whoever is answered once in a run can be hit only now: until it has two checkpoints with the answer.
            left--;
            int site = process.site();
            world.in(luck.nextInt(40) * MILLIS, null, "the answer's site is hit", () -> {
                if (isRunning(site)) {
                    spoil(site, Fault.CHECKPOINT_LOST);
                }
            });
        }
        if (left > 0 && luck.nextInt(rate) == 0) {
            left--;
            count(Fault.KILLED_WRITING);
            restartSoon(process.site());
            return World.Trouble.DEATH;
        }
        return World.Trouble.NONE;
    }

    private void restartSoon(int site) {
        if (!wanted[site]) {
            startIn(site, world.onceIn(10) ? world.any(30) * SECONDS : world.any(2000) * MILLIS);
        }
    }

    private void strike(VirtualProcess process) {
        int site = process.site();
        int other = (site + 1 + luck.nextInt(sites - 1)) % sites;
        switch (luck.nextInt(20)) {
            case 0, 1, 2, 3 -> kill(site, Fault.KILLED);
            case 4 -> spoil(site, Fault.CHECKPOINT_LOST);
            case 5 -> spoil(site, Fault.CHECKPOINT_TORN);
            case 6 -> {
                count(Fault.DISK_FULL);
                disks[site].setFull(true);
                world.in((1 + luck.nextInt(5000)) * MILLIS, null, "room again", () -> disks[site].setFull(false));
            }
            case 7 -> {
                count(Fault.LEFT);
                world.in(0, process, "is asked to leave", programs.get(process)::leave);
            }
            case 8 -> {
                count(Fault.PAUSED);
                process.freeze((1 + luck.nextInt(20_000)) * MILLIS);
            }
            case 9 -> {
                count(Fault.CLOCK_JUMPED);
                process.jump((1 + luck.nextInt(10_000)) * SECONDS);
            }
            case 10 -> {
                count(Fault.SECOND_PROCESS);
                start(site);
            }
            case 11, 12, 13 -> {
                count(Fault.LINK_RESET);
                network.reset(site, other);
            }
            case 14, 15 -> {
                count(Fault.LINK_CUT);
                network.cut(site, other, (1 + luck.nextInt(20_000)) * MILLIS);
            }
            case 16, 17, 18 -> {
                count(Fault.LINK_SLOW);
                network.slow(site, other, (1 + luck.nextInt(10_000)) * MILLIS);
            }
            default -> {
                count(Fault.ISOLATED);
                long nanos = (1 + luck.nextInt(20_000)) * MILLIS;
                IntStream.range(0, sites).filter(one -> one != site).forEach(one -> network.cut(site, one, nanos));
            }
        }
    }

    private void kill(int site, Fault fault) {
        if (isRunning(site)) {
            count(fault);
            List.copyOf(processes.get(site)).forEach(VirtualProcess::kill);
            restartSoon(site);
        }
    }

    private String state(int site) {
        return "/state-" + scenario.site(site) + "/" + run;
    }

    private List<String> checkpoints(int site) {
        return disks[site].list(state(site)).stream()
                .filter(path -> path.matches(".*/checkpoint-\\d+\\.bin"))
                .toList();
    }

    /** Of the two checkpoints that a site keeps one is left; it has written both since this happened last. */
    private void spoil(int site, Fault fault) {
        kill(site, Fault.KILLED);
        List<String> files = checkpoints(site);
        if (files.size() >= 2 && checkpointsSince[site] >= 2) {
            checkpointsSince[site] = 0;
            count(fault);
            String newest = files.get(files.size() - 1);
            if (fault == Fault.CHECKPOINT_LOST) {
                disks[site].remove(newest);
            } else {
                byte[] content = disks[site].content(newest);
                disks[site].set(newest, Arrays.copyOf(content, luck.nextInt(content.length)));
            }
        }
    }

    /** A copy of everything a site has, made at one moment, comes back at another. */
    private void keepAndRestore() {
        if (backup == null && world.events() >= backupAt) {
            backup = disks[victim].backup();
        } else if (restoreAt > 0 && world.events() >= restoreAt) {
            restoreAt = 0;
            restore(victim);
        }
    }

    private void restore(int site) {
        if (!isRunning(site)) {
            return;
        }
        spoilt = true;
        boolean ledgerToo = luck.nextBoolean();
        kill(site, Fault.KILLED);
        count(ledgerToo ? Fault.RESTORED : Fault.RESTORED_IN_PART);
        disks[site].restore(backup, path -> path.startsWith("/state-") && (ledgerToo || !path.endsWith("/ledger")));
        if (luck.nextBoolean()) {
            // Whatever it was that made someone put old files back has hit the others as well.
            IntStream.range(0, sites).filter(one -> one != site).forEach(one -> kill(one, Fault.KILLED));
        }
        if (luck.nextBoolean()) {
            count(Fault.ROWS_CHANGED);
            rows[site] = changedRow(site);
        }
    }

    /** One label is corrected, if possible of a row that is held out before and after. */
    private Dataset changedRow(int site) {
        Dataset changed = rows[site];
        for (int attempt = 0; attempt < 20; attempt++) {
            int row = luck.nextInt(rows[site].rows());
            double[] labels = IntStream.range(0, rows[site].rows())
                    .mapToDouble(k -> k == row ? -rows[site].label(k) : rows[site].label(k))
                    .toArray();
            changed = rows[site].withLabels(labels);
            if (isHeldOut(site, rows[site], row) && isHeldOut(site, changed, row)) {
                return changed;
            }
        }
        return changed;
    }

    private boolean isHeldOut(int site, Dataset data, int row) {
        return Holdout.parts(configs[site].training(), NodeRows.all(data), site, sites)[row] < 0;
    }

    // ---- what leaves a site

    private List<Frame> sent(VirtualProcess from, int site, int to, Frame frame) {
        if (frame.getKindCase() != Frame.KindCase.VECTOR) {
            return List.of(frame);
        }
        if (site == deviating) {
            return List.of(deviated(frame));
        }
        if (tree.parent(site) != to || passesOnWhatDeviates(site)) {
            return List.of(frame);
        }
        double[] entries = VirtualNetwork.entries(frame);
        if (isMasked(entries)) {
            List<Object> question = new ArrayList<>(List.of(site, to));
            Arrays.stream(entries).limit(HEADING).forEach(question::add);
            double[] before = masked.putIfAbsent(question, entries);
            if (before != null && !Arrays.equals(before, entries)) {
                violated(scenario.site(site) + " has masked two different addends of sum " + (long) entries[1]
                        + " with the same masks");
            }
        }
        return List.of(frame);
    }

    /** A sum of one's own addend and of others depends on theirs. */
    private boolean passesOnWhatDeviates(int site) {
        int above = deviating;
        while (above >= 0 && above != site) {
            above = tree.parent(above);
        }
        return above == site;
    }

    /** What goes up the tree begins with 0, the number of the sum and a digest. */
    private static boolean isMasked(double[] entries) {
        if (entries.length <= HEADING || entries[0] != 0 || entries[1] < 1) {
            return false;
        }
        return IntStream.range(2, HEADING - 1).allMatch(k -> entries[k] > DIGEST_LIMB);
    }

    private Frame deviated(Frame frame) {
        if (!deviations.contains(vectors++)) {
            return frame;
        }
        spoilt = true;
        count(Fault.DEVIATED);
        UnaryOperator<double[]> change = entries -> {
            double[] other = entries.clone();
            int k = luck.nextInt(other.length);
            switch (luck.nextInt(5)) {
                case 0 -> other[k] += 1;
                case 1 -> other[k] = Math.nextUp(other[k]);
                case 2 -> other[k] = Double.NaN;
                case 3 -> other[k] = 1e300;
                default -> other[k] = 0;
            }
            return other;
        };
        return VirtualNetwork.changed(frame, change);
    }
}
