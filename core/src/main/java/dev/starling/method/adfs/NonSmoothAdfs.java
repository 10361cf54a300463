package dev.starling.method.adfs;

import dev.starling.data.Dataset;
import dev.starling.data.Values;
import dev.starling.method.adfs.certified.DualProgram;
import dev.starling.method.adfs.draws.RandomSchedule;
import dev.starling.method.adfs.draws.Sampling;
import dev.starling.method.adfs.draws.Schedule;
import dev.starling.method.adfs.tuning.NonSmoothTuning;
import dev.starling.network.Network;
import dev.starling.node.State;
import dev.starling.problem.Conditioning;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Regulariser;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.Function;

/**
 * A node of NS-ADFS, for linear models whose loss or regulariser may have kinks, in the form that costs O(non-zeros)
 * per step.
 *
 * <p>With a = a_t, the node keeps u and z in R^d and two scalars u_j, z_j per sample, from which y = a² u + z follows.
 * A random stream that all nodes share decides whether step t computes or communicates:
 *
 * <ul>
 *   <li>when computing, the node draws a sample j uniformly and takes a proximal step on its dual scalar: s = argmin of
 *       b s²/2 − (b z_j + xᵀy/σ) s + ℓ*(s), where b = ‖x‖² a/(σ p_j), and h = s − z_j;
 *   <li>when communicating, it sends g = y/σ to its neighbours and takes the gradient step h = −p_comm/(a Λ) Σ_k μ²(g −
 *       g_k).
 * </ul>
 *
 * Either way z += h and u −= (1 − a/p) h/a², where p is the probability of what was drawn; a sample's h enters the
 * node's vectors as −h x. A regulariser σω₁ other than (σ/2)‖·‖² replaces y/σ by ∇ω₁*(y/σ) everywhere. The certified
 * point is x = a_{t−1}² u + z. At steps that the tuning fixes in advance, all nodes restart from x.
 */
public final class NonSmoothAdfs extends SynchronousAdfs {

    private final NonSmoothTuning tuning;
    private final double probability;
    private final Regulariser regulariser;
    private final boolean linear;
    private final boolean allRowsAreZero;

    private final Schedule schedule;

    private final PairedVectors vectors;
    private final double[] uz;

    /** For every sample: u_j, z_j and the margin at its last proximal point. */
    private final double[] scalars;

    private final double[] squaredNorms;

    private double momentum;
    private double previousMomentum;
    private long nextRestart;
    private int restarts;

    private static final int SCALARS = 3;
    private static final int U = 0;
    private static final int Z = 1;
    private static final int MARGIN = 2;

    /**
     * Creates a node at the start of its run.
     *
     * @param facts the node's own facts, as they were used for tuning
     * @param seed the seed of the run, the same on every node
     */
    public NonSmoothAdfs(
            LocalProblem problem, Conditioning facts, Network network, int node, NonSmoothTuning tuning, long seed) {
        this(
                problem,
                facts,
                network,
                node,
                tuning,
                weights -> new RandomSchedule(
                        seed,
                        node,
                        tuning.communicationProbability(),
                        weights.length,
                        j -> weights[j],
                        Sampling.RESHUFFLED));
    }

    /**
     * Creates a node whose schedule is made by the caller from weights to which the probabilities of its samples are
     * proportional.
     */
    public NonSmoothAdfs(
            LocalProblem problem,
            Conditioning facts,
            Network network,
            int node,
            NonSmoothTuning tuning,
            Function<double[], Schedule> schedule) {
        super(problem, network, node);
        this.tuning = tuning;
        this.regulariser = problem.regulariser();
        this.linear = regulariser instanceof Regulariser.SquaredNorm;
        this.probability = tuning.computationProbability() / facts.rootSum();
        this.vectors = new PairedVectors(problem.features(), 0);
        this.uz = vectors.entries;
        this.scalars = new double[Math.multiplyExact(SCALARS, problem.samples())];
        this.squaredNorms = new double[problem.samples()];
        this.momentum = tuning.smallestProbability();
        this.previousMomentum = momentum;
        this.nextRestart = tuning.stepsBetweenRestarts(0);
        double[] weights = fillScalars();
        this.allRowsAreZero = Arrays.stream(weights).allMatch(weight -> weight == 0);
        this.schedule = schedule.apply(weights);
    }

    /** Returns 1 for every sample that can be drawn and 0 for an all-zero row, whose s = ℓ'(0) is known. */
    private double[] fillScalars() {
        Dataset data = problem.data();
        double[] weights = new double[problem.samples()];
        for (int j = 0; j < weights.length; j++) {
            int row = problem.row(j);
            squaredNorms[j] = data.squaredNorm(row);
            if (squaredNorms[j] > 0) {
                weights[j] = 1;
            } else {
                scalars[SCALARS * j + Z] = data.weight(row) * loss.derivative(0, data.label(row));
            }
        }
        return weights;
    }

    @Override
    protected Schedule schedule() {
        return schedule;
    }

    @Override
    protected boolean allRowsAreZero() {
        return allRowsAreZero;
    }

    @Override
    protected void writeMessage(double[] into) {
        estimate(into);
    }

    @Override
    protected void communicate(double[] mine, double[][] theirs, double[] weights) {
        double share = tuning.communicationProbability();
        double toZ = -share / (momentum * tuning.largestEigenvalue());
        double toU = -(1 - momentum / share) / (momentum * momentum) * toZ;
        vectors.communicate(mine, theirs, weights, toU, toZ);
        nextStep();
    }

    @Override
    protected void compute(int[] samples, int count) {
        for (int i = 0; i < count; i++) {
            step(samples[i]);
            nextStep();
        }
    }

    private void step(int sample) {
        Dataset data = problem.data();
        int row = problem.row(sample);
        int start = data.start(row);
        int end = data.end(row);
        int[] columns = data.isDense() ? null : data.columns(row);
        Values values = data.values(row);
        double dz = proximalStep(sample, row, margin(columns, values, start, end));
        double du = -(1 - momentum / probability) / (momentum * momentum) * dz;
        scalars[SCALARS * sample + U] += du;
        for (int k = start; k < end; k++) {
            int c = 2 * (columns == null ? k - start : columns[k]);
            double value = values.at(k);
            uz[c] -= du * value;
            uz[c + 1] -= dz * value;
        }
    }

    /**
     * Returns xᵀ∇ω₁*(y/σ); for the squared norm this is xᵀy/σ, computed from separate products with u and z.
     *
     * @param columns null if rows are dense
     */
    private double margin(int[] columns, Values values, int start, int end) {
        double squared = momentum * momentum;
        double dotU = 0;
        double dotZ = 0;
        for (int k = start; k < end; k++) {
            int c = 2 * (columns == null ? k - start : columns[k]);
            double value = values.at(k);
            if (linear) {
                dotU += value * uz[c];
                dotZ += value * uz[c + 1];
            } else {
                dotZ += value * regulariser.parameter((squared * uz[c] + uz[c + 1]) * inverseSigma);
            }
        }
        return linear ? (squared * dotU + dotZ) * inverseSigma : dotZ;
    }

    /** Moves a sample's z_j to its new dual scalar, given its margin xᵀ∇ω₁*(y/σ), and returns the change. */
    private double proximalStep(int sample, int row, double margin) {
        int at = SCALARS * sample;
        double weight = problem.data().weight(row);
        double stiffness = squaredNorms[sample] * momentum * inverseSigma / probability;
        double point = stiffness * scalars[at + Z] + margin;
        double step = stiffness * weight;
        double slope = loss.proxSlope(point, step, problem.data().label(row), scalars[at + MARGIN]);
        double change = weight * slope - scalars[at + Z];
        scalars[at + Z] = weight * slope;
        scalars[at + MARGIN] = point - step * slope;
        return change;
    }

    @Override
    protected void nextStep() {
        steps++;
        previousMomentum = momentum;
        momentum = NonSmoothTuning.nextMomentum(momentum);
        if (steps == nextRestart) {
            restart();
        }
    }

    /** Restarts from x: u = 0, z = x, a = a_0. */
    private void restart() {
        double squared = previousMomentum * previousMomentum;
        for (int c = 0; c < uz.length; c += 2) {
            uz[c + 1] += squared * uz[c];
            uz[c] = 0;
        }
        for (int at = 0; at < scalars.length; at += SCALARS) {
            scalars[at + Z] += squared * scalars[at + U];
            scalars[at + U] = 0;
        }
        momentum = tuning.smallestProbability();
        restarts++;
        nextRestart += tuning.stepsBetweenRestarts(restarts);
    }

    /** Makes S-ADFS continue from the current point, without momentum. */
    void handOver(AdfsState state) {
        restart();
        state.beginAt(uz, j -> scalars[SCALARS * j + Z]);
    }

    /**
     * Returns the sample's part of x = a_{t−1}² u + z, a convex combination of proximal points and therefore in the
     * domain of ℓ*.
     */
    @Override
    public double slope(int sample) {
        int at = SCALARS * sample;
        return previousMomentum * previousMomentum * scalars[at + U] + scalars[at + Z];
    }

    /** Writes ∇ω₁*(y/σ), the estimate that the next step would start from. */
    @Override
    public void estimate(double[] theta) {
        vectors.combine(momentum * momentum, inverseSigma, theta);
        for (int c = 0; c < theta.length; c++) {
            theta[c] = regulariser.parameter(theta[c]);
        }
    }

    @Override
    public void beginAt(double[] theta) {
        vectors.beginAt(DualProgram.slopesAt(theta, problem, (j, slope) -> scalars[SCALARS * j + Z] = slope));
    }

    @Override
    protected void methodState(State s) throws IOException {
        nextRestart = s.number(nextRestart);
        restarts = s.number(restarts);
        momentum = s.number(momentum);
        previousMomentum = s.number(previousMomentum);
        schedule.state(s);
        s.vector(uz);
        s.vector(scalars);
    }
}
