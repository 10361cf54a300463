package dev.starling.lab.conversation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.method.Assignment;
import dev.starling.method.CertificateListener;
import dev.starling.method.Facts;
import dev.starling.method.Method;
import dev.starling.method.MethodNode;
import dev.starling.method.Methods;
import dev.starling.method.Objective;
import dev.starling.method.Shape;
import dev.starling.method.Solution;
import dev.starling.method.StoppingRule;
import dev.starling.method.Tuned;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.node.Collectives;
import dev.starling.node.SharedWork;
import dev.starling.problem.Problem;
import dev.starling.runtime.Delays;
import dev.starling.runtime.Simulator;
import dev.starling.runtime.StopSignal;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every method may begin at a parameter, and ends at the same optimum; near it there is less to do for most. */
class WarmStartTest {

    private static final Network RING = Topology.named("ring").build(3, 1);

    private static Solution solved(
            String name, Loss loss, double lambda, double gap, Optional<double[]> start, Dataset data) {
        Problem problem = Problem.deal(data, loss, lambda, 3);
        Method method = Methods.named(name);
        Objective objective = new Objective(loss, problem.regulariser());
        List<Facts> facts = problem.nodes().stream()
                .map(node -> Facts.of(node, method.facts(node)))
                .toList();
        Tuned tuned = method.tune(RING, objective, Shape.of(data), facts, 1);
        StoppingRule rule = new StoppingRule(gap, 100_000);
        SharedWork shared = new SharedWork();
        List<MethodNode> nodes = IntStream.range(0, 3)
                .mapToObj(node -> tuned.node(
                        new Assignment(
                                problem.nodes().get(node),
                                Collectives.together(RING.spanningTree(), node, 3, shared),
                                rule,
                                1,
                                CertificateListener.NONE),
                        start))
                .toList();
        new Simulator().run(RING, nodes, Delays.uniform(1), StopSignal.manual());
        return nodes.get(2).result();
    }

    @ParameterizedTest
    @CsvSource({
        "newton, logistic, 1e-9",
        "newton, squared-hinge, 1e-9",
        "adfs, logistic, 1e-7",
        "adfs, squared-hinge, 1e-7",
        "adfs-local, logistic, 1e-7",
        "adfs-matchings, logistic, 1e-7",
        "ns-adfs, hinge, 1e-3",
        "multipliers, hinge, 1e-7"
    })
    void aStartNearTheOptimumNeedsLittleWork(String method, String lossName, double gap) {
        Loss loss = Losses.named(lossName);
        Dataset data = Generator.classification(20_000, 8).noise(0.1).seed(6).generate();
        double lambda = 1e-3;
        Solution cold = solved(method, loss, lambda, gap, Optional.empty(), data);
        Solution neighbour = solved(method, loss, 1.001 * lambda, gap, Optional.empty(), data);
        Solution warm = solved(method, loss, lambda, gap, Optional.of(neighbour.parameter()), data);

        assertThat(warm.certificate().relativeGap()).isLessThanOrEqualTo(gap);
        assertThat(warm.certificate().objective())
                .isCloseTo(
                        cold.certificate().objective(),
                        within(2 * gap * cold.certificate().objective()));
        // S-ADFS begins at the dual scalars only: what neighbours had agreed on is found anew, which takes most of the
        // time.
        double share = Set.of("adfs", "adfs-local", "adfs-matchings").contains(method) ? 1.05 : 0.95;
        assertThat(warm.certificate().epochs())
                .isLessThan(share * cold.certificate().epochs());
    }
}
