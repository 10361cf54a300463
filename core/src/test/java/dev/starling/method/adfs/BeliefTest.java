package dev.starling.method.adfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.loss.Logistic;
import dev.starling.method.adfs.tuning.Belief;
import dev.starling.method.adfs.tuning.Tunings;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.node.Exchange;
import dev.starling.problem.Conditioning;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Problem;
import dev.starling.runtime.Delays;
import dev.starling.runtime.Simulator;
import dev.starling.runtime.StopSignal;
import dev.starling.support.ReferenceNewton;
import dev.starling.support.SavedStates;
import dev.starling.support.WrappedProgram;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a belief does to the constants of a run, and to a run that comes to hold it. */
class BeliefTest {

    private static final int NODES = 3;
    private static final Network NETWORK = Topology.named("line").build(NODES, 1);
    private static final Problem PROBLEM = Problem.deal(rows(), new Logistic(), 1e-4, NODES);
    private static final List<Conditioning> FACTS =
            PROBLEM.nodes().stream().map(Conditioning::of).toList();
    private static final Tunings TUNINGS = new Tunings(NETWORK, FACTS, 5);

    private static Dataset rows() {
        return Generator.classification(90, 5).noise(0.1).seed(3).generate();
    }

    @Test
    void relaxedFactsBoundThoseOfAFlatterLoss() {
        for (int node = 0; node < NODES; node++) {
            LocalProblem local = PROBLEM.nodes().get(node);
            double factor = 16;
            double rootSum = 0;
            double smallest = Double.POSITIVE_INFINITY;
            for (int j = 0; j < local.samples(); j++) {
                double smoothness = 0.25 * local.data().squaredNorm(local.row(j)) / factor;
                rootSum += Math.sqrt(1 + smoothness / local.sigma());
                smallest = Math.min(smallest, Math.sqrt(1 + smoothness / local.sigma()));
            }
            Conditioning relaxed = FACTS.get(node).withSmoothnessOver(factor);

            assertThat(relaxed.smallestRoot()).isCloseTo(smallest, within(1e-12 * smallest));
            assertThat(relaxed.rootSum()).isBetween(rootSum, 1.3 * rootSum);
            assertThat(relaxed.curvature()).isEqualTo(FACTS.get(node).curvature() / factor);
        }
    }

    @Test
    void adoptingABeliefKeepsTheDualPoint() {
        for (Belief next : List.of(new Belief(0, 2), new Belief(2, 0), Belief.THEORY)) {
            Adfs node = nodeAfterSomeRounds();
            double[] before = slopes(node);
            node.adopt(next);
            double[] after = slopes(node);
            for (int j = 0; j < before.length; j++) {
                assertThat(after[j]).isCloseTo(before[j], within(1e-12));
            }
        }
    }

    @Test
    void adoptingARelaxedBeliefKeepsTheMomentum() {
        double[] still = estimate(adopted(Belief.THEORY));
        double[] slow = estimate(nodeAfterSomeRounds());
        double[] relaxed = estimate(adopted(new Belief(0, 1)));
        double[] raised = estimate(adopted(new Belief(1, 0)));

        // y = x + ρ/(1+ρ)·(v − x), so that y − x is what a step takes of the speed.
        double before = distance(slow, still);
        assertThat(before).isPositive();
        assertThat(distance(relaxed, still)).isCloseTo(before, within(0.05 * before));
        assertThat(distance(raised, still)).isLessThan(1e-12);
    }

    @Test
    void aNodeRestoredUnderAnotherBeliefContinuesLikeTheSavedOne() throws IOException {
        Adfs node = adopted(new Belief(1, 2));
        Adfs restored = SavedStates.copy(node, node());

        goOn(node, 20);
        goOn(restored, 20);
        assertThat(estimate(restored)).isEqualTo(estimate(node));
        assertThat(slopes(restored)).isEqualTo(slopes(node));
    }

    @Test
    void runsConvergeUnderAnyBelief() {
        double[] optimum = ReferenceNewton.optimum(rows(), new Logistic(), 1e-4);
        for (Belief belief : List.of(new Belief(3, 0), new Belief(0, 1), new Belief(1, 3))) {
            List<Adopting> nodes = IntStream.range(0, NODES)
                    .mapToObj(node -> new Adopting(
                            new Adfs(PROBLEM.nodes().get(node), FACTS.get(node), NETWORK, node, TUNINGS::smooth, 1),
                            belief))
                    .toList();
            new Simulator().run(NETWORK, nodes, Delays.uniform(1), StopSignal.manual());
            double[] first = new double[PROBLEM.features()];
            double[] last = new double[PROBLEM.features()];
            nodes.get(0).estimate(first);
            nodes.get(NODES - 1).estimate(last);
            assertThat(distance(first, last)).as(belief.toString()).isLessThan(1e-6);
            assertThat(distance(first, optimum)).as(belief.toString()).isLessThan(1e-6);
        }
    }

    /** A node that comes to another belief at its tenth round and ends after many more. */
    private static final class Adopting extends WrappedProgram<Adfs> {

        private static final int ROUNDS = 30_000;

        private final Belief belief;

        Adopting(Adfs node, Belief belief) {
            super(node);
            this.belief = belief;
        }

        @Override
        public Exchange advance() {
            return program().rounds() < ROUNDS ? super.advance() : new Exchange().end();
        }

        @Override
        public void absorb(double[][] messages) {
            super.absorb(messages);
            if (program().rounds() == 10) {
                program().adopt(belief);
            }
        }
    }

    private static Adfs node() {
        return new Adfs(PROBLEM.nodes().get(0), FACTS.get(0), NETWORK, 0, TUNINGS::smooth, 5);
    }

    private static Adfs nodeAfterSomeRounds() {
        Adfs node = node();
        goOn(node, 20);
        return node;
    }

    private static Adfs adopted(Belief belief) {
        Adfs node = nodeAfterSomeRounds();
        node.adopt(belief);
        return node;
    }

    /** Rounds in which the neighbour is silent. */
    private static void goOn(Adfs node, int rounds) {
        double[][] silence = {new double[PROBLEM.features()]};
        for (int round = 0; round < rounds; round++) {
            node.advance();
            node.absorb(silence);
        }
    }

    private static double[] slopes(Adfs node) {
        return IntStream.range(0, node.problem().samples())
                .mapToDouble(node::slope)
                .toArray();
    }

    private static double[] estimate(Adfs node) {
        double[] theta = new double[PROBLEM.features()];
        node.estimate(theta);
        return theta;
    }

    private static double distance(double[] one, double[] other) {
        double[] difference = new double[one.length];
        Arrays.setAll(difference, c -> one[c] - other[c]);
        return Math.sqrt(Arrays.stream(difference).map(d -> d * d).sum());
    }
}
