package dev.starling.peer.policy;

import dev.starling.node.State;
import dev.starling.node.Stateful;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * How much of what all runs together have revealed depends on a single row. Totals are exact, so nothing damps the
 * leverage here: it is the squared length of the row's unit vector within the span of all slopes so far, up to
 * differences that rounding hides. If there are more rows than memory allows, it is that of some of them, as if there
 * were no others.
 */
public final class SlopesAccount implements Stateful {

    /** What is left of a column after the earlier ones, relative to it, below which rounding hides it. */
    private static final double HIDDEN = 1e-10;

    /** The most rows whose slopes are kept. */
    public static final int MOST_ROWS = 8000;

    private final int rows;
    private final int[] placeOfRow;
    private final List<double[]> columns;
    private final List<double[]> basis = new ArrayList<>();
    private final double[] leverages;
    private int fewestApart = Integer.MAX_VALUE;
    private int earlier;

    /**
     * Creates the account of the rows of a run.
     *
     * @param rows how many rows have a place
     * @param before the slopes of earlier runs, by place
     * @param placeOfRow the place of each of the run's rows; negative for those that are left out
     */
    public SlopesAccount(int rows, List<double[]> before, int[] placeOfRow) {
        this.rows = rows;
        this.placeOfRow = placeOfRow.clone();
        this.columns = new ArrayList<>();
        this.leverages = new double[rows];
        before.forEach(this::append);
        this.earlier = columns.size();
    }

    /** An account that takes nothing down. */
    public static SlopesAccount none() {
        return new SlopesAccount(0, List.of(), new int[0]);
    }

    /** Adds the slopes of a pass, one for each row of the run. */
    void add(double[] slopes) {
        if (rows > 0) {
            double[] column = new double[rows];
            for (int row = 0; row < placeOfRow.length; row++) {
                if (placeOfRow[row] >= 0) {
                    column[placeOfRow[row]] = slopes[row];
                }
            }
            append(column);
        }
    }

    private void append(double[] column) {
        columns.forEach(other -> fewestApart = Math.min(fewestApart, apart(column, other)));
        columns.add(column);
        double length = Math.sqrt(dot(column, column));
        double[] rest = column.clone();
        // Twice, since once is not orthogonal enough for what is nearly dependent.
        for (int pass = 0; pass < 2; pass++) {
            for (double[] one : basis) {
                double common = dot(one, rest);
                for (int k = 0; k < rest.length; k++) {
                    rest[k] -= common * one[k];
                }
            }
        }
        double left = Math.sqrt(dot(rest, rest));
        if (left > HIDDEN * length) {
            for (int k = 0; k < rest.length; k++) {
                rest[k] /= left;
                leverages[k] += rest[k] * rest[k];
            }
            basis.add(rest);
        }
    }

    private static double dot(double[] one, double[] other) {
        double sum = 0;
        for (int k = 0; k < one.length; k++) {
            sum += one[k] * other[k];
        }
        return sum;
    }

    /** In how many places two columns differ; as many as there can be if in none. */
    private static int apart(double[] one, double[] other) {
        int count = 0;
        for (int k = 0; k < one.length; k++) {
            count += one[k] != other[k] ? 1 : 0;
        }
        return count == 0 ? Integer.MAX_VALUE : count;
    }

    /** The largest leverage of a row, over all runs. */
    public double largest() {
        return Math.min(1, Arrays.stream(leverages).max().orElse(0));
    }

    /** The fewest rows by whose slopes two sums differ that differ at all, which kinks make few. */
    public int fewestApart() {
        return fewestApart;
    }

    /** The slopes of this run alone, by place. */
    public List<double[]> added() {
        return List.copyOf(columns.subList(earlier, columns.size()));
    }

    @Override
    public void state(State s) throws IOException {
        List<double[]> same = new ArrayList<>(added());
        s.elements(same, new double[0], (state, column) -> state.vector(column, rows));
        if (s.isRestoring()) {
            same.forEach(this::append);
        }
    }
}
