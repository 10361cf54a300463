package dev.starling.method.adfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.method.CertificateListener;
import dev.starling.method.Facts;
import dev.starling.method.StoppingRule;
import dev.starling.method.adfs.certified.CertifiedProgram;
import dev.starling.method.adfs.certified.DualProgram;
import dev.starling.method.adfs.tuning.Belief;
import dev.starling.method.adfs.tuning.NonSmoothTuning;
import dev.starling.method.adfs.tuning.Theory;
import dev.starling.method.adfs.tuning.Tunings;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.node.Collectives;
import dev.starling.node.SharedWork;
import dev.starling.problem.Conditioning;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Problem;
import dev.starling.runtime.Delays;
import dev.starling.runtime.Simulator;
import dev.starling.runtime.StopSignal;
import dev.starling.support.SavedStates;
import java.io.IOException;
import java.util.AbstractList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A problem on which theory is slow by far, so that a run begins with the restarts of NS-ADFS. */
class AdaptiveAdfsTest {

    private static final int NODES = 4;
    private static final Network NETWORK = Topology.named("grid").build(NODES, 1);
    private static final double DELAY = 5;
    private static final double GAP = 1e-6;
    private static final Problem PROBLEM = problem(1e-7);
    private static final List<Conditioning> FACTS = facts(PROBLEM);
    private static final Tunings TUNINGS = new Tunings(NETWORK, FACTS, DELAY);

    private static Problem problem(double lambda) {
        Dataset separable = Generator.classification(300, 40).noise(0).seed(3).generate();
        Loss loss = Losses.named("squared-hinge");
        return Problem.deal(separable, loss, lambda, NODES);
    }

    private static List<Conditioning> facts(Problem problem) {
        return problem.nodes().stream().map(Conditioning::of).toList();
    }

    private static AdaptiveAdfs node(int node) {
        return new AdaptiveAdfs(PROBLEM.nodes().get(node), FACTS.get(node), node, TUNINGS, 1);
    }

    @Test
    void aRunBeginsWithRestartsWhenTheTheorysRateIsSlow() {
        assertThat(TUNINGS.atFirst()).isEqualTo(Belief.NONE);
        assertThat(new Tunings(NETWORK, facts(problem(1e-2)), DELAY).atFirst()).isEqualTo(Belief.THEORY);
    }

    /** Where rounds make up most of the time, restarts are not over before theory has gained a factor e. */
    @Test
    void aRunOnASlowNetworkBeginsWithTheorysRateThoughThatIsSlow() {
        int nodes = 256;
        Problem few = Problem.deal(
                Generator.classification(2 * nodes, 10).seed(1).generate(), Losses.named("logistic"), 1e-2, nodes);
        for (double delay : new double[] {5, 1_000}) {
            Tunings slow = new Tunings(Topology.named("torus").build(nodes, 1), facts(few), delay);
            assertThat(slow.smooth(Belief.THEORY).computationConstant() / 2)
                    .as("epochs per factor e")
                    .isGreaterThan(40);
            assertThat(slow.atFirst()).isEqualTo(Belief.THEORY);
        }
    }

    /** With 100,000 nodes, of which each asks, a pass over all of them for each would take minutes. */
    @Test
    void whatEveryNodeAsksForIsComputedOnce() {
        AtomicInteger looks = new AtomicInteger();
        Tunings shared = new Tunings(
                NETWORK,
                new AbstractList<>() {
                    @Override
                    public Conditioning get(int node) {
                        looks.incrementAndGet();
                        return FACTS.get(node);
                    }

                    @Override
                    public int size() {
                        return NODES;
                    }
                },
                DELAY);
        askAll(shared);
        int before = looks.get();
        askAll(shared);
        assertThat(before).isPositive();
        assertThat(looks).hasValue(before);
    }

    private static void askAll(Tunings tunings) {
        assertThat(tunings.pace(tunings.atFirst())).isNotNull();
        assertThat(tunings.smooth(Belief.THEORY)).isNotNull();
        assertThat(tunings.mostRaises()).isPositive();
    }

    @Test
    void takesLittleLongerThanRestartsWhenTheseAreMuchFaster() {
        List<Conditioning> uniform =
                PROBLEM.nodes().stream().map(Conditioning::uniform).toList();
        NonSmoothTuning restarts = NonSmoothTuning.of(NETWORK, uniform, DELAY);
        double restarted = epochs(
                Theory.fixed(restarts),
                node -> new NonSmoothAdfs(PROBLEM.nodes().get(node), uniform.get(node), NETWORK, node, restarts, 1));

        // It took three times as many when it began with theory's momentum.
        assertThat(epochs(TUNINGS, AdaptiveAdfsTest::node)).isLessThan(1.3 * restarted);
    }

    private static double epochs(Theory theory, IntFunction<DualProgram> programs) {
        Facts totals = new Facts(PROBLEM.samples(), PROBLEM.totalWeight(), PROBLEM.totalSigma(), new double[0]);
        SharedWork shared = new SharedWork();
        List<CertifiedProgram> nodes = IntStream.range(0, NODES)
                .mapToObj(node -> new CertifiedProgram(
                        programs.apply(node),
                        Collectives.together(NETWORK.spanningTree(), node, NODES, shared),
                        totals,
                        theory,
                        new StoppingRule(GAP, 5000),
                        CertificateListener.NONE))
                .toList();
        new Simulator().run(NETWORK, nodes, Delays.uniform(DELAY), StopSignal.manual());
        assertThat(nodes.get(0).result().certificate().relativeGap()).isLessThanOrEqualTo(GAP);
        return nodes.get(0).result().certificate().epochs();
    }

    @Test
    void stronglyConvexStepsContinueFromTheDualPointOfRestarts() {
        AdaptiveAdfs node = node(0);
        goOn(node, 200);
        long steps = node.steps();
        double[] before = slopes(node);
        node.adopt(Belief.THEORY);
        double[] after = slopes(node);

        assertThat(node.steps()).isEqualTo(steps);
        for (int j = 0; j < before.length; j++) {
            assertThat(after[j]).isCloseTo(before[j], within(1e-12));
        }
        goOn(node, 200);
        assertThat(node.steps()).isGreaterThan(steps);
        assertThat(slopes(node)).isNotEqualTo(after);
    }

    @Test
    void aRestoredNodeContinuesLikeTheSavedOne() throws IOException {
        AdaptiveAdfs node = node(0);
        goOn(node, 50);
        requireRestorable(node);
        node.adopt(Belief.THEORY);
        goOn(node, 50);
        requireRestorable(node);
    }

    private static void requireRestorable(AdaptiveAdfs node) throws IOException {
        AdaptiveAdfs restored = SavedStates.copy(node, node(0));

        goOn(node, 50);
        goOn(restored, 50);
        assertThat(slopes(restored)).isEqualTo(slopes(node));
        assertThat(restored.steps()).isEqualTo(node.steps());
        assertThat(restored.updates()).isEqualTo(node.updates());
        assertThat(restored.rounds()).isEqualTo(node.rounds());
    }

    /** Rounds in which the neighbours are silent. */
    private static void goOn(AdaptiveAdfs node, int rounds) {
        LocalProblem problem = node.problem();
        double[][] silence = new double[NETWORK.neighbours(0).length][problem.features()];
        for (int round = 0; round < rounds; round++) {
            node.advance();
            node.absorb(silence);
        }
    }

    private static double[] slopes(AdaptiveAdfs node) {
        return IntStream.range(0, node.problem().samples())
                .mapToDouble(node::slope)
                .toArray();
    }
}
