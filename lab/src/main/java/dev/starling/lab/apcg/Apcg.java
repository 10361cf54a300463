package dev.starling.lab.apcg;

import java.util.Arrays;
import java.util.function.IntToDoubleFunction;
import java.util.function.Predicate;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;

/**
 * Generalized APCG: accelerated proximal gradient steps on randomly drawn blocks of coordinates.
 *
 * <p>The problem, the sampling and the state are separate objects; this class is the step between states. With S such
 * that S² ≥ λ_max(A⁺A P_b⁺ M P_b⁺ A⁺A) for every block b, M the smoothness of q_A:
 *
 * <ul>
 *   <li>{@link #stronglyConvex}: σ_A E‖v_t − x*‖² + 2(E F(x_t) − F*) ≤ C_0 (1 − ρ)^t, ρ = √σ_A/S;
 *   <li>{@link #convex}: E F(x_t) − F* ≤ (2/t²)(S² ‖x_0 − x*‖² + (2/p_min²)(F(x_0) − F*)).
 * </ul>
 *
 * Both start from 0. For example a lasso, min ½‖Ax − b‖² + 0.1‖x‖₁, one coordinate at a time:
 *
 * <pre>{@code
 * double[][] matrix = {{2, 1, 0}, {0, 1, 1}, {1, 0, 3}, {1, 1, 1}};
 * Quadratic smooth = Quadratic.of(matrix, new double[] {1, 1, 1, 1}, new double[] {1, 2, 3, 4});
 * SeparableTerm lasso = new SeparableTerm() {
 *     public double value(int i, double x) {
 *         return 0.1 * Math.abs(x);
 *     }
 *     public double prox(int i, double point, double step) {
 *         return Math.signum(point) * Math.max(0, Math.abs(point) - 0.1 * step);
 *     }
 *     public boolean isZero(int i) {
 *         return false;
 *     }
 * };
 * ListedBlocks sampling = BlockSampling.coordinates(new double[] {0.3, 0.3, 0.4});
 * CompositeProblem problem = new CompositeProblem(smooth, lasso);
 * Apcg apcg = Apcg.stronglyConvex(problem, sampling, smooth.samplingConstant(sampling));
 * double[] x = apcg.run(42, state -> state.steps() == 2000).point();
 * }</pre>
 */
public final class Apcg {

    /**
     * When φ^t falls below this power of two, u is multiplied and φ^t divided by it, which changes no bit of the
     * results.
     */
    private static final double FOLD_BELOW = 0x1p-200;

    private final CompositeProblem problem;
    private final BlockSampling sampling;
    private final StepCoefficients first;
    private final boolean printed;

    private Apcg(CompositeProblem problem, BlockSampling sampling, StepCoefficients first, boolean printed) {
        if (problem.smooth().dimension() != sampling.dimension()) {
            throw new IllegalArgumentException("the sampling has " + sampling.dimension() + " coordinates, the problem "
                    + problem.smooth().dimension());
        }
        this.problem = problem;
        this.sampling = sampling;
        this.first = first;
        this.printed = printed;
    }

    /**
     * The method for σ_A &gt; 0, in its efficient form (Algorithm 4): a step touches only its block.
     *
     * @param samplingConstant S
     */
    public static Apcg stronglyConvex(CompositeProblem problem, BlockSampling sampling, double samplingConstant) {
        double convexity = problem.smooth().strongConvexity();
        requirePositive("strong convexity", convexity);
        requirePositive("sampling constant", samplingConstant);
        double rate = Math.sqrt(convexity) / samplingConstant;
        double smallest = smallestProbability(problem, sampling);
        if (rate > smallest * (1 + 1e-12)) {
            throw new IllegalArgumentException("sampling constant " + samplingConstant + " gives the rate " + rate
                    + ", above the smallest probability " + smallest + "; it must be at least "
                    + Math.sqrt(convexity) / smallest);
        }
        return new Apcg(problem, sampling, new StepCoefficients.Constant(rate, convexity), false);
    }

    /**
     * The method without strong convexity, in its efficient form (Algorithm 5): a step touches only its block.
     *
     * @param samplingConstant S
     */
    public static Apcg convex(CompositeProblem problem, BlockSampling sampling, double samplingConstant) {
        requirePositive("sampling constant", samplingConstant);
        double smallest = smallestProbability(problem, sampling);
        return new Apcg(problem, sampling, new StepCoefficients.Fading(smallest, samplingConstant), false);
    }

    /**
     * The method with coefficients that start from any A_0 and B_0, as printed (Algorithm 1), with Theorem 2's
     * guarantee B_t E‖v_t − x*‖² + 2 A_t (E F(x_t) − F*) ≤ B_0 ‖x*‖² + 2 A_0 (F(0) − F*), as long as α_t/p_i ≤ 1 − β_t
     * where ψ_i is not zero.
     *
     * @param samplingConstant S, with S² greater than σ_A
     */
    public static Apcg general(
            CompositeProblem problem, BlockSampling sampling, double samplingConstant, double a0, double b0) {
        requirePositive("A_0", a0);
        requirePositive("B_0", b0);
        double convexity = problem.smooth().strongConvexity();
        if (!(samplingConstant * samplingConstant > convexity)) {
            throw new IllegalArgumentException("sampling constant " + samplingConstant
                    + " must be greater than the root of the strong convexity, " + Math.sqrt(convexity));
        }
        StepCoefficients grown = new StepCoefficients.Growing(b0 / a0, samplingConstant, convexity);
        return new Apcg(problem, sampling, grown, true);
    }

    /**
     * The same method as printed (Algorithm 1): it computes the same points, but combines whole vectors in every step.
     */
    public Apcg asPrinted() {
        return new Apcg(problem, sampling, first, true);
    }

    private static void requirePositive(String what, double value) {
        if (!(value > 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException(what + " " + value + " must be positive and finite");
        }
    }

    /** p_min over the coordinates with a non-zero ψ_i; over all of them if there is none. */
    private static double smallestProbability(CompositeProblem problem, BlockSampling sampling) {
        double smallest = 1;
        double smallestOfAll = 1;
        boolean any = false;
        for (int i = 0; i < sampling.dimension(); i++) {
            smallestOfAll = Math.min(smallestOfAll, sampling.probability(i));
            if (!problem.separable().isZero(i)) {
                any = true;
                smallest = Math.min(smallest, sampling.probability(i));
            }
        }
        return any ? smallest : smallestOfAll;
    }

    /** Returns the initial state, at 0. */
    public ApcgState start() {
        int dimension = sampling.dimension();
        return printed ? new ApcgState.Printed(dimension, first) : new ApcgState.Efficient(dimension, first);
    }

    /** Takes one step on a block of distinct coordinates. */
    public void step(ApcgState state, int[] block) {
        if (state instanceof ApcgState.Printed plain) {
            stepAsPrinted(plain, block);
        } else if (state.coefficients instanceof StepCoefficients.Constant) {
            stepStronglyConvex((ApcgState.Efficient) state, block);
        } else {
            stepConvex((ApcgState.Efficient) state, block);
        }
        state.count();
    }

    /** Takes steps on blocks drawn with a seed until the rule says to stop; returns the final state. */
    public ApcgState run(long seed, Predicate<ApcgState> stop) {
        UniformRandomProvider random = RandomSource.XO_SHI_RO_256_PP.create(seed);
        ApcgState state = start();
        while (!stop.test(state)) {
            step(state, sampling.draw(random));
        }
        return state;
    }

    /** Algorithm 1. */
    private void stepAsPrinted(ApcgState.Printed state, int[] block) {
        double alpha = state.coefficients.alpha();
        double beta = state.coefficients.beta();
        int dimension = state.x.length;
        double[] y = new double[dimension];
        double[] w = new double[dimension];
        for (int i = 0; i < dimension; i++) {
            y[i] = ((1 - alpha) * state.x[i] + alpha * (1 - beta) * state.v[i]) / (1 - alpha * beta);
            w[i] = (1 - beta) * state.v[i] + beta * y[i];
        }
        double[] h = change(block, state.coefficients.eta(), i -> y[i], i -> w[i]);
        double[] projected = projected(h, block);
        System.arraycopy(y, 0, state.x, 0, dimension);
        System.arraycopy(w, 0, state.v, 0, dimension);
        for (int k = 0; k < block.length; k++) {
            int i = block[k];
            state.v[i] = w[i] + h[k];
            state.x[i] = y[i] + alpha / sampling.probability(i) * projected[k];
        }
    }

    /** Algorithm 4, with w_t = z_t − φ^(t+1) u_t. */
    private void stepStronglyConvex(ApcgState.Efficient state, int[] block) {
        double rate = state.coefficients.alpha();
        double factor = state.factor * ((1 - rate) / (1 + rate));
        double[] u = state.u;
        double[] z = state.z;
        double[] h = change(block, state.coefficients.eta(), i -> factor * u[i] + z[i], i -> z[i] - factor * u[i]);
        double[] projected = projected(h, block);
        for (int k = 0; k < block.length; k++) {
            int i = block[k];
            double drawn = rate / sampling.probability(i) * projected[k];
            u[i] -= (h[k] - drawn) / (2 * factor);
            z[i] += (h[k] + drawn) / 2;
        }
        state.factor = factor;
        if (factor < FOLD_BELOW) {
            state.factor = factor / FOLD_BELOW;
            Arrays.setAll(u, i -> u[i] * FOLD_BELOW);
        }
    }

    /** Algorithm 5, whose update of u divides by α_t². */
    private void stepConvex(ApcgState.Efficient state, int[] block) {
        double alpha = state.coefficients.alpha();
        double square = alpha * alpha;
        double[] u = state.u;
        double[] z = state.z;
        double[] h = change(block, state.coefficients.eta(), i -> square * u[i] + z[i], i -> z[i]);
        double[] projected = projected(h, block);
        for (int k = 0; k < block.length; k++) {
            int i = block[k];
            u[i] -= (h[k] - alpha / sampling.probability(i) * projected[k]) / square;
            z[i] += h[k];
        }
        state.factor = square;
    }

    /** h_i = prox_{η ψ_i/p_i}(w_i − (η/p_i) ∂_i q_A(y)) − w_i for the coordinates of the block. */
    private double[] change(int[] block, double eta, IntToDoubleFunction y, IntToDoubleFunction w) {
        double[] h = new double[block.length];
        problem.smooth().gradient(y, block, h);
        for (int k = 0; k < block.length; k++) {
            int i = block[k];
            double step = eta / sampling.probability(i);
            double from = w.applyAsDouble(i);
            double point = from - step * h[k];
            h[k] = (problem.separable().isZero(i) ? point : problem.separable().prox(i, point, step)) - from;
        }
        return h;
    }

    private double[] projected(double[] h, int[] block) {
        double[] into = new double[h.length];
        problem.smooth().project(h, block, into);
        return into;
    }
}
