package dev.starling.lab.localised;

import dev.starling.data.Dataset;
import dev.starling.internal.Cholesky;
import dev.starling.internal.Vectors;
import dev.starling.problem.LocalProblem;

/**
 * A node's rows in the coordinates in which its own term is ‖·‖²/2: with Q = RRᵀ, the rows R⁻¹x, which are dense.
 *
 * @param turn R⁻ᵀ, which is upper triangular, stored by rows
 * @param rows R⁻¹x of every sample
 */
record Turned(double[] turn, double[] rows) {

    /** @param lower the lower half of Q */
    static Turned of(LocalProblem problem, double[] lower) {
        int d = problem.features();
        double[] factor = lower.clone();
        Cholesky.factorise(factor, d);
        double[] inverse = Cholesky.inverse(factor, d);
        double[] turn = new double[d * d];
        for (int i = 0; i < d; i++) {
            for (int k = 0; k <= i; k++) {
                turn[k * d + i] = inverse[i * d + k];
            }
        }
        double[] rows = new double[Math.multiplyExact(d, problem.samples())];
        Dataset data = problem.data();
        for (int j = 0; j < problem.samples(); j++) {
            int start = data.start(problem.row(j));
            int end = data.end(problem.row(j));
            for (int k = start; k < end; k++) {
                int column = data.column(problem.row(j), k);
                double value = data.value(problem.row(j), k);
                for (int i = column; i < d; i++) {
                    rows[j * d + i] = Math.fma(value, turn[column * d + i], rows[j * d + i]);
                }
            }
        }
        return new Turned(turn, rows);
    }

    /** √(1 + L xᵀQ⁻¹x) of a sample, or 0 if nothing is left of it, so that it is never drawn. */
    double root(int sample, double left) {
        int d = (int) Math.sqrt(turn.length);
        double smoothness = left * Vectors.dot(rows, d * sample, rows, d * sample, d);
        return smoothness > 0 ? Math.sqrt(1 + smoothness) : 0;
    }
}
