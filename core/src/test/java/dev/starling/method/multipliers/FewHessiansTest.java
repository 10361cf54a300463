package dev.starling.method.multipliers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.certificate.CertificateListener;
import dev.starling.certificate.StoppingRule;
import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.method.Assignment;
import dev.starling.method.Facts;
import dev.starling.method.MethodNode;
import dev.starling.method.Objective;
import dev.starling.method.Shape;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.node.Collectives;
import dev.starling.node.ReleaseLimits;
import dev.starling.node.SumGuard;
import dev.starling.node.SumRequest;
import dev.starling.problem.Problem;
import dev.starling.problem.Regulariser;
import dev.starling.runtime.Delays;
import dev.starling.runtime.Simulator;
import dev.starling.runtime.StopSignal;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Kinks with an l1 term between owners who let few Hessians be summed up, or none. */
class FewHessiansTest {

    private static final double LAMBDA = 1e-3;

    /** Allows so many Hessians, and counts them. */
    private static final class Sparing implements SumGuard {
        private final int most;
        private int hessians;

        Sparing(int most) {
            this.most = most;
        }

        @Override
        public boolean isBetweenOwners() {
            return true;
        }

        @Override
        public ReleaseLimits limits() {
            return new ReleaseLimits(Long.MAX_VALUE, most, 500, 500, 0);
        }

        @Override
        public void opened(SumRequest request, double[] totals) {
            hessians += request.kind().equals("hessian") ? 1 : 0;
        }
    }

    @ParameterizedTest
    @CsvSource({"hinge, 0", "hinge, 1", "hinge, 3", "absolute, 0", "absolute, 2"})
    void gradientsMendWhatIsKnownOfTheCurvature(String name, int most) {
        Sparing guard = new Sparing(most);
        Dataset rows = (name.equals("hinge") ? Generator.classification(500, 12) : Generator.regression(500, 12))
                .noise(0.2)
                .generate();
        Loss loss = Losses.named(name);
        Problem problem = Problem.deal(rows, loss, LAMBDA, 1).withRegulariser(Regulariser.elasticNet(LAMBDA, 1e-2));
        Network alone = Topology.named("line").build(1, 1);
        MethodNode node = new MultipliersMethod()
                .tune(
                        alone,
                        new Objective(loss, problem.regulariser()),
                        Shape.of(rows),
                        List.of(Facts.of(problem.nodes().get(0), new double[0])),
                        1)
                .node(
                        new Assignment(
                                problem.nodes().get(0),
                                Collectives.apart(alone.spanningTree(), 0, 1, guard),
                                new StoppingRule(1e-6, 200),
                                1,
                                CertificateListener.NONE),
                        Optional.empty());

        new Simulator().run(alone, List.of(node), Delays.uniform(1), StopSignal.manual());

        assertThat(guard.hessians).isLessThanOrEqualTo(most);
        assertThat(node.result().certificate().relativeGap()).isLessThan(1e-6);
    }
}
