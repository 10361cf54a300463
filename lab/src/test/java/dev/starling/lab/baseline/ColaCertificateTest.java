package dev.starling.lab.baseline;

import static dev.starling.lab.baseline.Baseline.plain;
import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Dataset;
import dev.starling.lab.baseline.dual.Cola;
import dev.starling.loss.Huber;
import dev.starling.loss.Logistic;
import dev.starling.loss.Loss;
import dev.starling.loss.Squared;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Problem;
import dev.starling.runtime.Delays;
import dev.starling.runtime.Observer;
import dev.starling.runtime.Simulator;
import dev.starling.runtime.StopSignal;
import dev.starling.support.ReferenceNewton;
import java.util.Comparator;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What the nodes of CoLA vouch for is never less than the suboptimality of their mean model, and falls to nothing. */
class ColaCertificateTest {

    private static final double LAMBDA = 0.1;
    private static final double ROUNDING = 1e-15;
    private static final int ROUNDS = 1000;

    private final Network network = Topology.named("grid").build(6, 1);

    @Test
    void theLargestGapOfAnyNodeBoundsTheErrorOfTheMeanModel() {
        Dataset data = Rows.classification(90, 4);
        assertThat(lastGap(data, Problem.deal(data, new Logistic(), LAMBDA, 6), new Logistic()))
                .isLessThan(1e-6);
    }

    @Test
    void theLargestGapBoundsTheErrorWhenNodesHaveDifferentLabels() {
        Dataset data = Rows.regression(90, 4);
        Loss loss = new Huber(0.5);
        Problem sorted = new Problem(IntStream.range(0, 6)
                .mapToObj(node ->
                        data.picked(byLabel(data).skip(15L * node).limit(15).toArray()))
                .map(own -> LocalProblem.of(own, loss, LAMBDA))
                .toList());
        assertThat(lastGap(data, sorted, loss)).isLessThan(1e-6);
    }

    private static IntStream byLabel(Dataset data) {
        return IntStream.range(0, data.rows())
                .boxed()
                .sorted(Comparator.comparingDouble(data::label))
                .mapToInt(row -> row);
    }

    /** The largest gap that a node vouches for after the last of many rounds, having checked it after every round. */
    private double lastGap(Dataset data, Problem problem, Loss loss) {
        double best = ReferenceNewton.objective(data, loss, LAMBDA, ReferenceNewton.optimum(data, loss, LAMBDA));
        double[][] means = new double[ROUNDS][problem.features()];
        double[] gaps = new double[ROUNDS];
        run(problem, (program, round) -> {
            double[] theta = new double[problem.features()];
            program.estimate(theta);
            for (int c = 0; c < theta.length; c++) {
                means[round][c] += theta[c] / network.size();
            }
            gaps[round] = Math.max(gaps[round], program.certifiedGap());
        });
        for (int round = 0; round < ROUNDS; round++) {
            assertThat(gaps[round])
                    .as("certified after round %d", round)
                    .isGreaterThanOrEqualTo(problem.objective(means[round]) - best - ROUNDING);
        }
        return gaps[ROUNDS - 1];
    }

    /** Shows every node after each of its rounds, until all have done as many as there are to see. */
    private void run(Problem problem, BiConsumer<Cola.Program, Integer> spectator) {
        StopSignal signal = StopSignal.manual();
        long[] done = new long[network.size()];
        Observer observer = (node, program, clock, rounds) -> {
            done[node] = rounds;
            if (rounds <= ROUNDS) {
                spectator.accept((Cola.Program) program, (int) rounds - 1);
            }
            if (LongStream.of(done).min().orElseThrow() >= ROUNDS) {
                signal.request();
            }
        };
        new Simulator(observer)
                .run(network, Baselines.named("cola").programs(problem, network, 5, 1), Delays.uniform(5), signal);
    }

    @Test
    void aLossWithUnboundedSlopesHasNoCertificate() {
        Problem problem = Problem.deal(Rows.regression(60, 4), new Squared(), LAMBDA, 6);
        run(problem, (program, round) -> assertThat(program.certifiedGap()).isInfinite());
    }

    private static Cola.Program single(double accuracy, Problem problem) {
        Cola.Program node = (Cola.Program) plain("cola", "", on -> Cola.programs(on, accuracy))
                .programs(problem, Network.of(1, new int[0][]), 5, 1)
                .get(0);
        node.advance();
        node.absorb(new double[0][]);
        return node;
    }

    @Test
    void aSingleNodeNeedsNoBoundOnSlopes() {
        Problem problem = Problem.deal(Rows.regression(60, 4), new Squared(), LAMBDA, 1);
        assertThat(single(0, problem).certifiedGap()).isBetween(0.0, 1e-12);
    }

    /** It agrees with itself, so that all of the bound is the gap of its samples. */
    @Test
    void aSingleNodeThatSolvesItsProblemBadlyHasALargeGap() {
        Dataset data = Rows.classification(60, 4);
        Problem problem = Problem.deal(data, new Logistic(), 1e-3, 1);
        Cola.Program node = single(0.9, problem);
        double[] theta = new double[4];
        node.estimate(theta);
        double best = ReferenceNewton.objective(
                data, new Logistic(), 1e-3, ReferenceNewton.optimum(data, new Logistic(), 1e-3));
        double error = problem.objective(theta) - best;
        assertThat(error).isGreaterThan(1e-4);
        assertThat(node.certifiedGap()).isGreaterThanOrEqualTo(error);
    }
}
