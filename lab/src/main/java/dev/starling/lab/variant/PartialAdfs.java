package dev.starling.lab.variant;

import dev.starling.method.adfs.Adfs;
import dev.starling.method.adfs.DualProgram;
import dev.starling.method.adfs.RandomSchedule;
import dev.starling.method.adfs.Sampling;
import dev.starling.method.adfs.SmoothStar;
import dev.starling.method.adfs.Tuning;
import dev.starling.network.Network;
import dev.starling.node.Exchange;
import dev.starling.node.SavedState;
import dev.starling.node.Streams;
import dev.starling.problem.Conditioning;
import dev.starling.problem.LocalProblem;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.rng.RestorableUniformRandomProvider;

/**
 * S-ADFS whose rounds use part of the edges, at one node. Steps are those of {@link Adfs}, but a communication step
 * draws a subgraph from a stream that all nodes share; a node with no edge in it goes on without a word. With p_e =
 * q·p_comm the update is h = −(η/p_e) Σ μ²(g − g_k) over the edges drawn, and ρW̃ = ρ r/p_e, see {@link EdgeSampling}.
 *
 * <p>About once per epoch a node comes up for air, at the same step as all others; {@link #steps} counts to there.
 */
public final class PartialAdfs implements DualProgram {

    private static final int BURST = 512;
    private static final int[] NOBODY = {};

    private final int node;
    private final Network network;
    private final Tuning tuning;
    private final EdgeSampling sampling;
    private final double[] projections;
    private final SmoothStar star;
    private final boolean idle;
    private final long horizon;

    private final RandomSchedule schedule;
    private final RestorableUniformRandomProvider edgeStream;
    private final int[] drawn = new int[BURST];

    /** This node's edges in every group, or all of them if edges are drawn one by one. */
    private final int[][] mine;

    private long left = -1;
    private long breath;
    private long updates;
    private long rounds;

    private int[] partners = NOBODY;
    private double[] partnerWeights = {};
    private double projection;
    private final double[] message;
    private final Exchange exchange = new Exchange();

    /**
     * A node at the start of its run.
     *
     * @param facts the node's own facts, as the tuning took them
     * @param tuning what {@link EdgeSampling#tune} gave
     * @param seed the seed of the run, the same at every node
     */
    public PartialAdfs(
            LocalProblem problem,
            Conditioning facts,
            Network network,
            int node,
            EdgeSampling sampling,
            Tuning tuning,
            long seed) {
        this.node = node;
        this.network = network;
        this.tuning = tuning;
        this.sampling = sampling;
        this.projections = sampling.projections(network).stream()
                .mapToDouble(Double::doubleValue)
                .toArray();
        this.star = new SmoothStar(problem, tuning, tuning.computationProbability(), facts.rootSum());
        this.idle = star.allRowsAreZero();
        this.horizon = (long) Math.ceil(Math.max(BURST, 1 / tuning.rate()));
        this.schedule = new RandomSchedule(
                seed,
                node,
                tuning.communicationProbability(),
                problem.samples(),
                idle ? j -> 1 : star::weight,
                Sampling.INDEPENDENT);
        this.edgeStream = Streams.edges(seed);
        this.mine = edgesOfGroups();
        this.message = new double[problem.features()];
    }

    private int[][] edgesOfGroups() {
        List<List<Integer>> groups = sampling.groups();
        int[][] own = new int[groups.size()][];
        for (int g = 0; g < own.length; g++) {
            own[g] = groups.get(g).stream()
                    .mapToInt(Integer::intValue)
                    .filter(e -> network.tail(e) == node || network.head(e) == node)
                    .toArray();
        }
        return own;
    }

    @Override
    public Exchange advance() {
        long before = updates;
        partners = NOBODY;
        while (true) {
            if (left < 0) {
                left = network.size() == 1 ? Long.MAX_VALUE : schedule.stepsBeforeNextRound();
            }
            long until = breath + horizon - star.steps();
            if (until == 0) {
                breath += horizon;
                return exchange.pause((double) (updates - before));
            }
            long now = Math.min(left, until);
            compute(now);
            left -= now;
            if (now < until) {
                left = -1;
                star.pass(1);
                drawEdges();
                if (partners.length > 0) {
                    star.parameter(message);
                    double work = (double) (updates - before);
                    return exchange.set(Exchange.Kind.ROUND, partners, message, message.length, partners, work);
                }
            }
        }
    }

    private void compute(long count) {
        updates += count;
        if (idle) {
            star.pass(count);
            return;
        }
        for (long remaining = count; remaining > 0; ) {
            int burst = (int) Math.min(remaining, BURST);
            schedule.draw(drawn, burst);
            for (int i = 0; i < burst; i++) {
                star.pass(1);
                star.compute(drawn[i]);
            }
            remaining -= burst;
        }
    }

    /** Draws the subgraph of a round; leaves this node's part of it in {@code partners}, ascending. */
    private void drawEdges() {
        int[] own = sampling.groups().isEmpty() ? drawOneByOne() : mine[edgeStream.nextInt(mine.length)];
        int count = own.length;
        int[] ends = new int[count];
        double[] weights = new double[count];
        for (int k = 0; k < count; k++) {
            ends[k] = network.tail(own[k]) == node ? network.head(own[k]) : network.tail(own[k]);
            weights[k] = network.weight(own[k]);
            projection = projections[own[k]];
        }
        partners = ends;
        partnerWeights = weights;
    }

    private int[] drawOneByOne() {
        List<Integer> own = new ArrayList<>();
        for (int e = 0; e < network.edges(); e++) {
            boolean used = edgeStream.nextDouble() < sampling.probability();
            if (used && (network.tail(e) == node || network.head(e) == node)) {
                own.add(e);
            }
        }
        return own.stream().mapToInt(Integer::intValue).toArray();
    }

    @Override
    public void absorb(double[][] messages) {
        if (partners.length == 0) {
            return;
        }
        double probability = tuning.communicationProbability() * sampling.probability();
        double ratio = tuning.rate() * projection / probability;
        star.communicate(message, messages, partnerWeights, tuning.stepSize() / probability, ratio);
        rounds++;
    }

    @Override
    public LocalProblem problem() {
        return star.problem();
    }

    @Override
    public double slope(int sample) {
        return star.slope(sample);
    }

    @Override
    public void estimate(double[] theta) {
        star.estimate(theta);
    }

    /** The last step at which all nodes came up for air. */
    @Override
    public long steps() {
        return breath;
    }

    @Override
    public long updates() {
        return updates;
    }

    @Override
    public long rounds() {
        return rounds;
    }

    /** They are so from the start. */
    @Override
    public void drawIndependently() {}

    private SavedState.Owner owner() {
        return new SavedState.Owner(node, problem().features(), problem().samples());
    }

    @Override
    public void save(DataOutput out) throws IOException {
        owner().write(out);
        out.writeLong(left);
        out.writeLong(breath);
        out.writeLong(updates);
        out.writeLong(rounds);
        schedule.save(out);
        SavedState.writeStream(out, edgeStream);
        star.save(out);
    }

    @Override
    public void restore(DataInput in) throws IOException {
        owner().require(in);
        left = in.readLong();
        breath = in.readLong();
        updates = in.readLong();
        rounds = in.readLong();
        schedule.restore(in);
        SavedState.readStream(in, edgeStream);
        star.restore(in);
        partners = NOBODY;
        Arrays.fill(message, 0);
    }
}
