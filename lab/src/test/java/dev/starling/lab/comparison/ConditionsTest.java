package dev.starling.lab.comparison;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.lab.conversation.EdgeSampling;
import dev.starling.lab.failing.FailingNetwork;
import dev.starling.lab.failing.Outages;
import dev.starling.lab.failing.Stragglers;
import dev.starling.loss.Logistic;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ConditionsTest {

    private static final Dataset ROWS = Generator.classification(600, 8).generate();
    private static final Network GRID = Topology.named("grid:2x3").build(6, 1);
    private static final FailingNetwork FAILING = FailingNetwork.NONE
            .jitter(1)
            .loss(0.1)
            .outages(new Outages.AtRandom(0.2, 50))
            .stragglers(new Stragglers(0.1, 5, 100));

    private static List<MethodResult> run(Conditions conditions, List<String> methods) {
        return Comparison.of(ROWS, new Logistic(), 1e-2, GRID, conditions)
                .methods(methods)
                .time(1e6)
                .gap(1e-3)
                .points(200)
                .run()
                .orElseThrow()
                .methods();
    }

    @Test
    void everyMethodReachesTheOptimumOverAFailingNetworkButLater() {
        List<String> methods = new ArrayList<>(ComparedMethods.names());
        methods.removeAll(List.of("ns-adfs", "multipliers", "adfs-conference"));
        List<MethodResult> usual = run(Conditions.usual(5), methods);
        List<MethodResult> failing = run(Conditions.usual(5).failing(FAILING), methods);
        for (int k = 0; k < methods.size(); k++) {
            assertThat(failing.get(k).timeTo(1e-3).orElse(Double.POSITIVE_INFINITY))
                    .as(methods.get(k))
                    .isBetween(usual.get(k).timeTo(1e-3).orElseThrow(), 1e7);
        }
    }

    static Stream<EdgeSampling> rules() {
        return Stream.of(EdgeSampling.independent(0.5), EdgeSampling.matchings(GRID), EdgeSampling.pairs(GRID));
    }

    @ParameterizedTest
    @MethodSource("rules")
    void methodsForChangingEdgesReachTheOptimum(EdgeSampling edges) {
        Conditions varying = Conditions.usual(5).varying(edges);
        for (String method : ComparedMethods.namesForVaryingEdges()) {
            assertThat(run(varying, List.of(method)).get(0).timeTo(1e-3))
                    .as(method)
                    .isPresent();
        }
    }

    @Test
    void otherMethodsRefuseChangingEdges() {
        Conditions varying = Conditions.usual(5).varying(EdgeSampling.matchings(GRID));
        for (String method : ComparedMethods.names()) {
            if (!ComparedMethods.namesForVaryingEdges().contains(method)) {
                assertThatRefused(() -> Comparison.checkMethods(new Logistic(), 0, GRID, varying, List.of(method)))
                        .hasMessage(method
                                + " cannot take edges that change from round to round: it needs all of them in"
                                + " every round; " + String.join(", ", ComparedMethods.namesForVaryingEdges())
                                + " can");
            }
        }
        assertThat(ComparedMethods.namesForVaryingEdges()).containsExactly("adfs-theory", "adom-plus", "adom-vr");
    }
}
