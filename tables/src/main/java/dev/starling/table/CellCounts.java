package dev.starling.table;

import dev.starling.data.text.CsvLine;
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
    long nearlyNumbers;

    /** How many are dates, by the kinds of {@link Kind#DATES}; one cell may count for several. */
    final long[] dates = new long[Kind.DATES.size()];

    /** The first and the last date of each of these kinds, and how they are written. */
    final double[] firstDays = new double[dates.length];

    final double[] lastDays = new double[dates.length];
    final String[] firstDates = new String[dates.length];
    final String[] lastDates = new String[dates.length];

    long anyDates;
    final Map<String, Level> levels = new HashMap<>();
    boolean tooMany;

    /* The text met last, because the same one often follows. */
    private transient String last;
    private transient Level ofLast;

    /* Some cells whose texts are kept once, and the levels of those texts that were met. */
    private transient Cells cells;
    private transient Level[] ofCodes;

    String firstText = "";
    String firstTextPlace = "";
    String firstUndated = "";
    String firstUndatedPlace = "";

    /** The first whole number that a double cannot hold, such as an identifier of seventeen digits. */
    String firstRounded = "";

    String firstRoundedPlace = "";

    CellCounts(String name, boolean words) {
        this.name = name;
        this.words = words;
    }

    /** Counts a cell and returns the number it holds; NaN if it is missing or holds anything else. */
    double add(Table.Cursor row, int column, MissingTokens tokens) {
        int code = row.code(column);
        if (code >= 0 && row.cells(column) != cells) {
            cells = row.cells(column);
            ofCodes = new Level[row.codes(column)];
        }
        if (code >= 0 && ofCodes[code] != null) {
            return add(ofCodes[code]);
        }
        if (tokens.isMissing(row, column)) {
            missing++;
            return Double.NaN;
        }
        present++;
        double number = row.number(column);
        boolean isNumber = !Double.isNaN(number);
        numbers += isNumber ? 1 : 0;
        if (Math.abs(number) >= CsvLine.WHOLE
                && firstRoundedPlace.isEmpty()
                && CsvLine.isRounded(row.text(column).strip(), number)) {
            firstRounded = row.text(column);
            firstRoundedPlace = row.place();
        }
        if (isNumber && tooMany) {
            return number;
        }
        String text = row.text(column);
        Level known = text.equals(last) ? ofLast : levels.get(text);
        Level level = known == null ? new Level(text, number) : known;
        if (code >= 0) {
            ofCodes[code] = level;
        }
        last = known == null ? null : text;
        ofLast = known;
        if (!tooMany) {
            level.count++;
            if (known == null) {
                levels.put(text, level);
                tooMany = levels.size() > ColumnSurvey.MOST_LEVELS;
            }
        }
        if (!isNumber) {
            addText(row, text, level);
        }
        return number;
    }

    /** Counts a cell whose text has been met. */
    private double add(Level level) {
        present++;
        numbers += Double.isNaN(level.number) ? 0 : 1;
        level.count += tooMany ? 0 : 1;
        nearlyNumbers += level.nearlyNumber ? 1 : 0;
        anyDates += level.days == null ? 0 : 1;
        for (int k = 0; level.days != null && k < dates.length; k++) {
            dates[k] += Double.isNaN(level.days[k]) ? 0 : 1;
        }
        return level.number;
    }

    /** A value that cells hold: how many of them, and what it may be if it is not a number. */
    static final class Level implements Serializable {

        /** The days that it names, by the kinds of {@link Kind#DATES}; null if it is no date of any kind. */
        private final double[] days;

        private final boolean nearlyNumber;

        /** NaN if it is none. */
        private final double number;

        long count;

        private Level(String text, double number) {
            boolean isText = Double.isNaN(number);
            double[] named = new double[Kind.DATES.size()];
            boolean dated = false;
            for (int k = 0; isText && k < named.length; k++) {
                named[k] = CellParsing.days(text, Kind.DATES.get(k));
                dated |= !Double.isNaN(named[k]);
            }
            days = dated ? named : null;
            nearlyNumber = isText && CellParsing.isNearlyNumber(text);
            this.number = number;
        }

        private Level(Level other) {
            days = other.days;
            nearlyNumber = other.nearlyNumber;
            number = other.number;
        }
    }

    private void addText(Table.Cursor row, String text, Level level) {
        nearlyNumbers += level.nearlyNumber ? 1 : 0;
        if (firstTextPlace.isEmpty()) {
            firstText = text;
            firstTextPlace = row.place();
        }
        if (level.days != null) {
            anyDates++;
            for (int k = 0; k < dates.length; k++) {
                if (!Double.isNaN(level.days[k])) {
                    addDates(k, 1, level.days[k], text, level.days[k], text);
                }
            }
        } else if (firstUndatedPlace.isEmpty()) {
            firstUndated = text;
            firstUndatedPlace = row.place();
        }
    }

    private void addDates(int kind, long count, double first, String firstText, double last, String lastText) {
        if (dates[kind] == 0 || first < firstDays[kind]) {
            firstDays[kind] = first;
            firstDates[kind] = firstText;
        }
        if (dates[kind] == 0 || last > lastDays[kind]) {
            lastDays[kind] = last;
            lastDates[kind] = lastText;
        }
        dates[kind] += count;
    }

    /** Counts of no cells, to which those of later rows are added. */
    CellCounts ofLaterRows() {
        CellCounts counts = new CellCounts(name, words);
        counts.tooMany = tooMany;
        return counts;
    }

    /** Adds the counts of rows that come later. */
    void add(CellCounts later) {
        missing += later.missing;
        present += later.present;
        numbers += later.numbers;
        nearlyNumbers += later.nearlyNumbers;
        anyDates += later.anyDates;
        for (int k = 0; k < dates.length; k++) {
            if (later.dates[k] > 0) {
                addDates(
                        k,
                        later.dates[k],
                        later.firstDays[k],
                        later.firstDates[k],
                        later.lastDays[k],
                        later.lastDates[k]);
            }
        }
        if (firstTextPlace.isEmpty()) {
            firstText = later.firstText;
            firstTextPlace = later.firstTextPlace;
        }
        if (firstUndatedPlace.isEmpty()) {
            firstUndated = later.firstUndated;
            firstUndatedPlace = later.firstUndatedPlace;
        }
        if (firstRoundedPlace.isEmpty()) {
            firstRounded = later.firstRounded;
            firstRoundedPlace = later.firstRoundedPlace;
        }
        if (!tooMany) {
            later.levels.forEach(
                    (text, level) -> levels.computeIfAbsent(text, any -> new Level(level)).count += level.count);
            tooMany = levels.size() > ColumnSurvey.MOST_LEVELS;
        }
    }
}
