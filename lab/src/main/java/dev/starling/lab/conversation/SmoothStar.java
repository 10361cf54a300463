package dev.starling.lab.conversation;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.data.Values;
import dev.starling.loss.Loss;
import dev.starling.method.adfs.Adfs;
import dev.starling.method.adfs.PairedVectors;
import dev.starling.method.adfs.certified.DualProgram;
import dev.starling.method.adfs.tuning.Tuning;
import dev.starling.node.State;
import dev.starling.node.Stateful;
import dev.starling.problem.LocalProblem;
import java.io.IOException;

/**
 * A node of the augmented graph together with its virtual nodes, under S-ADFS with any sampling of edges: u and z of
 * the node, u_j and z_j of its samples, and the two kinds of update. Steps in which it does not act cost nothing: their
 * effect on the convex combinations is contained in the factor f = φ^(t+1) when the star next acts.
 */
public final class SmoothStar implements Stateful {

    /** When f falls below this, u is scaled down and f up by its inverse: a power of two, so no bit changes. */
    private static final double FOLD_BELOW = 0x1p-200;

    private static final int SCALARS = 4;
    private static final int U = 0;
    private static final int Z = 1;
    private static final int MARGIN = 2;
    private static final int RATIO = 3;

    private final LocalProblem problem;
    private final Loss loss;
    private final Tuning tuning;
    private final double inverseSigma;
    private final double inverseSmoothness;
    private final double[] weights;

    /** φ^(2^k) by k. */
    private final double[] powers = new double[63];

    private final PairedVectors vectors;
    private final double[] uz;

    private final double[] scalars;
    private double factor = 1;
    private long steps;

    /**
     * Creates a star at rest.
     *
     * @param share the probability that a step computes on this node, so that sample j has p_j = share · √(1 + L_j/σ)/S
     */
    public SmoothStar(LocalProblem problem, Tuning tuning, double share) {
        this.problem = problem;
        this.loss = problem.loss();
        this.tuning = tuning;
        this.inverseSigma = 1 / problem.sigma();
        this.inverseSmoothness = 1 / loss.smoothness();
        this.vectors = new PairedVectors(problem.features(), 0);
        this.uz = vectors.entries;
        this.scalars = new double[Math.multiplyExact(SCALARS, problem.samples())];
        this.weights = new double[problem.samples()];
        powers[0] = tuning.momentumDecay();
        for (int k = 1; k < powers.length; k++) {
            powers[k] = powers[k - 1] * powers[k - 1];
        }
        Dataset data = problem.data();
        double rootSum = 0;
        for (int j = 0; j < weights.length; j++) {
            int row = problem.row(j);
            double smoothness = loss.smoothness() * data.weight(row) * data.squaredNorm(row);
            if (smoothness > 0) {
                weights[j] = Math.sqrt(1 + smoothness / problem.sigma());
                rootSum += weights[j];
            } else {
                // An all-zero row is a constant: never drawn, and s = ℓ'(0) makes its part of the gap zero.
                scalars[SCALARS * j + Z] = data.weight(row) * loss.derivative(0, data.label(row));
            }
        }
        for (int j = 0; j < weights.length; j++) {
            if (weights[j] > 0) {
                scalars[SCALARS * j + RATIO] = tuning.rate() / (share * weights[j] / rootSum);
                requireForwards(scalars[SCALARS * j + RATIO]);
            }
        }
    }

    /** With theory's constants every proximal step is forwards. */
    private void requireForwards(double ratio) {
        if (!Tuning.stepsForwards(ratio, tuning.balance())) {
            throw new InvalidInputException("these constants do not suit these rows: a proximal step would go"
                    + " backwards; adfs-local has theory's");
        }
    }

    /** Starts at the slopes that the losses have at a parameter; to be called before the first step. */
    void beginAt(double[] theta) {
        vectors.beginAt(DualProgram.slopesAt(theta, problem, (j, slope) -> scalars[SCALARS * j + Z] = slope));
    }

    /** Returns √(1 + L_j/σ) of a sample, or 0 for an all-zero row; the sample's probability is proportional to it. */
    public double weight(int sample) {
        return weights[sample];
    }

    public boolean allRowsAreZero() {
        for (double weight : weights) {
            if (weight > 0) {
                return false;
            }
        }
        return true;
    }

    public long steps() {
        return steps;
    }

    /** Lets this many steps pass. */
    public void pass(long count) {
        steps += count;
        long left = count;
        for (int k = 0; left > 0; k++, left >>= 1) {
            if ((left & 1) == 0) {
                continue;
            }
            if (powers[k] < FOLD_BELOW) {
                // After so many steps u's part is too small to make a difference to z.
                forget();
                return;
            }
            factor *= powers[k];
            if (factor < FOLD_BELOW) {
                fold();
            }
        }
    }

    private void fold() {
        factor /= FOLD_BELOW;
        vectors.scaleU(FOLD_BELOW);
        for (int at = U; at < scalars.length; at += SCALARS) {
            scalars[at] *= FOLD_BELOW;
        }
    }

    private void forget() {
        factor = 1;
        vectors.scaleU(0);
        for (int at = U; at < scalars.length; at += SCALARS) {
            scalars[at] = 0;
        }
    }

    /** Takes the proximal step on a sample, in the step that {@link #pass} has reached. */
    public void compute(int sample) {
        Dataset data = problem.data();
        int row = problem.row(sample);
        int start = data.start(row);
        int end = data.end(row);
        boolean dense = data.isDense();
        int[] columns = data.columns(row);
        Values values = data.values(row);
        double dotU = 0;
        double dotZ = 0;
        for (int k = start; k < end; k++) {
            int c = 2 * (dense ? k - start : columns[k]);
            double value = values.at(k);
            dotU += value * uz[c];
            dotZ += value * uz[c + 1];
        }
        double h = proximalStep(sample, row, factor * dotU + dotZ);
        double ratio = scalars[SCALARS * sample + RATIO];
        double du = -(1 - ratio) / (2 * factor) * h;
        double dz = (1 + ratio) / 2 * h;
        scalars[SCALARS * sample + U] += du;
        scalars[SCALARS * sample + Z] += dz;
        for (int k = start; k < end; k++) {
            int c = 2 * (dense ? k - start : columns[k]);
            double value = values.at(k);
            uz[c] -= du * value;
            uz[c + 1] -= dz * value;
        }
    }

    /** Returns the change h = s − w_j of a sample's dual scalar, given xᵀy; see {@link Adfs} for the constants. */
    private double proximalStep(int sample, int row, double dot) {
        int at = SCALARS * sample;
        double weight = problem.data().weight(row);
        double fu = factor * scalars[at + U];
        double z = scalars[at + Z];
        double stretch = tuning.balance() / scalars[at + RATIO];
        double point = ((z - fu) * stretch - (fu + z)) * (inverseSmoothness / weight) + dot * inverseSigma;
        double step = (stretch - 1) * inverseSmoothness;
        double slope = loss.proxSlope(point, step, problem.data().label(row), scalars[at + MARGIN]);
        scalars[at + MARGIN] = point - step * slope;
        return weight * slope - (z - fu);
    }

    /** Writes g = y/σ for the step that {@link #pass} has reached. */
    public void parameter(double[] into) {
        vectors.combine(factor, inverseSigma, into);
    }

    /**
     * Takes the gradient step along some edges, h = −step · Σ_k μ_k²(g − g_k).
     *
     * @param step η/p of those edges
     * @param ratio the factor that ρW̃ applies to h
     */
    public void communicate(double[] mine, double[][] theirs, double[] edgeWeights, double step, double ratio) {
        double toU = (1 - ratio) / (2 * factor) * step;
        double toZ = -(1 + ratio) / 2 * step;
        vectors.communicate(mine, theirs, edgeWeights, toU, toZ);
    }

    /**
     * Returns the sample's part of x = φ^t u + z, a convex combination of proximal points and therefore in the domain
     * of ℓ*.
     */
    public double slope(int sample) {
        int at = SCALARS * sample;
        return factor * scalars[at + U] + scalars[at + Z];
    }

    /** Writes y/σ, the estimate that the next step would start from. */
    public void estimate(double[] theta) {
        vectors.combine(factor * tuning.momentumDecay(), inverseSigma, theta);
    }

    /** Returns f, which only grows when u is scaled down. */
    public double factor() {
        return factor;
    }

    /** Returns u and z, interleaved as in {@link PairedVectors}. */
    public double[] pairs() {
        return uz;
    }

    public LocalProblem problem() {
        return problem;
    }

    @Override
    public void state(State s) throws IOException {
        steps = s.number(steps);
        factor = s.number(factor);
        s.vector(uz);
        s.vector(scalars);
    }
}
