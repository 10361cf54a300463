package dev.starling.peer.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** How much sums depend on one row, at points so far away that slopes differ by many orders of magnitude. */
class LeverageTest {

    private static double[] column(double size, double[] common, Random random) {
        double[] column = new double[common.length];
        Arrays.setAll(column, j -> size * (common[j] + 1e-3 * random.nextGaussian()));
        return column;
    }

    /**
     * For counts, the first step of Newton's method may lead where slopes are e^70, and every further step divides all
     * of them by e: nearly the same column again and again, which tells no more each time.
     */
    @Test
    void roundingOfLargeSlopesDoesNotLookLikeARow() {
        Random random = new Random(3);
        double[] counts = random.doubles(18, 10, 70).toArray();
        double[] far = random.doubles(18, 15, 40).map(Math::exp).toArray();
        Leverage leverage = new Leverage(18, 100);
        leverage.with(Arrays.stream(counts).map(count -> 1 - count).toArray());
        leverage.add();
        for (int step = 0; step < 30; step++) {
            double part = Math.exp(-step);
            double[] column = new double[18];
            Arrays.setAll(column, j -> part * far[j] - counts[j]);
            assertThat(leverage.with(column)).as("step " + step).isBetween(0.0, 1.001);
            leverage.add();
        }
    }

    @Test
    void aRowThatStandsOutAtALargePointIsStillNoticed() {
        Random random = new Random(4);
        double[] common = random.doubles(60, 1, 2).toArray();
        Leverage leverage = new Leverage(60, 100);
        leverage.with(column(1, common, random));
        leverage.add();
        leverage.with(column(1e30, common, random));
        leverage.add();
        double[] alone = column(1e24, common, random);
        alone[17] = 1e30;

        assertThat(leverage.with(alone)).isGreaterThan(0.95);
    }
}
