package dev.starling.lab.conversation;

import dev.starling.method.adfs.Adfs;
import dev.starling.method.adfs.draws.RandomSchedule;
import dev.starling.method.adfs.draws.Sampling;
import dev.starling.network.Network;
import dev.starling.node.State;
import dev.starling.node.Streams;
import dev.starling.problem.LocalProblem;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.rng.RestorableUniformRandomProvider;

/**
 * A node of S-ADFS whose rounds use only some of the edges. Steps are those of {@link Adfs}, but a communication step
 * draws a subgraph from a random stream that all nodes share; a node without an edge in it sends nothing and continues.
 * With p_e = q·p_comm the update is h = −(η/p_e) Σ μ²(g − g_k) over the edges drawn, and ρW̃ = ρ r/p_e, see
 * {@link EdgeSampling}.
 */
public final class PartialAdfs extends StarProgram {

    private static final int BURST = 512;

    private final Network network;
    private final PartialTuning tuning;
    private final boolean idle;

    private final RandomSchedule schedule;
    private final RestorableUniformRandomProvider edgeStream;
    private final double share;
    private final RestorableUniformRandomProvider pauses;
    private final int[] drawn = new int[BURST];

    /** What this node does in the rounds of each group. */
    private final Talk[] talks;

    private final EdgeDraw edges;

    private long left = -1;

    /**
     * Creates a node at the start of its run.
     *
     * @param seed the seed of the run, the same on every node
     */
    public PartialAdfs(LocalProblem problem, Network network, int node, PartialTuning tuning, long seed) {
        super(node, star(problem, node, tuning), tuning.stepsPerEpoch());
        this.network = network;
        this.tuning = tuning;
        this.idle = star().allRowsAreZero();
        this.schedule = new RandomSchedule(
                seed,
                node,
                tuning.tuning().communicationProbability(),
                problem.samples(),
                idle ? j -> 1 : star()::weight,
                Sampling.INDEPENDENT);
        this.edgeStream = Streams.edges(seed);
        this.share = tuning.shares().get(node);
        // A stream of this node's own that is used for nothing else.
        this.pauses = Streams.own(~seed, node);
        this.talks = IntStream.range(0, tuning.groups().size())
                .mapToObj(group -> talk(group, tuning.groups().get(group)))
                .toArray(Talk[]::new);
        this.edges = new EdgeDraw(edgeStream, tuning.groups(), tuning.probabilities(), network.edges());
    }

    private static SmoothStar star(LocalProblem problem, int node, PartialTuning tuning) {
        return new SmoothStar(
                problem.withSigma(tuning.sigmas().get(node)),
                tuning.tuning(),
                tuning.shares().get(node) * tuning.tuning().computationProbability());
    }

    private Talk talk(int group, List<Integer> edges) {
        double probability = tuning.tuning().communicationProbability()
                * tuning.probabilities().get(group);
        return Talk.on(
                edges,
                node,
                network,
                tuning.tuning().stepSize() / probability,
                tuning.tuning().rate() * tuning.projections().get(group) / probability);
    }

    @Override
    Talk takeSteps(long until) {
        while (star().steps() < until) {
            if (left < 0) {
                left = network.size() == 1 ? Long.MAX_VALUE : schedule.stepsBeforeNextRound();
            }
            long room = until - star().steps();
            long now = Math.min(left, room);
            compute(now);
            left -= now;
            if (now < room) {
                left = -1;
                star().pass(1);
                Talk talk = drawEdges();
                if (!talk.isSilent()) {
                    return talk;
                }
            }
        }
        return Talk.NONE;
    }

    private void compute(long steps) {
        if (idle) {
            count(steps);
            star().pass(steps);
            return;
        }
        for (long remaining = steps; remaining > 0; ) {
            int burst = (int) Math.min(remaining, BURST);
            schedule.draw(drawn, burst);
            for (int i = 0; i < burst; i++) {
                star().pass(1);
                if (share == 1 || pauses.nextDouble() < share) {
                    star().compute(drawn[i]);
                    count(1);
                }
            }
            remaining -= burst;
        }
    }

    private Talk drawEdges() {
        EdgeDraw.Round round = edges.next();
        return tuning.isIndependent() ? talk(0, round.edges()) : talks[round.group()];
    }

    @Override
    void stepsState(State s) throws IOException {
        left = s.number(left);
        schedule.state(s);
        s.stream(edgeStream);
        s.stream(pauses);
    }
}
