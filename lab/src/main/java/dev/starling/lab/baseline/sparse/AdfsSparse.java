package dev.starling.lab.baseline.sparse;

import dev.starling.lab.baseline.node.Entries;
import dev.starling.lab.baseline.node.Setting;
import dev.starling.lab.conversation.SmoothStar;
import dev.starling.method.adfs.PairedVectors;
import dev.starling.method.adfs.draws.RandomSchedule;
import dev.starling.method.adfs.draws.Sampling;
import dev.starling.method.adfs.tuning.Tuning;
import dev.starling.network.Network;
import dev.starling.node.EstimatingProgram;
import dev.starling.problem.Conditioning;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Problem;
import java.util.List;

/**
 * S-ADFS with the constants of the paper and the sparse communication of its remark: "transmitting the updates h_t
 * instead of the local parameter. The other nodes can then emulate the updates as long as they know the gossip matrix."
 *
 * <p>Between two rounds a node takes K proximal steps, each of which adds multiples of one row to its u and z, and in a
 * round it takes a step that is linear in u and z of itself and its neighbours. So what the others cannot know is the
 * sum of K rows, which is what nodes send: u and z of all nodes follow from it. f = φ^t and K are known to all, since
 * rounds are drawn from a stream that they share. u and z of all nodes, twice, and the changes make 6nd numbers at
 * every node ({@link SparseProgram}).
 */
public final class AdfsSparse extends SparseProgram {

    /** How many vectors a node stores for every node. */
    private static final int KEPT = 6;

    public static List<? extends EstimatingProgram> programs(Setting on) {
        on.require();
        SparseProgram.requireMemory(
                on.method(),
                KEPT,
                on.network().size(),
                on.problem().features(),
                Runtime.getRuntime().maxMemory());
        Shared shared = Shared.of(on.problem(), on.network(), on.delay());
        return on.nodes(setup -> new AdfsSparse(setup.node(), setup.problem(), shared, on.seed()));
    }

    /** What all nodes know about each other from the start. */
    private record Shared(Network network, Routes routes, Tuning tuning, double[] sigmas) {

        static Shared of(Problem problem, Network network, double delay) {
            List<Conditioning> facts =
                    problem.nodes().parallelStream().map(Conditioning::of).toList();
            return new Shared(
                    network,
                    Routes.of(network),
                    Tuning.of(network, facts, delay),
                    problem.nodes().stream().mapToDouble(LocalProblem::sigma).toArray());
        }
    }

    private static final int BURST = 512;

    private final Tuning tuning;
    private final double[] sigmas;
    private final SmoothStar star;
    private final RandomSchedule schedule;
    private final boolean idle;

    /** f in each of the last rounds, by time. */
    private final double[] factors;

    private final PairedVectors followed;
    private final double[] before;
    private final double[] change;
    private final double[] mine;
    private final double[][] theirs;
    private final int[] drawn = new int[BURST];

    private AdfsSparse(int node, LocalProblem problem, Shared shared, long seed) {
        super(node, problem, shared.network(), shared.routes(), 2 * problem.features());
        int d = problem.features();
        int n = network.size();
        this.tuning = shared.tuning();
        this.sigmas = shared.sigmas();
        this.star = part(new SmoothStar(problem, tuning, tuning.computationProbability()));
        this.idle = star.allRowsAreZero();
        this.schedule = part(new RandomSchedule(
                seed,
                node,
                tuning.communicationProbability(),
                problem.samples(),
                idle ? j -> 1 : star::weight,
                Sampling.INDEPENDENT));
        this.factors = vector(n + 1);
        this.followed = new PairedVectors(d, 0);
        this.before = new double[2 * d];
        this.change = new double[2 * d];
        this.mine = new double[d];
        this.theirs = new double[n][d];
    }

    /**
     * Takes the proximal steps that come before the round; what they have changed is the node's change. Where the star
     * scales u down, which it does once f has fallen by 2^-200, and with it the error, the change has all entries.
     */
    @Override
    public double prepare() {
        double[] uz = star.pairs();
        System.arraycopy(uz, 0, before, 0, uz.length);
        long count = network.size() == 1 ? star.problem().samples() : schedule.stepsBeforeNextRound();
        for (long left = count; left > 0; left -= BURST) {
            int burst = (int) Math.min(left, BURST);
            if (!idle) {
                schedule.draw(drawn, burst);
            }
            for (int i = 0; i < burst; i++) {
                star.pass(1);
                if (!idle) {
                    star.compute(drawn[i]);
                }
            }
        }
        if (network.size() > 1) {
            star.pass(1);
        }
        for (int c = 0; c < uz.length; c++) {
            change[c] = uz[c] - before[c];
        }
        factors[(int) (steps % factors.length)] = star.factor();
        Entries.write(change, changes[node]);
        // Rounded as the others round it, who know the change and not the steps.
        Entries.add(changes[node], 0, 1, before);
        System.arraycopy(before, 0, uz, 0, uz.length);
        System.arraycopy(before, 0, shown(steps)[node], 0, uz.length);
        return count;
    }

    @Override
    public void begin(int source, double[] news, int start) {
        Entries.add(news, start, 1, shown(0)[source]);
    }

    @Override
    public void follow(int source, long time, double[] news, int start) {
        double factor = factors[(int) (time % factors.length)];
        double[] uz = followed.entries;
        System.arraycopy(shown(time)[source], 0, uz, 0, uz.length);
        double[][] heard = hear(source, time);
        double ratio = tuning.rate() / tuning.communicationProbability();
        double step = tuning.stepSize() / tuning.communicationProbability();
        followed.communicate(
                mine, heard, network.edgeWeights(source), (1 - ratio) / (2 * factor) * step, -(1 + ratio) / 2 * step);
        Entries.add(news, start, 1, uz);
        System.arraycopy(uz, 0, shown(time + 1)[source], 0, uz.length);
    }

    @Override
    public void move() {
        if (network.size() > 1) {
            star.communicate(
                    mine,
                    hear(node, steps),
                    network.edgeWeights(node),
                    tuning.stepSize() / tuning.communicationProbability(),
                    tuning.rate() / tuning.communicationProbability());
        }
    }

    /** Works out what a node and its neighbours would have sent each other in a round. */
    private double[][] hear(int source, long time) {
        double factor = factors[(int) (time % factors.length)];
        int[] neighbours = network.neighbours(source);
        double[][] heard = new double[neighbours.length][];
        combine(source, time, factor, mine);
        for (int k = 0; k < heard.length; k++) {
            heard[k] = theirs[k];
            combine(neighbours[k], time, factor, heard[k]);
        }
        return heard;
    }

    private void combine(int source, long time, double factor, double[] into) {
        double[] uz = shown(time)[source];
        for (int c = 0; c < into.length; c++) {
            into[c] = (factor * uz[2 * c] + uz[2 * c + 1]) / sigmas[source];
        }
    }

    @Override
    public void estimate(double[] theta) {
        star.estimate(theta);
    }
}
