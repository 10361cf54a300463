package dev.starling.lab.paper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.Dataset;
import dev.starling.support.Stored;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class TwoGaussiansTest {

    private static final int ROWS = 20_000;
    private static final int FEATURES = 5;

    private final Dataset rows = TwoGaussians.rows(ROWS, FEATURES, 3);

    @Test
    void theClassesHaveTheSameSizeAndNoPatternInTheirOrder() {
        assertThat(Arrays.stream(rows.labels()).sum()).isZero();
        double neighbours = 0;
        for (int r = 1; r < ROWS; r++) {
            neighbours += rows.label(r) * rows.label(r - 1);
        }
        // Five standard deviations of a sum of independent signs.
        assertThat(Math.abs(neighbours)).isLessThan(5 * Math.sqrt(ROWS));
    }

    @Test
    void theMeanOfAFeatureIsItsClassAndItsVarianceIsOne() {
        for (int c = 0; c < FEATURES; c++) {
            double mean = 0;
            double square = 0;
            for (int r = 0; r < ROWS; r++) {
                double towards = rows.label(r) * Stored.value(rows, r, c);
                mean += towards / ROWS;
                square += (towards - 1) * (towards - 1) / ROWS;
            }
            assertThat(mean).isCloseTo(1, within(5 / Math.sqrt(ROWS)));
            assertThat(square).isCloseTo(1, within(5 * Math.sqrt(2.0 / ROWS)));
        }
    }

    @Test
    void anotherSeedMakesOtherRows() {
        double[] values = Stored.values(TwoGaussians.rows(10, 2, 1));
        assertThat(values).isNotEqualTo(Stored.values(TwoGaussians.rows(10, 2, 2)));
        assertThat(values).isEqualTo(Stored.values(TwoGaussians.rows(10, 2, 1)));
    }
}
