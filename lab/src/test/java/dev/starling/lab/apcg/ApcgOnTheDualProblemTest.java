package dev.starling.lab.apcg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.method.adfs.Adfs;
import dev.starling.method.adfs.tuning.Tuning;
import dev.starling.network.Network;
import dev.starling.support.LiteralAdfs;
import dev.starling.support.Rounds;
import dev.starling.support.SmallCase;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** ADFS is generalized APCG on the dual problem: fed the same blocks, the two stand at the same points. */
class ApcgOnTheDualProblemTest {

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void adfsTakesTheStepsOfApcgOnTheDualProblem(long seed) {
        SmallCase problem = SmallCase.random(Losses.named(seed == 2 ? "squared" : "logistic"), 2 + (int) seed, seed);
        assertSameSteps(problem, problem.tuning(0.5), seed, false);
    }

    /** What the rate of S-ADFS rests on, by the eigenvalues of the whole dual problem and of every block. */
    @ParameterizedTest
    @CsvSource({"2, 0.5", "3, 0.1", "3, 0.5", "3, 0.9", "4, 0.5"})
    void theDualProblemIsAsConvexAndEveryBlockAsSmoothAsTuningSays(int size, double balance) {
        SmallCase problem = SmallCase.random(Losses.named("logistic"), size, 7);
        Tuning tuning = problem.tuning(balance);
        Dual dual = new Dual(problem, tuning);
        Quadratic quadratic = dual.quadratic();
        for (int k = dual.edgeCoordinates; k < quadratic.dimension(); k++) {
            double[] projected = new double[1];
            quadratic.project(new double[] {1}, new int[] {k}, projected);
            assertThat(projected[0]).as("Lemma 1 for sample " + k).isCloseTo(1, within(1e-10));
        }
        assertThat(quadratic.strongConvexity())
                .as("the lemma on σ_A")
                .isGreaterThan((1 - 1e-9) * tuning.strongConvexity());
        assertThat(quadratic.samplingConstant(dual.listed()))
                .as("the condition on ρ")
                .isLessThan((1 + 1e-9) * Math.sqrt(tuning.strongConvexity()) / tuning.rate());
    }

    @Test
    void adfsTakesTheStepsOfAlgorithmOneOnTheDualProblem() {
        SmallCase problem = SmallCase.random(Losses.named("logistic"), 4, 4);
        assertSameSteps(problem, problem.tuning(0.5), 4, true);
    }

    private static void assertSameSteps(SmallCase problem, Tuning tuning, long seed, boolean printed) {
        Dual dual = new Dual(problem, tuning);
        double samplingConstant = Math.sqrt(tuning.strongConvexity()) / tuning.rate();
        Apcg efficient = Apcg.stronglyConvex(
                new CompositeProblem(dual.quadratic().withStrongConvexity(tuning.strongConvexity()), dual),
                dual.sampling(),
                samplingConstant);
        Apcg apcg = printed ? efficient.asPrinted() : efficient;
        ApcgState state = apcg.start();
        List<int[]> blocks = problem.blocks(tuning, 200, seed);
        List<Adfs> programs = problem.programs(tuning, blocks);
        int step = 0;
        while (step < blocks.size()) {
            Rounds.exchange(programs);
            for (; step < programs.get(0).steps(); step++) {
                apcg.step(state, dual.coordinates(blocks.get(step)));
            }
            dual.assertSameAs(programs, state, step);
        }
    }

    /**
     * The dual problem in scalar coordinates: d for every edge of the network, and one for every sample, along its row.
     * A column of a sample is μ (e_i ⊗ x/‖x‖ − e_ij).
     */
    private static final class Dual implements SeparableTerm {
        private final Network network;
        private final List<LiteralAdfs.Node> nodes;
        private final List<LiteralAdfs.Sample> samples = new ArrayList<>();
        private final List<Integer> owners = new ArrayList<>();
        private final int[] first;
        private final Loss loss;
        private final Tuning tuning;
        private final int features;
        private final int edgeCoordinates;
        private double[][] matrix;

        Dual(SmallCase problem, Tuning tuning) {
            this.network = problem.network();
            this.nodes = LiteralAdfs.nodesOf(problem.nodes());
            this.loss = problem.nodes().get(0).loss();
            this.tuning = tuning;
            this.features = problem.features();
            this.edgeCoordinates = network.edges() * features;
            this.first = new int[nodes.size()];
            for (int i = 0; i < nodes.size(); i++) {
                first[i] = samples.size();
                for (LiteralAdfs.Sample sample : nodes.get(i).samples()) {
                    samples.add(sample);
                    owners.add(i);
                }
            }
        }

        Quadratic quadratic() {
            int centres = nodes.size() * features;
            matrix = new double[centres + samples.size()][edgeCoordinates + samples.size()];
            double[] weights = new double[matrix.length];
            for (int e = 0; e < network.edges(); e++) {
                for (int c = 0; c < features; c++) {
                    matrix[network.tail(e) * features + c][e * features + c] = Math.sqrt(network.weight(e));
                    matrix[network.head(e) * features + c][e * features + c] = -Math.sqrt(network.weight(e));
                }
            }
            for (int i = 0; i < nodes.size(); i++) {
                Arrays.fill(
                        weights,
                        i * features,
                        (i + 1) * features,
                        1 / nodes.get(i).sigma());
            }
            for (int k = 0; k < samples.size(); k++) {
                double[] row = samples.get(k).row();
                for (int c = 0; c < features; c++) {
                    matrix[owners.get(k) * features + c][edgeCoordinates + k] = mu(k) * row[c] / norm(k);
                }
                matrix[centres + k][edgeCoordinates + k] = -mu(k);
                weights[centres + k] = 1 / smoothness(k);
            }
            return Quadratic.of(matrix, weights, new double[matrix.length]);
        }

        private double norm(int k) {
            return Math.sqrt(
                    LiteralAdfs.dot(samples.get(k).row(), samples.get(k).row()));
        }

        private double smoothness(int k) {
            return loss.smoothness() * samples.get(k).weight() * norm(k) * norm(k);
        }

        private double mu(int k) {
            return Math.sqrt(tuning.strongConvexity() / tuning.balance() * smoothness(k));
        }

        private double root(int k) {
            return Math.sqrt(1 + smoothness(k) / nodes.get(owners.get(k)).sigma());
        }

        BlockSampling sampling() {
            return new BlockSampling() {
                @Override
                public int dimension() {
                    return edgeCoordinates + samples.size();
                }

                @Override
                public int[] draw(UniformRandomProvider random) {
                    throw new UnsupportedOperationException("the blocks are those that ADFS is fed");
                }

                @Override
                public double probability(int coordinate) {
                    if (coordinate < edgeCoordinates) {
                        return tuning.communicationProbability();
                    }
                    int k = coordinate - edgeCoordinates;
                    double sum = 0;
                    for (int l = 0; l < samples.size(); l++) {
                        sum += owners.get(l).equals(owners.get(k)) ? root(l) : 0;
                    }
                    return tuning.computationProbability() * root(k) / sum;
                }
            };
        }

        /** All blocks: a round, and one sample of every node. */
        ListedBlocks listed() {
            List<int[]> blocks = new ArrayList<>(List.of(new int[0]));
            for (LiteralAdfs.Node node : nodes) {
                blocks = blocks.stream()
                        .flatMap(block -> IntStream.range(0, node.samples().size())
                                .mapToObj(j -> IntStream.concat(Arrays.stream(block), IntStream.of(j))
                                        .toArray()))
                        .toList();
            }
            List<int[]> chosen = new ArrayList<>(List.of(coordinates(new int[0])));
            blocks.forEach(block -> chosen.add(coordinates(block)));
            BlockSampling one = sampling();
            double[] probabilities = chosen.stream()
                    .mapToDouble(block -> block[0] < edgeCoordinates
                            ? tuning.communicationProbability()
                            : Arrays.stream(block)
                                    .mapToDouble(k -> one.probability(k) / tuning.computationProbability())
                                    .reduce(tuning.computationProbability(), (a, b) -> a * b))
                    .toArray();
            return new ListedBlocks(one.dimension(), chosen, probabilities);
        }

        int[] coordinates(int[] block) {
            int[] coordinates = new int[block.length == 0 ? edgeCoordinates : block.length];
            Arrays.setAll(coordinates, i -> block.length == 0 ? i : edgeCoordinates + first[i] + block[i]);
            return coordinates;
        }

        @Override
        public double value(int coordinate, double x) {
            throw new UnsupportedOperationException("no step needs it");
        }

        /** ψ(λ) = f̃*(−μ λ x/‖x‖), so prox_{sψ}(p) = −prox_{sμ²f̃*}(−μp)/μ along the row. */
        @Override
        public double prox(int coordinate, double point, double step) {
            int k = coordinate - edgeCoordinates;
            double slope = LiteralAdfs.proxSlope(
                    loss, samples.get(k), smoothness(k), step * mu(k) * mu(k), -mu(k) * point * norm(k));
            return -slope * norm(k) / mu(k);
        }

        @Override
        public boolean isZero(int coordinate) {
            return coordinate < edgeCoordinates;
        }

        void assertSameAs(List<Adfs> programs, ApcgState state, int step) {
            double[] x = state.point();
            double[] v = state.anchor();
            double[] y = new double[x.length];
            Arrays.setAll(y, k -> (x[k] + tuning.rate() * v[k]) / (1 + tuning.rate()));
            for (int i = 0; i < nodes.size(); i++) {
                double[] expected = new double[features];
                for (int c = 0; c < features; c++) {
                    expected[c] = LiteralAdfs.dot(matrix[i * features + c], y)
                            / nodes.get(i).sigma();
                }
                double[] estimate = new double[features];
                programs.get(i).estimate(estimate);
                assertThat(estimate).as("node " + i + ", step " + step).containsExactly(expected, within(1e-12));
                for (int j = 0; j < nodes.get(i).samples().size(); j++) {
                    int k = first[i] + j;
                    double slope = -mu(k) * x[edgeCoordinates + k] / norm(k);
                    assertThat(programs.get(i).slope(j)).as("sample " + k).isCloseTo(slope, within(1e-12));
                }
            }
        }
    }
}
