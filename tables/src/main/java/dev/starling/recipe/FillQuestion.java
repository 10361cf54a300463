package dev.starling.recipe;

import dev.starling.data.InvalidInputException;
import dev.starling.data.Labels;
import dev.starling.table.ColumnSurvey;
import dev.starling.table.ExactTotal;
import dev.starling.table.Kind;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** What has to be summed over all rows, round by round, to find the value that replaces a column's missing ones. */
interface FillQuestion {

    /** How many numbers the current round sums; 0 once the answer is known. */
    int numbers();

    /** How many numbers all rounds from the current one on sum; most questions take one round. */
    default int numbersLeft() {
        return numbers();
    }

    /** How many rounds there are from the current one on. */
    default int roundsLeft() {
        return numbers() > 0 ? 1 : 0;
    }

    /** Writes the contribution of some of the rows to an array, starting at an index. */
    void contribute(ColumnSurvey rows, double[] addend, int at);

    /** Receives the totals over all rows, which start at an index of the array. */
    void receive(double[] totals, int at);

    /** The cell that replaces a missing one. */
    String answer();

    /**
     * The question for a column.
     *
     * @param range where its values lie; null if no range was agreed on
     * @throws InvalidInputException if it cannot be answered by adding up numbers
     */
    static FillQuestion of(Column column, Range range) {
        return switch (column.missing()) {
            case MEAN -> new OfMean(column.name());
            case MEDIAN -> {
                if (range == null) {
                    throw new InvalidInputException("column '" + column.name()
                            + "' needs a range, such as [0, 100], for its median to be found by counting");
                }
                yield new OfMedian(column.name(), range);
            }
            default -> {
                if (column.levels().isEmpty()) {
                    throw new InvalidInputException("column '" + column.name() + "' has no list of levels to count; "
                            + (column.kind() == Kind.NUMERIC
                                    ? "use the mean or the median of numbers"
                                    : "list them, or refuse missing values"));
                }
                yield new OfLevels(column);
            }
        };
    }

    /** How many of the rows have each level of a column, rare ones last. */
    static double[] counts(Column column, ColumnSurvey rows) {
        boolean anyCase = column.kind() == Kind.BOOLEAN;
        Map<String, Long> found = rows.levels();
        return levels(column).stream()
                .mapToDouble(level -> found.entrySet().stream()
                        .filter(entry -> anyCase
                                ? entry.getKey().toLowerCase(Locale.ROOT).equals(level.toLowerCase(Locale.ROOT))
                                : entry.getKey().equals(level))
                        .mapToLong(Map.Entry::getValue)
                        .sum())
                .toArray();
    }

    /** The level that most rows have; of several, the first in alphabetical order. */
    static String mostFrequent(Column column, double[] counts) {
        List<String> levels = levels(column);
        int best = 0;
        for (int k = 1; k < levels.size(); k++) {
            boolean tied = counts[k] == counts[best] && levels.get(k).compareTo(levels.get(best)) < 0;
            best = counts[k] > counts[best] || tied ? k : best;
        }
        return levels.get(best);
    }

    private static List<String> levels(Column column) {
        return Stream.concat(column.levels().stream(), column.rare().stream()).toList();
    }

    private static void requireValues(double count, String column) {
        if (!(count > 0)) {
            throw new InvalidInputException("column '" + column + "' has no value in any row; leave it out");
        }
    }

    /** The mean, from the count and the exact sum. */
    final class OfMean implements FillQuestion {
        private final String column;
        private String answer;

        OfMean(String column) {
            this.column = column;
        }

        @Override
        public int numbers() {
            return answer == null ? 1 + ExactTotal.PARTS : 0;
        }

        @Override
        public void contribute(ColumnSurvey rows, double[] addend, int at) {
            ExactTotal total = rows.total();
            if (!total.hasParts()) {
                throw new InvalidInputException(
                        "column '" + column + "' holds numbers that are too large to take the mean of");
            }
            addend[at] = rows.present();
            System.arraycopy(total.parts(), 0, addend, at + 1, ExactTotal.PARTS);
        }

        @Override
        public void receive(double[] totals, int at) {
            requireValues(totals[at], column);
            answer = Labels.text(ExactTotal.of(totals, at + 1).value() / totals[at]);
        }

        @Override
        public String answer() {
            return answer;
        }
    }

    /** The median, by bisection: the smallest step of the range that at least half of the values do not exceed. */
    final class OfMedian implements FillQuestion {
        private final String column;
        private final Range range;
        private int low = 1;
        private int high = Range.STEPS;
        private double all;

        OfMedian(String column, Range range) {
            this.column = column;
            this.range = range;
        }

        @Override
        public int numbers() {
            return low == high ? 0 : all == 0 ? 2 : 1;
        }

        @Override
        public int numbersLeft() {
            return low == high ? 0 : roundsLeft() + numbers() - 1;
        }

        @Override
        public int roundsLeft() {
            return Integer.SIZE - Integer.numberOfLeadingZeros(high - low);
        }

        private int middle() {
            return (low + high) >>> 1;
        }

        @Override
        public void contribute(ColumnSurvey rows, double[] addend, int at) {
            addend[at] = rows.upTo(range.at(middle()));
            if (all == 0) {
                addend[at + 1] = rows.present();
            }
        }

        @Override
        public void receive(double[] totals, int at) {
            if (all == 0) {
                requireValues(totals[at + 1], column);
                all = totals[at + 1];
            }
            if (2 * totals[at] >= all) {
                high = middle();
            } else {
                low = middle() + 1;
            }
        }

        @Override
        public String answer() {
            return Labels.text(range.at(low));
        }
    }

    /** The most frequent level, from how many rows have each. */
    final class OfLevels implements FillQuestion {
        private final Column column;
        private String answer;

        OfLevels(Column column) {
            this.column = column;
        }

        @Override
        public int numbers() {
            return answer == null ? column.levels().size() + column.rare().size() : 0;
        }

        @Override
        public void contribute(ColumnSurvey rows, double[] addend, int at) {
            double[] counts = counts(column, rows);
            System.arraycopy(counts, 0, addend, at, counts.length);
        }

        @Override
        public void receive(double[] totals, int at) {
            double[] counts = Arrays.copyOfRange(totals, at, at + numbers());
            requireValues(Arrays.stream(counts).sum(), column.name());
            answer = mostFrequent(column, counts);
        }

        @Override
        public String answer() {
            return answer;
        }
    }
}
