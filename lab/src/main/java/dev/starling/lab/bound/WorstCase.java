package dev.starling.lab.bound;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.lab.general.GeneralProblem;
import dev.starling.lab.general.LocalFunctions;
import dev.starling.lab.general.ProximalFunction;
import dev.starling.loss.Squared;
import dev.starling.network.Network;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Problem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The worst-case functions of the paper's Theorem 1 on a line of nodes, in finite dimension, with their optimum and the
 * smallest error that any method can have at any time.
 *
 * <p>θ holds m chains x_1 … x_m of equal length. With κ = L/σ and σ = 1, the two ends of the line hold, for every chain
 * x,
 *
 * <pre>
 * first node:  f_j(x) = (L−σ)/8 · (xᵀM₁x − 2e₁ᵀx),   M₁ couples entries (1,2), (3,4), …
 * last node:   f_j(x) = (L−σ)/8 · xᵀM₂x,             M₂ couples entries (2,3), (4,5), …
 * </pre>
 *
 * plus (σ/6)‖x‖² each, and the nodes between them share another (σ/6)‖x‖². Neither end alone can get past the next
 * entry of a chain, so information has to cross the line for every entry. The optimum is x(k) = q^k, q = (√κ−1)/(√κ+1),
 * up to the end of the chain. (The paper prints the linear term as −e₁ᵀx, whose optimum is half of that.)
 */
public final class WorstCase {

    private final int nodes;
    private final int chains;
    private final int length;
    private final double conditioning;
    private final double[] chain;
    private final double[] tails;

    /**
     * Creates the worst case on a line.
     *
     * @param nodes n, three or more
     * @param chains m, the number of functions per node
     * @param length the number of entries per chain, even
     * @param conditioning κ = L/σ, more than 1
     */
    public WorstCase(int nodes, int chains, int length, double conditioning) {
        if (nodes < 3) {
            throw new InvalidInputException("a line of " + nodes + " nodes is too short; use 3 or more");
        }
        if (chains < 1 || length < 2 || length % 2 != 0) {
            throw new InvalidInputException(chains + " chains of " + length
                    + " entries; there must be at least one chain, of an even number of entries");
        }
        if (!(conditioning > 1) || Double.isInfinite(conditioning)) {
            throw new InvalidInputException("conditioning " + conditioning + " must be more than 1, and finite");
        }
        this.nodes = nodes;
        this.chains = chains;
        this.length = length;
        this.conditioning = conditioning;
        this.chain = chain();
        this.tails = tails();
    }

    /** The x with x(0) = 1, x(length+1) = 0 and x(k−1) + x(k+1) = (q + 1/q) x(k). */
    private double[] chain() {
        double root = Math.sqrt(conditioning);
        double q = (root - 1) / (root + 1);
        double[] powers = new double[2 * length + 3];
        powers[0] = 1;
        for (int k = 1; k < powers.length; k++) {
            powers[k] = powers[k - 1] * q;
        }
        double[] entries = new double[length];
        for (int k = 1; k <= length; k++) {
            entries[k - 1] = (powers[k] - powers[2 * length + 2 - k]) / (1 - powers[2 * length + 2]);
        }
        return entries;
    }

    /** Entry k is the share of ‖x*‖² beyond the first k entries. */
    private double[] tails() {
        double[] sums = new double[length + 1];
        for (int k = length - 1; k >= 0; k--) {
            sums[k] = sums[k + 1] + chain[k] * chain[k];
        }
        return Arrays.stream(sums).map(sum -> sum / sums[0]).toArray();
    }

    /** The line of nodes. */
    public Network network() {
        int[][] edges = new int[nodes - 1][];
        Arrays.setAll(edges, i -> new int[] {i, i + 1});
        return Network.of(nodes, edges);
    }

    /** The problem with its functions: m at either end of the line and none between. */
    public GeneralProblem problem() {
        List<LocalFunctions> locals = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            List<ProximalFunction> functions = new ArrayList<>();
            if (i == 0 || i == nodes - 1) {
                for (int j = 0; j < chains; j++) {
                    functions.add(new Couplings(j * length, length, stiffness(), i == 0));
                }
            }
            // The chains do not overlap, so the largest eigenvalue of Σ_j L_ij P_ij is that of one function.
            double curvature = functions.isEmpty() ? 0 : functions.get(0).smoothness();
            locals.add(new LocalFunctions(functions, LocalFunctions.filled(chains * length, sigma(i)), curvature));
        }
        return new GeneralProblem(locals);
    }

    /**
     * The same problem as a linear model with squared loss, for methods that cannot handle other functions: every
     * coupling is a sample e_k − e_{k+1} with label 0. The linear term is part of (x(1) − 1)² at the last node, so the
     * sum is the same up to a constant.
     */
    public Problem linearProblem() {
        List<LocalProblem> locals = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            locals.add(LocalProblem.of(rows(i), new Squared(), 1).withSigma(sigma(i)));
        }
        return new Problem(locals);
    }

    private Dataset rows(int node) {
        boolean first = node == 0;
        int perChain = first ? length / 2 : length / 2 + 1;
        int rows = first || node == nodes - 1 ? chains * perChain : 1;
        float[] values = new float[rows * chains * length];
        double[] labels = new double[rows];
        double[] weights = new double[rows];
        Arrays.fill(weights, 1);
        for (int row = 0; rows > 1 && row < rows; row++) {
            int start = row / perChain * length;
            // Pairs (0,1), (2,3), … at the first node; 0 alone, (1,2), (3,4), …, the last alone at the other.
            int entry = first ? 2 * (row % perChain) : 2 * (row % perChain) - 1;
            int at = row * chains * length + start;
            if (entry >= 0) {
                values[at + entry] = 1;
            }
            if (entry + 1 < length) {
                values[at + entry + 1] = entry < 0 ? 1 : -1;
            }
            labels[row] = entry < 0 ? 1 : 0;
            weights[row] = stiffness();
        }
        return Dataset.dense(chains * length, values, labels).withWeights(weights);
    }

    /** (L−σ)/4: f_j is half of this times a sum of squares. */
    private double stiffness() {
        return (conditioning - 1) / 4;
    }

    private double sigma(int node) {
        return node == 0 || node == nodes - 1 ? 1.0 / 3 : 1.0 / (3 * (nodes - 2));
    }

    /** θ*. */
    public double[] optimum() {
        double[] theta = new double[chains * length];
        for (int j = 0; j < chains; j++) {
            System.arraycopy(chain, 0, theta, j * length, length);
        }
        return theta;
    }

    /** ‖θ − θ*‖²/‖θ*‖². */
    public double relativeError(double[] theta) {
        double[] optimum = optimum();
        double error = 0;
        double whole = 0;
        for (int c = 0; c < theta.length; c++) {
            error += (theta[c] - optimum[c]) * (theta[c] - optimum[c]);
            whole += optimum[c] * optimum[c];
        }
        return error / whole;
    }

    /**
     * The smallest {@link #relativeError} that any node can have at a given time, whatever the method. By then at most
     * 2 + ⌊t/(τΔ)⌋ entries of a chain are non-zero, Δ = n−1, since one entry is gained per crossing of the line; and at
     * most 1 + 2t/m on average over the chains, since the first node works on one chain at a time and the other end
     * gains at most one entry for each that the first gains.
     *
     * @param time idealised time, in which a gradient or proximal point of one function takes 1
     * @param delay τ, the time of a message between neighbours
     */
    public double smallestError(double time, double delay) {
        double crossings = delay == 0 ? length : Math.floor(time / (delay * (nodes - 1)));
        return Math.max(tail(2 + crossings), tail(1 + 2 * Math.ceil(time) / chains));
    }

    /** The shortest time in which any method can reduce a node's relative error to the given precision. */
    public double smallestTime(double precision, double delay) {
        double entries = 0;
        while (entries < length && tail(entries) > precision) {
            entries += 1;
        }
        double communication = Math.max(0, entries - 2) * delay * (nodes - 1);
        double computation = Math.max(0, entries - 2) * chains / 2;
        return Math.max(communication, computation);
    }

    /** The tail interpolated to a convex function of a real number, as Jensen's inequality requires. */
    private double tail(double entries) {
        if (entries >= length) {
            return 0;
        }
        int whole = (int) entries;
        return tails[whole] + (entries - whole) * (tails[whole + 1] - tails[whole]);
    }

    /** κ_s = 1 + Σ_j L_ij/σ_i at the ends of the line. */
    public double stochasticConditioning() {
        return 1 + chains * 2 * stiffness() * 3;
    }

    /** κ_ℓ = (L_ij + σ_i)/σ_i at the ends of the line. */
    public double localConditioning() {
        return 1 + 2 * stiffness() * 3;
    }

    /** (stiffness/2) · (xᵀMx − 2e₁ᵀx) at the first node or (stiffness/2) · xᵀMx at the last, for one chain x of θ. */
    private record Couplings(int start, int length, double stiffness, boolean first) implements ProximalFunction {

        @Override
        public double value(double[] theta) {
            double sum = first ? -2 * theta[start] : theta[start] * theta[start];
            if (!first) {
                sum += theta[start + length - 1] * theta[start + length - 1];
            }
            for (int k = begin(); k + 1 < start + length; k += 2) {
                sum += (theta[k] - theta[k + 1]) * (theta[k] - theta[k + 1]);
            }
            return stiffness / 2 * sum;
        }

        @Override
        public void gradient(double[] theta, double[] into) {
            Arrays.fill(into, 0);
            int last = start + length - 1;
            if (!first) {
                into[start] = stiffness * theta[start];
                into[last] = stiffness * theta[last];
            }
            for (int k = begin(); k + 1 < start + length; k += 2) {
                into[k] = stiffness * (theta[k] - theta[k + 1]);
                into[k + 1] = -into[k];
            }
            if (first) {
                into[start] -= stiffness;
            }
        }

        /**
         * (I + sM)θ = point + s e₁ with s = step · stiffness: the sum of a pair stays the same, and its difference is
         * divided by 1 + 2s.
         */
        @Override
        public void prox(double[] point, double step, double[] into) {
            System.arraycopy(point, 0, into, 0, point.length);
            double scale = step * stiffness;
            int last = start + length - 1;
            if (first) {
                into[start] += scale;
            } else {
                into[start] /= 1 + scale;
                into[last] /= 1 + scale;
            }
            for (int k = begin(); k + 1 < start + length; k += 2) {
                double sum = into[k] + into[k + 1];
                double difference = (into[k] - into[k + 1]) / (1 + 2 * scale);
                into[k] = (sum + difference) / 2;
                into[k + 1] = (sum - difference) / 2;
            }
        }

        private int begin() {
            return first ? start : start + 1;
        }

        @Override
        public double smoothness() {
            return 2 * stiffness;
        }
    }
}
