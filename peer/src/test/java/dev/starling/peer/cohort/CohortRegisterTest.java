package dev.starling.peer.cohort;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.starling.data.Dataset;
import dev.starling.peer.membership.SiteClasses;
import dev.starling.peer.policy.Policy;
import dev.starling.peer.sums.SumLedger;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever people do between runs, no class of those who were always together becomes small. */
class CohortRegisterTest {

    private static final int FEWEST = 50;
    private static final List<String> SITES = List.of("a", "b", "c");

    @TempDir
    private Path temporary;

    private Path folder;

    @BeforeEach
    void make() throws IOException {
        folder = temporary.resolve("register");
        CohortRegister.create(folder);
    }

    private CohortFindings run(String name, People people) throws IOException {
        return run(name, people.cells(), false);
    }

    private CohortFindings run(String name, Cells cells, boolean others) throws IOException {
        try (CohortRegister register = CohortRegister.open(folder)) {
            return register.register(name, SITES, cells, FEWEST, others, true, 10);
        }
    }

    /** What a run would be refused for; empty if it would be allowed. */
    private String refused(People people) throws IOException {
        return refused(people.cells());
    }

    private String refused(Cells cells) throws IOException {
        try (CohortRegister register = CohortRegister.open(folder)) {
            return String.join(
                    "; ", register.check("next", SITES, cells, FEWEST, false).refusals());
        }
    }

    private static People people() {
        return People.of(0, 300, "x", "y", "label");
    }

    // Histories that occur

    @Test
    void aColumnMoreForTheSamePeopleSetsNobodyApart() throws Exception {
        run("run-1", people());
        assertThat(refused(people().with("z", k -> k))).isEmpty();
        // Without identities people are recognised by what is written about them.
        assertThat(refused(people().nameless())).isEmpty();
        assertThat(refused(people().nameless().only(1, 300))).contains("1 person is missing");
    }

    @Test
    void onePersonWhoLeavesIsRefusedByNumberAndRun() throws Exception {
        run("run-1", people());
        assertThat(refused(people().only(1, 300))).isEqualTo("1 person is missing from those of run run-1");
        assertThatRefused(() -> run("run-2", people().only(1, 300))).hasMessageContaining("starling cohort withdraw");
        assertThat(refused(people().only(60, 300))).isEmpty();
    }

    @Test
    void whoeverMustGoTakesSecretCompanionsAlong() throws Exception {
        run("run-1", people());
        BitSet going = new BitSet();
        going.set(7);
        BitSet gone;
        BitSet other;
        try (CohortRegister register = CohortRegister.open(folder)) {
            gone = register.withdraw(people().cells(), going, FEWEST);
            other = register.withdraw(people().cells(), going, FEWEST);
        }
        assertThat(gone.cardinality()).isEqualTo(FEWEST);
        assertThat(gone.get(7)).isTrue();
        assertThat(gone).isNotEqualTo(other);
        People rest = without(people(), gone);
        assertThat(run("run-2", rest).refusals()).isEmpty();
        // The companions cannot come back without the one who has gone.
        assertThat(refused(without(people(), BitSet.valueOf(new long[] {1L << 7}))))
                .contains("1 person is missing");
        assertThat(refused(rest)).isEmpty();
    }

    private static People without(People people, BitSet gone) {
        People rest = null;
        for (int k = 0; k < 300; k++) {
            if (!gone.get(k)) {
                rest = rest == null ? people.only(k, k + 1) : rest.and(people.only(k, k + 1));
            }
        }
        return rest;
    }

    @Test
    void newPeopleComeTogether() throws Exception {
        run("run-1", people());
        assertThat(refused(people().and(People.of(1000, 60, "x", "y", "label"))))
                .isEmpty();
        assertThat(refused(people().and(People.of(1000, 3, "x", "y", "label"))))
                .isEqualTo("3 people are new since run run-1");
    }

    @Test
    void aCorrectedValueWaitsForOthers() throws Exception {
        run("run-1", people());
        assertThat(refused(people().corrected("x", 5, 1)))
                .isEqualTo("the cells of 1 person have changed in column x since run run-1");
        assertThat(refused(people().corrected("x", 5, 60))).isEmpty();
        assertThat(refused(people().corrected("x", 5, 290))).contains("all but 10 people");
        assertThat(refused(people().corrected("x", 0, 300))).isEmpty();
    }

    @Test
    void severalRunsOverTheSamePeopleNeedNoNewSnapshot() throws Exception {
        for (int k = 1; k <= 5; k++) {
            run("lambda-" + k, people());
        }
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.filter(file -> file.getFileName().toString().startsWith("snapshot")))
                    .hasSize(1);
        }
        try (CohortRegister register = CohortRegister.open(folder)) {
            assertThat(register.entries()).hasSize(5).allMatch(entry -> entry.smallest() == 300);
        }
    }

    @Test
    void crossValidationThenTheFinalFitAndAHoldoutTwice() throws Exception {
        run("cv", people().inParts(k -> k % 5));
        assertThat(refused(people())).isEmpty();
        assertThat(refused(people().inParts(k -> k % 5))).isEmpty();
        // Other folds, of which each has some of each: twelve people in each class.
        assertThat(refused(people().inParts(k -> k / 5 % 5))).contains("12 people are apart from the others of run cv");
    }

    @Test
    void aHoldoutMayBeEvaluatedTwiceButNotAnotherOne() throws Exception {
        run("run-1", people().inParts(k -> k < 60 ? -1 : 0));
        assertThat(refused(people().inParts(k -> k < 60 ? -1 : 0))).isEmpty();
        assertThat(refused(people())).isEmpty();
        assertThat(refused(people().inParts(k -> k >= 50 && k < 110 ? -1 : 0))).contains("10 people are apart");
    }

    @Test
    void aYearlyRefreshReplacesManyOrNone() throws Exception {
        run("2025", people());
        assertThat(refused(people().only(100, 300).and(People.of(1000, 120, "x", "y", "label"))))
                .isEmpty();
        assertThat(refused(People.of(1000, 300, "x", "y", "label"))).isEmpty();
    }

    // Attacks

    /** What the review recovered a row from: everybody adds a column, and one patient has left. */
    @Test
    void aColumnMoreAndARowLessIsNoticedWithAndWithoutIdentities() throws Exception {
        Dataset rows = rows(300, 4, 1);
        run("run-1", Cells.of(rows, new int[300]), false);
        Dataset wider = rows(300, 5, 1);
        assertThat(refused(Cells.of(wider, new int[300]))).isEmpty();
        Dataset fewer = wider.picked(IntStream.range(1, 300).toArray());
        assertThat(refused(Cells.of(fewer, new int[299]))).isEqualTo("1 person is missing from those of run run-1");
        Dataset shuffled = rows.picked(IntStream.range(0, 300).map(k -> 299 - k).toArray());
        assertThat(refused(Cells.of(shuffled, new int[300]))).isEmpty();
    }

    /** A row's numbers do not depend on how many columns there are. */
    private static Dataset rows(int count, int columns, long seed) {
        double[][] values = new double[count][columns];
        double[] labels = new double[count];
        for (int i = 0; i < count; i++) {
            Random random = new Random(seed * 1_000_003 + i);
            labels[i] = random.nextBoolean() ? 1 : -1;
            for (int c = 0; c < columns; c++) {
                values[i][c] = random.nextGaussian();
            }
        }
        return Dataset.of(values, labels);
    }

    @Test
    void weightsOffsetsAndLabelsAreCellsToo() throws Exception {
        Dataset rows = rows(300, 3, 2);
        double[] ones = IntStream.range(0, 300).mapToDouble(k -> 1).toArray();
        double[] zeros = new double[300];
        run("run-1", Cells.of(rows.withWeights(ones).withOffsets(zeros), new int[300]), false);
        double[] offsets = zeros.clone();
        offsets[7] = 3;
        double[] weights = ones.clone();
        weights[8] = 2;
        double[] labels = rows.labels().clone();
        labels[9] = -labels[9];
        for (Dataset changed : List.of(rows.withOffsets(offsets), rows.withWeights(weights), rows.withLabels(labels))) {
            // Without identities, whoever has changed is somebody else.
            assertThat(refused(Cells.of(changed, new int[300]))).contains("1 person is");
        }
    }

    /** Adapts to the rule: people are replaced one for one, so that the number stays the same. */
    @Test
    void aSwapOfPeopleIsNoticed() throws Exception {
        run("run-1", people());
        assertThat(refused(people().only(1, 300).and(People.of(1000, 1, "x", "y", "label"))))
                .contains("1 person is missing", "1 person is new");
    }

    /** Adapts to the rule: each step is large, but the steps overlap in one person. */
    @Test
    void twoLargeGroupsThatOverlapInOnePersonAreNoticed() throws Exception {
        run("run-1", people());
        run("run-2", people().only(60, 300));
        assertThat(refused(people().only(0, 59).and(people().only(60, 300)))).contains("1 person is missing");
        assertThat(refused(people().only(120, 300))).isEmpty();
        assertThat(refused(people().only(1, 240))).contains("1 person is missing");
    }

    @Test
    void changesInTwoColumnsBeforeTwoRunsAreTakenTogether() throws Exception {
        run("run-1", people());
        run("run-2", people().corrected("x", 0, 60));
        assertThat(refused(people().corrected("x", 0, 60).corrected("y", 59, 60)))
                .contains("in several columns");
        assertThat(refused(people().corrected("x", 0, 60).corrected("y", 60, 60)))
                .isEmpty();
    }

    @Test
    void rowsHeldOutAreRegisteredLikeTheOthers() throws Exception {
        run("run-1", people().inParts(k -> k < 60 ? -1 : 0));
        assertThat(refused(people().inParts(k -> k < 60 ? -1 : 0).corrected("x", 5, 1)))
                .contains("the cells of 1 person have changed in column x");
        assertThat(refused(people().inParts(k -> k < 60 ? -1 : 0).only(1, 300))).contains("1 person is missing");
    }

    @Test
    void peopleUnderNewPseudonymsAreRecognised() throws Exception {
        run("run-1", people());
        assertThat(refused(people().only(1, 300).renamed())).contains("people with other identities");
    }

    /** Adapts to the rule: half of the people keep their pseudonyms, and among the others one is missing. */
    @Test
    void newPseudonymsForSomePeopleHideNobodyWhoLeaves() throws Exception {
        run("run-1", people());
        People kept = people().only(0, 151);
        assertThat(refused(kept.and(people().only(152, 300).renamed())))
                .contains("148 of 148 new people say the same as people with other identities in run run-1");
        // A cell corrected besides, or a column, or as many new people as classes need, do not help.
        assertThat(refused(kept.and(people().only(151, 300).renamed().corrected("x", 7, 1))))
                .contains("people with other identities");
        assertThat(refused(kept.and(people().only(152, 300).renamed().corrected("x", 0, 148))))
                .contains("people with other identities");
        assertThat(refused(kept.and(people().only(152, 300).renamed()).and(People.of(1000, 60, "x", "y", "label"))))
                .contains("148 of 208 new people");
        assertThat(refused(kept.and(People.of(1000, 148, "x", "y", "label")))).isEmpty();
    }

    /** Adapts to the rule: without identities, many corrected cells make room for one person who leaves. */
    @Test
    void correctionsOfManyRowsWithoutIdentitiesHideNobodyWhoLeaves() throws Exception {
        run("run-1", people().nameless());
        People corrected = people().corrected("x", 0, 60).nameless();
        assertThat(refused(corrected)).isEmpty();
        assertThat(refused(corrected.only(0, 299))).contains("60 of 60 new people", "ids:");
        assertThat(refused(corrected.and(People.of(1000, 3, "x", "y", "label").nameless())))
                .contains("60 of 63 new people");
        assertThat(refused(corrected.only(0, 240))).isEmpty();
    }

    /** Adapts to the rule: what the owner says of some people is not believed of others. */
    @Test
    void rowsOtherThanThoseRegisteredAsOtherPeopleAreComparedAgain() throws Exception {
        run("run-1", people().nameless());
        try (CohortRegister register = CohortRegister.open(folder)) {
            Cells others = People.of(1000, 300, "x", "y", "label").nameless().cells();
            register.register("run-2", SITES, others, FEWEST, true, false, 0);
            assertThatRefused(() -> register.register(
                            "run-2", SITES, people().nameless().only(1, 300).cells(), FEWEST, false, true, 10))
                    .hasMessageContaining("starling cohort register --other-people");
            assertThat(register.register("run-2", SITES, others, FEWEST, false, true, 10)
                            .refusals())
                    .isEmpty();
        }
    }

    /** Adapts to the rule: a run over other people comes in between, after which the first is not forgotten. */
    @Test
    void aRunOverOtherPeopleMakesNothingForgotten() throws Exception {
        List<String> other = List.of("a", "b", "d");
        run("run-1", people());
        People strangers = People.of(1000, 300, "x", "y", "label");
        try (CohortRegister register = CohortRegister.open(folder)) {
            register.register("run-2", other, strangers.cells(), FEWEST, false, true, 10);
            assertThat(register.passes()).isEqualTo(10);
            // Over the people of the first run, over those of the second, and over both; a and b are a pair then.
            assertThat(exposed(register, other, people())).containsExactly("a", "b", "c", "d");
            assertThat(exposed(register, SITES, people())).isEmpty();
            assertThat(exposed(register, other, strangers)).isEmpty();
            assertThat(exposed(register, other, people().and(strangers))).containsExactly("a", "b", "c", "d");
        }
        run("run-3", people());
        try (CohortRegister register = CohortRegister.open(folder)) {
            assertThat(register.passes()).isEqualTo(20);
            assertThat(exposed(register, SITES, people())).isEmpty();
            assertThat(exposed(register, other, strangers)).isEmpty();
        }
        // Once people of both groups have been in a run together, all runs are connected.
        run("run-4", people().and(strangers));
        try (CohortRegister register = CohortRegister.open(folder)) {
            assertThat(register.passes()).isEqualTo(40);
        }
    }

    private static Set<String> exposed(CohortRegister register, List<String> sites, People people) throws IOException {
        CohortFindings found = register.check("next", sites, people.cells(), FEWEST, false);
        return SiteClasses.exposedByJoining(found.earlier(), Set.copyOf(sites), 3);
    }

    @Test
    void onlyTheOwnerCanSayThatRowsOfWhichNothingIsKnownAreOtherPeople() throws Exception {
        run("run-1", Cells.of(rows(300, 3, 1), new int[300]), false);
        Cells others = Cells.of(rows(300, 3, 2), new int[300]);
        assertThat(refused(others)).contains("--other-people");
        assertThat(run("run-2", others, true).refusals()).isEmpty();
    }

    @Test
    void aRegisterThatIsMissingAsks() {
        assertThatThrownBy(() -> CohortRegister.open(temporary.resolve("nowhere")))
                .hasMessageContaining("Has this site taken part in any?")
                .hasMessageContaining("starling cohort register");
    }

    @Test
    void anOlderCopyOfTheRegisterIsNoticed() throws Exception {
        run("run-1", people());
        Path copy = temporary.resolve("copy");
        copy(folder, copy);
        run("run-2", people());
        Path ledger = Files.createDirectories(temporary.resolve("state/run-2")).resolve("ledger");
        try (CohortRegister register = CohortRegister.open(folder);
                SumLedger book = SumLedger.open(ledger, new byte[32])) {
            book.note(RunCohort.NOTE, register.head());
            register.requireKnows(RunCohort.NOTE, List.of(ledger));
        }
        try (CohortRegister older = CohortRegister.open(copy)) {
            assertThatThrownBy(() -> older.requireKnows(RunCohort.NOTE, List.of(ledger)))
                    .hasMessageContaining("lacks what it held when run run-2 began");
        }
    }

    /** Under another key everybody would be a stranger, and could be told apart. */
    @Test
    void aRegisterWithoutItsOwnKeyIsRefused() throws Exception {
        run("run-1", people());
        Path other = temporary.resolve("other");
        CohortRegister.create(other);
        Files.copy(other.resolve("key"), folder.resolve("key"), StandardCopyOption.REPLACE_EXISTING);
        assertThatThrownBy(() -> CohortRegister.open(folder))
                .hasMessageContaining("has another key than the one that its hashes are made with")
                .hasMessageContaining("newest backup");
        Files.delete(folder.resolve("key"));
        assertThat(CohortRegister.exists(folder)).isTrue();
        assertThatThrownBy(() -> CohortRegister.open(folder))
                .hasMessageContaining("key does not exist")
                .hasMessageContaining("newest backup");
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }

    @Test
    void anAlteredRegisterIsRefused() throws Exception {
        run("run-1", people());
        Path snapshot;
        try (Stream<Path> files = Files.list(folder)) {
            snapshot = files.filter(file -> file.getFileName().toString().startsWith("snapshot"))
                    .findFirst()
                    .orElseThrow();
        }
        byte[] bytes = Files.readAllBytes(snapshot);
        bytes[bytes.length / 2] ^= 1;
        Files.write(snapshot, bytes);
        assertThatThrownBy(() -> refused(people())).hasMessageContaining("was altered");
        Path chain = folder.resolve("chain");
        Files.writeString(chain, Files.readString(chain, StandardCharsets.UTF_8).replace("people=300", "people=301"));
        assertThatThrownBy(() -> CohortRegister.open(folder)).hasMessageContaining("was altered");
    }

    @Test
    void aPlannedCohortGivesWayToTheOneThatTheRunBeginsWith() throws Exception {
        try (CohortRegister register = CohortRegister.open(folder)) {
            register.register("run-1", SITES, people().cells(), FEWEST, false, false, 0);
        }
        // Nothing has been told yet, so that a correction needs no company.
        run("run-1", people().corrected("x", 3, 1));
        assertThat(refused(people().corrected("x", 3, 1))).isEmpty();
        assertThat(refused(people())).contains("1 person");
    }

    @Test
    void addsUpWhatWasReleasedUntilMostPeopleAreOthers() throws Exception {
        for (int k = 1; k <= 2; k++) {
            run("run-" + k, people());
            try (CohortRegister register = CohortRegister.open(folder)) {
                register.released(
                        "run-" + k, new CohortRegister.Released(7, 2, 450, 900, 0.4, 60), new long[0], List.of());
            }
        }
        run("run-3", people());
        try (CohortRegister register = CohortRegister.open(folder)) {
            // What a run may still release counts until it is over.
            assertThat(register.passes()).isEqualTo(7 + 7 + 10);
            assertThat(register.account(Policy.DEFAULT))
                    .contains("24 sums at a point", "2 % of what is allowed", "4 of them with curvatures")
                    .contains("900 numbers in all, 100 % of as many values");
        }
        run("run-4", People.of(1000, 300, "x", "y", "label"));
        try (CohortRegister register = CohortRegister.open(folder)) {
            assertThat(register.passes()).isEqualTo(10);
        }
    }

    @Test
    void nothingInTheRegisterIsACellOrAnIdentity() throws Exception {
        People people = People.of(0, 300, "label").with("x", k -> 1234567.0 + k);
        run("run-1", people);
        byte[] cell = ByteBuffer.allocate(8)
                .putLong(Double.doubleToLongBits(1234567.0))
                .array();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                String content = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
                assertThat(content).doesNotContain(new String(cell, 0, 4, StandardCharsets.ISO_8859_1));
            }
        }
    }
}
