package dev.starling.lab.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.lab.general.GeneralProblem;
import dev.starling.lab.general.LocalFunctions;
import dev.starling.lab.general.ProximalFunction;
import dev.starling.network.Network;
import org.junit.jupiter.api.Test;

class ResourceAllocationTest {

    private static final Network RING = Network.of(5, new int[][] {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}});

    @Test
    void sitesAgreeOnThePricesThatACentralMethodFinds() {
        GeneralProblem problem = ResourceAllocation.sites(5, 8, 3, 7);
        double[] prices = ResourceAllocation.prices(problem, RING, 1e-20, 3);
        assertThat(prices).containsExactly(byGradientDescent(problem), within(1e-9));
    }

    @Test
    void aSingleSiteFindsItsPrices() {
        GeneralProblem problem = ResourceAllocation.sites(1, 8, 3, 8);
        double[] prices = ResourceAllocation.prices(problem, Network.of(1, new int[0][]), 1e-20, 3);
        assertThat(prices).containsExactly(byGradientDescent(problem), within(1e-9));
    }

    @Test
    void usageEqualsSupplyAtTheAgreedPrices() {
        GeneralProblem problem = ResourceAllocation.sites(5, 8, 3, 9);
        double[] prices = ResourceAllocation.prices(problem, RING, 1e-20, 3);
        double[] surplus = new double[3];
        boolean someBudgetBinds = false;
        for (LocalFunctions site : problem.nodes()) {
            for (ProximalFunction function : site.functions()) {
                ResourceAllocation.Customer customer = (ResourceAllocation.Customer) function;
                double[] used = customer.used(prices, customer.saturation());
                double sum = 0;
                for (int c = 0; c < 3; c++) {
                    surplus[c] -= used[c];
                    sum += used[c];
                }
                someBudgetBinds |= sum > 0.999 * customer.budget();
            }
            for (int c = 0; c < 3; c++) {
                surplus[c] += site.sigma() * prices[c];
            }
        }
        assertThat(surplus).containsExactly(new double[3], within(1e-8));
        assertThat(someBudgetBinds).as("the example is not a separable one").isTrue();
    }

    @Test
    void theProximalPointOfACustomerSolvesItsEquation() {
        ResourceAllocation.Customer customer = new ResourceAllocation.Customer(new double[] {5, 3, 9}, 0.7, 2.5);
        double[] point = {1, 4, -2};
        double[] proximal = new double[3];
        double[] gradient = new double[3];
        customer.prox(point, 0.4, proximal);
        customer.gradient(proximal, gradient);
        for (int c = 0; c < 3; c++) {
            assertThat(proximal[c] + 0.4 * gradient[c]).isCloseTo(point[c], within(1e-14));
        }
    }

    /** Steps of 1/(L + σ) along the gradient of the whole sum, until they stand still. */
    private static double[] byGradientDescent(GeneralProblem problem) {
        double smoothness = 0;
        for (LocalFunctions node : problem.nodes()) {
            smoothness += node.curvature() + node.sigma();
        }
        double[] theta = new double[problem.dimension()];
        for (int t = 0; t < 20_000; t++) {
            double[] gradient = new double[theta.length];
            for (LocalFunctions node : problem.nodes()) {
                node.addGradient(theta, gradient);
            }
            for (int c = 0; c < theta.length; c++) {
                theta[c] -= gradient[c] / smoothness;
            }
        }
        return theta;
    }
}
