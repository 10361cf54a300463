package dev.starling.node;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * What a sum is of: everything that a node's addend depends on besides its rows, and how many of them it covers.
 *
 * @param kind what is added up, such as "gradient"
 * @param problem which of a job's problems it belongs to; 0 where that says nothing
 * @param stride every how many-th row is taken
 * @param point the parameter that rows are looked at from; empty if none
 * @param rows how many rows of this node are in its addend
 * @param numbers how many numbers are added up
 * @param shares what each of this node's samples is multiplied by in its addend, for its own rules to look at; empty
 *     where that follows from the rest
 */
public record SumRequest(
        String kind,
        int problem,
        int stride,
        double[] point,
        long rows,
        int numbers,
        Optional<Supplier<double[]>> shares) {

    private static final double[] NOWHERE = {};

    /** A sum in which the slope of the loss, or its curvature, multiplies each sample. */
    public SumRequest(String kind, int problem, int stride, double[] point, long rows, int numbers) {
        this(kind, problem, stride, point, rows, numbers, Optional.empty());
    }

    /** A sum over all rows that depends on nothing else. */
    public static SumRequest overAll(String kind, long rows, int numbers) {
        return new SumRequest(kind, 0, 1, NOWHERE, rows, numbers);
    }

    /** A sum that covers no rows: of what a node may say aloud. */
    public static SumRequest ofNothing(String kind, int numbers) {
        return overAll(kind, 0, numbers);
    }
}
