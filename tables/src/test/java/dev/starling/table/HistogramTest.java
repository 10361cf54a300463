package dev.starling.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HistogramTest {

    @Test
    void fewWholeNumbersHaveABinEach() {
        Histogram histogram = Histogram.of(new double[] {-1, 0, 0, 2, 2, 2}, 24);
        assertThat(histogram.counts()).containsExactly(1, 2, 0, 3);
        assertThat(histogram.low()).isEqualTo(-1.5);
        assertThat(histogram.width()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 24, 25, 47, 48, 100, 1001})
    void evenlySpreadWholeNumbersFillAllBinsButTheLastAlike(int count) {
        double[] numbers = IntStream.range(0, count).mapToDouble(i -> 7 + i).toArray();
        long[] counts = Histogram.of(numbers, 24).counts();
        assertThat(Arrays.stream(counts).sum()).isEqualTo(count);
        assertThat(counts).hasSizeLessThanOrEqualTo(24);
        assertThat(Arrays.stream(counts, 0, counts.length - 1).distinct().count())
                .isLessThanOrEqualTo(1);
    }

    @Test
    void otherNumbersAreCountedBetweenTheSmallestAndTheLargest() {
        Histogram histogram = Histogram.of(new double[] {0.5, 1, 1.1, 2.5}, 4);
        assertThat(histogram.counts()).containsExactly(1, 2, 0, 1);
        assertThat(Histogram.of(new double[] {0.5, 0.5}, 4).counts()).containsExactly(2);
        assertThat(Arrays.stream(Histogram.of(new double[] {-1e300, 0, 1e18}, 4).counts())
                        .sum())
                .isEqualTo(3);
    }
}
