package dev.starling.problem;

/**
 * What no row of a node exceeds.
 *
 * @param length ‖x‖
 * @param stored the number of its values
 * @param label |y|, and what is added to the margin
 */
public record RowBounds(double length, int stored, double label) {

    /** Those of a node's rows. Among bits of numbers without a sign, the largest integer is the largest number. */
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
                    Math.abs(problem.data().label(row))
                            + Math.abs(problem.data().shift(row)));
        }
        double longest = Float.intBitsToFloat(bits) * Math.sqrt(stored);
        return new RowBounds(longest * (1 + 0x1p-20), stored, label);
    }

    /** A method of its own, which is compiled after a few rows; a loop within the loop would be after many. */
    private static int largest(float[] values, int start, int end, int bits) {
        int largest = bits;
        for (int k = start; k < end; k++) {
            largest = Math.max(largest, Float.floatToRawIntBits(values[k]) & Integer.MAX_VALUE);
        }
        return largest;
    }
}
