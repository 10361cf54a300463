package dev.starling.lab.apcg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.method.adfs.NonSmoothAdfs;
import dev.starling.method.adfs.tuning.NonSmoothTuning;
import dev.starling.network.Network;
import dev.starling.problem.Conditioning;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Regulariser;
import dev.starling.support.LiteralAdfs;
import dev.starling.support.Rounds;
import dev.starling.support.ScriptedSchedule;
import dev.starling.support.SmallCase;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * With an elastic net the dual's smooth part is no quadratic: Σ_i σ_i ω₁*((Aλ)_i/σ_i). The node program takes the steps
 * of the convex APCG on it, given as operators, until the first restart.
 */
class ElasticNetStepsTest {

    private static final Regulariser NET = new Regulariser.ElasticNet(0.05);

    @ParameterizedTest
    @CsvSource({"logistic, 4, 1", "squared, 3, 2", "huber, 5, 3"})
    void theNodeProgramTakesTheStepsOfConvexApcgOnTheDual(String loss, int size, long seed) {
        SmallCase squared = SmallCase.random(Losses.named(loss), size, seed);
        List<LocalProblem> nodes =
                squared.nodes().stream().map(node -> node.withRegulariser(NET)).toList();
        Network network = squared.network();
        List<Conditioning> facts = nodes.stream().map(Conditioning::of).toList();
        NonSmoothTuning tuning = NonSmoothTuning.of(network, facts, 5);
        List<int[]> blocks = blocks(nodes, tuning, seed);
        List<NonSmoothAdfs> programs = IntStream.range(0, size)
                .mapToObj(i -> new NonSmoothAdfs(
                        nodes.get(i), facts.get(i), network, i, tuning, ones -> new ScriptedSchedule(blocks, i)))
                .toList();
        Dual dual = new Dual(nodes, network, tuning);
        Apcg apcg = Apcg.convex(new CompositeProblem(dual, dual), dual, dual.samplingConstant());
        ApcgState state = apcg.start();
        boolean someEntriesAreZero = false;
        int step = 0;
        while (step < blocks.size()) {
            double[][] said = Rounds.exchange(programs);
            someEntriesAreZero |= step > 0
                    && Arrays.stream(said).flatMapToDouble(Arrays::stream).anyMatch(entry -> entry == 0);
            for (; step < programs.get(0).steps(); step++) {
                apcg.step(state, dual.coordinates(blocks.get(step)));
            }
            for (int i = 0; i < size; i++) {
                for (int j = 0; j < nodes.get(i).samples(); j++) {
                    assertThat(programs.get(i).slope(j))
                            .as("sample %d of node %d after step %d", j, i, step)
                            .isCloseTo(dual.slope(state.point(), i, j), within(1e-12));
                }
            }
        }
        assertThat(someEntriesAreZero).as("the threshold matters").isTrue();
    }

    /** Steps up to the first restart, the last of them a round. */
    private static List<int[]> blocks(List<LocalProblem> nodes, NonSmoothTuning tuning, long seed) {
        UniformRandomProvider random = RandomSource.XO_SHI_RO_256_PP.create(seed);
        List<int[]> blocks = new ArrayList<>();
        while (blocks.size() < tuning.stepsBetweenRestarts(0) - 2) {
            int[] block = new int[random.nextDouble() < tuning.communicationProbability() ? 0 : nodes.size()];
            Arrays.setAll(block, i -> random.nextInt(nodes.get(i).samples()));
            blocks.add(block);
        }
        blocks.add(LiteralAdfs.COMMUNICATION);
        return blocks;
    }

    /** The dual in scalar coordinates: d for every edge of the network, and one for every sample, along its row. */
    private static final class Dual implements SmoothPart, SeparableTerm, BlockSampling {
        private final List<LocalProblem> nodes;
        private final NonSmoothTuning tuning;
        private final List<LiteralAdfs.Sample> samples = new ArrayList<>();
        private final List<Integer> owners = new ArrayList<>();
        private final int[] first;
        private final Loss loss;
        private final int features;
        private final int edgeCoordinates;
        private final double[][] matrix;
        private final Quadratic projector;

        Dual(List<LocalProblem> nodes, Network network, NonSmoothTuning tuning) {
            this.nodes = nodes;
            this.tuning = tuning;
            this.loss = nodes.get(0).loss();
            this.features = nodes.get(0).features();
            this.edgeCoordinates = network.edges() * features;
            this.first = new int[nodes.size()];
            List<LiteralAdfs.Node> literal = LiteralAdfs.nodesOf(nodes);
            for (int i = 0; i < nodes.size(); i++) {
                first[i] = samples.size();
                for (LiteralAdfs.Sample sample : literal.get(i).samples()) {
                    samples.add(sample);
                    owners.add(i);
                }
            }
            this.matrix = matrix(network);
            double[] ones = new double[matrix.length];
            Arrays.fill(ones, 1);
            this.projector = Quadratic.of(matrix, ones, new double[matrix.length]);
        }

        private double[][] matrix(Network network) {
            int centres = nodes.size() * features;
            double[][] rows = new double[centres + samples.size()][edgeCoordinates + samples.size()];
            for (int e = 0; e < network.edges(); e++) {
                for (int c = 0; c < features; c++) {
                    rows[network.tail(e) * features + c][e * features + c] = Math.sqrt(network.weight(e));
                    rows[network.head(e) * features + c][e * features + c] = -Math.sqrt(network.weight(e));
                }
            }
            for (int k = 0; k < samples.size(); k++) {
                for (int c = 0; c < features; c++) {
                    rows[owners.get(k) * features + c][edgeCoordinates + k] =
                            mu(k) * samples.get(k).row()[c] / norm(k);
                }
                rows[centres + k][edgeCoordinates + k] = -mu(k);
            }
            return rows;
        }

        double samplingConstant() {
            return Math.sqrt(tuning.largestEigenvalue()) / tuning.communicationProbability();
        }

        /** μ² = S² σ p²: the heaviest that leaves S alone. */
        private double mu(int k) {
            return samplingConstant() * Math.sqrt(nodes.get(owners.get(k)).sigma()) * probability(edgeCoordinates + k);
        }

        private double norm(int k) {
            return Math.sqrt(
                    LiteralAdfs.dot(samples.get(k).row(), samples.get(k).row()));
        }

        int[] coordinates(int[] block) {
            int[] coordinates = new int[block.length == 0 ? edgeCoordinates : block.length];
            Arrays.setAll(coordinates, i -> block.length == 0 ? i : edgeCoordinates + first[i] + block[i]);
            return coordinates;
        }

        double slope(double[] x, int node, int sample) {
            int k = first[node] + sample;
            return -mu(k) * x[edgeCoordinates + k] / norm(k);
        }

        @Override
        public int dimension() {
            return edgeCoordinates + samples.size();
        }

        @Override
        public double value(double[] x) {
            throw new UnsupportedOperationException("no step needs it");
        }

        @Override
        public void gradient(IntToDoubleFunction x, int[] block, double[] into) {
            Arrays.fill(into, 0);
            double[] point = IntStream.range(0, dimension()).mapToDouble(x).toArray();
            for (int r = 0; r < nodes.size() * features; r++) {
                double scaled = LiteralAdfs.dot(matrix[r], point)
                        / nodes.get(r / features).sigma();
                double theta = Math.signum(scaled) * Math.max(0, Math.abs(scaled) - 0.05);
                for (int k = 0; k < block.length; k++) {
                    into[k] += matrix[r][block[k]] * theta;
                }
            }
        }

        @Override
        public void project(double[] h, int[] block, double[] into) {
            projector.project(h, block, into);
        }

        @Override
        public double strongConvexity() {
            return 0;
        }

        @Override
        public double value(int coordinate, double x) {
            throw new UnsupportedOperationException("no step needs it");
        }

        /** ψ(λ) = f*(s x) with s = −μλ/‖x‖: u + κwℓ'(u) = κ s₀, κ = ‖x‖²/(μ² step), and s = wℓ'(u). */
        @Override
        public double prox(int coordinate, double point, double step) {
            int k = coordinate - edgeCoordinates;
            LiteralAdfs.Sample sample = samples.get(k);
            double kappa = norm(k) * norm(k) / (mu(k) * mu(k) * step);
            double start = -mu(k) * point / norm(k);
            double margin = LiteralAdfs.bisect(loss, kappa * start, kappa * sample.weight(), sample.label());
            double slope = sample.weight() * loss.derivative(margin, sample.label());
            return -slope * norm(k) / mu(k);
        }

        @Override
        public boolean isZero(int coordinate) {
            return coordinate < edgeCoordinates;
        }

        @Override
        public int[] draw(UniformRandomProvider random) {
            throw new UnsupportedOperationException("the blocks are those that the nodes are fed");
        }

        @Override
        public double probability(int coordinate) {
            return coordinate < edgeCoordinates
                    ? tuning.communicationProbability()
                    : tuning.computationProbability()
                            / nodes.get(owners.get(coordinate - edgeCoordinates))
                                    .samples();
        }
    }
}
