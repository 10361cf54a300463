package dev.starling.method.adfs.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.Generator;
import dev.starling.loss.Logistic;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.problem.Conditioning;
import dev.starling.problem.Problem;
import java.util.List;
import java.util.stream.IntStream;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.EigenDecomposition_F64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TuningTest {

    /** Nodes whose facts are all different. */
    private static List<Conditioning> unevenFacts(int nodes) {
        return IntStream.range(0, nodes)
                .mapToObj(i -> {
                    double sigma = 0.5 + 0.3 * i;
                    double root = 1.2 + 0.1 * i;
                    int samples = 10 + 3 * i;
                    return new Conditioning(samples, samples, sigma, root * samples, root, 40 + i, 7 + 2 * i);
                })
                .toList();
    }

    private static List<Conditioning> evenFacts(int nodes) {
        return IntStream.range(0, nodes)
                .mapToObj(i -> new Conditioning(100, 100, 2.0, 150, 1.25, 500, 30))
                .toList();
    }

    @Test
    void equalNodesOnACompleteGraphHaveTheClosedForm() {
        int n = 5;
        double c = 0.5;
        Tuning tuning = Tuning.of(Topology.named("complete").build(n, 1), evenFacts(n), 3, c);

        // L has the single non-zero eigenvalue n; D(c) = σ + M/(1−c) = 2 + 60.
        assertThat(tuning.strongConvexity()).isCloseTo(n / 62.0, within(1e-12));
        assertThat(tuning.communicationConstant()).isCloseTo(Math.sqrt((n / 2.0) / (n / 62.0)), within(1e-10));
        double computation = Math.max(150 / Math.sqrt(c), 150 / 1.25 / c);
        assertThat(tuning.computationConstant()).isCloseTo(computation, within(1e-10));
        assertThat(tuning.rate()).isCloseTo(1 / (computation + tuning.communicationConstant()), within(1e-15));
        assertThat(tuning.timePerFactor()).isCloseTo(computation + 3 * tuning.communicationConstant(), within(1e-9));
        assertThat(tuning.stepSize()).isCloseTo(tuning.rate() * 62 / n, within(1e-12));
        assertThat(tuning.communicationProbability())
                .isCloseTo(tuning.rate() * tuning.communicationConstant(), within(1e-12));
        assertThat(tuning.momentumDecay()).isEqualTo((1 - tuning.rate()) / (1 + tuning.rate()));
        assertThat(tuning.withDelay(9).timePerFactor())
                .isCloseTo(computation + 9 * tuning.communicationConstant(), within(1e-9));
        Conditioning half = new Conditioning(100, 100, 2.0, 75, 1.25, 500, 30);
        assertThat(tuning.leastShare(half)).isCloseTo(0.5, within(1e-12));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.1, 1, 5, 100, 1e4})
    void theTunedBalanceIsNoSlowerThanAnyOther(double delay) {
        Network network = Topology.named("grid:2x3").build(6, 1);
        List<Conditioning> facts = unevenFacts(6);
        double tuned = Tuning.of(network, facts, delay).timePerFactor();

        for (double c = 0.06; c < 0.999; c += 0.01) {
            // The search stops at a relative precision of about 1e-3 in the time, which is flat around its minimum.
            assertThat(tuned)
                    .isLessThanOrEqualTo(Tuning.of(network, facts, delay, c).timePerFactor() * 1.002);
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 1, 5, 1e3})
    void theRateRespectsEveryBoundOfTheTheory(double delay) {
        Network network = Topology.named("ring").build(7, 1);
        List<Conditioning> facts = unevenFacts(7);
        Tuning tuning = Tuning.of(network, facts, delay);
        double slack = 1 + 1e-12;

        assertThat(tuning.rate())
                .isLessThanOrEqualTo(slack * tuning.communicationProbability() / tuning.communicationConstant());
        double rootSum = facts.stream().mapToDouble(Conditioning::rootSum).max().orElseThrow();
        assertThat(tuning.rate())
                .isLessThanOrEqualTo(slack * tuning.computationProbability() * Math.sqrt(tuning.balance()) / rootSum);
        for (Conditioning node : facts) {
            double smallest = tuning.computationProbability() * node.smallestRoot() / node.rootSum();
            assertThat(tuning.rate()).isLessThanOrEqualTo(slack * tuning.balance() * smallest);
        }
    }

    @Test
    void moreDelayMeansFewerRounds() {
        Network network = Topology.named("ring").build(6, 1);
        List<Conditioning> facts = unevenFacts(6);

        assertThat(Tuning.of(network, facts, 100).communicationConstant())
                .isLessThan(Tuning.of(network, facts, 1).communicationConstant());
    }

    @Test
    void aSingleNodeNeverCommunicates() {
        Tuning tuning = Tuning.of(Topology.named("ring").build(1, 1), evenFacts(1), 5);

        assertThat(tuning.communicationProbability()).isZero();
        assertThat(tuning.rate()).isCloseTo(1 / 150.0, within(1e-15));
    }

    @Test
    void factsOfRealRowsAreWhatTheirDefinitionsSay() {
        var data = Generator.classification(60, 4).seed(3).generate();
        var labels = data.labels().clone();
        var problem = Problem.deal(data.withLabels(labels), new Logistic(), 0.01, 2);
        Conditioning facts = Conditioning.of(problem.nodes().get(1));

        double rootSum = 0;
        double smoothness = 0;
        double[][] gram = new double[4][4];
        for (int i = 1; i < 60; i += 2) {
            double norm = 0;
            for (int a = 0; a < 4; a++) {
                double xa = value(data, i, a);
                norm += xa * xa;
                for (int b = 0; b < 4; b++) {
                    gram[a][b] += xa * value(data, i, b) / 4;
                }
            }
            rootSum += Math.sqrt(1 + norm / 4 / (0.01 * 30));
            smoothness += norm / 4;
        }
        assertThat(facts.samples()).isEqualTo(30);
        assertThat(facts.sigma()).isCloseTo(0.3, within(1e-15));
        assertThat(facts.rootSum()).isCloseTo(rootSum, within(1e-10));
        assertThat(facts.smoothnessSum()).isCloseTo(smoothness, within(1e-10));
        double largest = largestEigenvalue(gram);
        assertThat(facts.curvature()).isBetween(largest * (1 - 1e-9), largest * 1.02);
    }

    private static double largestEigenvalue(double[][] symmetric) {
        EigenDecomposition_F64<DMatrixRMaj> eigen = DecompositionFactory_DDRM.eig(symmetric.length, false, true);
        eigen.decompose(new DMatrixRMaj(symmetric));
        return IntStream.range(0, symmetric.length)
                .mapToDouble(k -> eigen.getEigenvalue(k).getReal())
                .max()
                .orElseThrow();
    }

    private static double value(dev.starling.data.Dataset data, int row, int column) {
        double[] unit = new double[data.features()];
        unit[column] = 1;
        return data.dot(row, unit);
    }
}
