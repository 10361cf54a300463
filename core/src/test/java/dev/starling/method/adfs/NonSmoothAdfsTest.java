package dev.starling.method.adfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.Dataset;
import dev.starling.loss.Losses;
import dev.starling.method.adfs.draws.RandomSchedule;
import dev.starling.method.adfs.draws.Sampling;
import dev.starling.method.adfs.tuning.NonSmoothTuning;
import dev.starling.network.Network;
import dev.starling.problem.Conditioning;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Problem;
import dev.starling.problem.Regulariser;
import dev.starling.support.LiteralApcg;
import dev.starling.support.Rounds;
import dev.starling.support.SmallProblems;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NonSmoothAdfsTest {

    private static final long SEED = 11;
    private static final double LAMBDA = 0.05;
    private static final Network SQUARE = Network.of(4, new int[][] {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 2}});

    @ParameterizedTest
    @ValueSource(strings = {"hinge", "absolute", "epsilon-insensitive(0.3)", "quantile(0.8)"})
    void takesTheStepsOfTheMatrixFormWithRestarts(String name) {
        compareWithMatrices(SmallProblems.random(15, 3, Losses.named(name), LAMBDA, 4, 5));
    }

    @Test
    void takesTheStepsOfTheMatrixFormOnSparseRows() {
        Problem dense = SmallProblems.random(15, 3, Losses.named("hinge"), LAMBDA, 4, 6);
        compareWithMatrices(SmallProblems.sparse(dense, LAMBDA));
    }

    private static void compareWithMatrices(Problem problem) {
        List<Conditioning> facts =
                problem.nodes().stream().map(Conditioning::of).toList();
        NonSmoothTuning tuning = NonSmoothTuning.of(SQUARE, facts, 5);
        List<NonSmoothAdfs> programs = programs(problem, facts, tuning);
        double[] probabilities = probabilities(problem, facts, tuning);
        double squaredS = tuning.largestEigenvalue() / Math.pow(tuning.communicationProbability(), 2);
        LiteralApcg literal =
                new LiteralApcg(SQUARE, problem, weights(problem, probabilities, squaredS), probabilities);
        List<RandomSchedule> schedules = schedules(problem, tuning);
        double momentum = tuning.smallestProbability();
        long restartAt = tuning.stepsBetweenRestarts(0);
        int restarts = 0;
        long step = 0;
        for (int round = 0; round < 60; round++) {
            Rounds.exchange(programs);
            long stretch = 0;
            for (RandomSchedule schedule : schedules) {
                stretch = schedule.stepsBeforeNextRound();
            }
            for (long k = 0; k <= stretch; k++) {
                List<Integer> block = k == stretch
                        ? IntStream.range(0, SQUARE.edges()).boxed().toList()
                        : drawn(schedules, literal);
                literal.convexStep(block, momentum, 1 / (momentum * squaredS));
                momentum = (Math.sqrt(Math.pow(momentum, 4) + 4 * momentum * momentum) - momentum * momentum) / 2;
                step++;
                if (step == restartAt) {
                    literal.restart();
                    momentum = tuning.smallestProbability();
                    restarts++;
                    restartAt += tuning.stepsBetweenRestarts(restarts);
                }
            }
            assertSame(programs, literal, momentum);
        }
        assertThat(restarts).isGreaterThanOrEqualTo(2);
        assertThat(programs.get(0).steps()).isEqualTo(step);
    }

    private static void assertSame(List<NonSmoothAdfs> programs, LiteralApcg literal, double momentum) {
        for (int node = 0; node < programs.size(); node++) {
            NonSmoothAdfs program = programs.get(node);
            double[] theta = new double[program.problem().features()];
            program.estimate(theta);
            assertThat(theta).containsExactly(literal.parameter(literal.convexY(momentum), node), within(1e-12));
            for (int j = 0; j < program.problem().samples(); j++) {
                assertThat(program.slope(j)).isCloseTo(literal.slope(node, j), within(1e-12));
            }
        }
    }

    private static List<Integer> drawn(List<RandomSchedule> schedules, LiteralApcg literal) {
        List<Integer> block = new ArrayList<>();
        int[] sample = new int[1];
        for (int node = 0; node < schedules.size(); node++) {
            schedules.get(node).draw(sample, 1);
            block.add(literal.virtualEdge(node, sample[0]));
        }
        return block;
    }

    private static List<RandomSchedule> schedules(Problem problem, NonSmoothTuning tuning) {
        return IntStream.range(0, problem.size())
                .mapToObj(node -> new RandomSchedule(
                        SEED,
                        node,
                        tuning.communicationProbability(),
                        problem.nodes().get(node).samples(),
                        j -> 1,
                        Sampling.RESHUFFLED))
                .toList();
    }

    private static double[] probabilities(Problem problem, List<Conditioning> facts, NonSmoothTuning tuning) {
        List<Double> all = new ArrayList<>();
        for (int e = 0; e < SQUARE.edges(); e++) {
            all.add(tuning.communicationProbability());
        }
        for (LocalProblem local : problem.nodes()) {
            for (int j = 0; j < local.samples(); j++) {
                all.add(tuning.computationProbability() / local.samples());
            }
        }
        assertThat(facts).hasSameSizeAs(problem.nodes());
        return all.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private static double[] weights(Problem problem, double[] probabilities, double squaredS) {
        double[] weights = new double[probabilities.length];
        int e = 0;
        for (; e < SQUARE.edges(); e++) {
            weights[e] = SQUARE.weight(e);
        }
        for (LocalProblem local : problem.nodes()) {
            for (int j = 0; j < local.samples(); j++, e++) {
                weights[e] = squaredS * local.sigma() * probabilities[e] * probabilities[e];
            }
        }
        return weights;
    }

    private static List<NonSmoothAdfs> programs(Problem problem, List<Conditioning> facts, NonSmoothTuning tuning) {
        return IntStream.range(0, problem.size())
                .mapToObj(node ->
                        new NonSmoothAdfs(problem.nodes().get(node), facts.get(node), SQUARE, node, tuning, SEED))
                .toList();
    }

    @Test
    void theComputedSIsThatOfTheMatrices() {
        Problem problem = SmallProblems.random(10, 2, Losses.named("absolute"), LAMBDA, 4, 8);
        List<Conditioning> facts =
                problem.nodes().stream().map(Conditioning::of).toList();
        NonSmoothTuning tuning = NonSmoothTuning.of(SQUARE, facts, 5);
        double[] probabilities = probabilities(problem, facts, tuning);
        double squaredS = tuning.largestEigenvalue() / Math.pow(tuning.communicationProbability(), 2);
        LiteralApcg literal =
                new LiteralApcg(SQUARE, problem, weights(problem, probabilities, squaredS), probabilities);

        List<Integer> all = IntStream.range(0, SQUARE.edges()).boxed().toList();
        List<Integer> firstSamples = IntStream.range(0, 4)
                .mapToObj(node -> literal.virtualEdge(node, 0))
                .toList();

        assertThat(literal.squaredS(all)).isCloseTo(squaredS, within(1e-9 * squaredS));
        assertThat(literal.squaredS(firstSamples)).isCloseTo(squaredS, within(1e-9 * squaredS));
    }

    private static NonSmoothAdfs alone(LocalProblem problem) {
        Conditioning facts = Conditioning.uniform(problem);
        Network alone = Network.of(1, new int[0][]);
        return new NonSmoothAdfs(problem, facts, alone, 0, NonSmoothTuning.of(alone, List.of(facts), 1), SEED);
    }

    /** An l1 term too small to matter has to lead where none does, on other ways through the code. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anL1TermThatIsNearlyZeroChangesNothing(boolean dense) {
        LocalProblem whole = SmallProblems.random(30, 4, Losses.named("hinge"), LAMBDA, 1, 8)
                .nodes()
                .get(0);
        LocalProblem problem = LocalProblem.of(whole.data().laidOut(dense), whole.loss(), LAMBDA);
        NonSmoothAdfs without = alone(problem);
        NonSmoothAdfs with = alone(problem.withRegulariser(Regulariser.elasticNet(LAMBDA, 1e-30)));
        double[] one = new double[4];
        double[] other = new double[4];
        for (int stretch = 0; stretch < 12; stretch++) {
            without.advance();
            with.advance();
            without.estimate(one);
            with.estimate(other);
            assertThat(other).containsExactly(one, within(1e-10));
        }
        assertThat(one).doesNotContain(0);
    }

    @Test
    void anL1TermShrinksTheEstimate() {
        LocalProblem whole = SmallProblems.random(30, 4, Losses.named("hinge"), LAMBDA, 1, 8)
                .nodes()
                .get(0);
        NonSmoothAdfs with = alone(whole.withRegulariser(Regulariser.elasticNet(LAMBDA, 10)));
        with.advance();
        double[] theta = new double[4];
        with.estimate(theta);

        assertThat(theta).as("an l1 term larger than any slope").containsOnly(0);
    }

    /**
     * One row, x = 1 and y = 1, with λ = 1/2 and λ₁ = 1/4: at the kink, θ = 1, the slope is −(λθ + λ₁). A second
     * feature that is 0 makes the row sparse.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anL1TermLeadsToItsOwnOptimum(boolean dense) {
        Dataset row = Dataset.of(new double[][] {{1, 0}}, new double[] {1}).laidOut(dense);
        NonSmoothAdfs program = alone(
                LocalProblem.of(row, Losses.named("hinge"), 0.5).withRegulariser(Regulariser.elasticNet(0.5, 0.25)));
        for (int step = 0; step < 2000; step++) {
            program.advance();
        }
        double[] theta = new double[2];
        program.estimate(theta);

        assertThat(theta[0]).isCloseTo(1, within(1e-3));
        assertThat(program.slope(0)).isCloseTo(-0.75, within(1e-3));
    }

    /** x = (2, 0, 0), (0, −1, 3), (0, 0, 0) with weights 1, 2 and 5. */
    private static LocalProblem withAnEmptyRow() {
        Dataset rows = Dataset.of(new double[][] {{2, 0, 0}, {0, -1, 3}, {0, 0, 0}}, new double[] {1, -1, -1})
                .withWeights(new double[] {1, 2, 5});
        return LocalProblem.of(rows, Losses.named("hinge"), 0.5);
    }

    @Test
    void aRowOfZerosHasTheSlopeOfItsLossAtZero() {
        NonSmoothAdfs program = alone(withAnEmptyRow());

        assertThat(program.slope(2))
                .as("the hinge of label -1 rises by 1 per margin, and the weight is 5")
                .isEqualTo(5);
        program.advance();
        assertThat(program.slope(2)).isEqualTo(5);
        assertThat(program.updates()).isEqualTo(3);
    }

    @Test
    void rowsOfZerosTakeStepsWithoutUpdates() {
        Dataset zeros = Dataset.dense(2, new float[6], new double[] {1, -1, 1});
        NonSmoothAdfs program = alone(LocalProblem.of(zeros, Losses.named("hinge"), 0.5));
        program.advance();

        assertThat(program.steps()).isEqualTo(3);
        assertThat(program.updates()).isZero();
    }

    @Test
    void beginsAtTheSlopesOfTheLossesAtAParameter() {
        NonSmoothAdfs program = alone(withAnEmptyRow());
        // Margins 0.2 and −0.1 + 0.6: both below the hinge for label 1, above it for label −1.
        program.beginAt(new double[] {0.1, 0.1, 0.2});

        assertThat(program.slope(0)).isEqualTo(-1);
        assertThat(program.slope(1)).isEqualTo(2);
        double[] theta = new double[3];
        program.estimate(theta);
        double sigma = 0.5 * 8;
        assertThat(theta).containsExactly(new double[] {2 / sigma, 2 / sigma, -6 / sigma}, within(1e-12));
    }
}
