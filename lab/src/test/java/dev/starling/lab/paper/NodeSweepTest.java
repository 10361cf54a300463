package dev.starling.lab.paper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.network.Spectrum;
import dev.starling.network.Topology;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NodeSweepTest {

    private static final List<Integer> SIZES = List.of(1, 4, 16, 64, 256, 1024);

    @Test
    void theCriticalSizeOfRunsIsWhereTheirTwoPartsAreEqual() {
        double slowness = 1 / Math.sqrt(gamma(64));
        assertThat(critical(SIZES, root -> 3 * slowness + 3 * root)).isCloseTo(64, within(1e-6));
    }

    @Test
    void itMayLieBetweenTheSizesOrBeyondThem() {
        double slowness = 1 / Math.sqrt(gamma(128 * 2));
        assertThat(critical(List.of(4, 16, 64), root -> slowness + root)).isBetween(200.0, 320.0);
        assertThat(critical(List.of(4, 16, 64, 1024), root -> slowness + root)).isBetween(240.0, 275.0);
    }

    @Test
    void runsThatTakeNoLongerOnLargerNetworksHaveNone() {
        assertThat(critical(SIZES, root -> 1000 - root)).isNaN();
    }

    private static double gamma(int nodes) {
        return Spectrum.of(Topology.named("grid").build(nodes, 1)).gamma();
    }

    /** The critical size found in times that are a function of 1/√γ. */
    private static double critical(List<Integer> sizes, DoubleUnaryOperator time) {
        List<NodeSweep.Size> measured = IntStream.range(0, sizes.size())
                .mapToObj(k -> {
                    double gamma = sizes.get(k) == 1 ? 1 : gamma(sizes.get(k));
                    return new NodeSweep.Size(
                            Topology.named("grid").build(sizes.get(k), 1),
                            gamma,
                            0,
                            Map.of("adfs", OptionalDouble.of(time.applyAsDouble(1 / Math.sqrt(gamma)))));
                })
                .toList();
        NodeSweep.Settings settings = new NodeSweep.Settings(
                "", "", 1, 1, 1, 1, 2, 1, OptionalDouble.empty(), List.of("adfs"), List.of(1L), sizes, false);
        return new NodeSweep(settings, 1, measured, true).criticalInRuns("adfs").orElse(Double.NaN);
    }
}
