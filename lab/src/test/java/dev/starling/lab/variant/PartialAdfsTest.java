package dev.starling.lab.variant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.loss.Losses;
import dev.starling.method.adfs.RandomSchedule;
import dev.starling.method.adfs.Sampling;
import dev.starling.method.adfs.Tuning;
import dev.starling.network.Network;
import dev.starling.node.Streams;
import dev.starling.problem.Conditioning;
import dev.starling.problem.Problem;
import dev.starling.support.LiteralApcg;
import dev.starling.support.SmallProblems;
import java.util.ArrayList;
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
    void allEdgesShouldBeTheStepsOfThePaper() {
        compareWithMatrices(CHORDED, EdgeSampling.all(CHORDED), true);
    }

    @Test
    void pairsShouldBeTheStepsOfThePaper() {
        compareWithMatrices(CHORDED, EdgeSampling.pairs(CHORDED), true);
    }

    @Test
    void matchingsOfATreeShouldBeTheStepsOfThePaper() {
        compareWithMatrices(TREE, EdgeSampling.matchings(TREE), true);
    }

    @Test
    void matchingsOfACompleteGraphShouldBeTheStepsOfThePaper() {
        compareWithMatrices(COMPLETE, EdgeSampling.matchings(COMPLETE), true);
    }

    @Test
    void independentEdgesOfATreeShouldBeTheStepsOfThePaper() {
        compareWithMatrices(TREE, EdgeSampling.independent(0.4), true);
    }

    @Test
    void matchingsOfAnyGraphShouldBeTheMatrixFormWithOneNumberForTheProjection() {
        compareWithMatrices(CHORDED, EdgeSampling.matchings(CHORDED), false);
    }

    @Test
    void independentEdgesOfAnyGraphShouldBeTheMatrixFormWithOneNumberForTheProjection() {
        compareWithMatrices(CHORDED, EdgeSampling.independent(0.6), false);
    }

    private static void compareWithMatrices(Network network, EdgeSampling sampling, boolean exact) {
        Problem problem = SmallProblems.random(15, 3, Losses.named("logistic"), LAMBDA, 4, 5);
        Tuning tuning = tuning(network, problem, sampling);
        LiteralApcg literal = literal(network, problem, sampling, tuning);
        List<PartialAdfs> programs = programs(network, problem, sampling, tuning);
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
        long left = -1;
        for (int breath = 0; breath < 4; breath++) {
            SmallProblems.takeBreaths(programs, 1);
            long steps = (long) Math.ceil(Math.max(512, 1 / tuning.rate()));
            for (long k = 0; k < steps; k++) {
                if (left < 0) {
                    for (RandomSchedule schedule : schedules) {
                        left = schedule.stepsBeforeNextRound();
                    }
                }
                boolean round = left == 0;
                List<Integer> block = round ? subgraph(network, sampling, edges) : samples(schedules, literal);
                left--;
                double projection = exact || block.isEmpty() || block.get(0) >= network.edges()
                        ? Double.NaN
                        : sampling.projections(network).get(block.get(0));
                literal.stronglyConvexStep(block, tuning.rate(), tuning.stepSize(), projection);
            }
            SmallProblems.assertSame(programs, literal, tuning.rate());
        }
        assertThat(programs.get(0).rounds()).isPositive();
    }

    private static List<Integer> subgraph(Network network, EdgeSampling sampling, UniformRandomProvider stream) {
        if (!sampling.groups().isEmpty()) {
            return sampling.groups().get(stream.nextInt(sampling.groups().size()));
        }
        List<Integer> block = new ArrayList<>();
        for (int e = 0; e < network.edges(); e++) {
            if (stream.nextDouble() < sampling.probability()) {
                block.add(e);
            }
        }
        return block;
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
    void theRateShouldBeOneTheMatricesAllowForEveryBlock() {
        Problem problem = SmallProblems.random(15, 3, Losses.named("squared"), LAMBDA, 4, 5);
        for (Network network : List.of(TREE, COMPLETE, CHORDED)) {
            for (EdgeSampling sampling :
                    List.of(EdgeSampling.all(network), EdgeSampling.pairs(network), EdgeSampling.matchings(network))) {
                Tuning tuning = tuning(network, problem, sampling);
                LiteralApcg literal = literal(network, problem, sampling, tuning);
                double largest = sampling.groups().stream()
                        .mapToDouble(literal::squaredS)
                        .max()
                        .orElseThrow();
                assertThat(tuning.rate() * tuning.rate() * largest)
                        .as(network + " " + sampling.label())
                        .isLessThanOrEqualTo(tuning.strongConvexity() * (1 + 1e-9));
            }
        }
    }

    @Test
    void everyEdgeShouldBeInOneMatchingAndNoMatchingShouldUseANodeTwice() {
        EdgeSampling matchings = EdgeSampling.matchings(COMPLETE);
        assertThat(matchings.groups().stream().flatMap(List::stream)).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5);
        for (List<Integer> group : matchings.groups()) {
            assertThat(group.stream().flatMap(e -> java.util.stream.Stream.of(COMPLETE.tail(e), COMPLETE.head(e))))
                    .doesNotHaveDuplicates();
        }
    }

    private static Tuning tuning(Network network, Problem problem, EdgeSampling sampling) {
        return sampling.tune(
                network, problem.nodes().stream().map(Conditioning::of).toList(), 5);
    }

    private static LiteralApcg literal(Network network, Problem problem, EdgeSampling sampling, Tuning tuning) {
        List<Double> probabilities = new ArrayList<>();
        for (int e = 0; e < network.edges(); e++) {
            probabilities.add(tuning.communicationProbability() * sampling.probability());
        }
        for (int node = 0; node < 4; node++) {
            double[] roots = SmallProblems.roots(problem.nodes().get(node));
            double sum = java.util.Arrays.stream(roots).sum();
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

    private static List<PartialAdfs> programs(Network network, Problem problem, EdgeSampling sampling, Tuning tuning) {
        return IntStream.range(0, problem.size())
                .mapToObj(node -> new PartialAdfs(
                        problem.nodes().get(node),
                        Conditioning.of(problem.nodes().get(node)),
                        network,
                        node,
                        sampling,
                        tuning,
                        SEED))
                .toList();
    }
}
