package dev.starling.peer.policy;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.data.Labels;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a site requires of its own rows before a run: columns and classes with only a few rows would give these rows
 * away.
 */
public final class ColumnCheck {

    private static final int MOST_NAMED = 5;

    /** With more columns than this, pairs of columns are not counted. */
    private static final int MOST_COLUMNS = 500;

    private ColumnCheck() {}

    /**
     * Checks that every column and class has either none of the site's rows or enough of them.
     *
     * @throws InvalidInputException naming those that have too few
     */
    public static void require(Dataset rows, boolean classification, Policy policy) {
        List<String> few = new ArrayList<>();
        int[] counts = counts(rows);
        for (int c = 0; c < counts.length; c++) {
            if (counts[c] > 0 && counts[c] < policy.fewestPerColumn()) {
                few.add("column " + name(rows, c) + " (" + counts[c] + ")");
            }
        }
        if (classification) {
            Map<Double, Integer> classes = new TreeMap<>();
            for (double label : rows.labels()) {
                classes.merge(label + 0.0, 1, Integer::sum);
            }
            classes.forEach((label, count) -> {
                if (count < policy.fewestPerColumn()) {
                    few.add("class " + Labels.text(label) + " (" + count + ")");
                }
            });
        }
        if (!few.isEmpty()) {
            throw new InvalidInputException("this site's rules require at least " + policy.fewestPerColumn()
                    + " of its rows in every column and class that it has at all, but there are fewer in " + few.size()
                    + ": " + String.join(", ", few.subList(0, Math.min(MOST_NAMED, few.size())))
                    + (few.size() > MOST_NAMED ? ", …" : "")
                    + "; leave them out at all sites, or set policy: fewest-per-column");
        }
    }

    private static String name(Dataset rows, int column) {
        return rows.names().isEmpty()
                ? Integer.toString(column + 1)
                : rows.names().get(column);
    }

    private static int[] counts(Dataset rows) {
        int[] counts = new int[rows.features()];
        for (int i = 0; i < rows.rows(); i++) {
            int start = rows.start(i);
            for (int k = start; k < rows.end(i); k++) {
                if (rows.value(i, k) != 0) {
                    counts[rows.column(i, k)]++;
                }
            }
        }
        return counts;
    }

    /** How many pairs of 0/1 columns have some rows in common, but fewer than the policy asks for in a column. */
    public static int smallCells(Dataset rows, Policy policy) {
        int d = rows.features();
        if (d > MOST_COLUMNS) {
            return 0;
        }
        boolean[] binary = new boolean[d];
        Arrays.fill(binary, true);
        int[][] both = new int[d][d];
        int[] present = new int[d];
        for (int i = 0; i < rows.rows(); i++) {
            int start = rows.start(i);
            int count = 0;
            for (int k = start; k < rows.end(i); k++) {
                int c = rows.column(i, k);
                double value = rows.value(i, k);
                binary[c] &= value == 0 || value == 1;
                if (value != 0) {
                    present[count++] = c;
                }
            }
            for (int a = 0; a < count; a++) {
                for (int b = 0; b < a; b++) {
                    both[present[a]][present[b]]++;
                }
            }
        }
        int small = 0;
        for (int a = 0; a < d; a++) {
            for (int b = 0; b < a; b++) {
                int cell = both[a][b] + both[b][a];
                small += binary[a] && binary[b] && cell > 0 && cell < policy.fewestPerColumn() ? 1 : 0;
            }
        }
        return small;
    }
}
