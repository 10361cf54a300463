package dev.starling.peer.policy;

import dev.starling.node.State;
import dev.starling.node.Stateful;
import dev.starling.node.SumDifference;
import dev.starling.node.SumKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * How much of what all runs together have revealed depends on a single row. Totals are exact, so nothing damps the
 * leverage here: it is the squared length of the row's unit vector within the span of all slopes so far, up to
 * differences that rounding hides. Where kinks leave few rows in the difference of two sums, the account says so. If
 * there are more rows than memory allows, it is that of some of them, as if there were no others.
 */
public final class SlopesAccount implements Stateful {

    /** What is left of a column after the earlier ones, relative to it, below which rounding hides it. */
    private static final double HIDDEN = 1e-10;

    /** The most rows whose slopes are kept. */
    public static final int MOST_ROWS = 8000;

    /** The kinds of sums that are kept, by their numbers in files. */
    public static final List<SumKind> KINDS = List.of(SumKind.GRADIENT, SumKind.LINE, SumKind.HESSIAN);

    /** The fewest rows that say something about how many differ, where not all are kept. */
    private static final int FEWEST_KEPT = 2;

    /**
     * A sum, by what it is made of.
     *
     * @param kind its kind; of those with second derivatives only {@link SumKind#HESSIAN}
     * @param shares what each row was multiplied by, by place
     */
    public record Sum(SumKind kind, double[] shares) {}

    private final int rows;
    private final int[] placeOfRow;
    private final List<Sum> sums;
    private final List<double[]> basis = new ArrayList<>();
    private final double[] leverages;
    private int fewestApart = Integer.MAX_VALUE;
    private int earlier;

    /**
     * Creates the account of the rows of a run.
     *
     * @param rows how many rows have a place
     * @param before the sums of earlier runs
     * @param placeOfRow the place of each of the run's rows; negative for those that are left out
     */
    public SlopesAccount(int rows, List<Sum> before, int[] placeOfRow) {
        this.rows = rows;
        this.placeOfRow = placeOfRow.clone();
        this.sums = new ArrayList<>();
        this.leverages = new double[rows];
        before.forEach(this::append);
        this.earlier = sums.size();
    }

    /** An account that takes nothing down. */
    public static SlopesAccount none() {
        return new SlopesAccount(0, List.of(), new int[0]);
    }

    /** Adds what the rows of the run were multiplied by in a sum. */
    void add(SumKind kind, double[] shares) {
        if (rows > 0) {
            append(new Sum(kind.isCurved() ? SumKind.HESSIAN : kind, byPlace(shares)));
        }
    }

    private double[] byPlace(double[] shares) {
        double[] column = new double[rows];
        for (int row = 0; row < placeOfRow.length; row++) {
            if (placeOfRow[row] >= 0) {
                column[placeOfRow[row]] = shares[row];
            }
        }
        return column;
    }

    /**
     * Whether a sum would differ from one of an earlier run in some rows, but in too few. One that was released before
     * tells nothing new.
     *
     * @param fewest how many rows are enough
     * @param splitBySign whether the sum over the rows with positive shares is released as well
     */
    boolean isNear(SumKind kind, double[] shares, int fewest, boolean splitBySign) {
        List<double[]> others = sums.subList(0, earlier).stream()
                .filter(sum -> sum.kind == kind)
                .map(Sum::shares)
                .toList();
        if (others.isEmpty()) {
            return false;
        }
        double[] column = byPlace(shares);
        long kept = Arrays.stream(placeOfRow).filter(place -> place >= 0).count();
        int enough = kept == placeOfRow.length
                ? fewest
                : (int) Math.max(FEWEST_KEPT, Math.ceil((double) fewest * kept / placeOfRow.length));
        double[] ones = new double[rows];
        Arrays.fill(ones, 1);
        return others.stream().noneMatch(other -> Arrays.equals(other, column))
                && others.stream().anyMatch(other -> SumDifference.isOfFew(ones, other, column, enough, splitBySign));
    }

    private void append(Sum sum) {
        if (sum.kind != SumKind.LINE) {
            sums.stream()
                    .filter(other -> other.kind == sum.kind)
                    .forEach(other -> fewestApart = Math.min(fewestApart, apart(sum.shares, other.shares)));
        }
        sums.add(sum);
        if (sum.kind == SumKind.HESSIAN) {
            return;
        }
        double[] column = sum.shares;
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

    /** The fewest rows by which two gradients, or two Hessians, differ that differ at all, which kinks make few. */
    public int fewestApart() {
        return fewestApart;
    }

    /** The sums of this run alone. */
    public List<Sum> added() {
        return List.copyOf(sums.subList(earlier, sums.size()));
    }

    @Override
    public void state(State s) throws IOException {
        List<double[]> kinds = new ArrayList<>(List.of(
                added().stream().mapToDouble(sum -> KINDS.indexOf(sum.kind)).toArray()));
        List<double[]> same = new ArrayList<>(added().stream().map(Sum::shares).toList());
        s.elements(same, new double[0], (state, column) -> state.vector(column, rows));
        s.elements(kinds, new double[0], (state, kind) -> state.vector(kind, same.size()));
        if (s.isRestoring()) {
            for (int k = 0; k < same.size(); k++) {
                append(new Sum(KINDS.get((int) kinds.get(0)[k]), same.get(k)));
            }
        }
    }
}
