package dev.starling.peer.cohort;

import dev.starling.cores.Loops;
import dev.starling.data.InvalidInputException;
import dev.starling.data.keys.RowKeys;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * A site's rows compared with everything that a register knows: which classes of people a run over them would form, and
 * which of these are too small.
 *
 * <p>Two people are in the same class if they were in the same part of the same runs: trained on, held out, in a fold,
 * or absent. In a column, classes are further divided by the runs before which a person's cell was changed. Sums of
 * curvatures multiply columns with each other, so the same is done for changes in any column together.
 */
final class Comparison {

    private static final int MOST_REFUSALS = 5;
    private static final long SEVERAL_ROWS = 0x9E3779B97F4A7C15L;

    /** The name under which changes in any column are kept. */
    private static final String ANY = "";

    private final Snapshot known;
    private final Cells cells;
    private final KeyedHash hash;
    private final int fewest;
    private final List<String> runs;
    private final List<String> refusals = new ArrayList<>();

    /** For each row, the place of its person among all people. */
    private final int[] personOfRow;

    /** For each person of the register, the place among all people. */
    private final int[] placeOfKnown;

    private final long[] people;
    private final int[] parts;
    private final int present;
    private final int[] classesBefore;
    private final int[] classes;
    private final Newcomers newcomers;
    private boolean same;

    /**
     * Compares who is in the rows; {@link #compareCells} then compares what is written there.
     *
     * @param fewest how many people a class must have
     * @param runs the names of the runs so far
     * @param others whether the owner says that nobody in these rows was in an earlier run
     */
    Comparison(Snapshot known, Cells cells, KeyedHash hash, int fewest, List<String> runs, boolean others)
            throws IOException {
        this.known = known;
        this.cells = cells;
        this.hash = hash;
        this.fewest = fewest;
        this.runs = List.copyOf(runs);
        long[] persons = known.people().length == 0 || others ? strangers() : persons();
        this.people = Linkage.union(known.people(), persons);
        this.placeOfKnown = Linkage.places(known.people(), people);
        this.personOfRow = Linkage.places(persons, people);
        this.parts = partsOfPeople();
        this.present = (int) Arrays.stream(parts).filter(part -> part != 0).count();
        this.classesBefore = onAll(known.classes(), Classes.NONE);
        this.classes = Classes.refined(classesBefore, parts, person -> true);
        this.same = people.length == known.people().length
                && Classes.sizes(classes).length == Classes.sizes(classesBefore).length;
        this.newcomers = new Newcomers(classesBefore, others ? new int[people.length] : parts);
        requireLargeClasses();
    }

    /** What a run over these rows would isolate, in words; empty if nothing. */
    List<String> refusals() {
        return List.copyOf(refusals);
    }

    /** Whether a run over these rows forms no new class, so that nothing new need be remembered. */
    boolean isSame() {
        return same;
    }

    /** A keyed hash for each row, of the person that it is about. */
    long[] personsOfRows() {
        return Arrays.stream(personOfRow).mapToLong(person -> people[person]).toArray();
    }

    /** How many people the rows are about. */
    int present() {
        return present;
    }

    /** How many of them were in an earlier run. */
    int met() {
        return present - (people.length - known.people().length);
    }

    /** The numbers of earlier runs in which somebody here was, or somebody who was always together with one here. */
    List<Integer> with() {
        BitSet with = new BitSet();
        IntStream.range(0, people.length)
                .filter(person -> parts[person] != 0 && !isNew(person))
                .forEach(person -> with.or(known.runs()[classesBefore[person]]));
        return with.stream().boxed().toList();
    }

    /** How many people are in each class. */
    int[] sizes() {
        return Classes.sizes(classes);
    }

    private boolean isNew(int person) {
        return classesBefore[person] == Classes.NONE;
    }

    private void refuse(String why) {
        if (refusals.size() < MOST_REFUSALS) {
            refusals.add(why);
        }
    }

    /** A hash of the person that each row is about, if it is about nobody who is known. */
    private long[] strangers() {
        boolean identified = cells.ids().length > 0;
        long[] persons = identified ? cells.ids().clone() : new long[cells.rows()];
        if (!identified) {
            Arrays.setAll(persons, row -> ((long) runs.size() << Integer.SIZE) + row);
        }
        hash.hash(hash.tag(identified ? "person" : "row"), persons);
        return persons;
    }

    private long[] persons() throws IOException {
        long[] persons = strangers();
        if (cells.ids().length > 0 && known.isIdentified()) {
            return persons;
        }
        int alike = Linkage.link(known.people(), keysOfPeople(), keysOfRows(), persons);
        if (2L * alike < persons.length) {
            refuse("only " + alike + " of " + persons.length + " rows say the same as in run " + lastRun()
                    + ", so nobody can tell which people are the same; name a column of identities (ids: in the"
                    + " study), or register these as other people ('starling cohort register --other-people')");
        }
        return persons;
    }

    private List<String> common() {
        return cells.columns().stream().filter(known.columns()::contains).toList();
    }

    /** For each person of the register, a number for what is known in the columns that the rows have as well. */
    private long[] keysOfPeople() throws IOException {
        long[] keys = new long[known.people().length];
        for (String name : common()) {
            add(keys, hash.tag(name), known.cells(name));
        }
        return keys;
    }

    private long[] keysOfRows() {
        long[] keys = new long[cells.rows()];
        Set<String> common = new TreeSet<>(common());
        for (int first = 0; first < cells.columns().size(); first += Cells.AT_ONCE) {
            int[][] block = block(first, Comparison::narrowed);
            for (int c = 0; c < block.length; c++) {
                String name = cells.columns().get(first + c);
                if (common.contains(name)) {
                    add(keys, hash.tag(name), block[c]);
                }
            }
        }
        return keys;
    }

    private static void add(long[] keys, long tag, int[] numbers) {
        for (int k = 0; k < keys.length; k++) {
            keys[k] += RowKeys.mixed(tag, numbers[k]);
        }
    }

    /** What is made of the hashes of the cells of consecutive columns. */
    private int[][] block(int first, Function<long[], int[]> made) {
        int count = Math.min(Cells.AT_ONCE, cells.columns().size() - first);
        long[][] block = cells.source().read(first, count);
        int[][] result = new int[count][];
        Loops.run(count, c -> {
            hash.again().hash(hash.tag(cells.columns().get(first + c)), block[c]);
            result[c] = made.apply(block[c]);
            block[c] = null;
        });
        return result;
    }

    private static int[] narrowed(long[] hashes) {
        return LongStream.of(hashes).mapToInt(Comparison::narrowed).toArray();
    }

    /** A shorter hash, which is not 0. */
    private static int narrowed(long hash) {
        return Math.max(1, (int) (hash >>> Integer.SIZE) & Integer.MAX_VALUE);
    }

    /** The part of the run that each person is in: 0 for those who are absent. */
    private int[] partsOfPeople() {
        int[] all = new int[people.length];
        for (int row = 0; row < personOfRow.length; row++) {
            // Several rows of one person may be in several parts, which is then a part of its own.
            all[personOfRow[row]] = 31 * all[personOfRow[row]] + cells.parts()[row] + 2;
        }
        return all;
    }

    private int[] onAll(int[] ofKnown, int otherwise) {
        int[] all = new int[people.length];
        Arrays.fill(all, otherwise);
        for (int k = 0; k < ofKnown.length; k++) {
            all[placeOfKnown[k]] = ofKnown[k];
        }
        return all;
    }

    private void requireLargeClasses() {
        int[] sizes = Classes.sizes(classes);
        Classes.tooSmall(classesBefore, classes, fewest).forEach(person -> refuse(person, sizes[classes[person]]));
    }

    private void refuse(int person, int size) {
        String are = size + people(size) + (size == 1 ? " is" : " are");
        if (!isNew(person)) {
            String run = runs.get(known.formed()[classesBefore[person]]);
            refuse(are + (parts[person] == 0 ? " missing from those of run " : " apart from the others of run ") + run);
        } else if (runs.isEmpty()) {
            refuse(are + " all that "
                    + (size == present()
                            ? "this site has"
                            : "a part of this run has, such as a fold or the rows held out"));
        } else {
            refuse(are + " new since run " + lastRun());
        }
    }

    private static String people(int count) {
        return count == 1 ? " person" : " people";
    }

    private String lastRun() {
        return runs.get(runs.size() - 1);
    }

    /**
     * Compares the cells of all columns with those that are known.
     *
     * @param writer receives all that is to be remembered of this run
     */
    void compareCells(Optional<Snapshot.Writer> writer) throws IOException {
        boolean identified = cells.ids().length > 0;
        if (writer.isPresent()) {
            BitSet[] runsOfClasses = Classes.runs(classesBefore, classes, parts, known.runs(), runs.size());
            int[] formed = Classes.formed(classesBefore, classes, known.formed(), runs.size());
            writer.get().head(identified, people, classes, formed, runsOfClasses);
        }
        BitSet anyChanged = new BitSet();
        for (int first = 0; first < cells.columns().size(); first += Cells.AT_ONCE) {
            int[][] block = block(first, this::ofPeople);
            for (int c = 0; c < block.length; c++) {
                compare(cells.columns().get(first + c), block[c], anyChanged, writer);
            }
        }
        Set<String> rest = new TreeSet<>(known.columns());
        cells.columns().forEach(rest::remove);
        rest.remove(ANY);
        for (String name : rest) {
            compare(name, new int[people.length], new BitSet(), writer);
        }
        divide(ANY, anyChanged, onAll(new int[0], 1), writer);
        newcomers
                .refusal(identified && known.isIdentified(), fewest)
                .ifPresent(why -> refuse(why.formatted(lastRun())));
    }

    /**
     * The rows to leave out so that some people go unnoticed: theirs, and those of others who were in the same runs and
     * whose cells changed in the same runs, drawn at random, so that as many go together as a class must have.
     *
     * @param going the rows of those who must go
     * @throws InvalidInputException if too few would be left behind
     */
    BitSet companions(BitSet going, Random random) throws IOException {
        long[] keys = new long[people.length];
        for (String name : known.columns()) {
            if (known.hasChanges(name)) {
                add(keys, hash.tag(name), onAll(known.changes(name), 0));
            }
        }
        add(keys, hash.tag("class"), classesBefore);
        Set<Integer> chosen = new HashSet<>();
        going.stream().forEach(row -> chosen.add(personOfRow[row]));
        for (int one : List.copyOf(chosen)) {
            List<Integer> alike = IntStream.range(0, people.length)
                    .filter(person -> keys[person] == keys[one] && parts[person] != 0 && !chosen.contains(person))
                    .boxed()
                    .collect(Collectors.toCollection(ArrayList::new));
            long gone =
                    chosen.stream().filter(person -> keys[person] == keys[one]).count();
            Collections.shuffle(alike, random);
            int more = classesBefore[one] == Classes.NONE ? 0 : (int) Math.max(0, fewest - gone);
            if (more > 0 && alike.size() - more < fewest && alike.size() != more) {
                throw new InvalidInputException("only " + alike.size() + " others were in the same runs; " + more
                        + " must go along, and then fewer than " + fewest + " would be left: leave all of them out");
            }
            chosen.addAll(alike.subList(0, more));
        }
        BitSet rows = new BitSet();
        IntStream.range(0, personOfRow.length)
                .filter(row -> chosen.contains(personOfRow[row]))
                .forEach(rows::set);
        return rows;
    }

    /** The hash of each person's cells in a column, in the order of the person's rows; 0 for those who are absent. */
    private int[] ofPeople(long[] hashes) {
        int[] narrow = new int[people.length];
        if (present == hashes.length) {
            for (int row = 0; row < hashes.length; row++) {
                narrow[personOfRow[row]] = narrowed(hashes[row]);
            }
            return narrow;
        }
        long[] all = new long[people.length];
        for (int row = 0; row < hashes.length; row++) {
            all[personOfRow[row]] = all[personOfRow[row]] * SEVERAL_ROWS + hashes[row];
        }
        Arrays.setAll(narrow, person -> parts[person] == 0 ? 0 : narrowed(all[person]));
        return narrow;
    }

    private void compare(String name, int[] now, BitSet anyChanged, Optional<Snapshot.Writer> writer)
            throws IOException {
        same &= known.columns().contains(name);
        int[] before = onAll(known.cells(name), 0);
        newcomers.compare(hash.tag(name), now, before);
        BitSet changed = new BitSet();
        for (int p = 0; p < now.length; p++) {
            if (now[p] != 0 && before[p] != 0 && now[p] != before[p]) {
                changed.set(p);
            }
            now[p] = now[p] == 0 ? before[p] : now[p];
            same &= now[p] == before[p];
        }
        anyChanged.or(changed);
        divide(name, changed, now, writer);
    }

    /** Divides classes by the changes of their people's cells in a column, and remembers them. */
    private void divide(String name, BitSet changed, int[] now, Optional<Snapshot.Writer> writer) throws IOException {
        boolean divided = !changed.isEmpty() || known.hasChanges(name);
        int[] changes = onAll(known.changes(name), 0);
        if (divided) {
            IntPredicate has = person -> now[person] != 0;
            int[] before = Classes.refined(classesBefore, changes, has.and(person -> !isNew(person)));
            int[] flags = new int[people.length];
            Arrays.setAll(flags, p -> changed.get(p) ? 1 : 0);
            changes = Classes.refined(changes, flags, person -> true);
            int[] after = Classes.refined(classes, changes, has);
            boolean told = name.equals(ANY) && !refusals.isEmpty();
            for (int person : told ? List.<Integer>of() : Classes.tooSmall(before, after, fewest)) {
                if (!isNew(person)) {
                    refuseChange(name, changed.get(person), Classes.sizes(after)[after[person]]);
                }
            }
        }
        if (writer.isPresent()) {
            writer.get().column(name, now, divided, changes);
        }
    }

    private void refuseChange(String name, boolean changed, int size) {
        String where = (name.equals(ANY) ? "several columns" : "column " + name) + " since run " + lastRun();
        refuse(
                changed
                        ? "the cells of " + size + people(size) + " have changed in " + where
                        : "the cells of all but " + size + people(size) + " of a class have changed in " + where);
    }
}
