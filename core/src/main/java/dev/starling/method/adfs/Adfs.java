package dev.starling.method.adfs;

import static dev.starling.method.adfs.AdfsState.LABEL;
import static dev.starling.method.adfs.AdfsState.RATIO;
import static dev.starling.method.adfs.AdfsState.RECORD;
import static dev.starling.method.adfs.AdfsState.SPAN;
import static dev.starling.method.adfs.AdfsState.START;
import static dev.starling.method.adfs.AdfsState.U;
import static dev.starling.method.adfs.AdfsState.Z;

import dev.starling.data.InvalidInputException;
import dev.starling.data.Values;
import dev.starling.method.adfs.draws.RandomSchedule;
import dev.starling.method.adfs.draws.Sampling;
import dev.starling.method.adfs.draws.Schedule;
import dev.starling.method.adfs.tuning.Belief;
import dev.starling.method.adfs.tuning.Tuning;
import dev.starling.network.Network;
import dev.starling.node.State;
import dev.starling.problem.Conditioning;
import dev.starling.problem.LocalProblem;
import java.io.IOException;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntToDoubleFunction;

/**
 * A node of S-ADFS, for linear models with smooth losses, in the form that costs O(non-zeros) per step.
 *
 * <p>With f = φ^(t+1), the node keeps u and z in R^d and two scalars u_j, z_j per sample, from which y = f u + z and w
 * = z − f u follow. A random stream that all nodes share decides whether step t computes or communicates:
 *
 * <ul>
 *   <li>when computing, the node draws a sample j with probability p_j ∝ √(1 + L_j/σ) and takes a proximal step on its
 *       dual scalar: s = ℓ'(m) where m + b ℓ'(m) = a t̂, h = s − w_j;
 *   <li>when communicating, it sends g = y/σ to its neighbours and takes the gradient step h = −(η/p_comm) Σ_k μ²(g −
 *       g_k).
 * </ul>
 *
 * Either way z += (1+r) h/2 and u −= (1−r) h/(2f) with r = ρ/p, where p is the probability of what was drawn; a
 * sample's h enters the node's vectors as −h x. A single node never communicates; the method is then accelerated
 * proximal coordinate gradient.
 *
 * <p>Since η̃ = ρL/(c p_j) = (r/c) L, the constants of the proximal step need only r: a t̂ = (w_j c/r − y_j)/β + xᵀy/σ
 * and b = (c/r − 1)/β. If the dual is believed to be g times as strongly convex as theory says ({@link Belief}), σ_A is
 * g times as large and μ_j is unchanged, so that gc takes the place of c while β stays.
 *
 * <p>This is the hot loop: sparse and dense steps are written out in one place, so that nothing is dispatched per step
 * and the compiler sees all of it.
 */
public final class Adfs extends SynchronousAdfs {

    private final Function<Belief, Tuning> tunings;
    private Belief belief = Belief.THEORY;
    private Tuning tuning;
    private final double inverseSmoothness;
    /** Whether 1/β depends on the label. */
    private final boolean smoothByLabel;

    private double momentumDecay;
    /** gc. */
    private double balance;

    private final Schedule schedule;
    private final boolean weighted;

    private final AdfsState state;

    /* The arrays of the state, to save an indirection. */
    private final double[] uz;
    private final double[] records;

    private final DenseSweep sweep;

    /**
     * Creates a node at the start of its run, with the sampling that takes the fewest passes.
     *
     * @param facts the node's own facts, as they were used for tuning
     * @param tunings the constants under every belief
     * @param seed the seed of the run, the same on every node
     */
    public Adfs(
            LocalProblem problem,
            Conditioning facts,
            Network network,
            int node,
            Function<Belief, Tuning> tunings,
            long seed) {
        this(
                problem,
                facts,
                network,
                node,
                tunings,
                (weight, ahead) -> new RandomSchedule(
                                seed,
                                node,
                                tunings.apply(Belief.THEORY).communicationProbability(),
                                problem.samples(),
                                weight,
                                Sampling.RESHUFFLED)
                        .announcingTo(ahead));
    }

    /**
     * Creates a node whose schedule is made by the caller from weights to which the probabilities of its samples are
     * proportional.
     */
    public Adfs(
            LocalProblem problem,
            Conditioning facts,
            Network network,
            int node,
            Function<Belief, Tuning> tunings,
            BiFunction<IntToDoubleFunction, RandomSchedule.Ahead, Schedule> schedule) {
        super(problem, network, node);
        this.tunings = tunings;
        this.tuning = tunings.apply(belief);
        this.inverseSmoothness = 1 / loss.smoothness();
        this.smoothByLabel = Double.isInfinite(loss.smoothness());
        this.momentumDecay = tuning.momentumDecay();
        this.balance = tuning.balance();
        this.weighted = problem.data().isWeighted();
        this.state = new AdfsState(problem, facts);
        this.uz = state.vectors.entries;
        this.records = state.records;
        this.sweep = new DenseSweep(problem, uz);
        state.tune(belief, tuning);
        requireSteps();
        this.schedule = schedule.apply(state::relativeProbability, state::touch);
    }

    /** Returns the state of the node. */
    AdfsState state() {
        return state;
    }

    @Override
    public void adopt(Belief next) {
        if (next.raises() == belief.raises() && next.relaxations() != belief.relaxations()) {
            // x moves by ρ(v − x) per step; this keeps its speed while ρ changes.
            state.keepMomentum(tuning.rate() / tunings.apply(next).rate());
        } else {
            state.restart();
        }
        tune(next);
    }

    /** Switches to the constants of a belief, including those of the samples. */
    private void tune(Belief next) {
        belief = next;
        tuning = tunings.apply(next);
        momentumDecay = tuning.momentumDecay();
        balance = next.relaxation() * tuning.balance();
        state.tune(next, tuning);
        requireSteps();
        schedule.reweigh(tuning.communicationProbability());
    }

    /** With constants that follow from true facts every proximal step is forwards. */
    private void requireSteps() {
        for (int sample = 0; sample < problem.samples(); sample++) {
            if (!Tuning.stepsForwards(records[RECORD * sample + RATIO], balance)) {
                throw new InvalidInputException("what nodes have said about their rows does not fit together;"
                        + " has one of them, or somebody between them, said something else than is true?");
            }
        }
    }

    @Override
    protected Schedule schedule() {
        return schedule;
    }

    @Override
    protected boolean allRowsAreZero() {
        return state.allRowsAreZero();
    }

    @Override
    protected void nextStep() {
        steps++;
        double f = state.factor * momentumDecay;
        state.factor = f < AdfsState.FOLD_BELOW ? state.fold(f) : f;
    }

    @Override
    protected void writeMessage(double[] into) {
        nextStep();
        state.vectors.combine(state.factor, inverseSigma, into);
    }

    @Override
    protected void communicate(double[] mine, double[][] theirs, double[] weights) {
        double ratio = tuning.rate() / tuning.communicationProbability();
        double step = -tuning.stepSize() / tuning.communicationProbability();
        double toU = -(1 - ratio) / (2 * state.factor) * step;
        double toZ = (1 + ratio) / 2 * step;
        state.vectors.communicate(mine, theirs, weights, toU, toZ);
    }

    @Override
    protected void compute(int[] samples, int count) {
        if (problem.data().isDense()) {
            makeDenseSteps(samples, count);
        } else {
            makeSparseSteps(samples, count);
        }
        steps += count;
    }

    /**
     * Takes steps on the samples drawn. There is one call per step, rather than loops in one large method, because the
     * virtual machine counts calls to decide what to compile: a step is compiled after a few thousand calls instead of
     * a whole pass.
     */
    private void makeSparseSteps(int[] drawn, int count) {
        // In a local variable: written to the object at every step, it would cause cache misses for other nodes.
        double f = state.factor;
        for (int i = 0; i < count; i++) {
            f *= momentumDecay;
            if (f < AdfsState.FOLD_BELOW) {
                f = state.fold(f);
            }
            stepSparse(drawn[i], f);
        }
        state.factor = f;
    }

    /** Takes steps on the samples drawn if rows are dense. */
    private void makeDenseSteps(int[] drawn, int count) {
        double f = state.factor;
        sweep.begin(sweep.start(drawn[0]));
        for (int i = 0; i < count; i++) {
            f *= momentumDecay;
            if (f < AdfsState.FOLD_BELOW) {
                sweep.end();
                f = state.fold(f);
                sweep.begin(sweep.start(drawn[i]));
            }
            stepDense(drawn[i], drawn[Math.min(i + 1, count - 1)], f);
        }
        sweep.end();
        state.factor = f;
    }

    private void stepSparse(int sample, double f) {
        int[] columns = problem.data().columns(problem.row(sample));
        Values values = problem.data().values(problem.row(sample));
        double[] vectors = uz;
        int at = RECORD * sample;
        long span = Double.doubleToRawLongBits(records[at + SPAN]);
        int start = (int) (span >>> 32);
        int end = (int) span;
        // Two sums each, for even and odd positions: their additions do not wait for each other.
        double dotU = 0;
        double dotZ = 0;
        double oddU = 0;
        double oddZ = 0;
        int k = start;
        for (; k + 1 < end; k += 2) {
            int c = 2 * columns[k];
            int odd = 2 * columns[k + 1];
            double value = values.at(k);
            double oddValue = values.at(k + 1);
            dotU = Math.fma(value, vectors[c], dotU);
            dotZ = Math.fma(value, vectors[c + 1], dotZ);
            oddU = Math.fma(oddValue, vectors[odd], oddU);
            oddZ = Math.fma(oddValue, vectors[odd + 1], oddZ);
        }
        if (k < end) {
            int c = 2 * columns[k];
            double value = values.at(k);
            dotU = Math.fma(value, vectors[c], dotU);
            dotZ = Math.fma(value, vectors[c + 1], dotZ);
        }
        double h = proximalStep(sample, f, Math.fma(f, dotU + oddU, dotZ + oddZ));
        double ratio = records[at + RATIO];
        double du = -(1 - ratio) / (2 * f) * h;
        double dz = (1 + ratio) / 2 * h;
        records[at + U] += du;
        records[at + Z] += dz;
        for (k = start; k < end; k++) {
            int c = 2 * columns[k];
            double value = values.at(k);
            vectors[c] = Math.fma(-du, value, vectors[c]);
            vectors[c + 1] = Math.fma(-dz, value, vectors[c + 1]);
        }
    }

    /** The sweep and the proximal step do not depend on each other, so that the processor can do both at once. */
    private void stepDense(int sample, int next, double f) {
        int at = RECORD * sample;
        int row = sweep.start(sample);
        double h = proximalStep(sample, f, sweep.dot(f));
        sweep.over(row, sweep.start(next));
        double ratio = records[at + RATIO];
        double du = -(1 - ratio) / (2 * f) * h;
        double dz = (1 + ratio) / 2 * h;
        records[at + U] += du;
        records[at + Z] += dz;
        sweep.leave(row, du, dz);
    }

    /** Returns the change h = s − w_j of the dual scalar of a sample, given xᵀy. */
    private double proximalStep(int sample, double f, double dot) {
        int at = RECORD * sample;
        double weight = weighted ? problem.weight(sample) : 1;
        double fu = f * records[at + U];
        double z = records[at + Z];
        double stretch = balance / records[at + RATIO];
        double inverse = smoothByLabel ? 1 / loss.smoothness(records[at + LABEL]) : inverseSmoothness;
        double scale = weighted ? inverse / weight : inverse;
        double point = Math.fma(dot, inverseSigma, ((z - fu) * stretch - (fu + z)) * scale);
        double step = (stretch - 1) * inverse;
        double start = records[at + START];
        double slope = loss.proxSlope(
                point, step, records[at + LABEL], AdfsState.startMargin(start), AdfsState.startSlope(start));
        records[at + START] = AdfsState.start(point - step * slope, slope);
        return weight * slope - (z - fu);
    }

    @Override
    public double slope(int sample) {
        return state.slope(sample);
    }

    /** Writes y/σ, the estimate that the next step would start from. */
    @Override
    public void estimate(double[] theta) {
        state.vectors.combine(state.factor * momentumDecay, inverseSigma, theta);
    }

    @Override
    public void beginAt(double[] theta) {
        state.beginAt(theta);
    }

    @Override
    protected void methodState(State s) throws IOException {
        Belief same = belief.state(s);
        if (!same.equals(belief)) {
            tune(same);
        }
        schedule.state(s);
        state.state(s);
    }
}
