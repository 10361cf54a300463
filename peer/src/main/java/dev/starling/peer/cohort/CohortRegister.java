package dev.starling.peer.cohort;

import dev.starling.data.InvalidInputException;
import dev.starling.peer.keys.OwnerOnly;
import dev.starling.peer.policy.Policy;
import dev.starling.peer.policy.SlopesAccount;
import dev.starling.peer.sums.LedgerLine;
import dev.starling.peer.sums.SumLedger;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What a site remembers over all its runs, in a folder of its own: a key, snapshots of all people as keyed hashes, and
 * a chain of lines that says which run had which cohort and which sites, and what was released. Lines are only ever
 * added. Nothing of it leaves the site, and without the key the hashes say nothing. This class is longer than most,
 * because it alone may touch the folder.
 */
public final class CohortRegister implements Closeable {

    private static final int KEY_BYTES = 32;
    private static final String KEY = "key";
    private static final String BACKUP = "restore the register's whole folder from its newest backup";
    private static final String CHAIN = "chain";
    private static final String COHORT = "cohort";
    private static final String RELEASED = "released";
    private static final String RENAMED = "same-site";
    private static final String HASHED_WITH = "hashed-with";
    private static final String NO_SNAPSHOT = "none";

    /**
     * A cohort in the register.
     *
     * @param run the run's name
     * @param members the sites that took part, each with its public key if it is pinned
     * @param people how many people were in it
     * @param met how many of them had been in an earlier one
     * @param with the numbers of earlier runs, from 0, in which some of them were
     * @param smallest the size of the smallest class of people afterwards
     * @param begun false if it is registered, but the run has not begun
     * @param reserved the most sums at a point that the run may release
     * @param released what the run did release; empty while it is not over
     * @param snapshot the SHA-256 of the snapshot afterwards
     */
    public record Entry(
            String run,
            List<String> members,
            int people,
            int met,
            List<Integer> with,
            int smallest,
            boolean begun,
            long reserved,
            Optional<Released> released,
            String snapshot) {

        /** Copies the lists. */
        public Entry {
            members = List.copyOf(members);
            with = List.copyOf(with);
        }

        private String text() {
            return "run=" + run + " sites=" + String.join(",", members) + " people=" + people + " met=" + met
                    + " with="
                    + with.stream().map(Object::toString).collect(Collectors.joining(",")) + " smallest=" + smallest
                    + " begun=" + begun + " reserved=" + reserved
                    + " snapshot=" + snapshot;
        }

        private static Entry parse(Map<String, String> words, int number) {
            // Earlier builds did not say with which; then all are.
            IntStream with = words.containsKey("with")
                    ? Pattern.compile("\\d+")
                            .matcher(words.get("with"))
                            .results()
                            .mapToInt(result -> Integer.parseInt(result.group()))
                    : IntStream.range(0, words.get("met").equals("0") ? 0 : number);
            return new Entry(
                    words.get("run"),
                    List.of(words.get("sites").split(",")),
                    Integer.parseInt(words.get("people")),
                    Integer.parseInt(words.get("met")),
                    with.boxed().toList(),
                    Integer.parseInt(words.get("smallest")),
                    Boolean.parseBoolean(words.get("begun")),
                    Long.parseLong(words.get("reserved")),
                    Optional.empty(),
                    words.get("snapshot"));
        }

        /** A cohort whose people are not known yet. */
        private static Entry wanted(String run, List<String> members, boolean begun, long reserved) {
            return new Entry(run, members, 0, 0, List.of(), 0, begun, reserved, Optional.empty(), NO_SNAPSHOT);
        }

        private long passes() {
            return released.map(Released::passes).orElse(begun ? reserved : 0);
        }

        private Entry with(Released numbers) {
            return new Entry(
                    run, members, people, met, with, smallest, begun, reserved, Optional.of(numbers), snapshot);
        }
    }

    /**
     * What a run released about its people.
     *
     * @param passes the number of sums at a point
     * @param curvatures how many of them had second derivatives
     * @param numbers how many numbers all sums held
     * @param values how many values other than 0 the site had
     * @param leverage how much of what all runs so far released depends on a single row, without damping
     * @param fewestApart the fewest rows by whose slopes two sums of all runs so far differ
     */
    public record Released(long passes, long curvatures, long numbers, long values, double leverage, int fewestApart) {

        private static final Released NOTHING = new Released(0, 0, 0, 1, 0, Integer.MAX_VALUE);

        private String text() {
            return " passes=" + passes + " curvatures=" + curvatures + " numbers=" + numbers + " values=" + values
                    + " leverage=" + leverage + " apart=" + fewestApart;
        }

        private static Released parse(Map<String, String> words) {
            return new Released(
                    Long.parseLong(words.get("passes")),
                    Long.parseLong(words.get("curvatures")),
                    Long.parseLong(words.get("numbers")),
                    Long.parseLong(words.get("values")),
                    Double.parseDouble(words.getOrDefault("leverage", "0")),
                    Integer.parseInt(words.getOrDefault("apart", Integer.toString(Integer.MAX_VALUE))));
        }
    }

    private final Path folder;
    private final FileChannel lock;
    private final byte[] key;
    private final SumLedger chain;
    private final List<LedgerLine> lines;
    private final List<Entry> entries = new ArrayList<>();
    private final Map<String, String> keysBefore = new LinkedHashMap<>();

    private CohortRegister(Path folder) throws IOException {
        this.folder = folder;
        this.key = OwnerOnly.read(folder.resolve(KEY), "a register's key", BACKUP);
        this.lock = OwnerOnly.open(folder.resolve("lock"));
        try {
            if (lock.tryLock() == null) {
                throw new InvalidInputException(folder + " is in use by another process; wait until it has ended");
            }
        } catch (OverlappingFileLockException e) {
            throw new InvalidInputException(folder + " is in use by this process already", e);
        }
        this.chain = SumLedger.open(folder.resolve(CHAIN), key.clone());
        this.lines = SumLedger.read(folder.resolve(CHAIN));
        try {
            lines.forEach(this::read);
        } catch (InvalidInputException e) {
            close();
            throw e;
        }
    }

    private void read(LedgerLine line) {
        Map<String, String> words = new LinkedHashMap<>();
        for (String word : line.detail().split(" ")) {
            String[] pair = word.split("=", 2);
            words.put(pair[0], pair.length == 2 ? pair[1] : "");
        }
        switch (line.what()) {
            case COHORT -> add(Entry.parse(words, entries.size()));
            case RENAMED -> keysBefore.putAll(words);
            case HASHED_WITH -> requireKey(line.detail());
            case RELEASED -> {
                Released released = Released.parse(words);
                entries.replaceAll(entry -> entry.run.equals(words.get("run")) ? entry.with(released) : entry);
            }
            default -> throw new InvalidInputException(folder + " has a line about '" + line.what() + "'");
        }
    }

    private void requireKey(String name) {
        if (!name.equals(nameOfKey())) {
            throw new InvalidInputException(
                    folder + " has another key than the one that its hashes are made with; " + BACKUP);
        }
    }

    /** What tells keys apart; nothing about the key follows from it. */
    private String nameOfKey() {
        return Long.toHexString(new KeyedHash(key).tag(HASHED_WITH));
    }

    /** A cohort that was registered before its run gives way to the one with which the run begins. */
    private void add(Entry entry) {
        if (isPlanned(entry.run)) {
            entries.remove(entries.size() - 1);
        }
        // A run that is started again has its cohort already.
        if (entries.stream().noneMatch(one -> one.run.equals(entry.run) && one.snapshot.equals(entry.snapshot))) {
            entries.add(entry);
        }
    }

    /** Whether the last cohort is that of a run, which has not begun. */
    private boolean isPlanned(String run) {
        return !entries.isEmpty() && last().run.equals(run) && !last().begun;
    }

    private Entry last() {
        return entries.get(entries.size() - 1);
    }

    /** Whether a site has a register, or what is left of one: without its key all people would be strangers. */
    public static boolean exists(Path folder) {
        return Files.exists(folder.resolve(KEY)) || Files.exists(folder.resolve(CHAIN));
    }

    /** Makes a register without any runs. */
    public static void create(Path folder) throws IOException {
        OwnerOnly.directory(folder);
        byte[] random = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(random);
        OwnerOnly.write(folder.resolve(KEY), random);
        OwnerOnly.appending(folder.resolve(CHAIN)).close();
    }

    /**
     * Opens a site's register, which no other process may do meanwhile.
     *
     * @throws InvalidInputException if there is none
     */
    public static CohortRegister open(Path folder) throws IOException {
        if (!exists(folder)) {
            throw new InvalidInputException(folder + " holds no register of this site's earlier runs. Has this site"
                    + " taken part in any? Then restore the folder from its backup; if this is its first run, make a"
                    + " register: starling cohort register SITE.YAML");
        }
        return new CohortRegister(folder);
    }

    /** All cohorts so far, oldest first. */
    public List<Entry> entries() {
        return List.copyOf(entries);
    }

    /** The last line, by which a run can tell later whether the register is still the one it knew. */
    public String head() throws IOException {
        List<LedgerLine> all = SumLedger.read(folder.resolve(CHAIN));
        LedgerLine last = all.get(all.size() - 1);
        return last.number() + " " + last.chain();
    }

    /**
     * Checks that the register has every line that some run has seen.
     *
     * @param what the name of the notes about the register in ledgers
     * @param ledgers the ledgers of earlier runs
     * @throws InvalidInputException if it was restored from an older copy
     */
    public void requireKnows(String what, List<Path> ledgers) throws IOException {
        Set<String> heads = new TreeSet<>();
        lines.forEach(line -> heads.add(line.number() + " " + line.chain()));
        for (Path ledger : ledgers) {
            for (LedgerLine line : SumLedger.read(ledger)) {
                if (line.what().equals(what) && !heads.contains(line.detail())) {
                    throw new InvalidInputException(folder + " lacks what it held when run "
                            + ledger.getParent().getFileName()
                            + " began: it was restored from an older copy, or made anew. Restore the newest backup");
                }
            }
        }
    }

    /**
     * Compares rows with all earlier cohorts.
     *
     * @param members the sites of the run, each with its public key if it is pinned
     * @param others whether the owner says that nobody in these rows was in an earlier run
     */
    public CohortFindings check(String run, List<String> members, Cells cells, int fewest, boolean others)
            throws IOException {
        return compared(Entry.wanted(run, members, false, 0), cells, fewest, others, false);
    }

    /**
     * Registers a cohort, before anything about it is told.
     *
     * @param begun whether the run begins now, rather than later
     * @param reserved the most sums at a point that the run may release
     * @throws InvalidInputException if the run would isolate people
     */
    public CohortFindings register(
            String run, List<String> members, Cells cells, int fewest, boolean others, boolean begun, long reserved)
            throws IOException {
        boolean planned = isPlanned(run) && last().met == 0 && entries.size() > 1;
        CohortFindings findings = compared(Entry.wanted(run, members, begun, reserved), cells, fewest, others, true);
        findings.require(fewest);
        if (planned && !others && !findings.entry().snapshot.equals(last().snapshot)) {
            throw new InvalidInputException("the rows are not those that were registered as other people for run " + run
                    + "; if these are other people as well, register them ('starling cohort register --other-people')");
        }
        chain.note(HASHED_WITH, nameOfKey());
        chain.note(COHORT, findings.entry().text());
        add(findings.entry());
        return findings;
    }

    /**
     * The rows to leave out so that some people go unnoticed, together with companions who are drawn secretly.
     *
     * @param going the rows of those who must go
     */
    public BitSet withdraw(Cells cells, BitSet going, int fewest) throws IOException {
        if (entries.isEmpty()) {
            return going;
        }
        try (Snapshot known = new Snapshot(Snapshot.path(folder, last().snapshot), last().snapshot)) {
            List<String> runs = entries.stream().map(Entry::run).toList();
            return new Comparison(known, cells, new KeyedHash(key), fewest, runs, false)
                    .companions(going, new SecureRandom());
        }
    }

    private CohortFindings compared(Entry wanted, Cells cells, int fewest, boolean others, boolean write)
            throws IOException {
        boolean planned = isPlanned(wanted.run);
        List<Entry> before = entries.subList(0, entries.size() - (planned ? 1 : 0));
        String newest = before.isEmpty() ? NO_SNAPSHOT : before.get(before.size() - 1).snapshot;
        boolean strangers = others || (planned && last().met == 0);
        List<String> runs = before.stream().map(Entry::run).toList();
        try (Snapshot known = newest.equals(NO_SNAPSHOT)
                        ? new Snapshot()
                        : new Snapshot(Snapshot.path(folder, newest), newest);
                Snapshot.Writer writer = new Snapshot.Writer(folder)) {
            Comparison comparison = new Comparison(known, cells, new KeyedHash(key), fewest, runs, strangers);
            comparison.compareCells(write ? Optional.of(writer) : Optional.empty());
            boolean keep = write && comparison.refusals().isEmpty() && !comparison.isSame();
            Entry entry = new Entry(
                    wanted.run,
                    wanted.members,
                    comparison.present(),
                    comparison.met(),
                    comparison.with(),
                    smallest(comparison.sizes()),
                    wanted.begun,
                    wanted.reserved,
                    Optional.empty(),
                    keep ? writer.complete() : newest);
            return new CohortFindings(
                    comparison.refusals(),
                    entry,
                    RunGroups.of(before, comparison.with()).groups().stream()
                            .map(group -> group.stream().map(this::sites).toList())
                            .toList(),
                    comparison.personsOfRows());
        }
    }

    private static int smallest(int[] sizes) {
        int smallest = Integer.MAX_VALUE;
        for (int size : sizes) {
            smallest = Math.min(smallest, size);
        }
        return smallest;
    }

    private Set<String> sites(Entry entry) {
        return Set.copyOf(entry.members.stream().map(this::now).toList());
    }

    /** A site as it is called now, if its owner has a new key since. */
    private String now(String member) {
        String name = member.split(":", 2)[0];
        return keysBefore.containsKey(name) ? name + ":" + keysBefore.get(name) : member;
    }

    /** Remembers that a site has a new key and is still the same site. */
    public void renew(String name, String pin) {
        chain.note(RENAMED, name + "=" + pin);
        keysBefore.put(name, pin);
    }

    /** The sums at a point that were released about the last run's people so far, or may yet be. */
    public long passes() {
        return passes(newest());
    }

    /** The sums at a point that were released in some runs and all that are connected with them, or may yet be. */
    long passes(List<Integer> with) {
        long sum = 0;
        for (Entry entry : RunGroups.of(entries, with).all()) {
            sum += entry.passes();
        }
        return sum;
    }

    private List<Integer> newest() {
        return entries.isEmpty() ? List.of() : List.of(entries.size() - 1);
    }

    /** How much of what a policy allows over all runs is spent, in words. */
    public String account(Policy policy) {
        long passes = 0;
        long curvatures = 0;
        long numbers = 0;
        double part = 0;
        Released newest = Released.NOTHING;
        for (Entry entry : RunGroups.of(entries, newest()).all()) {
            newest = entry.released.orElse(newest);
            Released one = entry.released.orElse(Released.NOTHING);
            passes += entry.passes();
            curvatures += one.curvatures;
            numbers += one.numbers;
            part += (double) one.numbers / Math.max(1, one.values);
        }
        return "over all runs, " + passes + " sums at a point about these people were released or may yet be, "
                + Math.round(100.0 * passes / Math.max(1, policy.mostPassesEver()))
                + " % of what is allowed (policy: passes-ever); " + curvatures + " of them with curvatures, and "
                + numbers + " numbers in all, " + Math.round(100 * part) + " % of as many values as the site has; "
                + leverage(newest.leverage, policy)
                + (newest.fewestApart < Integer.MAX_VALUE
                        ? ", and any two that differ do so by the slopes of at least " + newest.fewestApart + " rows"
                        : "");
    }

    /** How much of the leverage that a policy allows is spent over all runs, in words. */
    public static String leverage(double leverage, Policy policy) {
        return String.format(
                Locale.US,
                "without damping, all sums together depend on one row to %.2f, %d %% of what is allowed (policy:"
                        + " leverage)",
                leverage,
                Math.round(100 * leverage / Math.max(Double.MIN_NORMAL, policy.leverage())));
    }

    /** The slopes of all runs so far, for the rows that a run trains on. */
    public SlopesAccount slopes(long[] persons) throws IOException {
        long[] numbers = SlopesFile.numbered(persons);
        return SlopesFile.read(folder, key).with(numbers).account(numbers);
    }

    /** Records what a run released, once it is over. */
    public void released(String run, Released numbers, long[] persons, List<SlopesAccount.Sum> sums)
            throws IOException {
        boolean known = entries.stream().anyMatch(entry -> entry.run.equals(run) && entry.released.isPresent());
        if (!known) {
            SlopesFile.read(folder, key)
                    .with(SlopesFile.numbered(persons))
                    .with(sums)
                    .write(folder, key);
            chain.note(RELEASED, "run=" + run + numbers.text());
        }
    }

    /** The ledgers of all runs in a folder. */
    public static List<Path> ledgers(Path state, String name) throws IOException {
        if (!Files.isDirectory(state)) {
            return List.of();
        }
        try (Stream<Path> runs = Files.list(state)) {
            return runs.map(run -> run.resolve(name))
                    .filter(Files::exists)
                    .sorted()
                    .toList();
        }
    }

    @Override
    public void close() throws IOException {
        chain.close();
        lock.close();
    }
}
