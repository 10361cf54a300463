package dev.starling.method.adfs;

import dev.starling.data.Dataset;
import dev.starling.loss.Loss;
import dev.starling.network.Network;
import dev.starling.node.Exchange;
import dev.starling.node.SavedState;
import dev.starling.problem.Conditioning;
import dev.starling.problem.LocalProblem;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntToDoubleFunction;

/**
 * S-ADFS at one node, for smooth losses of linear models, in the form that costs O(non-zeros) per step.
 *
 * <p>With f = φ^(t+1), the node keeps u and z in R^d and two scalars u_j, z_j per sample, from which y = f u + z and w
 * = z − f u. All nodes agree, by a random stream they share, whether step t computes or communicates:
 *
 * <ul>
 *   <li>computing, the node draws a sample j with probability p_j ∝ √(1 + L_j/σ) and takes a proximal step on its dual
 *       scalar: s = ℓ'(m) where m + b ℓ'(m) = a t̂, h = s − w_j;
 *   <li>communicating, it sends g = y/σ to its neighbours and takes the gradient step h = −(η/p_comm) Σ_k μ²(g − g_k).
 * </ul>
 *
 * Either way z += (1+r) h/2 and u −= (1−r) h/(2f) with r = ρ/p of what was drawn, a sample's own h entering the node's
 * vectors as −h x. A single node never communicates: this is then accelerated proximal coordinate gradient.
 *
 * <p>Since η̃ = ρL/(c p_j) = (r/c) L, the constants of the proximal step need only r: a t̂ = (w_j c/r − y_j)/β + xᵀy/σ
 * and b = (c/r − 1)/β. Where the dual is believed to be g times as strongly convex as theory has it, σ_A is g times as
 * large and μ_j is what it was, so that gc stands in the place of c and β stays ({@link Belief}).
 *
 * <p>Longer than most classes: this is the hot loop, and sparse and dense steps are written out in one place so that
 * nothing is dispatched per step and the compiler sees all of it.
 */
public final class Adfs implements DualProgram {

    /** Draws are made in bursts of this many. */
    private static final int BURST = 512;

    /** Unused doubles at the end of u and z: two cache lines, so that no other node's memory shares one with them. */
    private static final int PADDING = 16;

    /** A single node returns to its driver at least this often. */
    private static final int LONGEST_STRETCH = 1 << 16;

    /** When f falls below this, u is scaled down and f up by its inverse: a power of two, so no bit changes. */
    private static final double FOLD_BELOW = 0x1p-200;

    /* The record of a sample: six doubles, so that what a step needs lies in one or two cache lines. */
    private static final int RECORD = 6;
    private static final int U = 0;
    private static final int Z = 1;
    /** Where the next proximal step on the sample starts from: margin and slope of the last, as two floats. */
    private static final int START = 2;

    private static final int RATIO = 3;
    private static final int LABEL = 4;
    /** The bits of (start, end) of the row, as two ints. */
    private static final int SPAN = 5;

    private final LocalProblem problem;
    private final Loss loss;
    private final int node;
    private final int[] neighbours;
    private final double[] edgeWeights;
    private final Function<Belief, Tuning> tunings;
    private Belief belief = Belief.THEORY;
    private Tuning tuning;
    private final double inverseSigma;
    /** Σ_j √(1 + L_j/σ), the same bits whether a node comes back to theory's belief or is restored to it. */
    private final double theorysRootSum;

    private final double inverseSmoothness;
    private double momentumDecay;
    /** gc. */
    private double balance;

    private final Schedule schedule;
    private final int[] drawn = new int[BURST];
    private final boolean weighted;

    /** What touching ahead has read: kept so that no compiler leaves the reads out. */
    @SuppressWarnings("UnusedVariable")
    private int touched;

    /** u and z, interleaved: entry 2c is u_c, entry 2c+1 is z_c. */
    private final double[] uz;

    private final double[] records;
    private final boolean allRowsAreZero;

    /* Dense rows: the last step, yet to enter u and z; the next row times u and z; and what a sweep has found. */
    private int lastRow;
    private double lastU;
    private double lastZ;
    private double nextU;
    private double nextZ;
    private double sweptU;
    private double sweptZ;
    private double sweptRow;

    /** f = φ^(t+1) of the step taken last, times the powers of two folded into u. */
    private double factor = 1;

    private long steps;
    private long updates;
    private long rounds;

    private final double[] message;
    private final Exchange exchange = new Exchange();

    /**
     * A node at the start of its run, with the sampling that takes the fewest passes.
     *
     * @param facts the node's own facts, as the tuning took them
     * @param seed the seed of the run, the same at every node
     */
    public Adfs(LocalProblem problem, Conditioning facts, Network network, int node, Tuning tuning, long seed) {
        this(problem, facts, network, node, tuning, Sampling.RESHUFFLED, seed);
    }

    /** A node at the start of its run, with a sampling of one's choice. */
    public Adfs(
            LocalProblem problem,
            Conditioning facts,
            Network network,
            int node,
            Tuning tuning,
            Sampling sampling,
            long seed) {
        this(
                problem,
                facts,
                network,
                node,
                tuning,
                (weight, ahead) -> new RandomSchedule(
                        seed, node, tuning.communicationProbability(), problem.samples(), weight, sampling, ahead));
    }

    /** A node that can go over to the constants of another belief. */
    Adfs(
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
                        Sampling.RESHUFFLED,
                        ahead));
    }

    /** A node whose steps are decided elsewhere, given what the probabilities of its samples are proportional to. */
    public Adfs(
            LocalProblem problem,
            Conditioning facts,
            Network network,
            int node,
            Tuning tuning,
            BiFunction<IntToDoubleFunction, RandomSchedule.Ahead, Schedule> schedule) {
        this(problem, facts, network, node, belief -> tuning, schedule);
    }

    private Adfs(
            LocalProblem problem,
            Conditioning facts,
            Network network,
            int node,
            Function<Belief, Tuning> tunings,
            BiFunction<IntToDoubleFunction, RandomSchedule.Ahead, Schedule> schedule) {
        this.problem = problem;
        this.loss = problem.loss();
        this.node = node;
        this.neighbours = network.neighbours(node);
        this.edgeWeights = network.edgeWeights(node);
        this.tunings = tunings;
        this.tuning = tunings.apply(belief);
        this.inverseSigma = 1 / problem.sigma();
        this.inverseSmoothness = 1 / loss.smoothness();
        this.momentumDecay = tuning.momentumDecay();
        this.balance = tuning.balance();
        this.weighted = problem.data().isWeighted();
        this.uz = new double[2 * problem.features() + PADDING];
        this.message = new double[problem.features()];
        this.records = new double[Math.multiplyExact(RECORD, problem.samples())];
        this.theorysRootSum = facts.rootSum();
        this.allRowsAreZero = !fillRecords(facts);
        this.schedule = schedule.apply(this::relativeProbability, this::touch);
    }

    /** Writes the constant part of every record; false if all rows are zero. */
    private boolean fillRecords(Conditioning facts) {
        Dataset data = problem.data();
        boolean any = false;
        double label = Double.NaN;
        double slopeAtZero = Double.NaN;
        for (int j = 0; j < problem.samples(); j++) {
            int row = problem.row(j);
            int at = RECORD * j;
            if (data.label(row) != label) {
                label = data.label(row);
                slopeAtZero = loss.derivative(0, label);
            }
            double smoothness = loss.smoothness() * data.weight(row) * data.squaredNorm(row);
            records[at + LABEL] = label;
            records[at + START] = start(0, slopeAtZero);
            records[at + SPAN] = Double.longBitsToDouble(((long) data.start(row) << 32) | data.end(row));
            if (smoothness > 0) {
                records[at + RATIO] = ratio(Math.sqrt(1 + smoothness / problem.sigma()), facts.rootSum());
                any = true;
            } else {
                // An all-zero row is a constant: never drawn, and s = ℓ'(0) makes its part of the gap zero.
                records[at + Z] = data.weight(row) * slopeAtZero;
            }
        }
        return any;
    }

    /** r_j = ρ/p_j where p_j = p_comp root/rootSum. */
    private double ratio(double root, double rootSum) {
        double probability = tuning.computationProbability() * root / rootSum;
        return tuning.rate() / probability;
    }

    @Override
    public void adopt(Belief next) {
        if (next.raises() == belief.raises() && next.relaxations() != belief.relaxations()) {
            // x moves by ρ(v − x) per step: this keeps its speed while ρ changes.
            keepMomentum(tuning.rate() / tunings.apply(next).rate());
        } else {
            keepMomentum(0);
            returnToDomain();
        }
        tune(next);
    }

    /**
     * Moves v to x + share·(v − x), where x = f u + z stays where it is and v = z − f u. With a share above 1 this may
     * lead out of the domain of the conjugates, for a while; certificates clamp what they take.
     */
    private void keepMomentum(double share) {
        double lost = factor * (1 - share);
        for (int c = 0; c < uz.length; c += 2) {
            uz[c + 1] = Math.fma(lost, uz[c], uz[c + 1]);
            uz[c] *= factor * share;
        }
        for (int at = 0; at < records.length; at += RECORD) {
            records[at + Z] = Math.fma(lost, records[at + U], records[at + Z]);
            records[at + U] *= factor * share;
        }
        factor = 1;
    }

    /** Clamps the dual scalars of x, which is also v, to the domain of the conjugates, where theory has a run begin. */
    private void returnToDomain() {
        double[] correction = new double[problem.features()];
        for (int j = 0; j < problem.samples(); j++) {
            int at = RECORD * j + Z;
            double weight = problem.weight(j);
            double clamped = weight * loss.clamp(records[at] / weight, records[RECORD * j + LABEL]);
            if (clamped != records[at]) {
                problem.data().addTo(problem.row(j), records[at] - clamped, correction);
                records[at] = clamped;
            }
        }
        for (int c = 0; c < correction.length; c++) {
            uz[2 * c + 1] += correction[c];
        }
    }

    /** Takes the constants of a belief, those of the samples included. */
    private void tune(Belief next) {
        belief = next;
        tuning = tunings.apply(next);
        momentumDecay = tuning.momentumDecay();
        balance = next.relaxation() * tuning.balance();
        double rootSum = next.relaxations() == 0 ? theorysRootSum : rootSum();
        for (int j = 0; j < problem.samples(); j++) {
            if (records[RECORD * j + RATIO] > 0) {
                records[RECORD * j + RATIO] = ratio(root(j), rootSum);
            }
        }
        schedule.reweigh(tuning.communicationProbability());
    }

    private double rootSum() {
        double sum = 0;
        for (int j = 0; j < problem.samples(); j++) {
            if (records[RECORD * j + RATIO] > 0) {
                sum += root(j);
            }
        }
        return sum;
    }

    private double root(int sample) {
        int row = problem.row(sample);
        double smoothness = loss.smoothness() / belief.relaxation();
        double believed =
                smoothness * problem.data().weight(row) * problem.data().squaredNorm(row);
        return Math.sqrt(1 + believed / problem.sigma());
    }

    /** What p_j is proportional to. */
    private double relativeProbability(int sample) {
        double ratio = records[RECORD * sample + RATIO];
        return ratio > 0 ? 1 / ratio : 0;
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
        steps++;
        nextFactor();
        double scale = inverseSigma;
        for (int c = 0; c < message.length; c++) {
            message[c] = (factor * uz[2 * c] + uz[2 * c + 1]) * scale;
        }
        return exchange.set(Exchange.Kind.ROUND, neighbours, message, message.length, neighbours, (double) stretch)
                .atRest();
    }

    @Override
    public void absorb(double[][] messages) {
        if (neighbours.length == 0) {
            return;
        }
        double ratio = tuning.rate() / tuning.communicationProbability();
        double step = -tuning.stepSize() / tuning.communicationProbability();
        double toU = -(1 - ratio) / (2 * factor) * step;
        double toZ = (1 + ratio) / 2 * step;
        for (int c = 0; c < message.length; c++) {
            double disagreement = 0;
            for (int k = 0; k < messages.length; k++) {
                disagreement += edgeWeights[k] * (message[c] - messages[k][c]);
            }
            uz[2 * c] += toU * disagreement;
            uz[2 * c + 1] += toZ * disagreement;
        }
        rounds++;
    }

    private void compute(long count) {
        if (allRowsAreZero) {
            for (long k = 0; k < count; k++) {
                nextFactor();
            }
            steps += count;
            return;
        }
        for (long left = count; left > 0; ) {
            int burst = (int) Math.min(left, BURST);
            schedule.draw(drawn, burst);
            if (problem.data().isDense()) {
                makeDenseSteps(burst);
            } else {
                makeSparseSteps(burst);
            }
            left -= burst;
        }
        steps += count;
        updates += count;
    }

    /**
     * Steps on the samples drawn. One call per step, rather than loops in one large method: the virtual machine counts
     * calls to decide what to compile, and so has compiled a step after a few thousand of them instead of a whole pass.
     */
    private void makeSparseSteps(int count) {
        // In a local variable: written to the object at every step, it would be the other nodes' misses.
        double f = factor;
        for (int i = 0; i < count; i++) {
            f *= momentumDecay;
            if (f < FOLD_BELOW) {
                f = fold(f);
            }
            stepSparse(drawn[i], f);
        }
        factor = f;
    }

    /**
     * Steps on the samples drawn, where rows are dense. A step's change of u and z is left to the sweep of the one
     * after, which is then behind by one: so it also multiplies the two rows, to make up for that.
     */
    private void makeDenseSteps(int count) {
        double f = factor;
        beginDense(drawn[0]);
        for (int i = 0; i < count; i++) {
            f *= momentumDecay;
            if (f < FOLD_BELOW) {
                endDense();
                f = fold(f);
                beginDense(drawn[i]);
            }
            stepDense(drawn[i], drawn[Math.min(i + 1, count - 1)], f);
        }
        endDense();
        factor = f;
    }

    /**
     * Reads the records and the ends of the rows of samples that will soon be drawn. Done for many at a time and in the
     * order of memory, their cache misses overlap; one by one, each step would wait for its own.
     */
    private void touch(int[] samples, int count) {
        int[] columns = problem.data().columns();
        float[] values = problem.data().values();
        boolean sparse = !problem.data().isDense();
        int sum = 0;
        for (int i = 0; i < count; i++) {
            long span = Double.doubleToRawLongBits(records[RECORD * samples[i] + SPAN]);
            int start = (int) (span >>> 32);
            int last = (int) span - 1;
            if (last >= start) {
                sum += Float.floatToRawIntBits(values[start]) + Float.floatToRawIntBits(values[last]);
                if (sparse) {
                    sum += columns[start] + columns[last];
                }
            }
        }
        touched += sum;
    }

    private void stepSparse(int sample, double f) {
        int[] columns = problem.data().columns();
        float[] values = problem.data().values();
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
            double value = values[k];
            double oddValue = values[k + 1];
            dotU = Math.fma(value, vectors[c], dotU);
            dotZ = Math.fma(value, vectors[c + 1], dotZ);
            oddU = Math.fma(oddValue, vectors[odd], oddU);
            oddZ = Math.fma(oddValue, vectors[odd + 1], oddZ);
        }
        if (k < end) {
            int c = 2 * columns[k];
            double value = values[k];
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
            double value = values[k];
            vectors[c] = Math.fma(-du, value, vectors[c]);
            vectors[c + 1] = Math.fma(-dz, value, vectors[c + 1]);
        }
    }

    private void beginDense(int sample) {
        lastRow = rowOf(sample);
        lastU = 0;
        lastZ = 0;
        sweep(lastRow, lastRow);
        nextU = sweptU;
        nextZ = sweptZ;
    }

    private void endDense() {
        sweep(lastRow, lastRow);
    }

    /** The sweep does not wait for the proximal step, nor the proximal step for the sweep: a processor does both. */
    private void stepDense(int sample, int next, double f) {
        int at = RECORD * sample;
        int row = rowOf(sample);
        double h = proximalStep(sample, f, Math.fma(f, nextU, nextZ));
        sweep(row, rowOf(next));
        double ratio = records[at + RATIO];
        double du = -(1 - ratio) / (2 * f) * h;
        double dz = (1 + ratio) / 2 * h;
        records[at + U] += du;
        records[at + Z] += dz;
        nextU = Math.fma(-du, sweptRow, sweptU);
        nextZ = Math.fma(-dz, sweptRow, sweptZ);
        lastRow = row;
        lastU = du;
        lastZ = dz;
    }

    /** Where the row of a sample starts. */
    private int rowOf(int sample) {
        return (int) (Double.doubleToRawLongBits(records[RECORD * sample + SPAN]) >>> 32);
    }

    /** Adds the change of the last step to u and z, and multiplies the next row by u, by z and by the present row. */
    private void sweep(int present, int next) {
        float[] values = problem.data().values();
        double[] vectors = uz;
        int features = problem.features();
        int last = lastRow;
        double du = -lastU;
        double dz = -lastZ;
        double dotU = 0;
        double dotZ = 0;
        double dotRow = 0;
        double oddU = 0;
        double oddZ = 0;
        double oddRow = 0;
        int c = 0;
        for (; c + 3 < features; c += 4) {
            double last0 = values[last + c];
            double last1 = values[last + c + 1];
            double last2 = values[last + c + 2];
            double last3 = values[last + c + 3];
            double u0 = Math.fma(du, last0, vectors[2 * c]);
            double z0 = Math.fma(dz, last0, vectors[2 * c + 1]);
            double u1 = Math.fma(du, last1, vectors[2 * c + 2]);
            double z1 = Math.fma(dz, last1, vectors[2 * c + 3]);
            double u2 = Math.fma(du, last2, vectors[2 * c + 4]);
            double z2 = Math.fma(dz, last2, vectors[2 * c + 5]);
            double u3 = Math.fma(du, last3, vectors[2 * c + 6]);
            double z3 = Math.fma(dz, last3, vectors[2 * c + 7]);
            vectors[2 * c] = u0;
            vectors[2 * c + 1] = z0;
            vectors[2 * c + 2] = u1;
            vectors[2 * c + 3] = z1;
            vectors[2 * c + 4] = u2;
            vectors[2 * c + 5] = z2;
            vectors[2 * c + 6] = u3;
            vectors[2 * c + 7] = z3;
            double next0 = values[next + c];
            double next1 = values[next + c + 1];
            double next2 = values[next + c + 2];
            double next3 = values[next + c + 3];
            dotU = Math.fma(next2, u2, Math.fma(next0, u0, dotU));
            dotZ = Math.fma(next2, z2, Math.fma(next0, z0, dotZ));
            oddU = Math.fma(next3, u3, Math.fma(next1, u1, oddU));
            oddZ = Math.fma(next3, z3, Math.fma(next1, z1, oddZ));
            dotRow = Math.fma(next2, values[present + c + 2], Math.fma(next0, values[present + c], dotRow));
            oddRow = Math.fma(next3, values[present + c + 3], Math.fma(next1, values[present + c + 1], oddRow));
        }
        for (; c < features; c++) {
            double u = Math.fma(du, values[last + c], vectors[2 * c]);
            double z = Math.fma(dz, values[last + c], vectors[2 * c + 1]);
            vectors[2 * c] = u;
            vectors[2 * c + 1] = z;
            dotU = Math.fma(values[next + c], u, dotU);
            dotZ = Math.fma(values[next + c], z, dotZ);
            dotRow = Math.fma(values[next + c], values[present + c], dotRow);
        }
        sweptU = dotU + oddU;
        sweptZ = dotZ + oddZ;
        sweptRow = dotRow + oddRow;
    }

    /** The change h = s − w_j of the dual scalar of a sample, given xᵀy. */
    private double proximalStep(int sample, double f, double dot) {
        int at = RECORD * sample;
        double weight = weighted ? problem.weight(sample) : 1;
        double fu = f * records[at + U];
        double z = records[at + Z];
        double stretch = balance / records[at + RATIO];
        double scale = weighted ? inverseSmoothness / weight : inverseSmoothness;
        double point = Math.fma(dot, inverseSigma, ((z - fu) * stretch - (fu + z)) * scale);
        double step = (stretch - 1) * inverseSmoothness;
        double start = records[at + START];
        double slope = loss.proxSlope(point, step, records[at + LABEL], startMargin(start), startSlope(start));
        records[at + START] = start(point - step * slope, slope);
        return weight * slope - (z - fu);
    }

    private static double start(double margin, double slope) {
        long high = (long) Float.floatToRawIntBits((float) margin) << 32;
        return Double.longBitsToDouble(high | (Float.floatToRawIntBits((float) slope) & 0xFFFFFFFFL));
    }

    private static double startMargin(double start) {
        return Float.intBitsToFloat((int) (Double.doubleToRawLongBits(start) >>> 32));
    }

    private static double startSlope(double start) {
        return Float.intBitsToFloat((int) Double.doubleToRawLongBits(start));
    }

    private void nextFactor() {
        factor *= momentumDecay;
        if (factor < FOLD_BELOW) {
            factor = fold(factor);
        }
    }

    /** Scales u down by as much as the factor is scaled up: the new factor. */
    private double fold(double f) {
        for (int c = 0; c < uz.length; c += 2) {
            uz[c] *= FOLD_BELOW;
        }
        for (int at = U; at < records.length; at += RECORD) {
            records[at] *= FOLD_BELOW;
        }
        return f / FOLD_BELOW;
    }

    /** The sample's part of x = φ^t u + z: a convex combination of proximal points, hence in the domain of ℓ*. */
    @Override
    public double slope(int sample) {
        int at = RECORD * sample;
        return factor * records[at + U] + records[at + Z];
    }

    /** y/σ, the estimate that the next step would start from. */
    @Override
    public void estimate(double[] theta) {
        double ahead = factor * momentumDecay;
        for (int c = 0; c < theta.length; c++) {
            theta[c] = (ahead * uz[2 * c] + uz[2 * c + 1]) * inverseSigma;
        }
    }

    @Override
    public void beginAt(double[] theta) {
        double[] sum = DualProgram.slopesAt(theta, problem, (j, slope) -> records[RECORD * j + Z] = slope);
        for (int c = 0; c < sum.length; c++) {
            uz[2 * c + 1] = -sum[c];
        }
    }

    @Override
    public LocalProblem problem() {
        return problem;
    }

    @Override
    public void drawIndependently() {
        schedule.drawIndependently();
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

    private SavedState.Owner owner() {
        return new SavedState.Owner(node, problem.features(), problem.samples());
    }

    @Override
    public void save(DataOutput out) throws IOException {
        owner().write(out);
        out.writeLong(steps);
        out.writeLong(updates);
        out.writeLong(rounds);
        out.writeDouble(factor);
        belief.save(out);
        schedule.save(out);
        SavedState.writeDoubles(out, uz);
        for (int at = 0; at < records.length; at += RECORD) {
            out.writeDouble(records[at + U]);
            out.writeDouble(records[at + Z]);
            out.writeLong(Double.doubleToRawLongBits(records[at + START]));
        }
    }

    @Override
    public void restore(DataInput in) throws IOException {
        owner().require(in);
        steps = in.readLong();
        updates = in.readLong();
        rounds = in.readLong();
        factor = in.readDouble();
        Belief saved = Belief.restore(in);
        if (!saved.equals(belief)) {
            tune(saved);
        }
        schedule.restore(in);
        SavedState.readDoubles(in, uz);
        for (int at = 0; at < records.length; at += RECORD) {
            records[at + U] = in.readDouble();
            records[at + Z] = in.readDouble();
            records[at + START] = Double.longBitsToDouble(in.readLong());
        }
        Arrays.fill(message, 0);
    }
}
