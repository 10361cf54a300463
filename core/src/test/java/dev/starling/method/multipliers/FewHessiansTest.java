package dev.starling.method.multipliers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.loss.Losses;
import dev.starling.method.LoneNode;
import dev.starling.method.MethodNode;
import dev.starling.method.StoppingRule;
import dev.starling.problem.Problem;
import dev.starling.problem.Regulariser;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Kinks with an l1 term between owners who let few Hessians be summed up, or none. */
class FewHessiansTest {

    private static final double LAMBDA = 1e-3;

    @ParameterizedTest
    @CsvSource({"hinge, 0", "hinge, 1", "hinge, 3", "absolute, 0", "absolute, 2"})
    void gradientsUpdateTheHessian(String name, int most) {
        LoneNode owner = LoneNode.allowing(most);
        Dataset rows = (name.equals("hinge") ? Generator.classification(500, 12) : Generator.regression(500, 12))
                .noise(0.2)
                .generate();
        Problem problem =
                Problem.deal(rows, Losses.named(name), LAMBDA, 1).withRegulariser(Regulariser.elasticNet(LAMBDA, 1e-2));
        MethodNode node = owner.node(new MultipliersMethod(), problem, new StoppingRule(1e-6, 200));

        LoneNode.run(node);

        assertThat(owner.kinds().stream().filter("hessian"::equals).count()).isLessThanOrEqualTo(most);
        assertThat(node.result().certificate().relativeGap()).isLessThan(1e-6);
    }
}
