package dev.starling.table;

import dev.starling.data.Labels;
import dev.starling.data.text.CellText;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** Statistics of one column: how many values are missing, which values there are, and how they are distributed. */
public final class ColumnSurvey {

    /** Up to this many distinct values are counted one by one; more are too many to be levels. */
    public static final int MOST_LEVELS = 1000;

    private static final int FEWEST_IDS = 20;

    private final CellCounts cells;

    private final ColumnNumbers numbers;

    ColumnSurvey(CellCounts cells, ColumnNumbers numbers) {
        this.cells = cells;
        this.numbers = numbers;
    }

    /** The name of the column. */
    public String name() {
        return cells.name;
    }

    /** Number of rows in which its value is missing. */
    public long missing() {
        return cells.missing;
    }

    /** Number of rows in which it is not. */
    public long present() {
        return cells.present;
    }

    /** The kind that fits all values: numbers, dates, booleans, or else categories. */
    public Kind kind() {
        if (cells.numbers == cells.present && !cells.words) {
            return Kind.NUMERIC;
        }
        for (int k = 0; k < cells.dates.length; k++) {
            if (cells.dates[k] == cells.present) {
                return Kind.DATES.get(k);
            }
        }
        return !cells.tooMany && CellParsing.noAndYes(cells.levels.keySet()).isPresent()
                ? Kind.BOOLEAN
                : Kind.CATEGORICAL;
    }

    /**
     * Why the column may not be what its kind says: nine tenths of it are numbers or dates but some cells are not, or
     * its dates can be read in two ways. The text names the column, the first cell that raises the doubt, and what to
     * do about it.
     */
    public Optional<String> doubt() {
        if (cells.words || cells.present == 0) {
            return Optional.empty();
        }
        Kind kind = kind();
        if (kind == Kind.DATE_DMY && cells.dates[Kind.DATES.indexOf(Kind.DATE_MDY)] == cells.present) {
            return Optional.of(said("dates such as", cells.firstText, cells.firstTextPlace)
                    + ", which may begin with the day or with the month; declare column '" + name() + "' "
                    + Kind.DATE_DMY.text() + " or " + Kind.DATE_MDY.text());
        }
        if (kind == Kind.NUMERIC && !cells.firstRoundedPlace.isEmpty()) {
            return Optional.of(said(
                            "whole numbers that doubles cannot hold, the first",
                            cells.firstRounded,
                            cells.firstRoundedPlace)
                    + "; leave out column '" + name()
                    + "' if it only tells rows apart, subtract a constant, or declare column '"
                    + name() + "' numeric to round it");
        }
        if (kind != Kind.CATEGORICAL) {
            return Optional.empty();
        }
        if (isMost(cells.numbers + cells.nearlyNumbers)) {
            return Optional.of(
                    CellParsing.isNearlyNumber(cells.firstText)
                            ? said("numbers, but not as plain decimals:", cells.firstText, cells.firstTextPlace)
                                    + "; write plain decimals, "
                                    + (Double.isNaN(CellParsing.number(cells.firstText.replaceFirst(",", ".")))
                                            ? ""
                                            : "name the decimal comma, ")
                                    + "or declare column '" + name() + "' categorical"
                            : said("numbers except for", cells.firstText, cells.firstTextPlace)
                                    + stray(cells.firstText));
        }
        if (!isMost(cells.anyDates)) {
            return isMost(nearlyDates())
                    ? Optional.of(
                            said("dates in a form that is not read, the first", cells.firstText, cells.firstTextPlace)
                                    + "; write them as in 2024-02-29, or declare column '" + name() + "' categorical")
                    : Optional.empty();
        }
        return Optional.of(
                cells.firstUndatedPlace.isEmpty()
                        ? said("dates in different forms, the first", cells.firstText, cells.firstTextPlace)
                                + "; write all of them alike, or declare column '" + name() + "' categorical"
                        : said("dates except for", cells.firstUndated, cells.firstUndatedPlace)
                                + stray(cells.firstUndated));
    }

    private long nearlyDates() {
        return cells.levels.entrySet().stream()
                .filter(level -> CellParsing.isNearlyDate(level.getKey()))
                .mapToLong(level -> level.getValue().count)
                .sum();
    }

    private boolean isMost(long count) {
        return 10 * count >= 9 * cells.present;
    }

    private String said(String what, String cell, String place) {
        return "column '" + name() + "' holds " + what + " " + CellText.quoted(cell) + " in " + place;
    }

    private String stray(String cell) {
        return "; declare that " + CellText.quoted(cell) + " means a missing value, or declare column '" + name()
                + "' categorical";
    }

    /**
     * Whether there are more than {@value #MOST_LEVELS} distinct values, or more than 100 in fewer than twice as many
     * rows.
     */
    public boolean hasTooManyLevels() {
        return cells.tooMany || (cells.levels.size() > 100 && 2L * cells.levels.size() > cells.present);
    }

    /** How many rows have each value; only some of the values if there are too many. */
    public SortedMap<String, Long> levels() {
        SortedMap<String, Long> counts = new TreeMap<>();
        cells.levels.forEach((text, level) -> counts.put(text, level.count));
        return counts;
    }

    /** The first value that is not a number; empty if all are. */
    public String firstText() {
        return cells.firstText;
    }

    /** The place of the first value that is not a number, such as {@code line 7}; empty if there is none. */
    public String firstTextPlace() {
        return cells.firstTextPlace;
    }

    /** The mean of all numbers: their exact sum, rounded once, divided by their count. */
    public double mean() {
        return total().value() / numbers.count();
    }

    /** The exact sum of all finite numbers. */
    public ExactTotal total() {
        return numbers.total();
    }

    /** How many numbers are not larger than a bound. */
    public long upTo(double bound) {
        return numbers.upTo(bound);
    }

    /** The standard deviation of all numbers, for display only. */
    public double deviation() {
        return Math.sqrt(inMemory().squaredDistances(mean()) / Math.max(1, numbers.count() - 1));
    }

    /** The median of all numbers; of an even count the mean of the two in the middle. */
    public double median() {
        double low = numbers.at((numbers.count() - 1) / 2);
        return low + (numbers.at(numbers.count() / 2) - low) / 2;
    }

    /** The number below which the given share of all numbers lies; the smallest for 0, the largest for 1. */
    public double quantile(double share) {
        return numbers.at(Math.min(numbers.count() - 1, (long) (share * numbers.count())));
    }

    /** How many numbers fall into each of at most so many equally wide bins. */
    public Histogram histogram(int bins) {
        return Histogram.of(inMemory().inOrder(), bins);
    }

    /**
     * How many dates fall into each of at most so many equally wide bins, in days since 1970; empty if there are too
     * many different ones to count.
     */
    public Optional<Histogram> days(int bins) {
        if (cells.tooMany || !kind().isDate()) {
            return Optional.empty();
        }
        return Optional.of(Histogram.of(
                cells.levels.entrySet().stream()
                        .flatMapToDouble(level -> DoubleStream.generate(() -> CellParsing.days(level.getKey(), kind()))
                                .limit(level.getValue().count))
                        .sorted()
                        .toArray(),
                bins));
    }

    /** The first date, as it is written; the column must hold dates. */
    public String firstDate() {
        return cells.firstDates[Kind.DATES.indexOf(kind())];
    }

    /** The last date, as it is written; the column must hold dates. */
    public String lastDate() {
        return cells.lastDates[Kind.DATES.indexOf(kind())];
    }

    /** Whether all rows that have a value have the same one. */
    public boolean isConstant() {
        return cells.levels.size() == 1;
    }

    /**
     * Whether the column seems to tell rows apart rather than to say something about them: twenty values or more, no
     * two of them the same, that are words or consecutive whole numbers.
     */
    public boolean looksLikeIds() {
        if (cells.present < FEWEST_IDS || kind().isDate()) {
            return false;
        }
        if (kind() != Kind.NUMERIC) {
            return !cells.tooMany && cells.levels.size() == cells.present;
        }
        double[] sorted = inMemory().inOrder();
        return sorted[sorted.length - 1] - sorted[0] == sorted.length - 1
                && IntStream.range(1, sorted.length).allMatch(i -> sorted[i] - sorted[i - 1] == 1);
    }

    /** The most frequent value, the smallest of several. */
    public String mostFrequent() {
        if (kind() == Kind.NUMERIC) {
            return Labels.text(numbers.mostFrequent());
        }
        return levels().entrySet().stream()
                .max(Map.Entry.<String, Long>comparingByValue()
                        .thenComparing(Map.Entry.<String, Long>comparingByKey().reversed()))
                .map(Map.Entry::getKey)
                .orElse("");
    }

    /** All numbers in ascending order, where they are in memory; none where they are elsewhere. */
    public double[] numbers() {
        return numbers instanceof NumberList list && list.count() > 0 ? list.inOrder() : new double[0];
    }

    private NumberList inMemory() {
        if (numbers instanceof NumberList list) {
            return list;
        }
        throw new IllegalStateException("the numbers of column '" + cells.name + "' are elsewhere");
    }
}
