package dev.starling.lab.baseline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Dataset;
import dev.starling.lab.baseline.curvature.NetworkGiant;
import dev.starling.lab.baseline.curvature.NetworkGiant.Curved;
import dev.starling.lab.baseline.node.Gossip;
import dev.starling.loss.Logistic;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Problem;
import dev.starling.support.ReferenceNewton;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The step size of Network-GIANT: whole for nodes with the same rows, shorter the more unlike they are. */
class NetworkGiantTest {

    private static final double LAMBDA = 1e-2;

    private final Network complete = Topology.named("complete").build(8, 1);
    private final Dataset data = Rows.classification(96, 10);

    private static double heterogeneity(List<LocalProblem> nodes) {
        return NetworkGiant.heterogeneity(nodes.stream().map(Curved::atZero).toList());
    }

    @Test
    void nodesWithTheSameRowsHaveNoHeterogeneity() {
        List<LocalProblem> same = IntStream.range(0, 8)
                .mapToObj(node -> LocalProblem.of(data, new Logistic(), LAMBDA))
                .toList();
        double heterogeneity = heterogeneity(same);
        assertThat(heterogeneity).isBetween(1.0, 1 + 1e-12);
        assertThat(NetworkGiant.Parameters.of(Gossip.of(complete), heterogeneity, 1)
                        .stepSize())
                .isBetween(1 - 1e-7, 1.0);
    }

    /** With twelve rows of ten features at every node, whole steps would fly off. */
    @Test
    void heterogeneousNodesTakeStepsThatConverge() {
        Problem problem = Problem.deal(data, new Logistic(), LAMBDA, 8);
        assertThat(heterogeneity(problem.nodes())).isGreaterThan(2);
        double best = ReferenceNewton.objective(
                data, new Logistic(), LAMBDA, ReferenceNewton.optimum(data, new Logistic(), LAMBDA));
        List<Trial.Point> curve =
                new Trial(Baselines.named("network-giant"), problem, complete, 5, best).run(1e-10, 2000, 1, 60);
        assertThat(curve.get(curve.size() - 1).error()).isLessThanOrEqualTo(1e-10);
    }
}
