package dev.starling.recipe;

import dev.starling.table.CellParsing;
import dev.starling.table.Kind;
import dev.starling.table.MissingTokens;
import dev.starling.table.Table;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Reads the cells of one column as numbers: the number itself, days since 1970, or the index of a level. */
final class CellReader {

    private static final int MOST_LISTED = 20;

    private final Column column;
    private final int at;
    private final MissingTokens tokens;
    private final Map<String, Integer> places = new HashMap<>();

    /** The places of levels that are numbers, which may be written in another way; −1 for those of two levels. */
    private final Map<Double, Integer> placesOfNumbers = new HashMap<>();

    private final double fill;

    /** @param at the column's index in the table */
    CellReader(Column column, int at, MissingTokens tokens) {
        this.column = column;
        this.at = at;
        this.tokens = tokens;
        List<String> levels = column.levels();
        for (int k = 0; k < levels.size(); k++) {
            places.put(key(levels.get(k)), k);
        }
        column.rare().forEach(level -> places.put(key(level), levels.size()));
        places.forEach((level, place) -> placesOfNumbers.merge(CellParsing.number(level), place, (one, other) -> -1));
        placesOfNumbers.remove(Double.NaN);
        this.fill = column.missing().isImputed() ? filled() : Double.NaN;
    }

    private double filled() {
        String cell = column.fill().orElseThrow();
        if (!column.kind().hasLevels()) {
            return CellParsing.number(cell);
        }
        return column.buckets() > 0 ? CellParsing.bucket(cell, column.buckets()) : places.getOrDefault(key(cell), 0);
    }

    private String key(String level) {
        return column.kind() == Kind.BOOLEAN ? level.toLowerCase(Locale.ROOT) : level;
    }

    Column column() {
        return column;
    }

    /** The column's index in the table. */
    int at() {
        return at;
    }

    boolean isMissing(Table.Cursor row) {
        return tokens.isMissing(row, at);
    }

    /** The value that replaces a missing one; NaN if missing values are not replaced. */
    double fill() {
        return fill;
    }

    /** The value of a cell that is not missing. */
    double read(Table.Cursor row) {
        return switch (column.kind()) {
            case NUMERIC -> number(row);
            case DATE, DATE_DMY, DATE_MDY -> date(row);
            case CATEGORICAL, ORDERED, BOOLEAN -> level(row);
        };
    }

    private double number(Table.Cursor row) {
        double number = row.number(at);
        if (!Double.isFinite(number)) {
            throw row.problem(
                    at,
                    "holds '" + shown(row.text(at)) + "', which is "
                            + (Double.isNaN(number) ? "not a number" : "too large for a number"));
        }
        return number;
    }

    private double date(Table.Cursor row) {
        double days = CellParsing.days(row.text(at), column.kind());
        if (Double.isNaN(days)) {
            throw row.problem(
                    at,
                    "holds '" + shown(row.text(at)) + "', which is not a date like "
                            + switch (column.kind()) {
                                case DATE_DMY -> "29/02/2024";
                                case DATE_MDY -> "02/29/2024";
                                default -> "2024-02-29";
                            });
        }
        return days;
    }

    private double level(Table.Cursor row) {
        String text = row.text(at);
        if (column.buckets() > 0) {
            return CellParsing.bucket(text, column.buckets());
        }
        Integer place = places.get(key(text));
        if (place != null) {
            return place;
        }
        int sameNumber = placesOfNumbers.getOrDefault(CellParsing.number(text), -1);
        if (sameNumber >= 0) {
            return sameNumber;
        }
        if (column.unknownIsReference()) {
            return column.levels()
                    .indexOf(column.reference().orElse(column.levels().get(0)));
        }
        List<String> levels = column.levels();
        String known = String.join(", ", levels.subList(0, Math.min(levels.size(), MOST_LISTED)));
        throw row.problem(
                at,
                "holds '" + shown(text) + "', which is not a known level; there are: " + known
                        + (levels.size() > MOST_LISTED ? ", … (" + levels.size() + ")" : ""));
    }

    static String shown(String text) {
        String line = text.replaceAll("\\p{Cntrl}", "?");
        return line.length() <= 40 ? line : line.substring(0, 40) + "…";
    }
}
