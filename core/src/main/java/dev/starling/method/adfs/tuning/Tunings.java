package dev.starling.method.adfs.tuning;

import dev.starling.network.EdgeWeights;
import dev.starling.network.Network;
import dev.starling.network.Timing;
import dev.starling.problem.Conditioning;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * The parameters of S-ADFS for every belief. They are a pure function of the belief; the nodes of one process share the
 * results.
 */
public final class Tunings implements Theory {

    /**
     * If theory takes at least this many epochs per factor e, a run first tries how far it gets with restarts, provided
     * that the trial lasts long enough for two of them.
     */
    private static final double SLOW_PACE = 40;

    /**
     * How long restarts are tried, in units of theory's time per factor e; theory would not achieve much in that time
     * either.
     */
    public static final double RESTARTS_TRIAL = 0.5;

    private final Network network;
    private final List<Conditioning> facts;
    private final double delay;
    private final Map<Belief, Tuning> known = new ConcurrentHashMap<>();

    /* What every node asks for and goes over all nodes; a second thread that computes one finds the same. */
    private NonSmoothTuning nonSmooth;
    private volatile Belief first;
    private volatile int mostRaises = -1;

    public Tunings(Network network, List<Conditioning> facts, double delay) {
        this.network = network;
        this.facts = facts;
        this.delay = delay;
    }

    /**
     * Returns the parameters with the edge weights and the split of the regulariser that minimise the predicted time,
     * see {@link EdgeWeights} and {@link SigmaSplit}.
     */
    public static Tunings best(Network network, List<Conditioning> facts, double delay) {
        Timing timing = Timing.even(delay);
        return EdgeWeights.best(
                network,
                timing,
                weighted -> new Tunings(weighted, split(weighted, facts, timing), delay),
                tunings -> tunings.smooth(Belief.THEORY).timePerFactor());
    }

    private static List<Conditioning> split(Network network, List<Conditioning> facts, Timing timing) {
        return SigmaSplit.best(
                facts,
                timing,
                split -> Tuning.of(network, split, timing.delay()).timePerFactor());
    }

    /** Returns the network with the edge weights that were chosen. */
    public Network network() {
        return network;
    }

    /** Returns a node's share of the regulariser. */
    public double sigma(int node) {
        return facts.get(node).sigma();
    }

    /** Returns the parameters of S-ADFS under a belief. */
    public Tuning smooth(Belief belief) {
        return known.computeIfAbsent(new Belief(belief.raises(), belief.relaxations()), this::tune);
    }

    /** Returns the parameters of NS-ADFS, which do not depend on beliefs. */
    public synchronized NonSmoothTuning nonSmooth() {
        if (nonSmooth == null) {
            nonSmooth = NonSmoothTuning.of(
                    network, facts.stream().map(Conditioning::uniform).toList(), delay);
        }
        return nonSmooth;
    }

    @Override
    public Belief atFirst() {
        first = first == null ? begin() : first;
        return first;
    }

    private Belief begin() {
        Tuning theory = smooth(Belief.THEORY);
        double samples = facts.stream().mapToDouble(Conditioning::samples).sum() / facts.size();
        double epochs = theory.stepsFor(Math.E) * theory.computationProbability() / samples;
        return epochs < SLOW_PACE || !holdsTwoPeriods(RESTARTS_TRIAL * theory.timePerFactor())
                ? Belief.THEORY
                : Belief.NONE;
    }

    /**
     * Before its first restart, with little momentum, NS-ADFS is slow everywhere, and most so where rounds are dear.
     */
    private boolean holdsTwoPeriods(double time) {
        double steps = nonSmooth().stepsBetweenRestarts(0) + nonSmooth().stepsBetweenRestarts(1);
        return steps * nonSmooth().timePerStep() <= time;
    }

    @Override
    public StepForecast pace(Belief belief) {
        return belief.restarted() ? nonSmooth() : smooth(belief);
    }

    private Tuning tune(Belief belief) {
        List<Conditioning> believed = facts.stream()
                .map(node -> node.withCurvatureTimes(belief.raise()).withSmoothnessOver(belief.relaxation()))
                .toList();
        return Tuning.of(network, believed, delay);
    }

    @Override
    public boolean relaxes() {
        return true;
    }

    @Override
    public int mostRaises() {
        mostRaises = mostRaises < 0 ? raises() : mostRaises;
        return mostRaises;
    }

    private int raises() {
        if (facts.size() == 1) {
            return 0; // with a single node no step depends on M
        }
        int raises = 0;
        while (facts.stream().anyMatch(canGrow(new Belief(raises, 0)))) {
            raises++;
        }
        return raises;
    }

    private static Predicate<Conditioning> canGrow(Belief belief) {
        return node -> 0 < node.curvature() && node.curvature() * belief.raise() < node.smoothnessSum();
    }
}
