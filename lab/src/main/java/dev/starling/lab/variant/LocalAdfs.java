package dev.starling.lab.variant;

import dev.starling.method.adfs.AliasTable;
import dev.starling.method.adfs.DualProgram;
import dev.starling.method.adfs.SmoothStar;
import dev.starling.network.Network;
import dev.starling.node.Exchange;
import dev.starling.node.SavedState;
import dev.starling.node.Streams;
import dev.starling.problem.Conditioning;
import dev.starling.problem.LocalProblem;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.commons.rng.RestorableUniformRandomProvider;

/**
 * Locally synchronous ADFS (the paper's ADFS-Asynch) at one node: every step picks one edge of the augmented graph, and
 * only its ends act. All nodes draw the same sequence of nodes and communication edges from a stream they share, and
 * pass over what does not concern them: a step of another node costs one draw. Which of its samples a node picks comes
 * from its own stream.
 *
 * <p>On a communication edge the two ends swap g = y/σ and take h = −(η/p_kl) μ²(g − g'), with ρW̃ = ρR_kl/p_kl. They
 * wait for nobody else, so a slow node holds up its neighbours only.
 *
 * <p>Once per epoch of the network a node comes up for air, at the same step as all others; {@link #steps} counts to
 * there.
 */
public final class LocalAdfs implements DualProgram {

    private static final int BURST = 512;

    private final int node;
    private final Network network;
    private final LocalTuning tuning;
    private final SmoothStar star;
    private final boolean idle;
    private final long horizon;

    private final AliasTable choosing;
    private final AliasTable sampling;
    private final RestorableUniformRandomProvider shared;
    private final RestorableUniformRandomProvider own;

    /** The nodes (from 0) and communication edges (from n) of the coming steps. */
    private final int[] chosen = new int[BURST];

    private final int[] sample = new int[1];
    private int position = BURST;
    private long passed;
    private long breath;
    private long updates;
    private long rounds;

    private int edge = -1;
    private final int[] partner = new int[1];
    private final double[] edgeWeight = new double[1];
    private final double[] message;
    private final Exchange exchange = new Exchange();

    /**
     * A node at the start of its run.
     *
     * @param facts the node's own facts, as the tuning took them
     * @param seed the seed of the run, the same at every node
     */
    public LocalAdfs(
            LocalProblem problem, Conditioning facts, Network network, int node, LocalTuning tuning, long seed) {
        this.node = node;
        this.network = network;
        this.tuning = tuning;
        this.star = new SmoothStar(
                problem, tuning.tuning(), tuning.nodeProbabilities().get(node), facts.rootSum());
        this.idle = star.allRowsAreZero();
        this.horizon = tuning.stepsPerEpoch();
        this.choosing = choosing(tuning);
        this.sampling = idle ? new AliasTable(1, j -> 1) : new AliasTable(problem.samples(), star::weight);
        this.shared = Streams.shared(seed);
        this.own = Streams.own(seed, node);
        this.message = new double[problem.features()];
    }

    private static AliasTable choosing(LocalTuning tuning) {
        int nodes = tuning.nodeProbabilities().size();
        return new AliasTable(
                nodes + tuning.edgeProbabilities().size(),
                k -> k < nodes
                        ? tuning.nodeProbabilities().get(k)
                        : tuning.edgeProbabilities().get(k - nodes));
    }

    @Override
    public Exchange advance() {
        long before = updates;
        while (passed < breath + horizon) {
            int choice = next();
            passed++;
            if (choice == node) {
                computeOne();
            } else if (choice >= network.size() && concerns(choice - network.size())) {
                star.pass(passed - star.steps());
                star.parameter(message);
                double work = (double) (updates - before);
                return exchange.set(Exchange.Kind.ROUND, partner, message, message.length, partner, work);
            }
        }
        breath += horizon;
        star.pass(passed - star.steps());
        return exchange.pause((double) (updates - before));
    }

    private int next() {
        if (position == BURST) {
            choosing.draw(shared, chosen, BURST);
            position = 0;
        }
        return chosen[position++];
    }

    private void computeOne() {
        updates++;
        if (idle) {
            return;
        }
        star.pass(passed - star.steps());
        sampling.draw(own, sample, 1);
        star.compute(sample[0]);
    }

    private boolean concerns(int candidate) {
        if (network.tail(candidate) == node) {
            partner[0] = network.head(candidate);
        } else if (network.head(candidate) == node) {
            partner[0] = network.tail(candidate);
        } else {
            return false;
        }
        edge = candidate;
        return true;
    }

    @Override
    public void absorb(double[][] messages) {
        if (edge < 0) {
            return;
        }
        edgeWeight[0] = network.weight(edge);
        double probability = tuning.edgeProbabilities().get(edge);
        double ratio = tuning.tuning().rate() * tuning.resistances().get(edge) / probability;
        star.communicate(message, messages, edgeWeight, tuning.tuning().stepSize() / probability, ratio);
        edge = -1;
        rounds++;
    }

    @Override
    public LocalProblem problem() {
        return star.problem();
    }

    @Override
    public double slope(int number) {
        return star.slope(number);
    }

    @Override
    public void estimate(double[] theta) {
        star.estimate(theta);
    }

    /** The last step at which all nodes came up for air, in steps of the whole network. */
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
        out.writeLong(passed);
        out.writeLong(breath);
        out.writeLong(updates);
        out.writeLong(rounds);
        out.writeInt(position);
        for (int choice : chosen) {
            out.writeInt(choice);
        }
        SavedState.writeStream(out, shared);
        SavedState.writeStream(out, own);
        star.save(out);
    }

    @Override
    public void restore(DataInput in) throws IOException {
        owner().require(in);
        passed = in.readLong();
        breath = in.readLong();
        updates = in.readLong();
        rounds = in.readLong();
        position = in.readInt();
        for (int k = 0; k < BURST; k++) {
            chosen[k] = in.readInt();
        }
        SavedState.readStream(in, shared);
        SavedState.readStream(in, own);
        star.restore(in);
        edge = -1;
    }
}
