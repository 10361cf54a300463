package dev.starling.table;

import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;

/** Counts of the cells of one column, over some or all rows; counts of separate parts can be added up. */
final class CellCounts implements Serializable {

    final String name;

    /** Whether the column's source declares all cells to be text, whatever they look like. */
    final boolean words;

    long missing;
    long present;
    long numbers;
    long dates;
    final Map<String, Long> levels = new HashMap<>();
    boolean tooMany;
    String firstText = "";
    String firstTextPlace = "";

    CellCounts(String name, boolean words) {
        this.name = name;
        this.words = words;
    }

    /** Counts a cell and returns the number it holds; NaN if it is missing or holds anything else. */
    double add(Table.Cursor row, int column, MissingTokens tokens) {
        if (tokens.isMissing(row, column)) {
            missing++;
            return Double.NaN;
        }
        present++;
        double number = row.number(column);
        boolean isNumber = !Double.isNaN(number);
        if (isNumber) {
            numbers++;
        } else if (!Double.isNaN(CellParsing.days(row.text(column)))) {
            dates++;
        }
        if (!isNumber && firstTextPlace.isEmpty()) {
            firstText = row.text(column);
            firstTextPlace = row.place();
        }
        if (!tooMany) {
            levels.merge(row.text(column), 1L, Long::sum);
            tooMany = levels.size() > ColumnSurvey.MOST_LEVELS;
        }
        return number;
    }

    /** Adds the counts of rows that come later. */
    void add(CellCounts later) {
        missing += later.missing;
        present += later.present;
        numbers += later.numbers;
        dates += later.dates;
        if (firstTextPlace.isEmpty()) {
            firstText = later.firstText;
            firstTextPlace = later.firstTextPlace;
        }
        if (!tooMany) {
            later.levels.forEach((level, count) -> levels.merge(level, count, Long::sum));
            tooMany = levels.size() > ColumnSurvey.MOST_LEVELS;
        }
    }
}
