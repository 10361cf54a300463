package dev.starling.problem;

/**
 * Upper bounds that hold for every row of a node.
 *
 * @param length a bound on ‖x‖
 * @param stored the largest number of stored values of a row
 * @param label a bound on {@link dev.starling.loss.Loss#labelSize} plus the absolute value of the shift
 */
public record RowBounds(double length, int stored, double label) {

    /** Computes the bounds of a node's rows. Non-negative floats compare like their bits read as integers. */
    public static RowBounds of(LocalProblem problem) {
        float[] values = problem.data().values();
        int bits = 0;
        int stored = 0;
        double label = 0;
        for (int j = 0; j < problem.samples(); j++) {
            int row = problem.row(j);
            int start = problem.data().start(row);
            int end = problem.data().end(row);
            bits = largest(values, start, end, bits);
            stored = Math.max(stored, end - start);
            label = Math.max(
                    label,
                    problem.loss().labelSize(problem.data().label(row))
                            + Math.abs(problem.data().shift(row)));
        }
        double longest = Float.intBitsToFloat(bits) * Math.sqrt(stored);
        return new RowBounds(longest * (1 + 0x1p-20), stored, label);
    }

    /**
     * A separate method, so that the JIT compiles it after a few rows; a nested loop would be compiled only after many.
     */
    private static int largest(float[] values, int start, int end, int bits) {
        int largest = bits;
        for (int k = start; k < end; k++) {
            largest = Math.max(largest, Float.floatToRawIntBits(values[k]) & Integer.MAX_VALUE);
        }
        return largest;
    }
}
