package dev.starling.node;

import java.util.List;
import java.util.Optional;
import java.util.function.IntToLongFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Describes a sum: everything that a node's addend depends on besides its rows, what it tells about them, and how many
 * of them it covers.
 *
 * @param kind what the sum tells about rows
 * @param name what is added up, as ledgers list it
 * @param problem the index of the job's problem that the sum belongs to; 0 if it belongs to none in particular
 * @param stride the sum covers every {@code stride}-th row
 * @param point the parameter at which the rows are evaluated; empty if there is none
 * @param rows the number of this node's rows in its addend
 * @param numbers how many numbers are added up
 * @param rowsOfNumber how many of this node's rows each number covers; empty if each covers all rows of the addend
 * @param shares how much each of this node's samples contributes, for this node's own rules to check; empty if the
 *     other components determine it
 */
public record SumRequest(
        SumKind kind,
        String name,
        int problem,
        int stride,
        double[] point,
        long rows,
        int numbers,
        Optional<IntToLongFunction> rowsOfNumber,
        Optional<Supplier<Shares>> shares) {

    /**
     * How much each sample contributes to a sum at a point.
     *
     * @param slopes for each output of the model, the factor of each sample in gradients
     * @param curvatures the factors of each sample in Hessians
     */
    public record Shares(List<double[]> slopes, List<double[]> curvatures) {

        /** Copies the lists. */
        public Shares {
            slopes = List.copyOf(slopes);
            curvatures = List.copyOf(curvatures);
        }

        /** The shares of a sum of gradients. */
        public static Shares ofSlopes(double[]... slopes) {
            return new Shares(List.of(slopes), List.of());
        }

        /** The shares of a sum of Hessians alone. */
        public static Shares ofCurvatures(double[]... curvatures) {
            return new Shares(List.of(), List.of(curvatures));
        }
    }

    private static final double[] NOWHERE = {};

    /** The request for a sum at a point, named after its kind, in which a sample counts as its loss alone says. */
    public static SumRequest atPoint(SumKind kind, int problem, int stride, double[] point, long rows, int numbers) {
        return new SumRequest(
                kind, kind.text(), problem, stride, point, rows, numbers, Optional.empty(), Optional.empty());
    }

    /** The request for a sum over all rows that depends on nothing else. */
    public static SumRequest overAll(SumKind kind, String name, long rows, int numbers) {
        return atPoint(kind, 0, 1, NOWHERE, rows, numbers).named(name);
    }

    /** The request for a sum that covers no rows, of values that a node may share openly. */
    public static SumRequest ofNothing(String name, int numbers) {
        return overAll(SumKind.NOTHING, name, 0, numbers);
    }

    /** Returns a copy with another name. */
    public SumRequest named(String other) {
        return new SumRequest(kind, other, problem, stride, point, rows, numbers, rowsOfNumber, shares);
    }

    /** Returns a copy of whose numbers each covers only some rows of the addend. */
    public SumRequest withRowsOfNumber(IntToLongFunction rowsOf) {
        return new SumRequest(kind, name, problem, stride, point, rows, numbers, Optional.of(rowsOf), shares);
    }

    /** Returns a copy in which each sample counts as these shares say. */
    public SumRequest withShares(Supplier<Shares> each) {
        return new SumRequest(kind, name, problem, stride, point, rows, numbers, rowsOfNumber, Optional.of(each));
    }

    /**
     * Returns the smallest number of this node's rows that any of the numbers covers, other than those that cover none
     * and are therefore 0.
     */
    public long fewestRows() {
        return rowsOfNumber
                .map(rowsOf -> IntStream.range(0, numbers)
                        .mapToLong(rowsOf)
                        .filter(covered -> covered > 0)
                        .min()
                        .orElse(0))
                .orElse(rows);
    }
}
