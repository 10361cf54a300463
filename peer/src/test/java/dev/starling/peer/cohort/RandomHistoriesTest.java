package dev.starling.peer.cohort;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The register decides as the rule does when it is written out: sets of people, over all runs, without any numbers. */
class RandomHistoriesTest {

    private static final int FEWEST = 4;
    private static final int RUNS = 30;
    private static final List<String> COLUMNS = List.of("x", "y", "label");

    @TempDir
    private Path temporary;

    /** One row of a run: a part, and a cell in each of its columns. */
    private record Row(int part, Map<String, Integer> cells) {}

    /** The rule as it is written. A history is what was said of each person in each run. */
    private static final class Rule {

        private final List<Map<Integer, Row>> runs = new ArrayList<>();

        private boolean allows(Map<Integer, Row> next) {
            Rule later = new Rule();
            later.runs.addAll(runs);
            later.runs.add(next);
            Set<Set<Integer>> before = atoms();
            return later.atoms().stream().allMatch(atom -> atom.size() >= FEWEST || before.contains(atom));
        }

        /** Everybody who was always together: in the same parts of the same runs, and in a column changed alike. */
        private Set<Set<Integer>> atoms() {
            Set<Integer> people = new TreeSet<>();
            runs.forEach(run -> people.addAll(run.keySet()));
            Set<Set<Integer>> atoms = new HashSet<>(grouped(people, this::parts));
            for (String column : COLUMNS) {
                Set<Integer> having =
                        people.stream().filter(one -> has(one, column)).collect(Collectors.toSet());
                if (having.stream().anyMatch(one -> changes(one, column).contains("changed"))) {
                    atoms.addAll(grouped(having, one -> parts(one) + changes(one, column)));
                }
            }
            if (people.stream().anyMatch(one -> anyChanges(one).contains("changed"))) {
                atoms.addAll(grouped(people, one -> parts(one) + anyChanges(one)));
            }
            return atoms;
        }

        private static Set<Set<Integer>> grouped(Set<Integer> people, IntFunction<String> key) {
            return Set.copyOf(people.stream()
                    .collect(Collectors.groupingBy(key::apply, Collectors.toSet()))
                    .values());
        }

        private String parts(int person) {
            return runs.stream()
                    .map(run -> run.containsKey(person) ? "part " + run.get(person).part : "absent")
                    .collect(Collectors.joining(", "));
        }

        private boolean has(int person, String column) {
            return runs.stream()
                    .anyMatch(run ->
                            run.containsKey(person) && run.get(person).cells.containsKey(column));
        }

        private String changes(int person, String column) {
            return IntStream.range(0, runs.size())
                    .mapToObj(run -> isChanged(person, column, run) ? " changed" : " same")
                    .collect(Collectors.joining());
        }

        private String anyChanges(int person) {
            return IntStream.range(0, runs.size())
                    .mapToObj(run ->
                            COLUMNS.stream().anyMatch(column -> isChanged(person, column, run)) ? " changed" : " same")
                    .collect(Collectors.joining());
        }

        /** Whether a cell says something else than the last time that the person had one in this column. */
        private boolean isChanged(int person, String column, int run) {
            Integer now = cell(person, column, run);
            for (int earlier = run - 1; now != null && earlier >= 0; earlier--) {
                Integer then = cell(person, column, earlier);
                if (then != null) {
                    return !then.equals(now);
                }
            }
            return false;
        }

        private Integer cell(int person, String column, int run) {
            Row row = runs.get(run).get(person);
            return row == null ? null : row.cells.get(column);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void whateverHappensBetweenRunsTheRegisterDecidesAsTheRuleDoes(long seed) throws Exception {
        Path folder = temporary.resolve("register");
        CohortRegister.create(folder);
        Random random = new Random(seed);
        Rule rule = new Rule();
        Map<Integer, Row> rows = new LinkedHashMap<>();
        Map<Boolean, Integer> decisions = new HashMap<>();
        for (int run = 0; run < RUNS; run++) {
            Map<Integer, Row> next = changed(rows, random);
            boolean allowed = rule.allows(next);
            try (CohortRegister register = CohortRegister.open(folder)) {
                CohortFindings found = register.check("run-" + run, List.of("a"), cells(next, random), FEWEST, false);
                assertThat(found.refusals().isEmpty())
                        .as("run %d of seed %d: %s", run, seed, found.refusals())
                        .isEqualTo(allowed);
                if (allowed) {
                    register.register("run-" + run, List.of("a"), cells(next, random), FEWEST, false, true, 1);
                    rule.runs.add(next);
                    rows = next;
                }
            }
            decisions.merge(allowed, 1, Integer::sum);
        }
        assertThat(decisions).containsKeys(true, false);
    }

    /** What may happen between two runs: people come, go and come back, and cells, parts and columns change. */
    private static Map<Integer, Row> changed(Map<Integer, Row> rows, Random random) {
        int what = random.nextInt(rows.isEmpty() ? 1 : 6);
        Map<Integer, Row> next = new LinkedHashMap<>(rows);
        List<String> columns = rows.isEmpty()
                ? COLUMNS.subList(0, 2)
                : List.copyOf(rows.values().iterator().next().cells.keySet());
        if (rows.isEmpty()) {
            IntStream.range(0, 40).forEach(person -> next.put(person, row(random, 0, columns)));
        }
        String column = COLUMNS.get(random.nextInt(COLUMNS.size()));
        int first = random.nextInt(50);
        int count = 1 + random.nextInt(3 * FEWEST);
        for (int person = first; person < first + count; person++) {
            switch (what) {
                case 1 -> next.remove(person);
                case 2 -> next.putIfAbsent(person, row(random, 0, columns));
                case 3 -> next.computeIfPresent(person, (any, row) -> new Row(1 - row.part, row.cells));
                case 4 -> next.computeIfPresent(person, (any, row) -> row(random, row.part, columns));
                default -> {}
            }
        }
        if (what == 5) {
            next.replaceAll((person, row) -> withOrWithout(row, column));
        }
        return next.isEmpty() ? rows : next;
    }

    private static Row row(Random random, int part, List<String> columns) {
        Map<String, Integer> cells = new LinkedHashMap<>();
        columns.forEach(column -> cells.put(column, random.nextInt(3)));
        return new Row(part, cells);
    }

    /** The same row with one column more, in which all say the same, or one less. */
    private static Row withOrWithout(Row row, String column) {
        Map<String, Integer> cells = new LinkedHashMap<>(row.cells);
        if (cells.size() == 1 || cells.remove(column) == null) {
            cells.putIfAbsent(column, 1);
        }
        return new Row(row.part, cells);
    }

    /** As a register sees the rows, in any order. */
    private static Cells cells(Map<Integer, Row> rows, Random random) {
        List<Integer> people = new ArrayList<>(rows.keySet());
        Collections.shuffle(people, random);
        List<String> columns =
                new ArrayList<>(rows.values().iterator().next().cells.keySet());
        return new Cells(
                people.stream().mapToLong(person -> 1000 + person).toArray(),
                people.stream().mapToInt(person -> rows.get(person).part).toArray(),
                List.of(),
                columns,
                (first, count) -> IntStream.range(first, first + count)
                        .mapToObj(column -> people.stream()
                                .mapToLong(person -> rows.get(person).cells.get(columns.get(column)))
                                .toArray())
                        .toArray(long[][]::new));
    }
}
