package dev.starling.method.adfs;

import dev.starling.network.Network;
import dev.starling.node.Exchange;
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
abstract class StarProgram extends AdfsNode {

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

    private final SmoothStar star;
    private final long horizon;
    private Talk talk = Talk.NONE;

    /** @param horizon steps from one breath to the next */
    StarProgram(int node, SmoothStar star, long horizon) {
        super(star.problem(), node);
        this.star = star;
        this.horizon = horizon;
    }

    /** Takes all steps up to the given one, or up to the first in which this node communicates. */
    abstract Talk takeSteps(long until);

    /** Writes what the program keeps beside the star. */
    abstract void saveSteps(DataOutput out) throws IOException;

    /** Reads what {@link #saveSteps} wrote. */
    abstract void restoreSteps(DataInput in) throws IOException;

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
        talk = takeSteps(steps + horizon);
        double work = (double) (updates - before);
        if (talk.isSilent()) {
            steps += horizon;
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

    @Override
    final void saveMethod(DataOutput out) throws IOException {
        saveSteps(out);
        star.save(out);
    }

    @Override
    final void restoreMethod(DataInput in) throws IOException {
        restoreSteps(in);
        star.restore(in);
        talk = Talk.NONE;
    }
}
