package dev.starling.lab.conversation;

import dev.starling.method.adfs.draws.AliasTable;
import dev.starling.network.Network;
import dev.starling.node.State;
import dev.starling.node.Streams;
import dev.starling.problem.LocalProblem;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.rng.RestorableUniformRandomProvider;

/**
 * A node of locally synchronous ADFS (the paper's ADFS-Asynch): every step picks one edge of the augmented graph, and
 * only its ends act. All nodes draw the same sequence of nodes and communication edges from a random stream that they
 * share, and skip what does not concern them: a step of another node costs one draw. A node picks its samples with a
 * stream of its own.
 *
 * <p>On a communication edge the two ends exchange g = y/σ and take the step h = −(η/p_kl) μ²(g − g'), with ρW̃ =
 * ρR_kl/p_kl. They wait for nobody else, so a slow node delays only its neighbours. Steps are counted for the whole
 * network.
 */
public final class LocalAdfs extends StarProgram {

    private static final int BURST = 512;

    private final Network network;
    private final boolean idle;

    /** What to do along the edge to each neighbour. */
    private final Talk[] talks;

    private final AliasTable choosing;
    private final AliasTable sampling;
    private final RestorableUniformRandomProvider shared;
    private final RestorableUniformRandomProvider own;

    /** The nodes (from 0) and communication edges (from n) of the coming steps. */
    private final int[] chosen = new int[BURST];

    private final int[] sample = new int[1];
    private int position = BURST;
    private long passed;

    /**
     * Creates a node at the start of its run.
     *
     * @param choosing the tuning's {@link LocalTuning#choosing}, which the nodes of one process share
     * @param seed the seed of the run, the same on every node
     */
    public LocalAdfs(
            LocalProblem problem, Network network, int node, LocalTuning tuning, AliasTable choosing, long seed) {
        super(node, star(problem, node, tuning), tuning.stepsPerEpoch());
        this.network = network;
        this.idle = star().allRowsAreZero();
        this.talks = talks(network, node, tuning);
        this.choosing = choosing;
        this.sampling = idle ? new AliasTable(1, j -> 1) : new AliasTable(problem.samples(), star()::weight);
        this.shared = Streams.shared(seed);
        this.own = Streams.own(seed, node);
    }

    private static SmoothStar star(LocalProblem problem, int node, LocalTuning tuning) {
        return new SmoothStar(
                problem.withSigma(tuning.sigmas().get(node)),
                tuning.tuning(),
                tuning.nodeProbabilities().get(node));
    }

    private static Talk[] talks(Network network, int node, LocalTuning tuning) {
        return Edges.of(network, node)
                .mapToObj(e -> {
                    double probability = tuning.edgeProbabilities().get(e);
                    double ratio = tuning.tuning().rate() * tuning.resistances().get(e) / probability;
                    double step = tuning.tuning().stepSize() / probability;
                    return Talk.on(List.of(e), node, network, step, ratio);
                })
                .toArray(Talk[]::new);
    }

    @Override
    Talk takeSteps(long until) {
        Talk talk = Talk.NONE;
        while (passed < until && talk.isSilent()) {
            int choice = next();
            passed++;
            if (choice == node) {
                computeOne();
            } else if (choice >= network.size()) {
                talk = along(choice - network.size());
            }
        }
        catchUp();
        return talk;
    }

    private int next() {
        if (position == BURST) {
            choosing.draw(shared, chosen, BURST);
            position = 0;
        }
        return chosen[position++];
    }

    private void catchUp() {
        star().pass(passed - star().steps());
    }

    private void computeOne() {
        count(1);
        if (!idle) {
            catchUp();
            sampling.draw(own, sample, 1);
            star().compute(sample[0]);
        }
    }

    private Talk along(int edge) {
        int tail = network.tail(edge);
        int head = network.head(edge);
        if (tail != node && head != node) {
            return Talk.NONE;
        }
        return talks[Arrays.binarySearch(network.neighbours(node), tail == node ? head : tail)];
    }

    @Override
    void stepsState(State s) throws IOException {
        passed = s.number(passed);
        position = s.number(position);
        for (int k = 0; k < BURST; k++) {
            chosen[k] = s.number(chosen[k]);
        }
        s.stream(shared);
        s.stream(own);
    }
}
