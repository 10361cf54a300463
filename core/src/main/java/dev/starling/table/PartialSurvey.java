package dev.starling.table;

import dev.starling.data.Table;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * What counting tells of some rows of a table that is in several places; what it tells of all of them is a survey. It
 * holds counts, different values and exact sums, and no more however many rows there are.
 *
 * <pre>{@code
 * PartialSurvey here = new PartialSurvey(table, List.of("?"));
 * here.add(table);
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
     * A survey of no rows.
     *
     * @param like a table with the columns of the whole one
     * @param missingTokens cells that say that nothing is known
     */
    public PartialSurvey(Table like, List<String> missingTokens) {
        this.missingTokens = new ArrayList<>(missingTokens);
        for (String name : like.names()) {
            columns.add(new CellCounts(name, like.holdsWords(name)));
            totals.add(ExactTotal.zero());
        }
    }

    /** The numbers of a column of a table, without what says that nothing is known. */
    public static double[] numbers(Table table, String column, List<String> missingTokens) {
        MissingTokens tokens = new MissingTokens(missingTokens);
        int at = table.names().indexOf(column);
        double[] numbers = new double[table.rows()];
        int count = 0;
        for (Table.Cursor row = table.cursor(); row.next(); ) {
            double number = tokens.isMissing(row, at) ? Double.NaN : row.number(at);
            if (!Double.isNaN(number)) {
                // −0 and 0 are one value.
                numbers[count++] = number + 0.0;
            }
        }
        return Arrays.copyOf(numbers, count);
    }

    /** Counts rows in. */
    public void add(Table table) {
        MissingTokens tokens = new MissingTokens(missingTokens);
        for (Table.Cursor row = table.cursor(); row.next(); ) {
            for (int c = 0; c < columns.size(); c++) {
                double number = columns.get(c).add(row, c, tokens);
                if (Double.isFinite(number)) {
                    totals.get(c).add(number);
                }
            }
        }
        rows += table.rows();
    }

    /** Adds what is known of rows that come later. */
    public void add(PartialSurvey later) {
        for (int c = 0; c < columns.size(); c++) {
            columns.get(c).add(later.columns.get(c));
            totals.get(c).add(later.totals.get(c));
        }
        rows += later.rows;
    }

    /**
     * The survey, where these are all rows.
     *
     * @param source what the table is called in messages
     * @param orders the numbers of a column in order, which are asked for only where something depends on it
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
