package dev.starling.table;

import dev.starling.data.Labels;
import dev.starling.data.Table;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** What the rows say of one column: how many values are missing, which there are, how they are spread. */
public final class ColumnSurvey {

    /** Different values that are counted one by one; beyond that there are too many to be levels. */
    public static final int MOST_LEVELS = 1000;

    private final String name;
    private long missing;
    private long present;
    private long dates;
    private final Map<String, Long> counts = new HashMap<>();
    private boolean tooMany;
    private double[] numbers = new double[16];
    private int numeric;
    private boolean sorted;
    private String firstText = "";
    private String firstTextPlace = "";
    private final boolean words;

    /** @param words whether its source declares all cells to be words, whatever they look like */
    ColumnSurvey(String name, boolean words) {
        this.name = name;
        this.words = words;
    }

    void add(Table.Cursor row, int column, MissingTokens tokens) {
        sorted = false;
        if (tokens.isMissing(row, column)) {
            missing++;
            return;
        }
        present++;
        double number = row.number(column);
        boolean isNumber = !Double.isNaN(number);
        if (isNumber) {
            add(number);
        } else if (!Double.isNaN(Cells.days(row.text(column)))) {
            dates++;
        }
        if (!isNumber && firstTextPlace.isEmpty()) {
            firstText = row.text(column);
            firstTextPlace = row.place();
        }
        if (!tooMany) {
            counts.merge(row.text(column), 1L, Long::sum);
            tooMany = counts.size() > MOST_LEVELS;
        }
    }

    private void add(double number) {
        if (numeric == numbers.length) {
            numbers = Arrays.copyOf(numbers, numeric + numeric / 2);
        }
        // −0 and 0 are one value.
        numbers[numeric++] = number + 0.0;
    }

    /** What the column is called. */
    public String name() {
        return name;
    }

    /** Rows in which its value is missing. */
    public long missing() {
        return missing;
    }

    /** Rows in which it is not. */
    public long present() {
        return present;
    }

    /** The kind that fits all values: numbers, days, two words for yes and no, else categories. */
    public Kind kind() {
        if (numeric == present && !words) {
            return Kind.NUMERIC;
        }
        if (dates == present) {
            return Kind.DATE;
        }
        return !tooMany && Cells.noAndYes(counts.keySet()).isPresent() ? Kind.BOOLEAN : Kind.CATEGORICAL;
    }

    /** Whether there are more than {@value #MOST_LEVELS} different values, or half as many as rows and over 100. */
    public boolean hasTooManyLevels() {
        return tooMany || (counts.size() > 100 && 2L * counts.size() > present);
    }

    /** How many rows have each value, by value; only some of them if there are too many. */
    public SortedMap<String, Long> levels() {
        return Collections.unmodifiableSortedMap(new TreeMap<>(counts));
    }

    /** The first value that is not a number; empty if all are. */
    public String firstText() {
        return firstText;
    }

    /** Where the first value that is not a number is, as in {@code line 7}; empty if there is none. */
    public String firstTextPlace() {
        return firstTextPlace;
    }

    /** The mean of all numbers: their exact sum, rounded, by their count. */
    public double mean() {
        return total().value() / numeric;
    }

    /** The exact sum of all finite numbers. */
    ExactTotal total() {
        ExactTotal total = ExactTotal.zero();
        for (int i = 0; i < numeric; i++) {
            if (!Double.isInfinite(numbers[i])) {
                total.add(numbers[i]);
            }
        }
        return total;
    }

    /** How many numbers are not larger than a bound. */
    long upTo(double bound) {
        long count = 0;
        for (int i = 0; i < numeric; i++) {
            count += numbers[i] <= bound ? 1 : 0;
        }
        return count;
    }

    /** The standard deviation of all numbers, for people to look at. */
    public double deviation() {
        double mean = mean();
        double squares = 0;
        for (int i = 0; i < numeric; i++) {
            squares += (numbers[i] - mean) * (numbers[i] - mean);
        }
        return Math.sqrt(squares / Math.max(1, numeric - 1));
    }

    /** The median of all numbers; of an even count the mean of the two in the middle. */
    public double median() {
        double[] all = sorted();
        double low = all[(numeric - 1) / 2];
        return low + (all[numeric / 2] - low) / 2;
    }

    /** The number that a share of all others does not exceed; the smallest for 0, the largest for 1. */
    public double quantile(double share) {
        return sorted()[(int) Math.min(numeric - 1L, (long) (share * numeric))];
    }

    /** How many numbers fall into each of equally wide bins between the smallest and the largest. */
    public long[] histogram(int bins) {
        long[] counted = new long[bins];
        double low = quantile(0);
        double width = (quantile(1) - low) / bins;
        for (int i = 0; i < numeric; i++) {
            counted[width > 0 ? (int) Math.min(bins - 1.0, (numbers[i] - low) / width) : 0]++;
        }
        return counted;
    }

    /** The value that most rows have, the smallest of several such. */
    public String mostFrequent() {
        if (kind() != Kind.NUMERIC) {
            return levels().entrySet().stream()
                    .max(Map.Entry.<String, Long>comparingByValue()
                            .thenComparing(
                                    Map.Entry.<String, Long>comparingByKey().reversed()))
                    .map(Map.Entry::getKey)
                    .orElse("");
        }
        double[] all = sorted();
        int best = 0;
        int bestLength = 0;
        int start = 0;
        for (int i = 1; i <= numeric; i++) {
            if (i == numeric || all[i] != all[start]) {
                if (i - start > bestLength) {
                    best = start;
                    bestLength = i - start;
                }
                start = i;
            }
        }
        return Labels.text(all[best]);
    }

    private double[] sorted() {
        if (numeric == 0) {
            throw new IllegalStateException("column '" + name + "' has no numbers");
        }
        if (!sorted) {
            Arrays.sort(numbers, 0, numeric);
            sorted = true;
        }
        return numbers;
    }
}
