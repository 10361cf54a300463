package dev.starling.table;

import dev.starling.data.Labels;
import dev.starling.data.Table;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** What the rows say of one column: how many values are missing, which there are, how they are spread. */
public final class ColumnSurvey {

    /** Different values that are counted one by one; beyond that there are too many to be levels. */
    public static final int MOST_LEVELS = 1000;

    private final CellCounts cells;
    private final ColumnNumbers numbers;

    /** @param words whether its source declares all cells to be words, whatever they look like */
    ColumnSurvey(String name, boolean words) {
        this(new CellCounts(name, words), new NumberList());
    }

    ColumnSurvey(CellCounts cells, ColumnNumbers numbers) {
        this.cells = cells;
        this.numbers = numbers;
    }

    void add(Table.Cursor row, int column, MissingTokens tokens) {
        double number = cells.add(row, column, tokens);
        if (!Double.isNaN(number)) {
            atHand().add(number);
        }
    }

    /** What the column is called. */
    public String name() {
        return cells.name;
    }

    /** Rows in which its value is missing. */
    public long missing() {
        return cells.missing;
    }

    /** Rows in which it is not. */
    public long present() {
        return cells.present;
    }

    /** The kind that fits all values: numbers, days, two words for yes and no, else categories. */
    public Kind kind() {
        if (cells.numbers == cells.present && !cells.words) {
            return Kind.NUMERIC;
        }
        if (cells.dates == cells.present) {
            return Kind.DATE;
        }
        return !cells.tooMany && CellParsing.noAndYes(cells.levels.keySet()).isPresent()
                ? Kind.BOOLEAN
                : Kind.CATEGORICAL;
    }

    /** Whether there are more than {@value #MOST_LEVELS} different values, or half as many as rows and over 100. */
    public boolean hasTooManyLevels() {
        return cells.tooMany || (cells.levels.size() > 100 && 2L * cells.levels.size() > cells.present);
    }

    /** How many rows have each value, by value; only some of them if there are too many. */
    public SortedMap<String, Long> levels() {
        return Collections.unmodifiableSortedMap(new TreeMap<>(cells.levels));
    }

    /** The first value that is not a number; empty if all are. */
    public String firstText() {
        return cells.firstText;
    }

    /** Where the first value that is not a number is, as in {@code line 7}; empty if there is none. */
    public String firstTextPlace() {
        return cells.firstTextPlace;
    }

    /** The mean of all numbers: their exact sum, rounded, by their count. */
    public double mean() {
        return total().value() / numbers.count();
    }

    /** The exact sum of all finite numbers. */
    ExactTotal total() {
        return numbers.total();
    }

    /** How many numbers are not larger than a bound. */
    long upTo(double bound) {
        return numbers.upTo(bound);
    }

    /** The standard deviation of all numbers, for people to look at. */
    public double deviation() {
        return Math.sqrt(atHand().squaredDistances(mean()) / Math.max(1, numbers.count() - 1));
    }

    /** The median of all numbers; of an even count the mean of the two in the middle. */
    public double median() {
        double low = numbers.at((numbers.count() - 1) / 2);
        return low + (numbers.at(numbers.count() / 2) - low) / 2;
    }

    /** The number that a share of all others does not exceed; the smallest for 0, the largest for 1. */
    public double quantile(double share) {
        return numbers.at(Math.min(numbers.count() - 1, (long) (share * numbers.count())));
    }

    /** How many numbers fall into each of equally wide bins between the smallest and the largest. */
    public long[] histogram(int bins) {
        return atHand().histogram(bins);
    }

    /** The value that most rows have, the smallest of several such. */
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

    private NumberList atHand() {
        if (numbers instanceof NumberList list) {
            return list;
        }
        throw new IllegalStateException("the numbers of column '" + cells.name + "' are elsewhere");
    }
}
