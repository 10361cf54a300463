package dev.starling.lab.general;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;

/**
 * Sites that share resources agree on their prices by talking to neighbours only.
 *
 * <p>Site i can supply y of the resources at a cost of ‖y‖²/(2σ_i), and has customers j who gain aᵀx − (q/2)‖x‖² from
 * using x ≥ 0 with Σx ≤ budget. The prices θ at which what is wanted is what is supplied minimise Σ_i [ Σ_j f_ij(θ) +
 * (σ_i/2)‖θ‖² ], where f_ij(θ) = max over x of aᵀx − (q/2)‖x‖² − θᵀx is what the customer has left at these prices: no
 * linear model, but a function with a proximal operator. −∇f_ij(θ) is what the customer uses.
 */
public final class ResourceAllocation {

    private ResourceAllocation() {}

    /** What a customer has left at given prices. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Customer(double[] worth, double saturation, double budget) implements ProximalFunction {

        @Override
        public double value(double[] prices) {
            double[] used = used(prices, saturation);
            double sum = 0;
            for (int c = 0; c < used.length; c++) {
                sum += (worth[c] - prices[c]) * used[c] - saturation / 2 * used[c] * used[c];
            }
            return sum;
        }

        @Override
        public void gradient(double[] prices, double[] into) {
            double[] used = used(prices, saturation);
            for (int c = 0; c < used.length; c++) {
                into[c] = -used[c];
            }
        }

        /** θ = point + step·x, where x maximises aᵀx − (q/2)‖x‖² − θᵀx: the same maximum with q + step for q. */
        @Override
        public void prox(double[] point, double step, double[] into) {
            double[] used = used(point, saturation + step);
            for (int c = 0; c < used.length; c++) {
                into[c] = point[c] + step * used[c];
            }
        }

        @Override
        public double smoothness() {
            return 1 / saturation;
        }

        /** The projection of (a − θ)/q onto {x ≥ 0, Σx ≤ budget}. */
        double[] used(double[] prices, double curvature) {
            double[] wanted = new double[prices.length];
            Arrays.setAll(wanted, c -> (worth[c] - prices[c]) / curvature);
            double cut = Math.max(0, cutToBudget(wanted));
            Arrays.setAll(wanted, c -> Math.max(0, wanted[c] - cut));
            return wanted;
        }

        /** The cut at which Σ max(0, wanted − cut) is the budget. */
        private double cutToBudget(double[] wanted) {
            double[] sorted = wanted.clone();
            Arrays.sort(sorted);
            double sum = 0;
            double cut = Double.NEGATIVE_INFINITY;
            for (int k = 1; k <= sorted.length; k++) {
                double largest = sorted[sorted.length - k];
                sum += largest;
                if (largest > (sum - budget) / k) {
                    cut = (sum - budget) / k;
                }
            }
            return cut;
        }
    }

    /** Sites with customers of random tastes. */
    public static GeneralProblem sites(int sites, int customers, int resources, long seed) {
        UniformRandomProvider random = RandomSource.XO_SHI_RO_256_PP.create(seed);
        List<LocalFunctions> nodes = new ArrayList<>();
        for (int i = 0; i < sites; i++) {
            List<ProximalFunction> functions = new ArrayList<>();
            for (int j = 0; j < customers; j++) {
                double[] worth =
                        random.doubles(resources).map(share -> 10 * share).toArray();
                functions.add(new Customer(worth, 0.5 + 2 * random.nextDouble(), 1 + 4 * random.nextDouble()));
            }
            nodes.add(LocalFunctions.of(resources, functions, 0.5 + random.nextDouble()));
        }
        return new GeneralProblem(nodes);
    }
}
