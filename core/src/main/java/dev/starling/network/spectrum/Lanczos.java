package dev.starling.network.spectrum;

import dev.starling.internal.Vectors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;

/**
 * The Lanczos process: the extreme eigenvalues of a symmetric operator from a fixed random start.
 *
 * <p>If the basis is kept, every vector is orthogonalised against all before it. Otherwise the process takes only three
 * vectors of memory; rounding then produces copies of eigenvalues that have converged, which does no harm to the
 * extreme ones.
 */
public final class Lanczos {

    /** A symmetric operator: out = S x. */
    @FunctionalInterface
    public interface Operator {
        void apply(double[] x, double[] out);
    }

    /**
     * An approximate eigenvalue.
     *
     * @param residual an eigenvalue lies at most this far away
     * @param gap distance to the next approximate eigenvalue
     */
    record Ritz(double value, double residual, double gap) {

        /** Whether the error, estimated by residual² / gap, is below a fraction of the scale. */
        boolean isWithin(double tolerance, double scale) {
            return residual <= tolerance * scale
                    || (residual <= 1e-8 * scale && residual * residual <= tolerance * scale * gap);
        }
    }

    private static final long SEED = 0x1A2C05L;
    private static final double BREAKDOWN = 1e-14;

    private final Operator operator;
    private final double[] deflated;
    private final boolean keepsBasis;
    private final List<double[]> basis = new ArrayList<>();
    private double[] previous;
    private double[] current;
    private double[] image;
    private double[] diagonal = new double[64];
    private double[] offDiagonal = new double[64];
    private int steps;
    private boolean exhausted;

    /** @param deflated a unit eigenvector to exclude from the process, or an empty array */
    public Lanczos(int size, Operator operator, double[] deflated, boolean keepsBasis) {
        this.operator = operator;
        this.deflated = deflated;
        this.keepsBasis = keepsBasis;
        previous = new double[size];
        current = new double[size];
        image = new double[size];
        UniformRandomProvider random = RandomSource.XO_SHI_RO_256_PP.create(SEED);
        for (int i = 0; i < size; i++) {
            current[i] = 2 * random.nextDouble() - 1;
        }
        deflate(current);
        Vectors.scale(current, 1 / Vectors.norm(current));
    }

    public int steps() {
        return steps;
    }

    /**
     * Whether the whole space that can be reached from the start has been explored, so that the eigenvalues are exact.
     */
    public boolean isExhausted() {
        return exhausted;
    }

    public void step() {
        if (steps == diagonal.length) {
            diagonal = Arrays.copyOf(diagonal, 2 * steps);
            offDiagonal = Arrays.copyOf(offDiagonal, 2 * steps);
        }
        operator.apply(current, image);
        if (steps > 0) {
            Vectors.add(image, -offDiagonal[steps - 1], previous);
        }
        diagonal[steps] = Vectors.dot(current, image);
        Vectors.add(image, -diagonal[steps], current);
        deflate(image);
        if (keepsBasis) {
            basis.add(current.clone());
            for (double[] vector : basis) {
                Vectors.add(image, -Vectors.dot(vector, image), vector);
            }
        }
        offDiagonal[steps] = Vectors.norm(image);
        steps++;
        if (offDiagonal[steps - 1] <= BREAKDOWN * magnitude()) {
            exhausted = true;
            return;
        }
        Vectors.scale(image, 1 / offDiagonal[steps - 1]);
        double[] free = previous;
        previous = current;
        current = image;
        image = free;
    }

    private void deflate(double[] x) {
        if (deflated.length > 0) {
            Vectors.add(x, -Vectors.dot(deflated, x), deflated);
        }
    }

    private double magnitude() {
        return Math.abs(diagonal[0]) + offDiagonal[0];
    }

    /** The largest eigenvalue so far. */
    public Ritz largest() {
        return extreme(1);
    }

    /** The smallest eigenvalue so far. */
    public Ritz smallest() {
        return extreme(-1);
    }

    /** The largest eigenvalue of sign · T: the smallest of T is the largest of −T, negated. */
    private Ritz extreme(int sign) {
        double bound = 0;
        for (int i = 0; i < steps; i++) {
            double reach = (i > 0 ? offDiagonal[i - 1] : 0) + (i < steps - 1 ? offDiagonal[i] : 0);
            bound = Math.max(bound, Math.abs(diagonal[i]) + reach);
        }
        double value = bisect(sign, 1, bound);
        double gap = steps > 1 ? value - bisect(sign, 2, bound) : bound;
        double residual = exhausted ? 0 : offDiagonal[steps - 1] * lastComponent(sign, value);
        return new Ritz(sign * value, residual, gap);
    }

    /**
     * The rank-th largest eigenvalue of sign · T to the last bit, by bisection: counting the eigenvalues above a point.
     */
    private double bisect(int sign, int rank, double bound) {
        double low = -bound;
        double high = bound;
        while (true) {
            double middle = low + (high - low) / 2;
            if (middle <= low || middle >= high) {
                return high;
            }
            if (countAbove(sign, middle) >= rank) {
                low = middle;
            } else {
                high = middle;
            }
        }
    }

    private int countAbove(int sign, double x) {
        int count = 0;
        double pivot = 1;
        for (int i = 0; i < steps; i++) {
            double coupling = i > 0 ? offDiagonal[i - 1] * offDiagonal[i - 1] / pivot : 0;
            pivot = sign * diagonal[i] - x - coupling;
            if (pivot == 0) {
                pivot = Double.MIN_NORMAL;
            }
            if (pivot > 0) {
                count++;
            }
        }
        return count;
    }

    /**
     * The magnitude of the last component s of the eigenvector of sign · T: 1/q is the last diagonal entry of (sign · T
     * − x)⁻¹, where q is the last pivot, so q′ = −1/s² at the eigenvalue.
     */
    private double lastComponent(int sign, double x) {
        double pivot = sign * diagonal[0] - x;
        double slope = -1;
        for (int i = 1; i < steps; i++) {
            if (pivot == 0) {
                pivot = -Double.MIN_NORMAL;
            }
            double ratio = offDiagonal[i - 1] / pivot;
            slope = -1 + ratio * ratio * slope;
            pivot = sign * diagonal[i] - x - offDiagonal[i - 1] * ratio;
        }
        return 1 / Math.sqrt(-slope);
    }
}
