package dev.starling.lab.conversation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.loss.Losses;
import dev.starling.method.adfs.draws.AliasTable;
import dev.starling.network.Network;
import dev.starling.network.Timing;
import dev.starling.node.Streams;
import dev.starling.problem.Conditioning;
import dev.starling.problem.Problem;
import dev.starling.support.LiteralApcg;
import dev.starling.support.SmallProblems;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LocalAdfsTest {

    private static final long SEED = 3;
    private static final double LAMBDA = 0.05;
    private static final Network SQUARE = Network.of(4, new int[][] {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 2}})
            .withWeights(new double[] {1, 2, 0.5, 1, 1.5});

    @ParameterizedTest
    @ValueSource(strings = {"logistic", "squared", "smoothed-hinge"})
    void takesTheStepsOfTheMatrixForm(String loss) {
        Problem problem = SmallProblems.random(15, 3, Losses.named(loss), LAMBDA, 4, 5);
        LocalTuning tuning = tuning(problem);
        LiteralApcg literal = literal(problem, tuning);
        List<LocalAdfs> programs = programs(problem, tuning);
        UniformRandomProvider shared = Streams.shared(SEED);
        AliasTable choosing = tuning.choosing();
        List<UniformRandomProvider> own = IntStream.range(0, 4)
                .<UniformRandomProvider>mapToObj(i -> Streams.own(SEED, i))
                .toList();
        List<AliasTable> sampling = problem.nodes().stream()
                .map(local -> {
                    double[] roots = SmallProblems.roots(local);
                    return new AliasTable(roots.length, j -> roots[j]);
                })
                .toList();
        int[] choice = new int[1];
        for (int breath = 0; breath < 10; breath++) {
            SmallProblems.takeBreaths(programs, 1);
            for (long k = 0; k < tuning.stepsPerEpoch(); k++) {
                choosing.draw(shared, choice, 1);
                int edge = choice[0] - 4;
                if (edge < 0) {
                    int node = choice[0];
                    sampling.get(node).draw(own.get(node), choice, 1);
                    edge = literal.virtualEdge(node, choice[0]);
                }
                literal.stronglyConvexStep(
                        List.of(edge), tuning.tuning().rate(), tuning.tuning().stepSize());
            }
            SmallProblems.assertSame(programs, literal, tuning.tuning().rate());
        }
        assertThat(programs.get(0).rounds()).isPositive();
    }

    @Test
    void theRateIsTheOneTheMatricesAllow() {
        Problem problem = SmallProblems.random(15, 3, Losses.named("squared"), LAMBDA, 4, 5);
        LocalTuning tuning = tuning(problem);
        LiteralApcg literal = literal(problem, tuning);
        double largest = 0;
        int edges = SQUARE.edges() + 15;
        for (int e = 0; e < edges; e++) {
            largest = Math.max(largest, literal.squaredS(List.of(e)));
        }
        double rate = tuning.tuning().rate();
        double convexity = tuning.tuning().strongConvexity();
        double exact = java.util.Arrays.stream(literal.spectrum())
                .filter(value -> value > 1e-9)
                .min()
                .orElseThrow();

        assertThat(exact).isGreaterThanOrEqualTo(convexity * (1 - 1e-9));
        assertThat(rate * rate * largest).isCloseTo(convexity, within(1e-9 * convexity));
        for (int e = 0; e < SQUARE.edges(); e++) {
            assertThat(tuning.resistances().get(e)).isCloseTo(literal.resistance(e), within(1e-12));
        }
    }

    private static LocalTuning tuning(Problem problem) {
        List<Conditioning> facts =
                problem.nodes().stream().map(Conditioning::of).toList();
        return LocalTuning.of(SQUARE, facts, Timing.even(5));
    }

    private static LiteralApcg literal(Problem problem, LocalTuning tuning) {
        List<Double> probabilities = new ArrayList<>(tuning.edgeProbabilities());
        for (int node = 0; node < 4; node++) {
            double[] roots = SmallProblems.roots(problem.nodes().get(node));
            double sum = java.util.Arrays.stream(roots).sum();
            for (double root : roots) {
                probabilities.add(tuning.nodeProbabilities().get(node) * root / sum);
            }
        }
        assertThat(probabilities.stream().mapToDouble(Double::doubleValue).sum())
                .isCloseTo(1, within(1e-12));
        assertThat(Collections.min(probabilities)).isPositive();
        return new LiteralApcg(
                SQUARE,
                problem,
                SmallProblems.smoothWeights(SQUARE, problem, tuning.tuning()),
                probabilities.stream().mapToDouble(Double::doubleValue).toArray());
    }

    private static List<LocalAdfs> programs(Problem problem, LocalTuning tuning) {
        return IntStream.range(0, problem.size())
                .mapToObj(
                        node -> new LocalAdfs(problem.nodes().get(node), SQUARE, node, tuning, tuning.choosing(), SEED))
                .toList();
    }
}
