package dev.starling.lab.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.Dataset;
import dev.starling.loss.Squared;
import dev.starling.method.Constant;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.problem.Problem;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class SplitTest {

    /** Two nodes, each with one row of one feature: everything can be computed by hand. */
    @Test
    void theNumbersOfTwoRowsAreThoseComputedByHand() {
        Dataset rows = Dataset.of(new double[][] {{1, 0}, {0, 2}}, new double[] {1, 1});
        Problem problem = Problem.deal(rows, new Squared(), 0.5, 2);
        List<Constant> split = Split.of(problem, Topology.named("line").build(2, 1), new double[2], "at 0");
        // Σ x xᵀ = diag(1, 4) and Σσ = 1; a node has σ = 1/2 and x² = 1 or 4.
        assertThat(value(split, "globalConditioning")).isCloseTo(5, within(1e-6));
        assertThat(value(split, "localConditioning")).isCloseTo(9, within(0.1));
        assertThat(value(split, "stochasticConditioning")).isCloseTo(9, within(1e-9));
        assertThat(value(split, "gamma")).isCloseTo(1, within(1e-9));
        assertThat(value(split, "chi1")).isCloseTo(0.5, within(1e-9));
        assertThat(value(split, "chi2")).isCloseTo(0.5, within(1e-9));
        // Gradients (−1, 0) and (0, −2) differ from their mean by (1/2, 1) each; Hessians by ±diag(1/2, −2).
        assertThat(value(split, "heterogeneity")).isCloseTo(Math.sqrt(1.25), within(1e-12));
        assertThat(value(split, "averageHeterogeneity")).isCloseTo(Math.sqrt(1.25), within(1e-12));
        assertThat(value(split, "similarity")).isCloseTo(2, within(1e-9));
        assertThat(value(split, "averageSimilarity")).isCloseTo(2, within(1e-9));
        assertThat(value(split, "similarityOverLambda")).isCloseTo(2, within(1e-9));
    }

    @Test
    void whatWouldTakeMinutesOnManyNodesIsLeftOut() {
        Network many = Topology.named("random-regular:4").build(10_001, 1);
        assertThat(names(many, 1)).contains("chi1", "similarity").doesNotContain("chi2");
        Network star = Topology.named("star").build(400, 1);
        assertThat(names(star, 300)).contains("chi2", "heterogeneity").doesNotContain("similarity");
    }

    /** The eigenvalues of such a Hessian are not found. */
    @Test
    void rowsOfOneNumberHaveASimilarityToo() {
        float[] rows = new float[560];
        Arrays.fill(rows, 0, 280, 1);
        Arrays.fill(rows, 280, 560, 2);
        Problem problem = Problem.deal(Dataset.dense(280, rows, new double[2]), new Squared(), 1, 2);
        List<Constant> split = Split.atTheStart(problem, Topology.named("line").build(2, 1));
        // Hessians are 1 and 4 everywhere, and differ from their mean by 1.5.
        assertThat(value(split, "similarity")).isCloseTo(420, within(1e-6));
        assertThat(value(split, "averageSimilarity")).isCloseTo(420, within(1e-6));
    }

    /** The names of what is said of a row of ones per node. */
    private static List<String> names(Network network, int features) {
        float[] ones = new float[network.size() * features];
        double[] labels = new double[network.size()];
        Arrays.fill(ones, 1);
        Problem problem = Problem.deal(Dataset.dense(features, ones, labels), new Squared(), 1, network.size());
        return Split.atTheStart(problem, network).stream().map(Constant::name).toList();
    }

    private static double value(List<Constant> constants, String name) {
        return constants.stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow()
                .value();
    }
}
