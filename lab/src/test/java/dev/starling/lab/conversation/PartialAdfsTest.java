package dev.starling.lab.conversation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.loss.Losses;
import dev.starling.method.adfs.draws.AliasTable;
import dev.starling.method.adfs.draws.RandomSchedule;
import dev.starling.method.adfs.draws.Sampling;
import dev.starling.method.adfs.tuning.Tuning;
import dev.starling.network.Network;
import dev.starling.network.Timing;
import dev.starling.node.Streams;
import dev.starling.problem.Conditioning;
import dev.starling.problem.Problem;
import dev.starling.support.LiteralApcg;
import dev.starling.support.SmallProblems;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;

class PartialAdfsTest {

    private static final long SEED = 4;
    private static final double LAMBDA = 0.05;
    private static final Network TREE = Network.of(4, new int[][] {{0, 1}, {1, 2}, {1, 3}});
    private static final Network COMPLETE = Network.of(4, new int[][] {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}});
    private static final Network CHORDED = Network.of(4, new int[][] {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 2}})
            .withWeights(new double[] {1, 2, 0.5, 1, 1.5});

    @Test
    void allEdgesTakeTheStepsOfThePaper() {
        compareWithMatrices(CHORDED, EdgeSampling.all(CHORDED), true);
    }

    @Test
    void pairsTakeTheStepsOfThePaper() {
        compareWithMatrices(CHORDED, EdgeSampling.pairs(CHORDED), true);
    }

    @Test
    void matchingsOfATreeTakeTheStepsOfThePaper() {
        compareWithMatrices(TREE, EdgeSampling.matchings(TREE), true);
    }

    @Test
    void matchingsOfACompleteGraphTakeTheStepsOfThePaper() {
        compareWithMatrices(COMPLETE, EdgeSampling.matchings(COMPLETE), true);
    }

    @Test
    void independentEdgesOfATreeTakeTheStepsOfThePaper() {
        compareWithMatrices(TREE, EdgeSampling.independent(0.4), true);
    }

    @Test
    void matchingsOfAnyGraphTakeTheStepsOfTheMatrixForm() {
        compareWithMatrices(CHORDED, EdgeSampling.matchings(CHORDED), false);
    }

    @Test
    void independentEdgesOfAnyGraphTakeTheStepsOfTheMatrixForm() {
        compareWithMatrices(CHORDED, EdgeSampling.independent(0.6), false);
    }

    private static void compareWithMatrices(Network network, EdgeSampling sampling, boolean exact) {
        Problem problem = SmallProblems.random(15, 3, Losses.named("logistic"), LAMBDA, 4, 5);
        PartialTuning partial = tuning(network, problem, sampling);
        Tuning tuning = partial.tuning();
        LiteralApcg literal = literal(network, problem, partial);
        List<PartialAdfs> programs = programs(network, problem, partial);
        List<RandomSchedule> schedules = IntStream.range(0, 4)
                .mapToObj(node -> {
                    double[] roots = SmallProblems.roots(problem.nodes().get(node));
                    return new RandomSchedule(
                            SEED,
                            node,
                            tuning.communicationProbability(),
                            roots.length,
                            j -> roots[j],
                            Sampling.INDEPENDENT);
                })
                .toList();
        UniformRandomProvider edges = Streams.edges(SEED);
        AliasTable groups = new AliasTable(partial.probabilities().size(), partial.probabilities()::get);
        long left = -1;
        for (int breath = 0; breath < 100; breath++) {
            SmallProblems.takeBreaths(programs, 1);
            for (long k = 0; k < partial.stepsPerEpoch(); k++) {
                if (left < 0) {
                    for (RandomSchedule schedule : schedules) {
                        left = schedule.stepsBeforeNextRound();
                    }
                }
                boolean round = left == 0;
                int group = round && !partial.isIndependent() ? drawn(groups, edges) : 0;
                List<Integer> block = !round
                        ? samples(schedules, literal)
                        : partial.isIndependent()
                                ? independent(network, partial, edges)
                                : partial.groups().get(group);
                left--;
                double projection = exact || block.isEmpty() || block.get(0) >= network.edges()
                        ? Double.NaN
                        : partial.projections().get(group);
                literal.stronglyConvexStep(block, tuning.rate(), tuning.stepSize(), projection);
            }
            SmallProblems.assertSame(programs, literal, tuning.rate());
        }
        assertThat(programs.get(0).rounds()).isPositive();
    }

    private static int drawn(AliasTable groups, UniformRandomProvider stream) {
        int[] group = new int[1];
        groups.draw(stream, group, 1);
        return group[0];
    }

    private static List<Integer> independent(Network network, PartialTuning tuning, UniformRandomProvider stream) {
        return IntStream.range(0, network.edges())
                .filter(e -> stream.nextDouble() < tuning.probabilities().get(0))
                .boxed()
                .toList();
    }

    private static List<Integer> samples(List<RandomSchedule> schedules, LiteralApcg literal) {
        List<Integer> block = new ArrayList<>();
        int[] sample = new int[1];
        for (int node = 0; node < schedules.size(); node++) {
            schedules.get(node).draw(sample, 1);
            block.add(literal.virtualEdge(node, sample[0]));
        }
        return block;
    }

    @Test
    void theRateIsOneTheMatricesAllowForEveryBlock() {
        Problem problem = SmallProblems.random(15, 3, Losses.named("squared"), LAMBDA, 4, 5);
        for (Network network : List.of(TREE, COMPLETE, CHORDED)) {
            for (EdgeSampling sampling :
                    List.of(EdgeSampling.all(network), EdgeSampling.pairs(network), EdgeSampling.matchings(network))) {
                PartialTuning tuning = tuning(network, problem, sampling);
                LiteralApcg literal = literal(network, problem, tuning);
                double largest = sampling.groups().stream()
                        .mapToDouble(literal::squaredS)
                        .max()
                        .orElseThrow();
                double rate = tuning.tuning().rate();
                // Equal, as every group is drawn no more often than it must be and r is exact.
                assertThat(rate * rate * largest)
                        .as(network + " " + sampling)
                        .isCloseTo(
                                tuning.tuning().strongConvexity(),
                                within(1e-9 * tuning.tuning().strongConvexity()));
            }
        }
    }

    private static PartialTuning tuning(Network network, Problem problem, EdgeSampling sampling) {
        return sampling.tune(
                network, problem.nodes().stream().map(Conditioning::of).toList(), Timing.even(5));
    }

    private static LiteralApcg literal(Network network, Problem problem, PartialTuning partial) {
        Tuning tuning = partial.tuning();
        double[] edges = new double[network.edges()];
        Arrays.fill(edges, partial.probabilities().get(0));
        for (int group = 0; group < partial.groups().size(); group++) {
            for (int e : partial.groups().get(group)) {
                edges[e] = partial.probabilities().get(group);
            }
        }
        List<Double> probabilities = new ArrayList<>();
        for (double edge : edges) {
            probabilities.add(tuning.communicationProbability() * edge);
        }
        for (int node = 0; node < 4; node++) {
            double[] roots = SmallProblems.roots(problem.nodes().get(node));
            double sum = Arrays.stream(roots).sum();
            for (double root : roots) {
                probabilities.add(tuning.computationProbability() * root / sum);
            }
        }
        return new LiteralApcg(
                network,
                problem,
                SmallProblems.smoothWeights(network, problem, tuning),
                probabilities.stream().mapToDouble(Double::doubleValue).toArray());
    }

    private static List<PartialAdfs> programs(Network network, Problem problem, PartialTuning tuning) {
        return IntStream.range(0, problem.size())
                .mapToObj(node -> new PartialAdfs(problem.nodes().get(node), network, node, tuning, SEED))
                .toList();
    }
}
