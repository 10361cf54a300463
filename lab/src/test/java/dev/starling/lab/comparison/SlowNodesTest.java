package dev.starling.lab.comparison;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Dataset;
import dev.starling.data.Labels;
import dev.starling.loss.Logistic;
import dev.starling.network.Network;
import dev.starling.network.Timing;
import dev.starling.network.Topology;
import dev.starling.support.Fixtures;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes and edges at speeds of their own, and methods that are tuned to them. */
@Timeout(120)
class SlowNodesTest {

    private static final Network GRID = Topology.named("grid:4x4").build(16, 1);
    private static final Timing ONE_SLOW = Timing.even(5).withNode(5, 10);

    private static Comparison comparison(Timing timing) {
        return comparison(Conditions.of(timing));
    }

    private static Comparison comparison(Conditions conditions) {
        Dataset rows = Fixtures.read("census");
        return Comparison.of(Labels.classification(rows).binary(rows), new Logistic(), 1e-4, GRID, conditions)
                .gap(1e-5)
                .points(200);
    }

    private static double timeOf(Comparison comparison, String method) {
        ComparisonResult result = comparison.methods(List.of(method)).run().orElseThrow();
        return result.methods().get(0).timeTo(1e-5).orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(strings = {"adfs-theory", "adfs-local", "adfs-matchings"})
    void tuningThatKnowsTheSlowNodeBeatsTuningThatDoesNot(String method) {
        double aware = timeOf(comparison(ONE_SLOW), method);
        double blind = timeOf(comparison(Conditions.of(ONE_SLOW).tunedEvenly()), method);
        double allFast = timeOf(comparison(Timing.even(5)), method);

        assertThat(aware).isLessThan(blind / 1.4);
        assertThat(allFast).isLessThan(aware);
    }

    @Test
    void roundsThatUseASlowEdgeTakeLonger() {
        Timing slowEdge = Timing.even(5).withEdge(1, 0, 500);
        double usual = timeOf(comparison(Timing.even(5)), "adfs-matchings");
        double slowed = timeOf(comparison(slowEdge), "adfs-matchings");

        assertThat(slowed).isGreaterThan(1.5 * usual);
    }

    @Test
    void nodesAndEdgesThatDoNotExistAreRefused() {
        assertThatRefused(() -> comparison(Timing.even(5).withNode(16, 2)))
                .hasMessage("node 16 cannot be slow: grid 4x4 has nodes 0 to 15");
        assertThatRefused(() -> comparison(Timing.even(5).withEdge(5, 0, 2)))
                .hasMessage("edge 0-5 has no delay: grid 4x4 has no such edge");
        assertThatRefused(() -> Timing.even(5).withNode(0, 0))
                .hasMessage("cost 0.0 of a step at node 0 must be positive");
    }
}
