package dev.starling.lab.baseline;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.internal.Vectors;
import dev.starling.lab.baseline.node.BaselineProgram;
import dev.starling.lab.baseline.node.Entries;
import dev.starling.lab.baseline.sparse.Routes;
import dev.starling.lab.baseline.sparse.SparseProgram;
import dev.starling.lab.variant.Algorithm;
import dev.starling.lab.variant.Algorithms;
import dev.starling.loss.Logistic;
import dev.starling.loss.SquaredHinge;
import dev.starling.method.adfs.certified.DualProgram;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.node.EstimatingProgram;
import dev.starling.problem.Problem;
import dev.starling.runtime.Delays;
import dev.starling.runtime.Driver;
import dev.starling.runtime.Observer;
import dev.starling.runtime.Simulator;
import dev.starling.runtime.StopSignal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sparse communication against the methods it stands for. */
class SparseCommunicationTest {

    private static final int STEPS = 400;

    /** Everything all nodes estimate after each of their rounds, and what the messages of all rounds held. */
    private record Run(double[][][] estimates, long bytes, double time) {}

    private static Run run(Algorithm method, Problem problem, Network network, int rounds) {
        double[][][] estimates = new double[rounds][network.size()][problem.features()];
        List<Double> ended = new ArrayList<>();
        long[] bytes = new long[1];
        StopSignal signal = StopSignal.manual();
        Observer observer = new Observer() {
            @Override
            public void afterRound(int node, EstimatingProgram program, double clock, long count) {
                throw new AssertionError("the driver is needed");
            }

            @Override
            public void afterRound(int node, EstimatingProgram program, Driver driver) {
                int step =
                        (int) (program instanceof DualProgram dual ? dual.rounds() : ((BaselineProgram) program).steps);
                if (step <= rounds) {
                    program.estimate(estimates[step - 1][node]);
                }
                if (step == rounds) {
                    bytes[0] += driver.bytesSent();
                    ended.add(driver.clock());
                    if (ended.size() == network.size()) {
                        signal.request();
                    }
                }
            }
        };
        new Simulator(observer).run(network, method.programs(problem, network, 5, 3), Delays.uniform(5), signal);
        return new Run(estimates, bytes[0], Collections.max(ended));
    }

    private static Dataset sparseRows(int rows, int features, long seed) {
        return Generator.classification(rows, features)
                .density(0.03)
                .conditioning(10)
                .seed(seed)
                .generate();
    }

    @ParameterizedTest
    @CsvSource({
        "line,2,5",
        "line,7,1",
        "ring,8,2",
        "grid,12,3",
        "star,6,4",
        "complete,5,5",
        "erdos-renyi:0.3,14,6",
        "erdos-renyi:0.25,17,7",
        "binary-tree,15,8",
        "random-regular:3,16,9"
    })
    void everyIterateEqualsThatOfTheMethodItStandsFor(String topology, int nodes, long seed) {
        Network network = Topology.named(topology).build(nodes, seed);
        double[] weights = new double[network.edges()];
        Arrays.setAll(weights, e -> 0.5 + (e % 4) * 0.4);
        // 53 rows are dealt unevenly, so that m_i and σ_i differ.
        Problem problem = Problem.deal(sparseRows(53, 90, seed), new Logistic(), 1e-2, nodes);
        assertSame("dsba", problem, network.withWeights(weights));
        assertSame("adfs", problem, network.withWeights(weights));
    }

    @Test
    void everyIterateEqualsThatOfTheMethodForDenseRowsAndSquaredHinge() {
        Problem problem = Problem.deal(Rows.classification(61, 5), new SquaredHinge(), 1e-3, 9);
        assertSame("dsba", problem, Topology.named("grid").build(9, 1));
        assertSame("adfs", problem, Topology.named("grid").build(9, 1));
    }

    private static void assertSame(String method, Problem problem, Network network) {
        Algorithm whole = method.equals("adfs") ? Algorithms.named("adfs-theory") : Baselines.named(method);
        Run plain = run(whole, problem, network, STEPS);
        Run sparse = run(Baselines.named(method + "-sparse"), problem, network, STEPS);
        for (int t = 0; t < STEPS; t++) {
            for (int node = 0; node < network.size(); node++) {
                double[] expected = plain.estimates()[t][node];
                double[] actual = sparse.estimates()[t][node];
                for (int c = 0; c < expected.length; c++) {
                    if (!(Math.abs(actual[c] - expected[c]) <= 1e-10)) {
                        assertThat(actual[c])
                                .as("entry %d of node %d after step %d", c, node, t + 1)
                                .isEqualTo(expected[c], within(1e-10));
                    }
                }
            }
        }
        assertThat(Vectors.norm(plain.estimates()[STEPS - 1][0])).isGreaterThan(1e-3);
        assertThat(sparse.time()).isEqualTo(plain.time());
    }

    @Test
    void everyChangeIsSentOnceToEachNode() {
        // Rows with two entries each: a change takes 5 numbers, or 1 where the slope stays; a gradient up to 1 + 2·2m.
        int n = 9;
        int d = 1000;
        int m = 4;
        int[] offsets = new int[n * m + 1];
        int[] columns = new int[2 * n * m];
        float[] values = new float[2 * n * m];
        double[] labels = new double[n * m];
        for (int r = 0; r < n * m; r++) {
            offsets[r + 1] = 2 * r + 2;
            columns[2 * r] = (7 * r) % 500;
            columns[2 * r + 1] = 500 + (11 * r) % 500;
            values[2 * r] = 1;
            values[2 * r + 1] = (float) (r % 3 - 1.5);
            labels[r] = r % 2 == 0 ? 1 : -1;
        }
        Problem problem = Problem.deal(Dataset.sparse(d, offsets, columns, values, labels), new Logistic(), 1e-2, n);
        Network grid = Topology.named("grid").build(n, 1);
        int rounds = 50;

        assertThat(run(Baselines.named("dsba"), problem, grid, rounds).bytes())
                .isEqualTo(8L * rounds * 2 * grid.edges() * d);
        long hops = 0;
        Routes routes = Routes.of(grid);
        for (int source = 0; source < n; source++) {
            for (int node = 0; node < n; node++) {
                int distance = routes.distance(source, node);
                // Heard in rounds distance − 1, …, rounds − 1: the gradient first, then a change each time.
                hops += distance == 0 ? 0 : 1 + 2 * 2 * m + 5L * (rounds - distance);
            }
        }
        assertThat(run(Baselines.named("dsba-sparse"), problem, grid, rounds).bytes())
                .isEqualTo(8 * hops);
    }

    /** So many rounds that f falls below the limit at which u is scaled down, several times. */
    @Test
    void iteratesStayEqualWhenMomentumIsFolded() {
        Problem problem = Problem.deal(sparseRows(24, 60, 3), new Logistic(), 1e-1, 6);
        Network network = Topology.named("ring").build(6, 1);
        Run plain = run(Algorithms.named("adfs-theory"), problem, network, 2000);
        Run sparse = run(Baselines.named("adfs-sparse"), problem, network, 2000);
        for (int node = 0; node < 6; node++) {
            assertThat(sparse.estimates()[1999][node]).containsExactly(plain.estimates()[1999][node], within(1e-10));
        }
    }

    @Test
    void aNodeSendsFewerBytesWhereRowsAreSparse() {
        Problem problem = Problem.deal(sparseRows(80, 5000, 3), new Logistic(), 1e-2, 4);
        Network network = Topology.named("ring").build(4, 1);
        long whole = run(Algorithms.named("adfs-theory"), problem, network, 100).bytes();
        long sparse = run(Baselines.named("adfs-sparse"), problem, network, 100).bytes();
        assertThat(whole).isEqualTo(8L * 100 * 8 * 5000);
        assertThat(sparse).isLessThan(whole);
    }

    @Test
    void routesAreShortestPathsAndReachEveryNodeOnce() {
        Network network = Topology.named("erdos-renyi:0.2").build(20, 4);
        Routes routes = Routes.of(network);
        for (int node = 0; node < 20; node++) {
            int[] heard = new int[20];
            for (int k = 0; k < network.degree(node); k++) {
                for (int source : routes.sources(node, k)) {
                    heard[source]++;
                    assertThat(routes.distance(source, network.neighbours(node)[k]))
                            .isEqualTo(routes.distance(source, node) - 1);
                }
            }
            int self = node;
            assertThat(heard).satisfies(counts -> {
                for (int source = 0; source < 20; source++) {
                    assertThat(counts[source]).isEqualTo(source == self ? 0 : 1);
                }
            });
        }
    }

    @Test
    void aProblemThatDoesNotFitIntoMemoryIsRefused() {
        assertThatRefused(() -> SparseProgram.requireMemory("dsba-sparse", 4, 100, 1_000_000, 4_000_000_000L))
                .hasMessageContaining("100 nodes with 1000000 features")
                .hasMessageContaining("320 GB of the 4.00 GB")
                .hasMessageContaining("fewer nodes, dsba");
        assertThatCode(() -> SparseProgram.requireMemory("dsba-sparse", 4, 100, 54, 1_000_000_000L))
                .doesNotThrowAnyException();
    }

    @Test
    void vectorsAreSentDenselyWhenThatIsNotLonger() {
        double[] numbers = new double[Entries.longest(5)];
        for (double[] vector : new double[][] {{0, 0, 0, 0, 0}, {0, 1, 0, -2, 0}, {1, 2, 0, 4, 0}, {1, 2, 3, 4, 5}}) {
            Entries.write(vector, numbers);
            long filled = Arrays.stream(vector).filter(value -> value != 0).count();
            assertThat(Entries.length(numbers, 0, 5)).isEqualTo(1 + (int) Math.min(2 * filled, 5));
            double[] read = {1, 1, 1, 1, 1};
            Entries.add(numbers, 0, 2, read);
            double[] expected =
                    Arrays.stream(vector).map(value -> 1 + 2 * value).toArray();
            assertThat(read).containsExactly(expected);
        }
    }
}
