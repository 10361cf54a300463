package dev.starling.network.spectrum;

import dev.starling.internal.Vectors;
import dev.starling.network.Network;
import dev.starling.network.Spectrum;
import dev.starling.network.spectrum.Lanczos.Ritz;
import java.util.OptionalDouble;

/**
 * The spectrum of a large network by the Lanczos process on S = D^(-1/2) L D^(-1/2), and on an inverse if that takes
 * too many steps.
 *
 * <p>Expanders (random graphs, hypercubes) converge on S itself. The eigenvalues of long graphs (lines, rings, grids)
 * crowd together at both ends; there the smallest is found from L⁺ and the largest from (σD − L)⁻¹, with σ Gershgorin's
 * bound.
 */
public final class SparseSpectrum {

    private static final double TOLERANCE = 1e-11;
    private static final double STANDSTILL = 5e-13;
    private static final int FIRST_VERDICT = 160;
    private static final int MOST_STEPS = 6_000;
    private static final int MOST_INVERSE_STEPS = 200;

    /** The ratio of smallest to largest eigenvalue below which inversion finds the smallest faster. */
    private static final double CROWDED_BELOW = 0.002;

    /** The relative distance to Gershgorin's bound below which inversion finds the largest faster. */
    private static final double CROWDED_ABOVE = 0.02;

    private final Laplacian laplacian;
    private final int size;
    private final double[] diagonal;
    private final double[] root;
    private final double[] inverseRoot;

    public SparseSpectrum(Network network, double[] diagonal) {
        this.laplacian = Laplacian.of(network);
        this.size = network.size();
        this.diagonal = diagonal;
        this.root = new double[size];
        this.inverseRoot = new double[size];
        for (int i = 0; i < size; i++) {
            root[i] = Math.sqrt(diagonal[i]);
            inverseRoot[i] = 1 / root[i];
        }
    }

    public Spectrum both() {
        Direct direct = new Direct(true, true);
        return new Spectrum(
                direct.smallest.orElseGet(this::smallestByInversion),
                direct.largest.orElseGet(this::largestByInversion));
    }

    public double smallest() {
        return new Direct(true, false).smallest.orElseGet(this::smallestByInversion);
    }

    public double largest() {
        return new Direct(false, true).largest.orElseGet(this::largestByInversion);
    }

    /** Runs Lanczos on S until each end that is wanted has converged or turns out to be crowded. */
    private final class Direct {
        private final OptionalDouble smallest;
        private final OptionalDouble largest;

        Direct(boolean wantsSmallest, boolean wantsLargest) {
            double bound = gershgorin();
            double[] scaled = new double[size];
            Lanczos process = new Lanczos(size, (x, out) -> apply(x, scaled, out), nullVector(), false);
            Settling low = new Settling(wantsSmallest);
            Settling high = new Settling(wantsLargest);
            for (int check = 20; (low.open || high.open) && check <= MOST_STEPS; check += Math.max(20, check / 8)) {
                while (process.steps() < check && !process.isExhausted()) {
                    process.step();
                }
                low.look(process.smallest());
                high.look(process.largest());
                if (check >= FIRST_VERDICT) {
                    low.open &= low.last > CROWDED_BELOW * high.last;
                    high.open &= bound - high.last > CROWDED_ABOVE * bound;
                }
            }
            // The rounding of far larger eigenvalues is in a small one.
            smallest = low.last > CROWDED_BELOW * high.last ? low.settled : OptionalDouble.empty();
            largest = high.settled;
        }
    }

    /**
     * Watches one end of the spectrum converge. It has converged if the residual is small, or if the value has not
     * changed in two checks in a row: once an eigenvalue has converged, rounding produces copies of it, whose residuals
     * say nothing.
     */
    private static final class Settling {
        private boolean open;
        private double last = Double.NaN;
        private boolean stoodStill;
        private OptionalDouble settled = OptionalDouble.empty();

        Settling(boolean wanted) {
            open = wanted;
        }

        void look(Ritz ritz) {
            boolean still = Math.abs(ritz.value() - last) <= STANDSTILL * Math.abs(last);
            if (open && (ritz.isWithin(TOLERANCE, ritz.value()) || (still && stoodStill))) {
                settled = OptionalDouble.of(ritz.value());
                open = false;
            }
            stoodStill = still;
            last = ritz.value();
        }
    }

    private void apply(double[] x, double[] scaled, double[] out) {
        multiply(inverseRoot, x, scaled);
        laplacian.multiply(scaled, out);
        multiply(inverseRoot, out, out);
    }

    private static void multiply(double[] a, double[] b, double[] out) {
        for (int i = 0; i < out.length; i++) {
            out[i] = a[i] * b[i];
        }
    }

    /** D^(1/2) 1, which S maps to zero, scaled to length 1. */
    private double[] nullVector() {
        double[] vector = root.clone();
        Vectors.scale(vector, 1 / Vectors.norm(vector));
        return vector;
    }

    /** No eigenvalue of D⁻¹L exceeds twice the largest diagonal entry. */
    private double gershgorin() {
        double bound = 0;
        for (int i = 0; i < size; i++) {
            bound = Math.max(bound, 2 * laplacian.strengths[i] / diagonal[i]);
        }
        return bound;
    }

    /** 1/λ_min⁺ is the largest eigenvalue of D^(1/2) L⁺ D^(1/2) orthogonal to the null vector. */
    public double smallestByInversion() {
        LaplacianSolver solver = new LaplacianSolver(laplacian);
        return 1 / largestOfInverse(solver::solve, nullVector());
    }

    /** λ_max = σ − 1/θ with θ the largest eigenvalue of D^(1/2) (σD − L)⁻¹ D^(1/2). */
    public double largestByInversion() {
        double bound = gershgorin();
        return SignlessCover.of(laplacian, diagonal, bound)
                .map(cover -> bound - 1 / largestOfInverse(cover::solve, new double[0]))
                .orElse(bound);
    }

    /**
     * The largest eigenvalue of D^(1/2) A D^(1/2) orthogonal to a vector, where A is the operator that a solver
     * applies.
     */
    private double largestOfInverse(Lanczos.Operator solver, double[] deflated) {
        double[] scaled = new double[size];
        Lanczos process = new Lanczos(
                size,
                (x, out) -> {
                    multiply(root, x, scaled);
                    solver.apply(scaled, out);
                    multiply(root, out, out);
                },
                deflated,
                true);
        return converged(process);
    }

    /**
     * The largest eigenvalue of an inverse, such as L⁺. If it has not converged after very many steps, an upper bound
     * is returned instead: underestimating the smallest eigenvalue of a network, or overestimating the largest, costs
     * speed but never convergence.
     */
    public static double converged(Lanczos process) {
        Ritz top;
        do {
            process.step();
            top = process.largest();
        } while (!process.isExhausted()
                && !(process.steps() > 3 && top.isWithin(TOLERANCE, top.value()))
                && process.steps() < MOST_INVERSE_STEPS);
        return process.isExhausted()
                ? top.value()
                : top.value() + Math.min(top.residual(), top.residual() * top.residual() / top.gap());
    }
}
