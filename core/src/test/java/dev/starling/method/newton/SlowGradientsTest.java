package dev.starling.method.newton;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.Fit;
import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.loss.Logistic;
import dev.starling.loss.Losses;
import dev.starling.method.Assignment;
import dev.starling.method.CertificateListener;
import dev.starling.method.Facts;
import dev.starling.method.MethodNode;
import dev.starling.method.Objective;
import dev.starling.method.Shape;
import dev.starling.method.StoppingRule;
import dev.starling.method.Tuned;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.node.Collectives;
import dev.starling.problem.Problem;
import dev.starling.runtime.Delays;
import dev.starling.runtime.Simulator;
import dev.starling.runtime.StopSignal;
import dev.starling.support.ForgetfulProgram;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows with so many values that no Hessian is summed up at first, on which gradients alone get nowhere. */
class SlowGradientsTest {

    /** Raw features far from 0, as instruments give them. */
    private static Dataset raw() {
        Random random = new Random(5);
        double[][] rows = new double[400][120];
        double[] labels = new double[rows.length];
        for (int i = 0; i < rows.length; i++) {
            for (int c = 0; c < rows[i].length; c++) {
                rows[i][c] = 400 + c + (1 + c % 40) * random.nextGaussian();
            }
            labels[i] = (rows[i][0] - 400) + (rows[i][1] - 401) / 2 + random.nextGaussian() > 0 ? 1 : -1;
        }
        return Dataset.of(rows, labels);
    }

    @ParameterizedTest
    @ValueSource(strings = {"logistic", "squared-hinge"})
    void slowGradientsAreReplacedByHessians(String loss) {
        Trainer trainer =
                Trainer.of(Losses.named(loss)).lambda(1e-4).gap(1e-9).nodes(3).topology("line");

        Fit fit = trainer.fit(raw());

        assertThat(trainer.maxEpochs(100).fit(raw()).gap()).isGreaterThan(1e-4);
        assertThat(fit.isCertified()).isTrue();
        assertThat(fit.epochs()).isBetween(100.0, 130.0);
        assertThat(trainer.runner(new Simulator()).fit(raw()).model().hash())
                .isEqualTo(fit.model().hash());
    }

    @Test
    void aRestoredNodeSwitchesToHessiansAtTheSamePass() {
        Problem problem = Problem.deal(raw(), new Logistic(), 1e-4, 1);
        Network alone = Topology.named("line").build(1, 1);
        Tuned tuned = new NewtonMethod()
                .tune(
                        alone,
                        new Objective(new Logistic(), problem.regulariser()),
                        Shape.of(raw()),
                        List.of(Facts.of(problem.nodes().get(0), new double[0])),
                        1);
        Supplier<MethodNode> fresh = () -> tuned.node(
                new Assignment(
                        problem.nodes().get(0),
                        Collectives.alone(),
                        new StoppingRule(1e-9, 1000),
                        1,
                        CertificateListener.NONE),
                Optional.empty());
        MethodNode whole = fresh.get();
        ForgetfulProgram<MethodNode> forgetful = new ForgetfulProgram<>(fresh);

        new Simulator().run(alone, List.of(whole), Delays.uniform(1), StopSignal.manual());
        new Simulator().run(alone, List.of(forgetful), Delays.uniform(1), StopSignal.manual());

        assertThat(whole.result().certificate().relativeGap()).isLessThan(1e-9);
        assertThat(forgetful.program().result().parameter())
                .isEqualTo(whole.result().parameter());
        assertThat(forgetful.program().passes()).isEqualTo(whole.passes()).isBetween(100.0, 130.0);
    }
}
