package dev.starling.method.newton;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Dataset;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.method.StoppingRule;
import dev.starling.method.newton.NewtonRun.Way;
import dev.starling.problem.Problem;
import dev.starling.problem.Regulariser;
import dev.starling.runtime.Simulator;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Elastic nets on rows that are hard on a method which solves linear systems: all are certified, and truly. */
@Timeout(60)
@ParameterizedClass
@EnumSource
@Tag("slow")
class HardNetsTest {

    private static final double GAP = 1e-9;

    private static final int MOST_PASSES = 3000;

    private final Way way;

    HardNetsTest(Way way) {
        this.way = way;
    }

    static Stream<Arguments> problems() {
        return HardProblemsTest.datasets().entrySet().stream()
                .flatMap(entry -> Stream.of("logistic", "squared", "squared-hinge", "huber", "smoothed-hinge")
                        .flatMap(loss -> Stream.of(new double[] {1e-8, 1e-4}, new double[] {1e-3, 1e-2})
                                .map(price ->
                                        Arguments.of(entry.getKey(), loss, price[0], price[1], entry.getValue()))));
    }

    @ParameterizedTest(name = "{0}, {1}, lambda {2}, l1 {3}")
    @MethodSource("problems")
    void hardElasticNetsAreCertified(String what, String lossName, double lambda, double l1, Dataset data) {
        Loss loss = Losses.named(lossName);
        Problem problem = Problem.deal(data, loss, lambda, 4).withRegulariser(Regulariser.elasticNet(lambda, l1));
        NewtonRun run = NewtonRun.of(way, problem, "line", new StoppingRule(GAP, MOST_PASSES))
                .run(new Simulator());

        assertThat(run.isCertified())
                .as("%s, %s, lambda %s, l1 %s: %s", what, lossName, lambda, l1, run.certificate())
                .isTrue();
        double objective = problem.objective(run.parameter());
        double size = Math.max(objective, problem.objective(new double[data.features()]));
        assertThat(Math.abs(run.certificate().objective() - objective)).isLessThanOrEqualTo(1e-13 * size);
        assertThat(objective - dual(problem, data, l1, run.parameter()))
                .isLessThanOrEqualTo(GAP * objective + 1e-12 * size);
    }

    /** The largest dual value among multiples of the slopes s_j = ℓ'(x_jᵀθ), by its definition. */
    private static double dual(Problem problem, Dataset data, double l1, double[] theta) {
        Loss loss = problem.nodes().get(0).loss();
        double lambda = problem.totalSigma() / problem.totalWeight();
        double best = Double.NEGATIVE_INFINITY;
        for (double below = 1; below > 1e-16; below /= 1.1) {
            double scale = below < 1.1e-16 ? 1 : 1 - below;
            double[] sum = new double[data.features()];
            double conjugates = 0;
            for (int i = 0; i < data.rows(); i++) {
                double slope = scale * loss.derivative(data.dot(i, theta), data.label(i));
                conjugates += loss.conjugate(slope, data.label(i)) / data.rows();
                data.addTo(i, slope / data.rows(), sum);
            }
            double squares = Arrays.stream(sum)
                    .map(entry -> Math.max(0, Math.abs(entry) - l1))
                    .map(rest -> rest * rest)
                    .sum();
            best = Math.max(best, -conjugates - squares / (2 * lambda));
        }
        return best;
    }
}
