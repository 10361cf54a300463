package dev.starling.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.cores.Cores;
import dev.starling.data.Dataset;
import dev.starling.loss.Squared;
import dev.starling.settings.Scaling;
import dev.starling.settings.Setting;
import dev.starling.settings.Settings;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class UnitsSizesTest {

    private static final int ROWS = 300_000;

    private static Units.Sizes onThreeThreads(Dataset rows, Settings settings) {
        return new Cores(3).call(() -> Units.Sizes.of(rows, settings));
    }

    private static double[] ones(int count) {
        double[] ones = new double[count];
        Arrays.fill(ones, 1);
        return ones;
    }

    @Test
    void aLargeNumberAnywhereAmongManyRowsIsFound() {
        for (int place : new int[] {0, 131_071, ROWS - 1}) {
            double[] values = ones(2 * ROWS);
            double[] labels = ones(ROWS);
            double[] weights = ones(ROWS);
            values[2 * place + 1] = -0x1p40;
            labels[place] = -0x1p50;
            weights[place] = 0x1p60;
            Dataset rows = Dataset.dense(2, values, labels).withWeights(weights);
            assertThat(onThreeThreads(rows, Settings.of(new Squared())))
                    .as("in row %s", place)
                    .isEqualTo(new Units.Sizes(60, 50, 40, 0));
        }
    }

    @Test
    void aSmallColumnOfManyRowsIsFoundWhereColumnsAreScaled() {
        double[] values = ones(2 * ROWS);
        for (int row = 0; row < ROWS; row++) {
            values[2 * row + 1] = row == ROWS - 2 ? 0x1p-30 : 0x1p-31;
        }
        Dataset rows = Dataset.dense(2, values, ones(ROWS));
        Settings scaled = Settings.of(new Squared()).with(Setting.SCALING, Scaling.STANDARDIZE);
        assertThat(onThreeThreads(rows, scaled)).isEqualTo(new Units.Sizes(0, 0, 0, -30));
    }
}
