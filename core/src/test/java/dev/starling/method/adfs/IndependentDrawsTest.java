package dev.starling.method.adfs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.certificate.CertificateListener;
import dev.starling.certificate.StoppingRule;
import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.loss.Hinge;
import dev.starling.loss.Logistic;
import dev.starling.loss.Loss;
import dev.starling.loss.Squared;
import dev.starling.method.Facts;
import dev.starling.method.adfs.certified.CertifiedProgram;
import dev.starling.method.adfs.certified.DualProgram;
import dev.starling.method.adfs.draws.RandomSchedule;
import dev.starling.method.adfs.draws.Sampling;
import dev.starling.method.adfs.draws.Schedule;
import dev.starling.method.adfs.tuning.NonSmoothTuning;
import dev.starling.method.adfs.tuning.StepForecast;
import dev.starling.method.adfs.tuning.Tuning;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.node.Collectives;
import dev.starling.node.Exchange;
import dev.starling.node.SharedWork;
import dev.starling.problem.Conditioning;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Problem;
import dev.starling.runtime.Delays;
import dev.starling.runtime.Simulator;
import dev.starling.runtime.StopSignal;
import dev.starling.support.WrappedProgram;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** When a run falls back to draws that theory vouches for, and what that changes. */
class IndependentDrawsTest {

    private static final int NODES = 3;
    private static final Network NETWORK = Topology.named("line").build(NODES, 1);

    @Test
    void fallingBehindTheTheoryChangesTheDrawsOfEveryNode() {
        // Two intervals are judged together, so that the third certificate is the first to complete a window.
        assertThat(certificatesUntilTold(comparison -> true)).containsOnly(3).hasSize(NODES);
        assertThat(certificatesUntilTold(comparison -> comparison >= 2))
                .containsOnly(4)
                .hasSize(NODES);
    }

    @Test
    void keepingUpWithTheTheoryChangesNothing() {
        assertThat(certificatesUntilTold(comparison -> false)).isEmpty();
    }

    /**
     * Least squares on nearly noiseless labels: the objective falls by far at first, and gaps with it, not beside it.
     */
    @Test
    void theStartOfAHealthyRunChangesNothing() {
        Dataset rows = Generator.regression(300, 10).noise(0.01).seed(5).generate();
        Problem problem = Problem.deal(rows, new Squared(), 1e-5, NODES);

        assertThat(certificatesUntilTold(problem, tuning -> tuning, new StoppingRule(1e-6, 5000)))
                .isEmpty();
    }

    private static List<Integer> certificatesUntilTold(IntPredicate late) {
        List<AtomicInteger> comparisons = new ArrayList<>();
        List<Integer> told = certificatesUntilTold(
                problem(new Logistic()),
                tuning -> {
                    AtomicInteger count = new AtomicInteger();
                    comparisons.add(count);
                    return new ScriptedPace(tuning, () -> late.test(count.incrementAndGet()));
                },
                new StoppingRule(1e-13, 60));
        assertThat(comparisons).as("windows judged, by node").hasSize(NODES).allMatch(count -> count.get() > 3);
        return told;
    }

    /** How many certificates there were when each node was first told to draw independently. */
    private static List<Integer> certificatesUntilTold(
            Problem problem, Function<Tuning, StepForecast> pace, StoppingRule rule) {
        List<Conditioning> facts =
                problem.nodes().stream().map(Conditioning::of).toList();
        Tuning tuning = Tuning.of(NETWORK, facts, 1);
        List<Integer> told = new ArrayList<>();
        SharedWork shared = new SharedWork();
        List<CertifiedProgram> programs = IntStream.range(0, NODES)
                .mapToObj(node -> {
                    int[] certificates = {0};
                    Adfs adfs = new Adfs(problem.nodes().get(node), facts.get(node), NETWORK, node, tuning, 1);
                    Watched watched = new Watched(adfs, () -> told.add(certificates[0] + 1));
                    CertificateListener counting = (certificate, next) -> certificates[0]++;
                    return new CertifiedProgram(
                            watched,
                            Collectives.together(NETWORK.spanningTree(), node, NODES, shared),
                            new Facts(problem.samples(), problem.totalWeight(), problem.totalSigma(), new double[0]),
                            pace.apply(tuning),
                            rule,
                            counting);
                })
                .toList();
        new Simulator().run(NETWORK, programs, Delays.uniform(1), StopSignal.manual());
        return told;
    }

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
        Adfs reshuffled = new Adfs(first, facts.get(0), NETWORK, 0, tuning, 5);
        Adfs changed = new Adfs(first, facts.get(0), NETWORK, 0, tuning, 5);
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

    /** Tells when it is asked to draw independently. */
    private static final class Watched extends WrappedProgram<Adfs> implements DualProgram {

        private final Runnable asked;
        private boolean before;

        Watched(Adfs adfs, Runnable asked) {
            super(adfs);
            this.asked = asked;
        }

        @Override
        public void drawIndependently() {
            if (!before) {
                asked.run();
            }
            before = true;
            program().drawIndependently();
        }

        @Override
        public LocalProblem problem() {
            return program().problem();
        }

        @Override
        public double slope(int sample) {
            return program().slope(sample);
        }

        @Override
        public long steps() {
            return program().steps();
        }

        @Override
        public long updates() {
            return program().updates();
        }

        @Override
        public long rounds() {
            return program().rounds();
        }
    }

    /** The pace of a tuning, whose certificates are late when a script says so. */
    private record ScriptedPace(Tuning tuning, BooleanSupplier late) implements StepForecast {

        @Override
        public double delay() {
            return tuning.delay();
        }

        @Override
        public double communicationProbability() {
            return tuning.communicationProbability();
        }

        @Override
        public double stepsFor(double factor) {
            return tuning.stepsFor(factor);
        }

        @Override
        public double stepsLeft(double before, long stepsBefore, double now, long stepsNow, double target) {
            return 0;
        }

        @Override
        public boolean keepsUp(double before, long stepsBefore, double now, long stepsNow) {
            return !late.getAsBoolean();
        }
    }
}
