package dev.starling.table;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.Function;

/**
 * A survey of some rows of a table that is spread over several places; those of all parts add up to a {@link Survey}.
 * It holds only counts, distinct values and exact sums, so that its size does not grow with the number of rows.
 *
 * <pre>{@code
 * PartialSurvey here = new PartialSurvey(table, List.of("?"));
 * here.add(table, new BitSet());
 * PartialSurvey elsewhere = new PartialSurvey(table, List.of("?"));
 * here.add(elsewhere);
 * }</pre>
 */
public final class PartialSurvey implements Serializable {

    private final ArrayList<CellCounts> columns = new ArrayList<>();
    private final ArrayList<ExactTotal> totals = new ArrayList<>();
    private final ArrayList<String> missingTokens;
    private long rows;

    /**
     * Creates a survey of no rows.
     *
     * @param like a table with the columns of the whole one
     * @param missingTokens cells that mean a missing value
     */
    public PartialSurvey(Table like, List<String> missingTokens) {
        this.missingTokens = new ArrayList<>(missingTokens);
        for (String name : like.names()) {
            columns.add(new CellCounts(name, like.holdsWords(name)));
            totals.add(ExactTotal.zero());
        }
    }

    /**
     * The numbers in a column of a table, without missing values.
     *
     * @param without the rows of the table that are left out
     */
    public static double[] numbers(Table table, String column, List<String> missingTokens, BitSet without) {
        MissingTokens tokens = new MissingTokens(missingTokens);
        int at = table.names().indexOf(column);
        double[] numbers = new double[table.rows()];
        int count = 0;
        int index = 0;
        for (Table.Cursor row = table.cursor(); row.next(); index++) {
            double number = without.get(index) || tokens.isMissing(row, at) ? Double.NaN : row.number(at);
            if (!Double.isNaN(number)) {
                // −0 and 0 are one value.
                numbers[count++] = number + 0.0;
            }
        }
        return Arrays.copyOf(numbers, count);
    }

    /** Adds the rows of a table, except those that are left out. */
    public void add(Table table, BitSet without) {
        MissingTokens tokens = new MissingTokens(missingTokens);
        int index = 0;
        for (Table.Cursor row = table.cursor(); row.next(); index++) {
            for (int c = 0; c < columns.size() && !without.get(index); c++) {
                double number = columns.get(c).add(row, c, tokens);
                if (Double.isFinite(number)) {
                    totals.get(c).add(number);
                }
            }
        }
        rows += table.rows() - without.cardinality();
    }

    /** Adds the survey of rows that come later. */
    public void add(PartialSurvey later) {
        for (int c = 0; c < columns.size(); c++) {
            columns.get(c).add(later.columns.get(c));
            totals.get(c).add(later.totals.get(c));
        }
        rows += later.rows;
    }

    /**
     * Returns the complete survey, once all rows have been added.
     *
     * @param source the name of the table in messages
     * @param orders gives access to the numbers of a column in order; used only if something depends on it
     */
    public Survey whole(String source, Function<String, NumberOrder> orders) {
        List<ColumnSurvey> surveyed = new ArrayList<>();
        for (int c = 0; c < columns.size(); c++) {
            CellCounts counts = columns.get(c);
            surveyed.add(new ColumnSurvey(
                    counts, new ColumnNumbers.Elsewhere(counts.numbers, totals.get(c), orders.apply(counts.name))));
        }
        return new Survey(source, rows, surveyed);
    }
}
