package dev.starling.method.adfs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.certificate.Certificate;
import dev.starling.data.Dataset;
import dev.starling.loss.Squared;
import dev.starling.method.CertificateListener;
import dev.starling.method.Facts;
import dev.starling.method.StoppingRule;
import dev.starling.method.adfs.certified.CertifiedProgram;
import dev.starling.method.adfs.tuning.Belief;
import dev.starling.method.adfs.tuning.StepForecast;
import dev.starling.method.adfs.tuning.Theory;
import dev.starling.method.adfs.tuning.Tuning;
import dev.starling.method.adfs.tuning.Tunings;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.node.Collectives;
import dev.starling.node.NodeProgram;
import dev.starling.node.SharedWork;
import dev.starling.problem.Conditioning;
import dev.starling.problem.Problem;
import dev.starling.runtime.Delays;
import dev.starling.runtime.Runner;
import dev.starling.runtime.Simulator;
import dev.starling.runtime.StopSignal;
import dev.starling.runtime.Threads;
import dev.starling.support.ForgetfulProgram;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Runs whose M_i, the curvature of the nodes, was taken to be hundreds of times smaller than it is. */
class RaisedCurvatureTest {

    private static final int NODES = 6;
    private static final int FEATURES = 4;
    private static final double TOO_SMALL = 1.0 / 400;
    private static final double MOST_EPOCHS = 20_000;
    private static final Network NETWORK = Topology.named("line").build(NODES, 1);
    private static final Problem PROBLEM = Problem.deal(rows(), new Squared(), 1e-3, NODES);
    private static final List<Conditioning> FACTS =
            PROBLEM.nodes().stream().map(Conditioning::of).toList();
    private static final List<Conditioning> UNDERESTIMATED =
            FACTS.stream().map(RaisedCurvatureTest::underestimated).toList();

    @Test
    void aSlowRunRaisesTheCurvatureAndConvergesAtItsRate() {
        Run right = simulated(FACTS, true);
        Run crawling = simulated(UNDERESTIMATED, false);
        Run raising = simulated(UNDERESTIMATED, true);

        assertThat(right.raises).hasValue(0);
        assertThat(crawling.epochs()).isGreaterThan(30 * right.epochs());
        assertThat(raising.epochs()).isLessThan(6 * right.epochs());
        Certificate from = raising.certificates.get(raising.firstAfterTheRaises());
        Certificate to = raising.certificates.get(raising.certificates.size() - 1);
        assertThat(from.relativeGap()).isGreaterThan(1e-4);
        StepForecast pace = raising.tunings.pace(new Belief(raising.raises.get(), 0));
        assertThat(pace.keepsUp(from.relativeGap(), from.steps(), to.relativeGap(), to.steps()))
                .isTrue();
    }

    @Test
    void raisesEndAtTheLargestPossibleCurvature() {
        Tunings wrong = new Tunings(NETWORK, UNDERESTIMATED, 5);
        int most = wrong.mostRaises();

        assertThat(most).isGreaterThan(3);
        assertThat(wrong.pace(new Belief(most, 0))).isEqualTo(wrong.pace(new Belief(most + 1, 0)));
        assertThat(wrong.pace(new Belief(most - 1, 0))).isNotEqualTo(wrong.pace(new Belief(most, 0)));
        assertThat(new Tunings(Topology.named("line").build(1, 1), FACTS.subList(0, 1), 5).mostRaises())
                .isZero();
    }

    @Test
    void runtimesAndRestoredStatesGiveTheSameBits() {
        Run simulated = new Run(UNDERESTIMATED, 0.05);
        simulated.drive(new Simulator(), simulated::program);
        Run threads = new Run(UNDERESTIMATED, 0.05);
        threads.drive(new Threads(), threads::program);
        Run forgetful = new Run(UNDERESTIMATED, 0.05);
        forgetful.drive(new Simulator(), node -> new ForgetfulProgram<>(() -> forgetful.program(node)));

        assertThat(simulated.certificates).isNotEmpty();
        assertThat(simulated.raises).hasValueGreaterThan(1);
        assertThat(threads.certificates).isEqualTo(simulated.certificates);
        assertThat(forgetful.certificates).isEqualTo(simulated.certificates);
    }

    private static Run simulated(List<Conditioning> facts, boolean raising) {
        Run run = new Run(facts, 1e-6);
        run.raising = raising;
        run.drive(new Simulator(), run::program);
        return run;
    }

    private static Conditioning underestimated(Conditioning facts) {
        return new Conditioning(
                facts.samples(),
                facts.weight(),
                facts.sigma(),
                facts.rootSum(),
                facts.smallestRoot(),
                facts.smoothnessSum(),
                TOO_SMALL * facts.curvature());
    }

    /** Rows that lie mostly along one direction, whose labels follow another model at every node. */
    private static Dataset rows() {
        Random random = new Random(4);
        int rows = NODES * 30;
        double[][] values = new double[rows][FEATURES];
        double[] labels = new double[rows];
        for (int i = 0; i < rows; i++) {
            double common = random.nextGaussian();
            for (int c = 0; c < FEATURES; c++) {
                values[i][c] = common + 0.3 * random.nextGaussian();
                labels[i] += values[i][c] * ((i % NODES + c) % NODES - 2);
            }
            labels[i] += random.nextGaussian();
        }
        return Dataset.of(values, labels);
    }

    private static final class Run {

        final List<Certificate> certificates = new ArrayList<>();
        final List<Integer> raisesAt = new ArrayList<>();
        final AtomicInteger raises = new AtomicInteger();
        boolean raising = true;

        private final double gap;
        private final List<Conditioning> facts;
        private final Tunings tunings;
        private final SharedWork shared = new SharedWork();

        Run(List<Conditioning> facts, double gap) {
            this.gap = gap;
            this.facts = facts;
            this.tunings = new Tunings(NETWORK, facts, 5);
        }

        CertifiedProgram program(int node) {
            return new CertifiedProgram(
                    new Adfs(PROBLEM.nodes().get(node), facts.get(node), NETWORK, node, this::tuning, 1),
                    Collectives.together(NETWORK.spanningTree(), node, NODES, shared),
                    new Facts(PROBLEM.samples(), PROBLEM.totalWeight(), PROBLEM.totalSigma(), new double[0]),
                    raising ? tunings : Theory.fixed(tunings.pace(Belief.THEORY)),
                    new StoppingRule(gap, MOST_EPOCHS),
                    node == 0 ? this::heard : CertificateListener.NONE);
        }

        /** Before the nodes adopt what follows from it. */
        private void heard(Certificate certificate, long next) {
            certificates.add(certificate);
            raisesAt.add(raises.get());
        }

        /** The first certificate that all raises have come before. */
        int firstAfterTheRaises() {
            return raisesAt.indexOf(raises.get());
        }

        private Tuning tuning(Belief belief) {
            raises.accumulateAndGet(belief.raises(), Math::max);
            return tunings.smooth(belief);
        }

        double epochs() {
            return certificates.get(certificates.size() - 1).epochs();
        }

        void drive(Runner runner, IntFunction<? extends NodeProgram> programs) {
            runner.run(
                    NETWORK,
                    IntStream.range(0, NODES).mapToObj(programs).toList(),
                    Delays.uniform(5),
                    StopSignal.manual());
        }
    }
}
