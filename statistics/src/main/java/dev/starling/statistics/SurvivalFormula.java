package dev.starling.statistics;

import dev.starling.data.InvalidInputException;
import dev.starling.data.Survival;
import dev.starling.table.MissingTokens;
import dev.starling.table.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A formula whose response is a time with an event, such as {@code Surv(time, status) ~ age + strata(site)}.
 *
 * @param start the column with the times at which rows came to be watched, if any came late
 * @param stop the column with the times at which they ceased to be
 * @param status the column that says whether they ceased with the event
 * @param strata the columns whose cells together name a row's stratum
 * @param features the rest of the formula
 */
public record SurvivalFormula(
        Optional<String> start, String stop, String status, List<String> strata, String features) {

    private static final String COLUMNS = "((?:[^`()]|`[^`]*`)*)";
    private static final Pattern RESPONSE =
            Pattern.compile("\\s*Surv\\s*\\(" + COLUMNS + "\\)\\s*~(.*)", Pattern.DOTALL);
    private static final Pattern STRATA = Pattern.compile("\\s*\\+?\\s*\\bstrata\\s*\\(" + COLUMNS + "\\)");
    private static final MissingTokens MISSING = new MissingTokens(MissingTokens.USUAL);
    private static final Pattern NAME = Pattern.compile("\\s*(?:`([^`]*)`|([^,`]+?))\\s*(,|$)");

    /** Copies the list. */
    public SurvivalFormula {
        strata = List.copyOf(strata);
    }

    /** Reads a formula. */
    public static SurvivalFormula of(String text) {
        Matcher response = RESPONSE.matcher(text);
        if (!response.matches()) {
            throw new InvalidInputException("the formula '" + text
                    + "' does not begin with Surv(time, status) ~ or Surv(start, stop, status) ~");
        }
        List<String> times = names(response.group(1));
        if (times.size() < 2 || times.size() > 3) {
            throw new InvalidInputException("Surv(" + response.group(1) + ") names " + times.size()
                    + " columns; give time and status, or start, stop and status");
        }
        List<String> strata = new ArrayList<>();
        Matcher found = STRATA.matcher(response.group(2));
        StringBuilder rest = new StringBuilder();
        while (found.find()) {
            strata.addAll(names(found.group(1)));
            found.appendReplacement(rest, "");
        }
        found.appendTail(rest);
        String features = rest.toString().strip().replaceFirst("^\\+\\s*", "");
        if (features.isEmpty()) {
            throw new InvalidInputException("the formula '" + text + "' names no feature besides strata");
        }
        int last = times.size() - 1;
        return new SurvivalFormula(
                last == 2 ? Optional.of(times.get(0)) : Optional.empty(),
                times.get(last - 1),
                times.get(last),
                strata,
                features);
    }

    private static List<String> names(String list) {
        List<String> names = new ArrayList<>();
        Matcher name = NAME.matcher(list);
        while (!name.hitEnd() && name.find()) {
            names.add(name.group(1) == null ? name.group(2) : name.group(1));
        }
        return names;
    }

    /** The formula of the features, with the time at which rows ended as the response. */
    public String formula() {
        return "`" + stop + "` ~ " + features;
    }

    /** The columns that are no features. */
    public List<String> others() {
        return Stream.of(start.stream(), Stream.of(status), strata.stream())
                .flatMap(columns -> columns)
                .distinct()
                .toList();
    }

    /**
     * Reads times, events and strata.
     *
     * @param kept the rows to read
     */
    public Survival survival(Table table, List<Integer> kept) {
        int rows = kept.size();
        double[] starts = new double[rows];
        double[] stops = new double[rows];
        boolean[] events = new boolean[rows];
        int[] numbers = new int[rows];
        Arrays.fill(starts, Double.NEGATIVE_INFINITY);
        Map<List<String>, Integer> known = new LinkedHashMap<>();
        Optional<Integer> startAt = start.map(name -> index(table, name));
        int stopAt = index(table, stop);
        int statusAt = index(table, status);
        List<Integer> strataAt = strata.stream().map(name -> index(table, name)).toList();
        Table.Cursor cursor = table.cursor();
        int row = -1;
        for (int i = 0; i < rows; i++) {
            while (row < kept.get(i)) {
                cursor.next();
                row++;
            }
            if (startAt.isPresent()) {
                starts[i] = time(cursor, startAt.get());
            }
            stops[i] = time(cursor, stopAt);
            if (!(starts[i] < stops[i])) {
                throw cursor.problem(
                        stopAt,
                        "is " + stops[i] + ", which is not after the start " + starts[i]
                                + "; correct the times, or leave the row out");
            }
            events[i] = event(cursor, statusAt);
            List<String> cells = strataAt.stream()
                    .map(column -> cell(cursor, column, "stratum"))
                    .toList();
            numbers[i] = known.computeIfAbsent(cells, any -> known.size());
        }
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

    /** Reads the groups of all rows. */
    public Groups groups(Table table) {
        List<String> columns = features.equals("1")
                ? List.of()
                : Arrays.stream(features.split("\\+"))
                        .map(text -> text.strip().replaceFirst("^`(.*)`$", "$1"))
                        .toList();
        List<Integer> at = columns.stream().map(name -> index(table, name)).toList();
        List<String> rows = new ArrayList<>();
        Table.Cursor cursor = table.cursor();
        while (cursor.next()) {
            List<String> cells = new ArrayList<>();
            for (int k = 0; k < at.size(); k++) {
                cells.add(columns.get(k) + "=" + cell(cursor, at.get(k), "group"));
            }
            rows.add(cells.isEmpty() ? "all" : String.join(", ", cells));
        }
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

    private static String cell(Table.Cursor cursor, int column, String what) {
        String text = cursor.text(column).strip();
        if (MISSING.isMissing(cursor, column)) {
            throw cursor.problem(
                    column,
                    "is " + (text.isEmpty() ? "empty" : "'" + text + "', a missing value") + ", so the row has no "
                            + what + "; name one, or leave the row out");
        }
        return text;
    }
}
