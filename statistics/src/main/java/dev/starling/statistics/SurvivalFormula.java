package dev.starling.statistics;

import dev.starling.data.InvalidInputException;
import dev.starling.data.Survival;
import dev.starling.recipe.Factor;
import dev.starling.recipe.Formula;
import dev.starling.table.MissingTokens;
import dev.starling.table.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ObjIntConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A formula whose response is a time with an event, such as {@code Surv(time, status) ~ age + strata(site)}, or
 * {@code Surv(start, stop, status)} if rows came to be watched late.
 */
public record SurvivalFormula(Formula parsed) {

    /** Everything before the features: names in backticks may hold any character. */
    private static final String RESPONSE = "(?:[^~`]|`[^`]*`)*~";

    /** Reads a formula. */
    public static SurvivalFormula of(String text) {
        Formula parsed = Formula.parse(text);
        if (parsed.status().isEmpty()) {
            throw new InvalidInputException("the formula '" + text
                    + "' does not begin with Surv(time, status) ~ or Surv(start, stop, status) ~");
        }
        return new SurvivalFormula(parsed);
    }

    /** Whether the formula names features besides strata. */
    public boolean hasFeatures() {
        return !factors().isEmpty();
    }

    /** The formula of the features, with the time at which rows ended as the response. */
    public String formula() {
        return "`" + parsed.response().column() + "` ~ " + parsed.text().replaceFirst(RESPONSE, "");
    }

    /** The columns that are no features. */
    public List<String> others() {
        return Stream.of(parsed.entry().stream(), parsed.status().stream(), parsed.strata().stream())
                .flatMap(columns -> columns)
                .distinct()
                .toList();
    }

    private List<Factor> factors() {
        return parsed.right().terms(List.of(".")).values().stream()
                .flatMap(term -> term.factors().stream())
                .distinct()
                .toList();
    }

    /** The columns whose cells name a row's group; none for {@code ~ 1}. */
    private List<String> groupColumns() {
        return factors().stream()
                .map(factor -> factor.function() == Factor.Function.FACTOR ? factor.column() : factor.toString())
                .toList();
    }

    /**
     * The places, in a list of rows, of those that have all they need besides features.
     *
     * @param rows some of the table's rows, from 0, ascending
     * @param tokens what marks a missing value
     * @param drop whether rows with missing values are left out rather than refused
     * @param grouped whether rows need a group
     */
    public int[] complete(Table table, List<Integer> rows, MissingTokens tokens, boolean drop, boolean grouped) {
        Map<Integer, String> needed = new LinkedHashMap<>();
        parsed.labelColumns().forEach(name -> needed.put(index(table, name), "time"));
        needed.put(index(table, status()), "status");
        parsed.strata().forEach(name -> needed.put(index(table, name), "stratum"));
        if (grouped) {
            groupColumns().forEach(name -> needed.put(index(table, name), "group"));
        }
        List<Integer> complete = new ArrayList<>();
        each(table, rows, (cursor, i) -> {
            Optional<Integer> missing = needed.keySet().stream()
                    .filter(column -> tokens.isMissing(cursor, column))
                    .findFirst();
            if (missing.isEmpty()) {
                complete.add(i);
            } else if (!drop) {
                String text = cursor.text(missing.get()).strip();
                throw cursor.problem(
                        missing.get(),
                        "is " + (text.isEmpty() ? "empty" : "'" + text + "', a missing value") + ", so the row has no "
                                + needed.get(missing.get()) + "; name one, or leave such rows out with --missing drop");
            }
        });
        return complete.stream().mapToInt(Integer::intValue).toArray();
    }

    private static void each(Table table, List<Integer> rows, ObjIntConsumer<Table.Cursor> take) {
        Table.Cursor cursor = table.cursor();
        int row = -1;
        for (int i = 0; i < rows.size(); i++) {
            for (; row < rows.get(i); row++) {
                cursor.next();
            }
            take.accept(cursor, i);
        }
    }

    private String status() {
        return parsed.status().orElseThrow();
    }

    /**
     * Reads times, events and strata.
     *
     * @param kept the rows to read
     */
    public Survival survival(Table table, List<Integer> kept) {
        double[] starts = new double[kept.size()];
        double[] stops = new double[kept.size()];
        boolean[] events = new boolean[kept.size()];
        int[] numbers = new int[kept.size()];
        Arrays.fill(starts, Double.NEGATIVE_INFINITY);
        Map<List<String>, Integer> known = new LinkedHashMap<>();
        Optional<Integer> startAt = parsed.entry().map(name -> index(table, name));
        int stopAt = index(table, parsed.response().column());
        int statusAt = index(table, status());
        List<Integer> strataAt =
                parsed.strata().stream().map(name -> index(table, name)).toList();
        each(table, kept, (cursor, i) -> {
            startAt.ifPresent(column -> starts[i] = time(cursor, column));
            stops[i] = time(cursor, stopAt);
            if (!(starts[i] < stops[i])) {
                throw cursor.problem(
                        stopAt,
                        "is " + stops[i] + ", which is not after the start " + starts[i]
                                + "; correct the times, or leave the row out");
            }
            events[i] = event(cursor, statusAt);
            List<String> cells =
                    strataAt.stream().map(column -> cursor.text(column).strip()).toList();
            numbers[i] = known.computeIfAbsent(cells, any -> known.size());
        });
        return new Survival(starts, stops, events, numbers);
    }

    /**
     * The groups that rows belong to if the rest of the formula names columns, or 1 for one group of all.
     *
     * @param of the group of each row, numbered from 0
     * @param names their names, such as {@code sex=1, ward=a}
     */
    public record Groups(int[] of, List<String> names) {

        /** Copies the list. */
        public Groups {
            names = List.copyOf(names);
        }
    }

    /** Reads the groups of rows. */
    public Groups groups(Table table, List<Integer> kept) {
        List<String> columns = groupColumns();
        List<Integer> at = columns.stream().map(name -> index(table, name)).toList();
        List<String> rows = new ArrayList<>();
        each(table, kept, (cursor, i) -> {
            List<String> cells = IntStream.range(0, at.size())
                    .mapToObj(k -> columns.get(k) + "=" + cursor.text(at.get(k)).strip())
                    .toList();
            rows.add(cells.isEmpty() ? "all" : String.join(", ", cells));
        });
        List<String> names = rows.stream().distinct().sorted().toList();
        return new Groups(rows.stream().mapToInt(names::indexOf).toArray(), names);
    }

    private static int index(Table table, String column) {
        int index = table.names().indexOf(column);
        if (index < 0) {
            throw InvalidInputException.unknownName("column", column, table.names());
        }
        return index;
    }

    private static double time(Table.Cursor cursor, int column) {
        double time = cursor.number(column);
        if (!Double.isFinite(time)) {
            throw cursor.problem(
                    column,
                    "is '" + cursor.text(column) + "', which is no finite time; correct it, or leave the row out");
        }
        return time;
    }

    private static boolean event(Table.Cursor cursor, int column) {
        String text = cursor.text(column).strip().toLowerCase(Locale.ROOT);
        double number = cursor.number(column);
        if (number == 1 || text.equals("true")) {
            return true;
        }
        if (number == 0 || text.equals("false")) {
            return false;
        }
        throw cursor.problem(
                column,
                "is '" + cursor.text(column)
                        + "', which does not say whether there was an event; write 1 (or TRUE) for an"
                        + " event and 0 (or FALSE) for none");
    }
}
