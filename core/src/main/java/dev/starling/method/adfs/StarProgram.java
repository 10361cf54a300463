package dev.starling.method.adfs;

import dev.starling.network.Network;
import dev.starling.node.Exchange;
import dev.starling.node.SavedState;
import dev.starling.problem.LocalProblem;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/**
 * A node that acts in some steps only, alone or with some of its neighbours; what other steps do to it is caught up by
 * its {@link SmoothStar}. Once per epoch it comes up for air, at the same step as all others; {@link #steps} counts to
 * there.
 */
abstract class StarProgram implements DualProgram {

    /**
     * What a node does in a step in which it communicates: with g = y/σ of all who take part, h = −step · Σ μ²(g −
     * g_k).
     *
     * @param partners the neighbours, ascending
     * @param weights μ² of the edges to them
     * @param step η over the probability of those edges
     * @param ratio what ρW̃ does to h
     */
    record Talk(int[] partners, double[] weights, double step, double ratio) {

        /** The node talks to nobody. */
        static final Talk NONE = new Talk(new int[0], new double[0], 0, 0);

        /** Whether there is nobody to talk to. */
        boolean isSilent() {
            return partners.length == 0;
        }

        /** A node's part of a step in which some edges are used. */
        static Talk on(List<Integer> edges, int node, Network network, double step, double ratio) {
            int[] own = edges.stream()
                    .mapToInt(Integer::intValue)
                    .filter(e -> network.tail(e) == node || network.head(e) == node)
                    .toArray();
            return new Talk(
                    Arrays.stream(own)
                            .map(e -> network.tail(e) + network.head(e) - node)
                            .toArray(),
                    Arrays.stream(own).mapToDouble(network::weight).toArray(),
                    step,
                    ratio);
        }
    }

    private final int node;
    private final SmoothStar star;
    private final long horizon;
    private final double[] message;
    private final Exchange exchange = new Exchange();

    private long breath;
    private long updates;
    private long rounds;
    private Talk talk = Talk.NONE;

    /** @param horizon steps from one breath to the next */
    StarProgram(int node, SmoothStar star, long horizon) {
        this.node = node;
        this.star = star;
        this.horizon = horizon;
        this.message = new double[star.problem().features()];
    }

    /** Takes all steps up to the given one, or up to the first in which this node communicates. */
    abstract Talk takeSteps(long until);

    /** Writes what the program keeps beside the star. */
    abstract void saveSteps(DataOutput out) throws IOException;

    /** Reads what {@link #saveSteps} wrote. */
    abstract void restoreSteps(DataInput in) throws IOException;

    final int node() {
        return node;
    }

    final SmoothStar star() {
        return star;
    }

    /** Says that the node has taken proximal steps. */
    final void count(long proximalSteps) {
        updates += proximalSteps;
    }

    @Override
    public final Exchange advance() {
        long before = updates;
        talk = takeSteps(breath + horizon);
        double work = (double) (updates - before);
        if (talk.isSilent()) {
            breath += horizon;
            return exchange.pause(work);
        }
        star.parameter(message);
        return exchange.set(Exchange.Kind.ROUND, talk.partners, message, message.length, talk.partners, work);
    }

    @Override
    public final void absorb(double[][] messages) {
        if (!talk.isSilent()) {
            star.communicate(message, messages, talk.weights, talk.step, talk.ratio);
            rounds++;
        }
    }

    @Override
    public final LocalProblem problem() {
        return star.problem();
    }

    @Override
    public final double slope(int sample) {
        return star.slope(sample);
    }

    @Override
    public final void estimate(double[] theta) {
        star.estimate(theta);
    }

    @Override
    public final void beginAt(double[] theta) {
        star.beginAt(theta);
    }

    /** The last step at which all nodes came up for air. */
    @Override
    public final long steps() {
        return breath;
    }

    @Override
    public final long updates() {
        return updates;
    }

    @Override
    public final long rounds() {
        return rounds;
    }

    private SavedState.Owner owner() {
        return new SavedState.Owner(node, problem().features(), problem().samples());
    }

    @Override
    public final void save(DataOutput out) throws IOException {
        owner().write(out);
        out.writeLong(breath);
        out.writeLong(updates);
        out.writeLong(rounds);
        saveSteps(out);
        star.save(out);
    }

    @Override
    public final void restore(DataInput in) throws IOException {
        owner().require(in);
        breath = in.readLong();
        updates = in.readLong();
        rounds = in.readLong();
        restoreSteps(in);
        star.restore(in);
        talk = Talk.NONE;
    }
}
