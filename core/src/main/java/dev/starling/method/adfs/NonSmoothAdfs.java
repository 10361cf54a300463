package dev.starling.method.adfs;

import dev.starling.data.Dataset;
import dev.starling.loss.Loss;
import dev.starling.network.Network;
import dev.starling.node.Exchange;
import dev.starling.node.SavedState;
import dev.starling.problem.Conditioning;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Regulariser;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.function.Function;

/**
 * NS-ADFS at one node, for linear models whose loss or regulariser may have kinks, in the form that costs O(non-zeros)
 * per step.
 *
 * <p>With a = a_t, the node keeps u and z in R^d and two scalars u_j, z_j per sample, from which y = a² u + z. All
 * nodes agree, by a random stream they share, whether step t computes or communicates:
 *
 * <ul>
 *   <li>computing, the node draws a sample j uniformly and takes a proximal step on its dual scalar: s = argmin of b
 *       s²/2 − (b z_j + xᵀy/σ) s + ℓ*(s), where b = ‖x‖² a/(σ p_j), and h = s − z_j;
 *   <li>communicating, it sends g = y/σ to its neighbours and takes the gradient step h = −p_comm/(a Λ) Σ_k μ²(g −
 *       g_k).
 * </ul>
 *
 * Either way z += h and u −= (1 − a/p) h/a² with p of what was drawn, a sample's own h entering the node's vectors as
 * −h x. Another regulariser σω₁ than (σ/2)‖·‖² puts ∇ω₁*(y/σ) wherever y/σ stands. The certified point is x = a_{t−1}²
 * u + z. At the steps that the tuning names, all nodes restart from x.
 *
 * <p>Longer than most classes: sparse and dense steps are written out, so that nothing is dispatched per step.
 */
public final class NonSmoothAdfs implements DualProgram {

    private static final int BURST = 512;

    /** A single node returns to its driver at least this often. */
    private static final int LONGEST_STRETCH = 1 << 16;

    private final LocalProblem problem;
    private final Loss loss;
    private final int node;
    private final int[] neighbours;
    private final double[] edgeWeights;
    private final NonSmoothTuning tuning;
    private final double inverseSigma;
    private final double probability;
    private final Regulariser regulariser;
    private final boolean linear;
    private final boolean allRowsAreZero;

    private final Schedule schedule;
    private final int[] drawn = new int[BURST];

    /** u and z, interleaved: entry 2c is u_c, entry 2c+1 is z_c. */
    private final double[] uz;

    /** Of every sample: u_j, z_j and the margin its last proximal point had. */
    private final double[] scalars;

    private final double[] squaredNorms;

    private double momentum;
    private double previousMomentum;
    private long nextRestart;
    private int restarts;
    private long steps;
    private long updates;
    private long rounds;

    private final double[] message;
    private final Exchange exchange = new Exchange();

    private static final int SCALARS = 3;
    private static final int U = 0;
    private static final int Z = 1;
    private static final int MARGIN = 2;

    /**
     * A node at the start of its run.
     *
     * @param facts the node's own facts, as the tuning took them
     * @param seed the seed of the run, the same at every node
     */
    public NonSmoothAdfs(
            LocalProblem problem, Conditioning facts, Network network, int node, NonSmoothTuning tuning, long seed) {
        this(problem, facts, network, node, tuning, Sampling.RESHUFFLED, seed);
    }

    /** A node that draws its samples in a given way. */
    public NonSmoothAdfs(
            LocalProblem problem,
            Conditioning facts,
            Network network,
            int node,
            NonSmoothTuning tuning,
            Sampling sampling,
            long seed) {
        this(
                problem,
                facts,
                network,
                node,
                tuning,
                weights -> new RandomSchedule(
                        seed, node, tuning.communicationProbability(), weights.length, j -> weights[j], sampling));
    }

    /** A node whose steps are decided elsewhere, given what the probabilities of its samples are proportional to. */
    public NonSmoothAdfs(
            LocalProblem problem,
            Conditioning facts,
            Network network,
            int node,
            NonSmoothTuning tuning,
            Function<double[], Schedule> schedule) {
        this.problem = problem;
        this.loss = problem.loss();
        this.node = node;
        this.neighbours = network.neighbours(node);
        this.edgeWeights = network.edgeWeights(node);
        this.tuning = tuning;
        this.inverseSigma = 1 / problem.sigma();
        this.regulariser = problem.regulariser();
        this.linear = regulariser instanceof Regulariser.SquaredNorm;
        this.probability = tuning.computationProbability() / facts.rootSum();
        this.uz = new double[2 * problem.features()];
        this.message = new double[problem.features()];
        this.scalars = new double[Math.multiplyExact(SCALARS, problem.samples())];
        this.squaredNorms = new double[problem.samples()];
        this.momentum = tuning.smallestProbability();
        this.previousMomentum = momentum;
        this.nextRestart = tuning.stepsBetweenRestarts(0);
        double[] weights = fillScalars();
        this.allRowsAreZero = java.util.Arrays.stream(weights).allMatch(weight -> weight == 0);
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
    public Exchange advance() {
        if (neighbours.length == 0) {
            int stretch = Math.min(problem.samples(), LONGEST_STRETCH);
            compute(stretch);
            return exchange.pause(stretch).atRest();
        }
        long stretch = schedule.stepsBeforeNextRound();
        compute(stretch);
        double squared = momentum * momentum;
        for (int c = 0; c < message.length; c++) {
            message[c] = regulariser.parameter((squared * uz[2 * c] + uz[2 * c + 1]) * inverseSigma);
        }
        return exchange.set(Exchange.Kind.ROUND, neighbours, message, message.length, neighbours, (double) stretch)
                .atRest();
    }

    @Override
    public void absorb(double[][] messages) {
        if (neighbours.length == 0) {
            return;
        }
        double share = tuning.communicationProbability();
        double toZ = -share / (momentum * tuning.largestEigenvalue());
        double toU = -(1 - momentum / share) / (momentum * momentum) * toZ;
        for (int c = 0; c < message.length; c++) {
            double disagreement = 0;
            for (int k = 0; k < messages.length; k++) {
                disagreement += edgeWeights[k] * (message[c] - messages[k][c]);
            }
            uz[2 * c] += toU * disagreement;
            uz[2 * c + 1] += toZ * disagreement;
        }
        rounds++;
        nextMomentum();
    }

    private void compute(long count) {
        if (allRowsAreZero) {
            for (long k = 0; k < count; k++) {
                nextMomentum();
            }
            return;
        }
        for (long left = count; left > 0; ) {
            int burst = (int) Math.min(left, BURST);
            schedule.draw(drawn, burst);
            for (int i = 0; i < burst; i++) {
                step(drawn[i]);
                nextMomentum();
            }
            left -= burst;
        }
        updates += count;
    }

    private void step(int sample) {
        Dataset data = problem.data();
        int row = problem.row(sample);
        int start = data.start(row);
        int end = data.end(row);
        if (data.isDense()) {
            stepDense(sample, row, data.values(), start, end);
        } else {
            stepSparse(sample, row, data.columns(), data.values(), start, end);
        }
    }

    /** xᵀ∇ω₁*(y/σ), and for the squared norm xᵀy/σ with the products of u and z kept apart. */
    private double marginSparse(int[] columns, float[] values, int start, int end) {
        double squared = momentum * momentum;
        if (!linear) {
            double margin = 0;
            for (int k = start; k < end; k++) {
                int c = 2 * columns[k];
                margin += values[k] * regulariser.parameter((squared * uz[c] + uz[c + 1]) * inverseSigma);
            }
            return margin;
        }
        double dotU = 0;
        double dotZ = 0;
        for (int k = start; k < end; k++) {
            int c = 2 * columns[k];
            double value = values[k];
            dotU += value * uz[c];
            dotZ += value * uz[c + 1];
        }
        return (squared * dotU + dotZ) * inverseSigma;
    }

    private double marginDense(float[] values, int start, int end) {
        double squared = momentum * momentum;
        if (!linear) {
            double margin = 0;
            for (int k = start, c = 0; k < end; k++, c += 2) {
                margin += values[k] * regulariser.parameter((squared * uz[c] + uz[c + 1]) * inverseSigma);
            }
            return margin;
        }
        double dotU = 0;
        double dotZ = 0;
        for (int k = start, c = 0; k < end; k++, c += 2) {
            double value = values[k];
            dotU += value * uz[c];
            dotZ += value * uz[c + 1];
        }
        return (squared * dotU + dotZ) * inverseSigma;
    }

    private void stepSparse(int sample, int row, int[] columns, float[] values, int start, int end) {
        double dz = proximalStep(sample, row, marginSparse(columns, values, start, end));
        double du = -(1 - momentum / probability) / (momentum * momentum) * dz;
        scalars[SCALARS * sample + U] += du;
        for (int k = start; k < end; k++) {
            int c = 2 * columns[k];
            double value = values[k];
            uz[c] -= du * value;
            uz[c + 1] -= dz * value;
        }
    }

    private void stepDense(int sample, int row, float[] values, int start, int end) {
        double dz = proximalStep(sample, row, marginDense(values, start, end));
        double du = -(1 - momentum / probability) / (momentum * momentum) * dz;
        scalars[SCALARS * sample + U] += du;
        for (int k = start, c = 0; k < end; k++, c += 2) {
            double value = values[k];
            uz[c] -= du * value;
            uz[c + 1] -= dz * value;
        }
    }

    /** Moves a sample's z_j to its new dual scalar, given its margin xᵀ∇ω₁*(y/σ), and returns by how much. */
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

    private void nextMomentum() {
        steps++;
        previousMomentum = momentum;
        momentum = NonSmoothTuning.nextMomentum(momentum);
        if (steps == nextRestart) {
            restart();
        }
    }

    /** Begins anew from x: u = 0, z = x, a = a_0. */
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

    /** Has S-ADFS go on from here, at rest. */
    void handOver(AdfsState state) {
        restart();
        state.beginAt(uz, j -> scalars[SCALARS * j + Z]);
    }

    /** The sample's part of x = a_{t−1}² u + z: a convex combination of proximal points, hence in the domain of ℓ*. */
    @Override
    public double slope(int sample) {
        int at = SCALARS * sample;
        return previousMomentum * previousMomentum * scalars[at + U] + scalars[at + Z];
    }

    /** ∇ω₁*(y/σ), the estimate that the next step would start from. */
    @Override
    public void estimate(double[] theta) {
        for (int c = 0; c < theta.length; c++) {
            theta[c] = regulariser.parameter((momentum * momentum * uz[2 * c] + uz[2 * c + 1]) * inverseSigma);
        }
    }

    @Override
    public void beginAt(double[] theta) {
        double[] sum = DualProgram.slopesAt(theta, problem, (j, slope) -> scalars[SCALARS * j + Z] = slope);
        for (int c = 0; c < sum.length; c++) {
            uz[2 * c + 1] = -sum[c];
        }
    }

    @Override
    public LocalProblem problem() {
        return problem;
    }

    @Override
    public long steps() {
        return steps;
    }

    @Override
    public long updates() {
        return updates;
    }

    @Override
    public long rounds() {
        return rounds;
    }

    @Override
    public void drawIndependently() {
        schedule.drawIndependently();
    }

    private SavedState.Owner owner() {
        return new SavedState.Owner(node, problem.features(), problem.samples());
    }

    @Override
    public void save(DataOutput out) throws IOException {
        owner().write(out);
        out.writeLong(steps);
        out.writeLong(updates);
        out.writeLong(rounds);
        out.writeLong(nextRestart);
        out.writeInt(restarts);
        out.writeDouble(momentum);
        out.writeDouble(previousMomentum);
        schedule.save(out);
        SavedState.writeDoubles(out, uz);
        SavedState.writeDoubles(out, scalars);
    }

    @Override
    public void restore(DataInput in) throws IOException {
        owner().require(in);
        steps = in.readLong();
        updates = in.readLong();
        rounds = in.readLong();
        nextRestart = in.readLong();
        restarts = in.readInt();
        momentum = in.readDouble();
        previousMomentum = in.readDouble();
        schedule.restore(in);
        SavedState.readDoubles(in, uz);
        SavedState.readDoubles(in, scalars);
    }
}
