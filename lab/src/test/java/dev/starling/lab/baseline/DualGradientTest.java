package dev.starling.lab.baseline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.internal.Vectors;
import dev.starling.lab.baseline.node.BaselineProgram;
import dev.starling.lab.baseline.node.DualGradient;
import dev.starling.lab.baseline.node.Samples;
import dev.starling.lab.conversation.EffectiveResistance;
import dev.starling.loss.Huber;
import dev.starling.loss.Logistic;
import dev.starling.loss.Loss;
import dev.starling.loss.SmoothedHinge;
import dev.starling.loss.Squared;
import dev.starling.loss.SquaredEpsilonInsensitive;
import dev.starling.loss.SquaredHinge;
import dev.starling.network.Network;
import dev.starling.node.Exchange;
import dev.starling.node.State;
import dev.starling.problem.LocalProblem;
import dev.starling.support.PlainLoss;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The inner problem, by its definition: the gradient at the answer is what was asked for. */
class DualGradientTest {

    static List<Loss> losses() {
        return List.of(
                new Logistic(),
                new Squared(),
                new SquaredHinge(),
                new SmoothedHinge(0.5),
                new Huber(0.3),
                new SquaredEpsilonInsensitive(0.1));
    }

    @ParameterizedTest
    @MethodSource("losses")
    void theGradientAtTheAnswerIsTheArgument(Loss loss) {
        assertSolved(loss, Rows.classification(80, 7), 1e-4, 1e-9);
    }

    @Test
    void aLossWithoutSecondDerivativesIsEnough() {
        assertSolved(new PlainLoss(new Logistic()), Rows.classification(80, 7), 1e-4, 1e-9);
    }

    @ParameterizedTest
    @MethodSource("losses")
    void manyFeaturesAreSolvedByConjugateGradients(Loss loss) {
        Dataset wide = Generator.classification(120, 400).density(0.05).seed(2).generate();
        assertSolved(loss, wide, 1e-3, 1e-9);
    }

    private static void assertSolved(Loss loss, Dataset data, double lambda, double accuracy) {
        LocalProblem problem = LocalProblem.of(data, loss, lambda);
        Samples samples = Samples.of(problem);
        DualGradient dualGradient = new DualGradient(new Stub(), samples, problem.sigma(), accuracy);
        double[] theta = new double[data.features()];
        double[] x = new double[data.features()];
        double[] gradient = new double[data.features()];
        double moved = 0;
        for (int call = 0; call < 5; call++) {
            samples.gradient(theta, problem.sigma(), gradient);
            for (int c = 0; c < x.length; c++) {
                x[c] = 0.3 * Math.sin(c + 2.0 * call);
                gradient[c] -= x[c];
            }
            moved = Vectors.norm(gradient);
            dualGradient.solve(x, theta);
            samples.gradient(theta, problem.sigma(), gradient);
            for (int c = 0; c < x.length; c++) {
                gradient[c] -= x[c];
            }
            assertThat(Vectors.norm(gradient)).isLessThanOrEqualTo(accuracy * moved);
        }
    }

    @Test
    void resistancesOfARingAreThoseOfTwoPathsInParallel() {
        int n = 7;
        int[][] edges = new int[n][];
        for (int i = 0; i < n; i++) {
            edges[i] = new int[] {i, (i + 1) % n};
        }
        for (double resistance : EffectiveResistance.of(Network.of(n, edges))) {
            assertThat(resistance).isCloseTo((n - 1.0) / n, within(1e-13));
        }
    }

    @ParameterizedTest
    @MethodSource("losses")
    void curvaturesAreTheDerivativesOfTheDerivative(Loss loss) {
        for (double label : new double[] {-1, 1}) {
            for (double margin = -3.03; margin < 3; margin += 0.17) {
                double difference =
                        (loss.derivative(margin + 1e-5, label) - loss.derivative(margin - 1e-5, label)) / 2e-5;
                assertThat(loss.curvature(margin, label)).isCloseTo(difference, within(1e-8));
            }
        }
    }

    private static final class Stub extends BaselineProgram {

        Stub() {
            super(new State.Owner(0, 0, 0));
        }

        @Override
        public Exchange advance() {
            return exchange.end();
        }

        @Override
        public void absorb(double[][] messages) {}

        @Override
        public void estimate(double[] theta) {}
    }
}
