package dev.starling.lab.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.lab.variant.Algorithm;
import dev.starling.loss.Logistic;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.problem.Problem;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ManyNodesTest {

    private static final Dataset ROWS = Generator.classification(8_000, 10).generate();

    private static ComparisonResult compare(Network network, List<String> methods) {
        return Comparison.of(ROWS, new Logistic(), 1e-2, network, 5)
                .methods(methods)
                .gap(1e-2)
                .points(20)
                .watch(1)
                .run()
                .orElseThrow();
    }

    @Tag("thorough")
    @Timeout(60)
    @ParameterizedTest
    @ValueSource(strings = {"torus", "random-regular:4", "watts-strogatz:4:0.1"})
    void thousandsOfNodesReachTheOptimum(String topology) {
        Network network = Topology.named(topology).build(4_000, 1);
        assertThat(compare(network, List.of("adfs-theory", "nids")).methods())
                .allSatisfy(result ->
                        assertThat(result.timeTo(1e-2)).as(result.method()).isPresent());
    }

    /** Restarts, which adfs begins with where theory is slow, are slower still where rounds are dear and rows few. */
    @Tag("thorough")
    @Timeout(60)
    @ParameterizedTest
    @ValueSource(strings = {"torus", "random-regular:4", "watts-strogatz:4:0.1"})
    void adfsIsNotFarBehindTheorysConstantsForTheFirstDigits(String topology) {
        Dataset few = Generator.classification(2_048, 10).seed(1).generate();
        List<MethodResult> results = Comparison.of(
                        few, new Logistic(), 1e-2, Topology.named(topology).build(1_024, 1), 5)
                .methods(List.of("adfs", "adfs-theory"))
                .seeds(List.of(1L, 2L, 3L))
                .time(4_000)
                .gap(1e-2)
                .points(400)
                .watch(2)
                .run()
                .orElseThrow()
                .methods();
        assertThat(results.get(0).timeTo(1e-2).orElseThrow())
                .isLessThan(1.2 * results.get(1).timeTo(1e-2).orElseThrow());
    }

    @Test
    @Tag("thorough")
    void nothingAtANodeGrowsWithTheNumberOfNodes() {
        int nodes = 8_000;
        Network network = Topology.named("torus").build(nodes, 1);
        Problem problem = Problem.deal(ROWS, new Logistic(), 1e-2, nodes);
        Algorithm method = ComparedMethods.named("adfs-theory");
        long before = live();
        List<?> programs = Conditions.usual(5).programs(method, problem, network, 1);
        long bytes = live() - before;
        assertThat(programs).hasSize(nodes);
        assertThat((double) bytes / nodes)
                .as("one number for every other node would be " + Double.BYTES * nodes)
                .isLessThan(Double.BYTES * nodes / 4.0);
    }

    private static long live() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
