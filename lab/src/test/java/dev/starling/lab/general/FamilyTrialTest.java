package dev.starling.lab.general;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.lab.paper.FamilyTrial;
import dev.starling.lab.paper.FamilyTrial.Family;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class FamilyTrialTest {

    private static final Network ALONE = Network.of(1, new int[0][]);

    @ParameterizedTest
    @EnumSource(Family.class)
    void nodesFindWhatOneMachineFinds(Family family) {
        for (Network network : new Network[] {Topology.named("ring").build(5, 1), ALONE}) {
            FamilyTrial trial = FamilyTrial.measure(family, network, 5, 1e-18, 7);
            assertThat(trial.reached()).isTrue();
            assertThat(trial.theta()).containsExactly(trial.central(), within(1e-7));
        }
    }

    @ParameterizedTest
    @EnumSource(Family.class)
    void theCentralMinimiserIsProvenByItsOwnGradient(Family family) {
        GeneralProblem problem = family.problem(5, 3);
        double start = problem.gapBound(new double[problem.dimension()]);
        assertThat(problem.gapBound(problem.centralMinimiser())).isLessThan(1e-24 * start);
    }

    /** Theory bounds an expectation up to a constant: over ten digits a constant costs little, a wrong rate much. */
    @ParameterizedTest
    @EnumSource(Family.class)
    void theErrorFallsAtLeastAsFastAsTheoryPredicts(Family family) {
        for (long seed = 1; seed <= 3; seed++) {
            FamilyTrial trial =
                    FamilyTrial.measure(family, Topology.named("grid").build(9, 1), 5, 1e-12, seed);
            FamilyTrial.Moment last = trial.moments().get(trial.moments().size() - 1);
            assertThat(last.time()).isLessThan(12 * trial.timePerDigit());
        }
    }

    static Stream<ProximalFunction> functions() {
        return Stream.of(
                new ResourceAllocation.Customer(new double[] {5, 3, 9}, 0.7, 2.5),
                GroupLasso.Row.of(new double[] {1, -2, 0.5}, 3),
                new GroupLasso.Block(1, 3, 0.8, 0.5),
                new GroupLasso.Block(0, 3, 4, 2));
    }

    @ParameterizedTest
    @MethodSource("functions")
    void proximalPointsSolveTheirEquation(ProximalFunction function) {
        double[] point = {1, 4, -2};
        for (double step : new double[] {1e-3, 0.4, 30}) {
            double[] proximal = new double[3];
            double[] gradient = new double[3];
            function.prox(point, step, proximal);
            function.gradient(proximal, gradient);
            for (int c = 0; c < 3; c++) {
                assertThat(proximal[c] + step * gradient[c]).isCloseTo(point[c], within(1e-13));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("functions")
    void gradientsAreThoseOfTheValues(ProximalFunction function) {
        double width = 1e-5;
        for (double scale : new double[] {0.05, 1}) {
            double[] point = {scale, 4 * scale, -2 * scale};
            double[] gradient = new double[3];
            function.gradient(point, gradient);
            for (int c = 0; c < 3; c++) {
                double[] up = point.clone();
                double[] down = point.clone();
                up[c] += width;
                down[c] -= width;
                assertThat((function.value(up) - function.value(down)) / (2 * width))
                        .isCloseTo(gradient[c], within(1e-7));
            }
        }
    }

    @Test
    void usageEqualsSupplyAtTheAgreedPrices() {
        GeneralProblem problem = Family.RESOURCE_ALLOCATION.problem(5, 9);
        double[] prices = FamilyTrial.measure(
                        Family.RESOURCE_ALLOCATION, Topology.named("ring").build(5, 1), 5, 1e-20, 9)
                .theta();
        double[] surplus = new double[prices.length];
        boolean someBudgetBinds = false;
        for (LocalFunctions site : problem.nodes()) {
            for (ProximalFunction function : site.functions()) {
                ResourceAllocation.Customer customer = (ResourceAllocation.Customer) function;
                double[] used = customer.used(prices, customer.saturation());
                double sum = 0;
                for (int c = 0; c < prices.length; c++) {
                    surplus[c] -= used[c];
                    sum += used[c];
                }
                someBudgetBinds |= sum > 0.999 * customer.budget();
            }
            for (int c = 0; c < prices.length; c++) {
                surplus[c] += site.sigma() * prices[c];
            }
        }
        assertThat(surplus).containsExactly(new double[prices.length], within(1e-7));
        assertThat(someBudgetBinds).as("the example is not a separable one").isTrue();
    }

    @Test
    void penaltiesShrinkTheGroupsThatExplainNothing() {
        double[] theta = Family.GROUP_LASSO.problem(4, 1).centralMinimiser();
        double[] length = new double[4];
        for (int c = 0; c < theta.length; c++) {
            length[c / 3] += theta[c] * theta[c];
        }
        for (int g = 1; g < 4; g++) {
            assertThat(Math.sqrt(length[g])).isLessThan(0.1 * Math.sqrt(length[0]));
        }
    }

    @Test
    void quadraticsDifferBetweenNodesAndCoordinates() {
        GeneralProblem problem = Family.OWN_QUADRATICS.problem(2, 1);
        double[] first = problem.nodes().get(0).omega();
        assertThat(first).isNotEqualTo(problem.nodes().get(1).omega());
        assertThat(first[0]).isNotEqualTo(first[1]);
    }
}
