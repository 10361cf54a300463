package dev.starling.lab.localised;

import dev.starling.internal.Vectors;
import dev.starling.method.adfs.PairedVectors;
import dev.starling.method.adfs.SynchronousAdfs;
import dev.starling.method.adfs.draws.RandomSchedule;
import dev.starling.method.adfs.draws.Sampling;
import dev.starling.method.adfs.draws.Schedule;
import dev.starling.method.adfs.tuning.Tuning;
import dev.starling.network.Network;
import dev.starling.node.State;
import dev.starling.problem.LocalProblem;
import java.io.IOException;

/**
 * A node of localised ADFS, between two changes of the point around which losses are {@linkplain Surroundings trusted}.
 * It is S-ADFS on what is left of the samples, where the node's own term is θᵀQθ/2 instead of (σ/2)‖θ‖², and edges have
 * the matrix C, which all nodes know, for their weight.
 *
 * <p>With Q = RRᵀ, the node keeps ỹ = R⁻¹y and the rows x̃ = R⁻¹x, so that xᵀQ⁻¹y = x̃ᵀỹ and a step on a sample is that
 * of S-ADFS with σ = 1. A round sends θ = Q⁻¹y = R⁻ᵀỹ and adds R⁻¹C Σ_k μ²(θ − θ_k). Rows are dense in these
 * coordinates: the node needs room for m·d numbers.
 *
 * <p>The run starts at Qθ₀ − ḡ, where ḡ is the mean of the nodes' gradients at θ₀, with every sample's slope there:
 * each node begins with the Newton step of its own Hessian and everyone's gradient.
 */
final class LocalisedAdfs extends SynchronousAdfs {

    /** When f falls below this, u is scaled down and f up by its inverse: a power of two, so no bit changes. */
    private static final double FOLD_BELOW = 0x1p-200;

    private static final int RECORD = 4;
    private static final int U = 0;
    private static final int Z = 1;
    private static final int MARGIN = 2;
    private static final int RATIO = 3;

    private final Surroundings around;
    private final Tuning tuning;
    private final double[] edges;
    private final int features;

    /** R⁻ᵀ, which is upper triangular: row k begins at column k. */
    private final double[] turn;

    private final double[] rows;
    private final double[] records;
    private final PairedVectors vectors;
    private final double[] combined;
    private final double[] disagreement;
    private final double[] pulled;
    private final Schedule schedule;
    private final boolean nothingToCompute;
    private double factor = 1;

    /**
     * Creates a node at its start.
     *
     * @param turned R⁻ᵀ and the rows R⁻¹x
     * @param edges C, stored by rows
     * @param centre θ₀
     * @param gradient ḡ
     */
    LocalisedAdfs(
            LocalProblem problem,
            Network network,
            int node,
            Surroundings around,
            Turned turned,
            double[] edges,
            Tuning tuning,
            double[] centre,
            double[] gradient,
            long seed) {
        super(problem, network, node);
        this.around = around;
        this.tuning = tuning;
        this.edges = edges;
        this.features = problem.features();
        this.turn = turned.turn();
        this.rows = turned.rows();
        this.records = new double[Math.multiplyExact(RECORD, problem.samples())];
        this.vectors = new PairedVectors(features, 0);
        this.combined = new double[features];
        this.disagreement = new double[features];
        this.pulled = new double[features];
        double rootSum = fill(turned);
        this.nothingToCompute = rootSum == 0;
        for (int j = 0; j < problem.samples(); j++) {
            double root = records[RECORD * j + RATIO];
            records[RECORD * j + RATIO] =
                    root > 0 ? tuning.rate() / (tuning.computationProbability() * root / rootSum) : 0;
        }
        begin(centre, gradient);
        this.schedule = new RandomSchedule(
                seed,
                node,
                tuning.communicationProbability(),
                problem.samples(),
                j -> records[RECORD * j + RATIO] > 0 ? 1 / records[RECORD * j + RATIO] : 0,
                Sampling.RESHUFFLED);
    }

    /** Writes the start of every record, with its root in the place of the ratio; returns Σ of roots. */
    private double fill(Turned turned) {
        double sum = 0;
        for (int j = 0; j < problem.samples(); j++) {
            double root = turned.root(j, around.left(j));
            records[RECORD * j + Z] = around.start(j);
            records[RECORD * j + MARGIN] = around.margin(j);
            records[RECORD * j + RATIO] = root;
            sum += root;
        }
        return sum;
    }

    /** z = R⁻¹(Qθ₀ − ḡ) = Rᵀθ₀ − R⁻¹ḡ; Rᵀθ₀ is the solution of R⁻ᵀz = θ₀. */
    private void begin(double[] centre, double[] gradient) {
        double[] z = combined;
        for (int k = features - 1; k >= 0; k--) {
            double sum = centre[k];
            for (int i = k + 1; i < features; i++) {
                sum -= turn[k * features + i] * z[i];
            }
            z[k] = sum / turn[k * features + k];
        }
        for (int i = 0; i < features; i++) {
            double sum = z[i];
            for (int k = 0; k <= i; k++) {
                sum -= turn[k * features + i] * gradient[k];
            }
            vectors.entries[2 * i + 1] = sum;
        }
    }

    @Override
    protected Schedule schedule() {
        return schedule;
    }

    @Override
    protected boolean allRowsAreZero() {
        return nothingToCompute;
    }

    @Override
    protected void nextStep() {
        steps++;
        shrink();
    }

    private void shrink() {
        factor *= tuning.momentumDecay();
        if (factor < FOLD_BELOW) {
            factor /= FOLD_BELOW;
            vectors.scaleU(FOLD_BELOW);
            for (int at = U; at < records.length; at += RECORD) {
                records[at] *= FOLD_BELOW;
            }
        }
    }

    @Override
    protected void compute(int[] samples, int count) {
        for (int i = 0; i < count; i++) {
            shrink();
            step(samples[i]);
        }
        steps += count;
    }

    private void step(int sample) {
        double[] uz = vectors.entries;
        int row = features * sample;
        double dotU = 0;
        double dotZ = 0;
        for (int c = 0; c < features; c++) {
            dotU = Math.fma(rows[row + c], uz[2 * c], dotU);
            dotZ = Math.fma(rows[row + c], uz[2 * c + 1], dotZ);
        }
        int at = RECORD * sample;
        double h = change(sample, Math.fma(factor, dotU, dotZ));
        double ratio = records[at + RATIO];
        double du = -(1 - ratio) / (2 * factor) * h;
        double dz = (1 + ratio) / 2 * h;
        records[at + U] += du;
        records[at + Z] += dz;
        for (int c = 0; c < features; c++) {
            uz[2 * c] = Math.fma(-du, rows[row + c], uz[2 * c]);
            uz[2 * c + 1] = Math.fma(-dz, rows[row + c], uz[2 * c + 1]);
        }
    }

    /** The change of the dual scalar of a sample, given xᵀQ⁻¹y; see {@link dev.starling.method.adfs.Adfs}. */
    private double change(int sample, double dot) {
        int at = RECORD * sample;
        double fu = factor * records[at + U];
        double z = records[at + Z];
        double stretch = tuning.balance() / records[at + RATIO];
        double left = around.left(sample);
        double point = dot + ((z - fu) * stretch - (fu + z)) / left;
        double step = Math.max(0, stretch - 1) / left;
        double margin = around.proximalMargin(sample, point, step, records[at + MARGIN]);
        records[at + MARGIN] = margin;
        return around.slopeLeft(sample, margin) - (z - fu);
    }

    @Override
    protected void writeMessage(double[] into) {
        nextStep();
        parameter(factor, into);
    }

    /** θ = R⁻ᵀ(f u + z). */
    private void parameter(double f, double[] into) {
        vectors.combine(f, 1, combined);
        for (int k = 0; k < features; k++) {
            into[k] = Vectors.dot(turn, k * features + k, combined, k, features - k);
        }
    }

    @Override
    protected void communicate(double[] mine, double[][] theirs, double[] weights) {
        double ratio = tuning.rate() / tuning.communicationProbability();
        double step = -tuning.stepSize() / tuning.communicationProbability();
        double toU = -(1 - ratio) / (2 * factor) * step;
        double toZ = (1 + ratio) / 2 * step;
        for (int c = 0; c < features; c++) {
            disagreement[c] = 0;
            for (int k = 0; k < theirs.length; k++) {
                disagreement[c] += weights[k] * (mine[c] - theirs[k][c]);
            }
        }
        for (int c = 0; c < features; c++) {
            pulled[c] = Vectors.dot(edges, c * features, disagreement, 0, features);
        }
        for (int i = 0; i < features; i++) {
            double sum = 0;
            for (int k = 0; k <= i; k++) {
                sum = Math.fma(turn[k * features + i], pulled[k], sum);
            }
            vectors.entries[2 * i] += toU * sum;
            vectors.entries[2 * i + 1] += toZ * sum;
        }
    }

    /**
     * The slope of the whole loss: what is left of it has the scalar of x, and the part that was moved has the slope
     * a_j x_jᵀθ at the node's own θ. Over all nodes Σ s x = −σ_tot times the mean of their θ, so that the certificate
     * is about that mean.
     */
    @Override
    public double slope(int sample) {
        double[] uz = vectors.entries;
        int row = features * sample;
        int at = RECORD * sample;
        double scalar = factor * records[at + U] + records[at + Z];
        double moved = around.moved(sample);
        if (moved == 0) {
            return scalar;
        }
        double dotU = 0;
        double dotZ = 0;
        for (int c = 0; c < features; c++) {
            dotU = Math.fma(rows[row + c], uz[2 * c], dotU);
            dotZ = Math.fma(rows[row + c], uz[2 * c + 1], dotZ);
        }
        return scalar + moved * Math.fma(factor, dotU, dotZ);
    }

    @Override
    public void estimate(double[] theta) {
        parameter(factor * tuning.momentumDecay(), theta);
    }

    @Override
    protected void methodState(State s) throws IOException {
        schedule.state(s);
        factor = s.number(factor);
        s.vector(vectors.entries);
        for (int at = 0; at < records.length; at += RECORD) {
            records[at + U] = s.number(records[at + U]);
            records[at + Z] = s.number(records[at + Z]);
            records[at + MARGIN] = s.number(records[at + MARGIN]);
        }
    }
}
