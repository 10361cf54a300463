package dev.starling.lab.baseline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.lab.baseline.node.FastMix;
import dev.starling.lab.baseline.node.Gossip;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FastMixTest {

    @ParameterizedTest
    @CsvSource({"1, 1e-3", "0.9, 1e-3", "0.5, 1e-2", "0.5, 1e-6", "0.05, 0.1", "0.05, 1e-4", "0.001, 1e-3"})
    void distancesFromTheMeanShrinkAsAskedWithinThreeRoundsOfTheFewest(double gap, double contraction) {
        Gossip gossip = new Gossip(gap, 1);
        FastMix mix = FastMix.of(gossip, contraction);

        assertThat(worst(mix, gap, mix.rounds())).isLessThanOrEqualTo(contraction);
        if (mix.rounds() > 3) {
            assertThat(worst(mix, gap, mix.rounds() - 3)).isGreaterThan(contraction);
        }
    }

    /** The largest that one of 2000 eigenvalues of L between γλ_max and λ_max leaves of 1. */
    private static double worst(FastMix mix, double gap, int rounds) {
        double worst = 0;
        for (int k = 0; k <= 2000; k++) {
            double eigenvalue = gap + (1 - gap) * k / 2000;
            double[] present = {1};
            double[] previous = {1};
            for (int round = 0; round < rounds; round++) {
                mix.step(round, present, previous, new double[] {eigenvalue * present[0]});
            }
            worst = Math.max(worst, Math.abs(present[0]));
        }
        return worst;
    }
}
