package dev.starling.lab.conversation;

import dev.starling.method.adfs.AdfsNode;
import dev.starling.network.Network;
import dev.starling.node.Exchange;
import dev.starling.node.State;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/**
 * A node that acts only in some of the steps, alone or with some of its neighbours; its {@link SmoothStar} catches up
 * on the effect of the other steps. Once per epoch it pauses, at the same step as all other nodes; {@link #steps}
 * counts the steps up to the last pause.
 */
abstract class StarProgram extends AdfsNode {

    /**
     * What a node does in a step in which it communicates: h = −step · Σ μ²(g − g_k), with g = y/σ of all nodes that
     * take part.
     *
     * @param partners the neighbours that take part, in ascending order
     * @param weights μ² of the edges to them
     * @param step η over the probability of those edges
     * @param ratio the factor that ρW̃ applies to h
     */
    record Talk(int[] partners, double[] weights, double step, double ratio) {

        /** A talk with nobody. */
        static final Talk NONE = new Talk(new int[0], new double[0], 0, 0);

        /** Returns whether there is nobody to talk to. */
        boolean isSilent() {
            return partners.length == 0;
        }

        /** Returns a node's part of a step that uses the given edges. */
        static Talk on(List<Integer> edges, int node, Network network, double step, double ratio) {
            int[] own = Edges.of(network, node, edges);
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

    /** @param horizon the number of steps between pauses */
    StarProgram(int node, SmoothStar star, long horizon) {
        super(star.problem(), node);
        this.star = star;
        this.horizon = horizon;
    }

    /** Takes all steps up to the given one, or up to the first in which this node communicates. */
    abstract Talk takeSteps(long until);

    /** Saves or restores the state of the program other than that of the star. */
    abstract void stepsState(State s) throws IOException;

    final SmoothStar star() {
        return star;
    }

    /** Counts proximal steps that the node has taken. */
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
    protected final void methodState(State s) throws IOException {
        stepsState(s);
        star.state(s);
        talk = Talk.NONE;
    }
}
