package dev.starling.lab.localised;

import dev.starling.internal.Cholesky;
import dev.starling.internal.Vectors;
import dev.starling.method.adfs.tuning.Tuning;
import dev.starling.network.Spectrum;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.EigenDecomposition_F64;

/**
 * C, the weight of every edge, and how a node compares with it. The step sizes of S-ADFS follow from four maxima over
 * nodes, which replace those of its scalars σ_i and M_i: with K = Σ_j L_j x xᵀ,
 *
 * <ul>
 *   <li>S = Σ_j √(1 + L_j xᵀQ⁻¹x), and S over the smallest of these roots;
 *   <li>λ_max(CQ⁻¹), with which C_comm = √(λ_max(CQ⁻¹) λ_max(L)/σ_A);
 *   <li>λ_max(C⁻¹(Q + K/(1−c))) for some values of c, the inverse of which, times λ_min⁺(L), is σ_A(c).
 * </ul>
 *
 * The proof of Theorem 3 and of Lemma 3 uses of σ_i only that it is positive: minimising |a + Bl|²_{Q⁻¹} +
 * σ_A((1−c)/c)|l|² over the virtual part l gives aᵀ(Q + K/(1−c))⁻¹a for any positive definite Q.
 */
final class EdgeMatrix {

    private static final double[] BALANCES = {0.3, 0.5, 0.65, 0.8, 0.88, 0.93, 0.96, 0.98, 0.99, 0.995};
    private static final int ROOT_SUM = 0;
    private static final int SMALLEST_PROBABILITY = 1;
    private static final int TOP = 2;
    private static final int FIRST_BALANCE = 3;

    /** How many numbers {@link #compare} returns. */
    static final int NUMBERS = FIRST_BALANCE + BALANCES.length;

    /** What eigenvalues are multiplied by, since rounding may have made them too small. */
    private static final double ROUNDED_UP = 1 + 1e-9;

    private final int d;
    private final double[] whole;
    private final double[] inverseFactor;

    /** @param lower the lower half of C, stored by rows */
    EdgeMatrix(double[] lower, int d) {
        this.d = d;
        this.whole = lower.clone();
        for (int row = 0; row < d; row++) {
            for (int column = 0; column < row; column++) {
                whole[column * d + row] = whole[row * d + column];
            }
        }
        double[] factor = lower.clone();
        Cholesky.factorise(factor, d);
        this.inverseFactor = Cholesky.inverse(factor, d);
    }

    /** All of C, stored by rows. */
    double[] whole() {
        return whole;
    }

    /**
     * The numbers of a node, of which all nodes then need the maxima.
     *
     * @param own the lower half of Q
     * @param left the lower half of K
     */
    double[] compare(double[] own, double[] left, double rootSum, double smallestRoot) {
        double[] numbers = new double[NUMBERS];
        numbers[ROOT_SUM] = rootSum;
        numbers[SMALLEST_PROBABILITY] = rootSum == 0 ? 0 : rootSum / smallestRoot;
        double[] scaledOwn = scaled(own);
        double[] scaledLeft = scaled(left);
        numbers[TOP] = ROUNDED_UP / extreme(scaledOwn, false);
        double[] sum = new double[d * d];
        for (int k = 0; k < BALANCES.length; k++) {
            for (int at = 0; at < sum.length; at++) {
                sum[at] = scaledOwn[at] + scaledLeft[at] / (1 - BALANCES[k]);
            }
            numbers[FIRST_BALANCE + k] = ROUNDED_UP * extreme(sum, true);
        }
        return numbers;
    }

    /** F⁻¹MF⁻ᵀ, where C = FFᵀ. */
    private double[] scaled(double[] lower) {
        double[] half = new double[d * d];
        double[] column = new double[d];
        for (int c = 0; c < d; c++) {
            for (int i = 0; i < d; i++) {
                column[i] = i >= c ? lower[i * d + c] : lower[c * d + i];
            }
            for (int i = 0; i < d; i++) {
                half[c * d + i] = Vectors.dot(inverseFactor, i * d, column, 0, i + 1);
            }
        }
        // Row c of "half" is F⁻¹ times column c of M, so that column i of it is row i of F⁻¹M.
        double[] result = new double[d * d];
        for (int i = 0; i < d; i++) {
            for (int c = 0; c < d; c++) {
                column[c] = half[c * d + i];
            }
            for (int k = 0; k <= i; k++) {
                double value = Vectors.dot(inverseFactor, k * d, column, 0, k + 1);
                result[i * d + k] = value;
                result[k * d + i] = value;
            }
        }
        return result;
    }

    private double extreme(double[] symmetric, boolean largest) {
        EigenDecomposition_F64<DMatrixRMaj> spectrum = DecompositionFactory_DDRM.eig(d, false, true);
        if (!spectrum.decompose(new DMatrixRMaj(d, d, true, symmetric.clone()))) {
            throw new IllegalStateException("no eigenvalues of a matrix of " + d + " rows could be found");
        }
        double extreme = largest ? 0 : Double.POSITIVE_INFINITY;
        for (int k = 0; k < d; k++) {
            double value = spectrum.getEigenvalue(k).real;
            extreme = largest ? Math.max(extreme, value) : Math.min(extreme, value);
        }
        return extreme;
    }

    /**
     * The tuning with the c that minimises the predicted time.
     *
     * @param maxima the maxima over nodes of what {@link #compare} returns
     */
    static Tuning tune(double[] maxima, Spectrum graph, double delay) {
        if (graph.largest() == 0) {
            double computation = Math.max(1, maxima[SMALLEST_PROBABILITY]);
            return new Tuning(delay, 1, 1, computation, 0, 0, 1 / computation, 1 / computation);
        }
        Tuning best = null;
        for (int k = 0; k < BALANCES.length; k++) {
            double c = BALANCES[k];
            double convexity = graph.smallest() / maxima[FIRST_BALANCE + k];
            double communication = Math.sqrt(maxima[TOP] * graph.largest() / convexity);
            double computation =
                    Math.max(1, Math.max(maxima[ROOT_SUM] / Math.sqrt(c), maxima[SMALLEST_PROBABILITY] / c));
            double rate = 1 / (communication + computation);
            Tuning tuning = new Tuning(
                    delay, c, convexity, computation, communication, communication * rate, rate, rate / convexity);
            best = best == null || tuning.timePerFactor() < best.timePerFactor() ? tuning : best;
        }
        return best;
    }
}
