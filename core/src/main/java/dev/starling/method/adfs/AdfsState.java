package dev.starling.method.adfs;

import dev.starling.data.Dataset;
import dev.starling.data.Values;
import dev.starling.loss.Loss;
import dev.starling.method.adfs.certified.DualProgram;
import dev.starling.method.adfs.tuning.Belief;
import dev.starling.method.adfs.tuning.Tuning;
import dev.starling.node.State;
import dev.starling.node.Stateful;
import dev.starling.problem.Conditioning;
import dev.starling.problem.LocalProblem;
import java.io.IOException;
import java.util.function.IntToDoubleFunction;

/**
 * The state of a node of {@link Adfs}: u and z of the node, a record per sample and f, with all operations on the state
 * as a whole. The steps themselves, each of which changes one sample, are made by the program directly on the arrays.
 */
final class AdfsState implements Stateful {

    /** When f falls below this, u is scaled down and f up by its inverse: a power of two, so no bit changes. */
    static final double FOLD_BELOW = 0x1p-200;

    /**
     * Unused doubles at the end of u and z: two cache lines, so that no cache line is shared with another node's
     * memory.
     */
    private static final int PADDING = 16;

    /* The record of a sample: six doubles, so that what a step needs lies in one or two cache lines. */
    static final int RECORD = 6;
    static final int U = 0;
    static final int Z = 1;
    /** The starting point of the next proximal step on the sample: margin and slope of the last one, as two floats. */
    static final int START = 2;

    static final int RATIO = 3;
    static final int LABEL = 4;
    /** The bits of (start, end) of the row, as two ints. */
    static final int SPAN = 5;

    private final LocalProblem problem;
    private final Loss loss;

    final PairedVectors vectors;
    private final double[] uz;
    final double[] records;

    /** f = φ^(t+1) of the last step, times the powers of two folded into u. */
    double factor = 1;

    private final boolean allRowsAreZero;

    /**
     * Σ_j √(1 + L_j/σ), kept so that it has the same bits whether a node returns to theory's belief or is restored to
     * it.
     */
    private final double rootSumOfTheory;

    /** What {@link #touch} has read; kept so that no compiler removes the reads. */
    @SuppressWarnings("UnusedVariable")
    private int touched;

    /**
     * Creates a node at rest.
     *
     * @param facts the facts of the node, whose σ may differ from that of the problem
     */
    AdfsState(LocalProblem problem, Conditioning facts) {
        this.problem = problem;
        this.loss = problem.loss();
        this.vectors = new PairedVectors(problem.features(), PADDING);
        this.uz = vectors.entries;
        this.records = new double[Math.multiplyExact(RECORD, problem.samples())];
        this.allRowsAreZero = !fillRecords();
        this.rootSumOfTheory = facts.sigma() == problem.sigma() ? facts.rootSum() : rootSum(Belief.THEORY);
    }

    /**
     * Writes the constant part of every record, and marks with a ratio the samples that can be drawn; returns false if
     * all rows are zero.
     */
    private boolean fillRecords() {
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
            records[at + LABEL] = label;
            records[at + START] = start(0, slopeAtZero);
            records[at + SPAN] = Double.longBitsToDouble(((long) data.start(row) << 32) | data.end(row));
            if (smoothness(j, 1) > 0) {
                records[at + RATIO] = 1;
                any = true;
            } else {
                // An all-zero row is a constant: never drawn, and s = ℓ'(0) makes its part of the gap zero.
                records[at + Z] = data.weight(row) * slopeAtZero;
            }
        }
        return any;
    }

    private double smoothness(int sample, double relaxation) {
        int row = problem.row(sample);
        return loss.smoothness(problem.data().label(row))
                / relaxation
                * problem.data().weight(row)
                * problem.data().squaredNorm(row);
    }

    private double root(Belief belief, int sample) {
        return Math.sqrt(1 + smoothness(sample, belief.relaxation()) / problem.sigma());
    }

    private double rootSum(Belief belief) {
        double sum = 0;
        for (int j = 0; j < problem.samples(); j++) {
            if (records[RECORD * j + RATIO] > 0) {
                sum += root(belief, j);
            }
        }
        return sum;
    }

    /** Gives every sample its r_j = ρ/p_j, where p_j = p_comp root/rootSum. */
    void tune(Belief belief, Tuning tuning) {
        double rootSum = belief.relaxations() == 0 ? rootSumOfTheory : rootSum(belief);
        for (int j = 0; j < problem.samples(); j++) {
            if (records[RECORD * j + RATIO] > 0) {
                double probability = tuning.computationProbability() * root(belief, j) / rootSum;
                records[RECORD * j + RATIO] = tuning.rate() / probability;
            }
        }
    }

    /** Returns a number to which p_j is proportional. */
    double relativeProbability(int sample) {
        double ratio = records[RECORD * sample + RATIO];
        return ratio > 0 ? 1 / ratio : 0;
    }

    boolean allRowsAreZero() {
        return allRowsAreZero;
    }

    /**
     * Reads the records and both ends of the rows of samples that will soon be drawn. If this is done for many at a
     * time and in memory order, their cache misses overlap; otherwise each step would wait for its own.
     */
    void touch(int[] samples, int count) {
        boolean sparse = !problem.data().isDense();
        int sum = 0;
        for (int i = 0; i < count; i++) {
            int[] columns = problem.data().columns(problem.row(samples[i]));
            Values values = problem.data().values(problem.row(samples[i]));
            long span = Double.doubleToRawLongBits(records[RECORD * samples[i] + SPAN]);
            int start = (int) (span >>> 32);
            int last = (int) span - 1;
            if (last >= start) {
                sum += (values.at(start) != 0 ? 1 : 0) + (values.at(last) != 0 ? 1 : 0);
                if (sparse) {
                    sum += columns[start] + columns[last];
                }
            }
        }
        touched += sum;
    }

    /**
     * Moves v to x + share·(v − x), where x = f u + z stays where it is and v = z − f u. With a share above 1 this may
     * leave the domain of the conjugates for a while; certificates clamp the values they use.
     */
    void keepMomentum(double share) {
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

    /** Restarts at v = x, with the dual scalars of x clamped to the domain of the conjugates. */
    void restart() {
        keepMomentum(0);
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

    /**
     * Starts at the point that another method has reached; to be called before the first step.
     *
     * @param vectors the node's vector as every second entry, interleaved as u and z are
     * @param scalars the dual scalar of each sample
     */
    void beginAt(double[] vectors, IntToDoubleFunction scalars) {
        for (int c = 1; c < vectors.length; c += 2) {
            uz[c] = vectors[c];
        }
        for (int j = 0; j < problem.samples(); j++) {
            records[RECORD * j + Z] = scalars.applyAsDouble(j);
        }
    }

    /** Starts at the slopes that the losses have at a parameter; to be called before the first step. */
    void beginAt(double[] theta) {
        vectors.beginAt(DualProgram.slopesAt(theta, problem, (j, slope) -> records[RECORD * j + Z] = slope));
    }

    /**
     * Scales u down by as much as f is scaled up, and returns the new f. The caller keeps f, so {@link #factor} is not
     * changed.
     */
    double fold(double f) {
        vectors.scaleU(FOLD_BELOW);
        for (int at = U; at < records.length; at += RECORD) {
            records[at] *= FOLD_BELOW;
        }
        return f / FOLD_BELOW;
    }

    /**
     * Returns the sample's part of x = φ^t u + z, a convex combination of proximal points and therefore in the domain
     * of ℓ*.
     */
    double slope(int sample) {
        int at = RECORD * sample;
        return factor * records[at + U] + records[at + Z];
    }

    static double start(double margin, double slope) {
        long high = (long) Float.floatToRawIntBits((float) margin) << 32;
        return Double.longBitsToDouble(high | (Float.floatToRawIntBits((float) slope) & 0xFFFFFFFFL));
    }

    static double startMargin(double start) {
        return Float.intBitsToFloat((int) (Double.doubleToRawLongBits(start) >>> 32));
    }

    static double startSlope(double start) {
        return Float.intBitsToFloat((int) Double.doubleToRawLongBits(start));
    }

    /** Saves or restores the state without what follows from the belief. */
    @Override
    public void state(State s) throws IOException {
        factor = s.number(factor);
        s.vector(uz);
        for (int at = 0; at < records.length; at += RECORD) {
            records[at + U] = s.number(records[at + U]);
            records[at + Z] = s.number(records[at + Z]);
            long start = s.number(Double.doubleToRawLongBits(records[at + START]));
            records[at + START] = Double.longBitsToDouble(start);
        }
    }
}
