package dev.starling.method.adfs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Generator;
import dev.starling.loss.Hinge;
import dev.starling.loss.Logistic;
import dev.starling.loss.Loss;
import dev.starling.method.adfs.certified.DualProgram;
import dev.starling.method.adfs.draws.RandomSchedule;
import dev.starling.method.adfs.draws.Sampling;
import dev.starling.method.adfs.draws.Schedule;
import dev.starling.method.adfs.tuning.NonSmoothTuning;
import dev.starling.method.adfs.tuning.Tuning;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.node.Exchange;
import dev.starling.problem.Conditioning;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Problem;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

/** What changes once a run falls back to draws that theory vouches for. */
class IndependentDrawsTest {

    private static final int NODES = 3;
    private static final Network NETWORK = Topology.named("line").build(NODES, 1);

    @Test
    void afterTheChangeANodeDrawsAsIfItAlwaysHad() {
        Problem problem = problem(new Logistic());
        List<Conditioning> facts =
                problem.nodes().stream().map(Conditioning::of).toList();
        Tuning tuning = Tuning.of(NETWORK, facts, 1);
        LocalProblem first = problem.nodes().get(0);
        Adfs independent = new Adfs(
                first,
                facts.get(0),
                NETWORK,
                0,
                belief -> tuning,
                (weight, ahead) -> independentDraws(tuning.communicationProbability(), first.samples(), weight));
        Adfs reshuffled = new Adfs(first, facts.get(0), NETWORK, 0, belief -> tuning, 5);
        Adfs changed = new Adfs(first, facts.get(0), NETWORK, 0, belief -> tuning, 5);
        changed.drawIndependently();

        assertThat(said(changed)).isEqualTo(said(independent)).isNotEqualTo(said(reshuffled));
    }

    @Test
    void nonSmoothRunsChangeTheirDraws() {
        Problem problem = problem(new Hinge());
        List<Conditioning> facts =
                problem.nodes().stream().map(Conditioning::uniform).toList();
        NonSmoothTuning tuning = NonSmoothTuning.of(NETWORK, facts, 1);
        LocalProblem first = problem.nodes().get(0);
        NonSmoothAdfs independent = new NonSmoothAdfs(
                first,
                facts.get(0),
                NETWORK,
                0,
                tuning,
                weights -> independentDraws(tuning.communicationProbability(), weights.length, j -> weights[j]));
        NonSmoothAdfs reshuffled = new NonSmoothAdfs(first, facts.get(0), NETWORK, 0, tuning, 5);
        NonSmoothAdfs changed = new NonSmoothAdfs(first, facts.get(0), NETWORK, 0, tuning, 5);
        changed.drawIndependently();

        assertThat(said(changed)).isEqualTo(said(independent)).isNotEqualTo(said(reshuffled));
    }

    private static Schedule independentDraws(double communicating, int samples, IntToDoubleFunction weight) {
        return new RandomSchedule(5, 0, communicating, samples, weight, Sampling.INDEPENDENT);
    }

    private static Problem problem(Loss loss) {
        return Problem.deal(Generator.classification(90, 5).noise(0.1).seed(3).generate(), loss, 1e-3, NODES);
    }

    /** What a node says after some rounds in which its neighbour is silent. */
    private static double[] said(DualProgram program) {
        double[][] silence = {new double[program.problem().features()]};
        for (int round = 0; round < 5; round++) {
            program.advance();
            program.absorb(silence);
        }
        Exchange last = program.advance();
        assertThat(program.updates()).as("draws").isPositive();
        return last.payload().clone();
    }
}
