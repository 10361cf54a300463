package dev.starling.method.adfs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Dataset;
import dev.starling.loss.Squared;
import dev.starling.method.CertificateListener;
import dev.starling.method.Facts;
import dev.starling.method.StoppingRule;
import dev.starling.method.adfs.certified.CertifiedProgram;
import dev.starling.method.adfs.tuning.Theory;
import dev.starling.method.adfs.tuning.Tuning;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.node.Collectives;
import dev.starling.node.SharedWork;
import dev.starling.problem.Conditioning;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Problem;
import dev.starling.runtime.Delays;
import dev.starling.runtime.Simulator;
import dev.starling.runtime.StopSignal;
import java.util.List;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Large nodes whose rows are of very different size: what they sample to be tuned must not miss the large ones. */
class UnevenRowsTest {

    private static final int NODES = 3;
    private static final int ROWS_PER_NODE = 8192;
    private static final int FEATURES = 4;
    private static final double MOST_EPOCHS = 2000;
    private static final Network NETWORK = Topology.named("line").build(NODES, 1);

    @Test
    void interleavedSourcesTakeNoLongerThanWithTheExactCurvature() {
        assertAsFastAsExact(row -> row / NODES % 2 == 1 ? 100 : 1);
    }

    @Test
    void oneHugeRowPerNodeTakesNoLongerThanWithTheExactCurvature() {
        assertAsFastAsExact(row -> row / NODES == 4097 ? 3000 : 1);
    }

    private static void assertAsFastAsExact(IntToDoubleFunction size) {
        Problem problem = Problem.deal(rows(size), new Squared(), 0.1, NODES);
        List<Conditioning> facts =
                problem.nodes().stream().map(Conditioning::of).toList();
        List<Conditioning> exact = IntStream.range(0, NODES)
                .mapToObj(node -> withCurvature(
                        facts.get(node), exactCurvature(problem.nodes().get(node))))
                .toList();

        double least = epochs(problem, exact);
        assertThat(least).as("epochs with the exact curvature").isLessThan(MOST_EPOCHS);
        assertThat(epochs(problem, facts)).isLessThan(1.3 * least);
    }

    /** Rows of the given sizes, whose labels follow another model at every node. */
    private static Dataset rows(IntToDoubleFunction size) {
        Random random = new Random(4);
        int rows = NODES * ROWS_PER_NODE;
        float[] values = new float[rows * FEATURES];
        double[] labels = new double[rows];
        for (int i = 0; i < rows; i++) {
            for (int c = 0; c < FEATURES; c++) {
                values[i * FEATURES + c] = (float) (size.applyAsDouble(i) * random.nextGaussian());
                labels[i] += values[i * FEATURES + c] * ((i % NODES + c) % NODES - 1);
            }
            labels[i] += random.nextGaussian();
        }
        return Dataset.dense(FEATURES, values, labels);
    }

    private static Conditioning withCurvature(Conditioning facts, double curvature) {
        return new Conditioning(
                facts.samples(),
                facts.weight(),
                facts.sigma(),
                facts.rootSum(),
                facts.smallestRoot(),
                facts.smoothnessSum(),
                curvature);
    }

    /** By so many power iterations on all rows that rounding alone is left. */
    private static double exactCurvature(LocalProblem problem) {
        double[] direction = {1, 0.9, 0.8, 0.7};
        double eigenvalue = 0;
        for (int iteration = 0; iteration < 500; iteration++) {
            double[] next = new double[FEATURES];
            for (int j = 0; j < problem.samples(); j++) {
                int row = problem.row(j);
                problem.data().addTo(row, problem.data().dot(row, direction), next);
            }
            double square = 0;
            for (double value : next) {
                square += value * value;
            }
            eigenvalue = Math.sqrt(square);
            for (int c = 0; c < FEATURES; c++) {
                direction[c] = next[c] / eigenvalue;
            }
        }
        return eigenvalue * problem.loss().smoothness();
    }

    private static double epochs(Problem problem, List<Conditioning> facts) {
        Tuning tuning = Tuning.of(NETWORK, facts, 5);
        Facts totals = new Facts(problem.samples(), problem.totalWeight(), problem.totalSigma(), new double[0]);
        SharedWork shared = new SharedWork();
        List<CertifiedProgram> programs = IntStream.range(0, NODES)
                .mapToObj(node -> new CertifiedProgram(
                        new Adfs(problem.nodes().get(node), facts.get(node), NETWORK, node, belief -> tuning, 1),
                        Collectives.together(NETWORK.spanningTree(), node, NODES, shared),
                        totals,
                        Theory.fixed(tuning),
                        new StoppingRule(1e-6, MOST_EPOCHS),
                        CertificateListener.NONE))
                .toList();
        new Simulator().run(NETWORK, programs, Delays.uniform(5), StopSignal.manual());
        return programs.get(0).result().certificate().epochs();
    }
}
