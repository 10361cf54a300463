package dev.starling.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Vector arithmetic compared with exact decimals, at lengths around those of the unrolled loops. */
class VectorsTest {

    private static double[] random(int length, long seed) {
        return new Random(seed).doubles(length, -1, 1).toArray();
    }

    private static double exactDot(double[] x, double[] y, int from, int to) {
        BigDecimal sum = BigDecimal.ZERO;
        for (int k = from; k < to; k++) {
            sum = sum.add(new BigDecimal(x[k]).multiply(new BigDecimal(y[k])));
        }
        return sum.doubleValue();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 13, 207})
    void scalarProductsAndSumsCoverEveryEntryOnce(int length) {
        double[] x = random(length, 1);
        double[] y = random(length, 2);
        double[] ones = new double[length];
        Arrays.fill(ones, 1);
        assertThat(Vectors.dot(x, y)).isCloseTo(exactDot(x, y, 0, length), within(1e-13));
        assertThat(Vectors.dotInTurn(x, y, length)).isCloseTo(exactDot(x, y, 0, length), within(1e-13));
        assertThat(Vectors.norm(x)).isCloseTo(Math.sqrt(exactDot(x, x, 0, length)), within(1e-13));
        assertThat(Vectors.sum(x)).isCloseTo(exactDot(x, ones, 0, length), within(1e-13));
        int part = length / 2;
        assertThat(Vectors.dot(x, part, y, part, length - part)).isCloseTo(exactDot(x, y, part, length), within(1e-13));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 5})
    void addsAndScalesInPlace(int length) {
        double[] target = random(length, 3);
        double[] before = target.clone();
        double[] x = random(length, 4);
        Vectors.add(target, -0.5, x);
        Vectors.scale(target, 4);
        for (int k = 0; k < length; k++) {
            assertThat(target[k]).isCloseTo(4 * (before[k] - x[k] / 2), within(1e-14));
        }
    }
}
