package dev.starling.peer.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.peer.model.Exploration.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A model of session, ledger, checkpoint and restore: one site, and a neighbour that records whatever it gets. Rows may
 * be corrected between processes, the machine may be set back to an older copy of its disk, and either side may crash
 * before and after every step. A mask is a function of session and number of the sum, and so no two different addends
 * may ever be sent for one of these.
 */
class MasksModelTest {

    /** Which of the rules are in force. */
    private record Rules(boolean commitsToEverything, boolean keepsLedger, boolean tellsCounts) {}

    private static final Rules ALL = new Rules(true, true, true);

    /**
     * What is on the site's disk.
     *
     * @param ledger the version of the rows behind each addend that was sent, in order
     * @param checkpoint how many totals the newest checkpoint has
     * @param signed the version of the rows that its facts commit to; negative before it has signed any
     */
    private record Disk(List<Integer> ledger, int checkpoint, int signed) {}

    /**
     * The whole system.
     *
     * @param rows the version of the rows, of which those held out may be another than those trained on
     * @param done how many totals the running process has; negative if none runs
     * @param totals how many totals the neighbour has
     * @param addends the addends that the neighbour has received: session, number and version
     * @param facts the facts that the neighbour knows; negative before it has any
     */
    private record World(
            int rows, Disk disk, Optional<Disk> copy, int done, int totals, Set<List<Integer>> addends, int facts) {

        World on(Disk other) {
            return new World(rows, other, copy, done, totals, addends, facts);
        }

        World running(int sums) {
            return new World(rows, disk, copy, sums, totals, addends, facts);
        }

        World knowing(int session) {
            return new World(rows, disk, copy, done, totals, addends, session);
        }
    }

    private static World start() {
        return new World(0, new Disk(List.of(), 0, -1), Optional.empty(), -1, 0, Set.of(), -1);
    }

    private record Bounds(int sums, int versions) {}

    private static List<Step<World>> steps(World world, Rules rules, Bounds bounds) {
        List<Step<World>> steps = new ArrayList<>();
        if (world.done < 0) {
            if (world.rows + 1 < bounds.versions) {
                steps.add(new Step<>(
                        "a row held out is corrected",
                        new World(
                                world.rows + 1, world.disk, world.copy, -1, world.totals, world.addends, world.facts)));
            }
            world.copy.ifPresent(older -> steps.add(new Step<>("the disk is restored", world.on(older))));
            begun(world, rules).ifPresent(begun -> steps.add(new Step<>("the site starts", begun)));
            return steps;
        }
        steps.add(new Step<>("the site crashes", world.running(-1)));
        steps.add(new Step<>(
                "a copy of the disk is made",
                new World(
                        world.rows,
                        world.disk,
                        Optional.of(world.disk),
                        world.done,
                        world.totals,
                        world.addends,
                        world.facts)));
        steps.add(new Step<>(
                "a checkpoint is written", world.on(new Disk(world.disk.ledger, world.done, world.disk.signed))));
        int number = world.done + 1;
        if (number <= bounds.sums) {
            sent(world, rules, number).ifPresent(sent -> steps.add(new Step<>("addend " + number + " is sent", sent)));
        }
        boolean received = world.addends.stream()
                .anyMatch(addend -> addend.get(0) == session(world, rules) && addend.get(1) == number);
        if (received && number <= bounds.sums) {
            // The neighbour keeps its totals, and may crash before it makes one: then this step just does not come.
            steps.add(new Step<>(
                    "total " + number + " is told",
                    new World(
                            world.rows,
                            world.disk,
                            world.copy,
                            number,
                            Math.max(world.totals, number),
                            world.addends,
                            world.facts)));
        }
        return steps;
    }

    private static int session(World world, Rules rules) {
        return rules.commitsToEverything ? world.disk.signed : 0;
    }

    /** A process begins with the newest checkpoint, if its rows are those that it committed to. */
    private static Optional<World> begun(World world, Rules rules) {
        int commitment = rules.commitsToEverything ? world.rows : 0;
        Disk disk = world.disk;
        if (disk.signed < 0) {
            disk = new Disk(disk.ledger, disk.checkpoint, commitment);
        }
        boolean otherRows = disk.signed != commitment;
        // A site that signs two different sets of facts in one run is refused by the others.
        boolean otherFacts = world.facts >= 0 && world.facts != commitment;
        boolean restored = rules.tellsCounts && world.totals > disk.ledger.size();
        return otherRows || otherFacts || restored
                ? Optional.empty()
                : Optional.of(world.on(disk).knowing(commitment).running(disk.checkpoint));
    }

    private static Optional<World> sent(World world, Rules rules, int number) {
        List<Integer> ledger = new ArrayList<>(world.disk.ledger);
        if (rules.keepsLedger && ledger.size() >= number && ledger.get(number - 1) != world.rows) {
            return Optional.empty();
        }
        if (ledger.size() < number) {
            ledger.add(world.rows);
        }
        Set<List<Integer>> addends =
                new TreeSet<>((one, other) -> one.toString().compareTo(other.toString()));
        addends.addAll(world.addends);
        addends.add(List.of(session(world, rules), number, world.rows));
        return Optional.of(new World(
                world.rows,
                new Disk(ledger, world.disk.checkpoint, world.disk.signed),
                world.copy,
                world.done,
                world.totals,
                addends,
                world.facts));
    }

    /** No mask, which belongs to a session and a number, was used for two addends. */
    private static boolean neverTwice(World world) {
        Set<List<Integer>> masks = new TreeSet<>((one, other) -> one.toString().compareTo(other.toString()));
        return world.addends.stream().allMatch(addend -> masks.add(addend.subList(0, 2)));
    }

    private static Exploration explored(Rules rules, Bounds bounds) {
        return Exploration.of(start(), world -> steps(world, rules, bounds), MasksModelTest::neverTwice);
    }

    @Test
    void noMaskIsUsedTwice() {
        Exploration explored = explored(ALL, new Bounds(3, 2));
        assertThat(explored.violation()).isEmpty();
        assertThat(explored.states()).isGreaterThan(100);
    }

    @Tag("thorough")
    @Test
    void noMaskIsUsedTwiceInLongerRuns() {
        Exploration explored = explored(ALL, new Bounds(6, 4));
        assertThat(explored.violation()).isEmpty();
        assertThat(explored.states()).isGreaterThan(2000);
    }

    /** As it once was: facts committed to the rows trained on, and nobody told how far he was. */
    @Test
    void theOldRuleUsesAMaskTwiceAfterARestore() {
        List<String> way = explored(new Rules(false, true, false), new Bounds(3, 2))
                .violation()
                .orElseThrow();
        assertThat(way).contains("the disk is restored", "a row held out is corrected");
        assertThat(way.get(way.size() - 1)).isEqualTo("addend 1 is sent");
    }

    /** Telling counts alone comes too late for an addend whose total was never made. */
    @Test
    void countsAloneAreNotEnough() {
        assertThat(explored(new Rules(false, true, true), new Bounds(3, 2)).violation())
                .isPresent();
    }

    /** Without the ledger a correction after a crash is enough. */
    @Test
    void withoutLedgerAndCommitmentACrashIsEnough() {
        assertThat(explored(new Rules(false, false, true), new Bounds(3, 2))
                        .violation()
                        .orElseThrow())
                .doesNotContain("the disk is restored");
    }
}
