package dev.starling.method.dual;

import dev.starling.data.Dataset;
import dev.starling.internal.Vectors;
import dev.starling.loss.Loss;
import dev.starling.method.adfs.certified.DualProgram;
import dev.starling.node.Collectives;
import dev.starling.node.Exchange;
import dev.starling.node.HiddenSum;
import dev.starling.node.State;
import dev.starling.node.Streams;
import dev.starling.node.SumKind;
import dev.starling.node.SumRequest;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Regulariser;
import java.io.IOException;
import java.util.Arrays;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * Dual coordinate ascent at every node, with sums over all nodes in between. The dual point is a slope per sample; it
 * determines θ = ∇ω*(−Σ s x/σ). A step makes one sample's slope the best one while all others stay.
 *
 * <p>In a round a node first visits its samples, in random order, but those whose slopes have stayed the same only in
 * some rounds; then again and again those that still gained something, until it has made two visits per sample. It acts
 * as if each of the n nodes changed Σ s x as it does itself, so that the changes of all nodes can be added up without
 * going too far; a node alone need not be careful.
 *
 * <p>It has more fields than most: what a step needs, so that nothing is looked up or allocated per row.
 *
 * @see <a href="https://doi.org/10.1145/1390156.1390208">Hsieh et al., A dual coordinate descent method for large-scale
 *     linear SVM, 2008</a>
 * @see <a href="https://arxiv.org/abs/1502.03508">Ma et al., Adding vs. averaging in distributed primal-dual
 *     optimization, 2015</a>
 */
final class DualCoordinates implements DualProgram {

    static final String SUM = "dual steps";

    /** The number of visits in a round, per sample. */
    private static final int VISITS = 2;

    /** A sample that gains less than this part of the mean gain of all samples can wait for the next round. */
    private static final double IDLE = 0.02;

    /** A sample whose slope stays the same is visited in every second, fourth, … round, at least in every eighth. */
    private static final int LONGEST_REST = 8;

    private final State.Owner owner;
    private final LocalProblem problem;
    private final Dataset data;
    private final Loss loss;
    private final Regulariser regulariser;
    private final Collectives place;
    private final double sigma;
    private final long seed;

    /** The slope of each sample's loss. */
    private final double[] slopes;

    /** By how much a unit of each sample's slope moves its own margin. */
    private final double[] leverages;

    /** −Σ s x/σ over all nodes, as of the last round; and the same with this node's changes since, n times. */
    private final double[] agreed;

    private final double[] own;

    /** θ at {@code own}; the same array if there is no l1 term. */
    private final double[] theta;

    private final double[] addend;
    private final int[] order;

    /** In how many rounds each sample is visited once; a power of two. */
    private final int[] rests;

    /** Σ s x of given slopes to start with, which have not been added up yet; empty if there are none. */
    private double[] start = {};

    private HiddenSum sum;
    private double idle;
    private int rounds;

    private long updates;

    /**
     * Visits of all rounds, at a node on average: how many a round has depends on what they gain, so that nodes differ.
     */
    private double steps;

    /**
     * Creates a node with slopes of 0.
     *
     * @param sigma σ of all nodes
     */
    DualCoordinates(LocalProblem problem, Collectives place, double sigma, long seed) {
        this.owner = new State.Owner(place.node(), problem.features(), problem.samples());
        this.problem = problem;
        this.data = problem.data();
        this.loss = problem.loss();
        this.regulariser = problem.regulariser();
        this.place = place;
        this.sigma = sigma;
        this.seed = seed;
        int samples = problem.samples();
        this.slopes = new double[samples];
        this.leverages = new double[samples];
        this.order = new int[samples];
        this.rests = new int[samples];
        Arrays.fill(rests, 1);
        this.agreed = new double[problem.features()];
        this.own = new double[problem.features()];
        this.theta = regulariser.isSmooth() ? own : new double[problem.features()];
        this.addend = new double[HiddenSum.HEAD + numbers(problem.features())];
        for (int j = 0; j < samples; j++) {
            int row = problem.row(j);
            leverages[j] = place.size() * data.weight(row) * data.squaredNorm(row) / sigma;
        }
    }

    /** How many numbers a round adds up: Σ s x and the visits. */
    static int numbers(int features) {
        return features + 1;
    }

    @Override
    public LocalProblem problem() {
        return problem;
    }

    @Override
    public double slope(int sample) {
        return problem.weight(sample) * slopes[sample];
    }

    @Override
    public long steps() {
        return (long) Math.ceil(steps);
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
    public void beginAt(double[] point) {
        start = DualProgram.slopesAt(point, problem, (j, slope) -> slopes[j] = slope / problem.weight(j));
    }

    @Override
    public Exchange advance() {
        return sum().advance();
    }

    private HiddenSum sum() {
        if (sum == null) {
            SumRequest request = SumRequest.atPoint(
                            SumKind.ESTIMATES,
                            place.problem(),
                            1,
                            agreed.clone(),
                            problem.samples(),
                            numbers(own.length))
                    .named(SUM);
            sum = new HiddenSum(place, SUM + " " + rounds, Exchange.Kind.ROUND)
                    .of(request, this::work, VISITS * problem.samples());
        }
        return sum;
    }

    /** Improves the slopes and returns by how much that changes Σ s x. */
    private double[] work() {
        Arrays.fill(addend, 0);
        if (start.length > 0) {
            System.arraycopy(start, 0, addend, HiddenSum.HEAD, start.length);
            start = new double[0];
            return addend;
        }
        Vectors.copy(agreed, own);
        if (theta != own) {
            Arrays.setAll(theta, c -> regulariser.parameter(own[c]));
        }
        addend[HiddenSum.HEAD + own.length] = improve();
        for (int c = 0; c < own.length; c++) {
            addend[HiddenSum.HEAD + c] = (agreed[c] - own[c]) * sigma / place.size();
        }
        return addend;
    }

    /** Makes the visits of a round; returns how many. */
    private long improve() {
        UniformRandomProvider random = Streams.own(seed + rounds, place.node());
        int count = awake();
        long planned = (long) VISITS * order.length;
        long visits = 0;
        double worthwhile = idle;
        while (count > 0 && visits < planned) {
            double gains = 0;
            int kept = 0;
            for (int k = 0; k < count; k++) {
                int other = k + random.nextInt(count - k);
                int sample = order[other];
                order[other] = order[k];
                double gain = step(sample);
                if (visits == 0) {
                    rests[sample] = gain == 0 ? Math.min(2 * rests[sample], LONGEST_REST) : 1;
                }
                gains += gain;
                if (gain > worthwhile) {
                    order[kept++] = sample;
                }
            }
            idle = visits == 0 ? IDLE * gains / order.length : idle;
            visits += count;
            count = kept;
        }
        updates += visits;
        return visits;
    }

    /** Puts the samples whose turn it is at the beginning of the order, and returns how many there are. */
    private int awake() {
        int count = 0;
        for (int j = 0; j < order.length; j++) {
            // Those that rest equally long do not all come back in the same round.
            if ((rounds + j & rests[j] - 1) == 0) {
                order[count++] = j;
            }
        }
        return count;
    }

    /** Makes the slope of a sample the best one, all others being as they are; returns about what that gains. */
    private double step(int sample) {
        int row = problem.row(sample);
        double label = data.label(row);
        double margin = data.dot(row, theta);
        double leverage = leverages[sample];
        double before = slopes[sample];
        double after = loss.proxSlope(Math.fma(leverage, before, margin), leverage, label, margin);
        double change = after - before;
        if (change == 0) {
            return 0;
        }
        double weight = data.weight(row);
        slopes[sample] = after;
        data.addTo(row, -change * weight * place.size() / sigma, own);
        if (theta != own) {
            for (int k = data.start(row); k < data.end(row); k++) {
                int c = data.column(row, k);
                theta[c] = regulariser.parameter(own[c]);
            }
        }
        return weight * change * change * (leverage + 1 / loss.smoothness());
    }

    @Override
    public void absorb(double[][] messages) {
        sum.absorb(messages);
        if (sum.isDone()) {
            double[] totals = sum.totals();
            HiddenSum.requireNotTooLarge(totals);
            for (int c = 0; c < agreed.length; c++) {
                agreed[c] -= totals[HiddenSum.HEAD + c] / sigma;
            }
            steps += totals[HiddenSum.HEAD + agreed.length] / place.size();
            rounds++;
            sum = null;
        }
    }

    @Override
    public void estimate(double[] estimate) {
        Arrays.setAll(estimate, c -> regulariser.parameter(agreed[c]));
    }

    @Override
    public void state(State s) throws IOException {
        owner.state(s);
        s.vector(slopes);
        for (int j = 0; j < rests.length; j++) {
            rests[j] = s.number(rests[j]);
        }
        s.vector(agreed);
        start = s.vector(start, own.length);
        idle = s.number(idle);
        rounds = s.number(rounds);
        updates = s.number(updates);
        steps = s.number(steps);
        boolean summing = s.flag(sum != null);
        if (s.isRestoring()) {
            sum = null;
        }
        if (summing) {
            sum().state(s);
        }
    }
}
