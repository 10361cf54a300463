package dev.starling.node;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * Describes a sum: everything that a node's addend depends on besides its rows, and how many of them it covers.
 *
 * @param kind what is added up, such as "gradient"
 * @param problem the index of the job's problem that the sum belongs to; 0 if it belongs to none in particular
 * @param stride the sum covers every {@code stride}-th row
 * @param point the parameter at which the rows are evaluated; empty if there is none
 * @param rows the number of this node's rows in its addend
 * @param numbers how many numbers are added up
 * @param shares the factor of each of this node's samples in its addend, for this node's own rules to check; empty if
 *     the other components determine it
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

    /**
     * Creates the request for a sum in which each sample is multiplied by the slope of the loss or by its curvature.
     */
    public SumRequest(String kind, int problem, int stride, double[] point, long rows, int numbers) {
        this(kind, problem, stride, point, rows, numbers, Optional.empty());
    }

    /** The request for a sum over all rows that depends on nothing else. */
    public static SumRequest overAll(String kind, long rows, int numbers) {
        return new SumRequest(kind, 0, 1, NOWHERE, rows, numbers);
    }

    /** The request for a sum that covers no rows, of values that a node may share openly. */
    public static SumRequest ofNothing(String kind, int numbers) {
        return overAll(kind, 0, numbers);
    }
}
