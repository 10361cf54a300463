package dev.starling.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Words against whole numbers of any length. */
class SumWordsTest {

    private static final BigInteger MODULUS = BigInteger.ONE.shiftLeft(192);
    private static final BigDecimal UNITS = new BigDecimal(BigInteger.ONE.shiftLeft(96));

    private static BigInteger word(double[] words, int at) {
        BigInteger word = BigInteger.ZERO;
        for (int k = 3; k >= 0; k--) {
            assertThat(words[at + k]).isBetween(0.0, 0x1p48 - 1);
            word = word.shiftLeft(48).add(BigInteger.valueOf((long) words[at + k]));
        }
        return word;
    }

    private static BigInteger exact(double number) {
        return new BigDecimal(number)
                .multiply(UNITS)
                .setScale(0, RoundingMode.HALF_EVEN)
                .toBigInteger();
    }

    private static double nearest(BigInteger sum) {
        return new BigDecimal(sum).divide(UNITS).doubleValue();
    }

    private static double random(Random random) {
        double sign = random.nextBoolean() ? 1 : -1;
        return sign * Math.scalb(1 + random.nextDouble(), random.nextInt(230) - 152);
    }

    @ParameterizedTest
    @ValueSource(
            doubles = {
                0,
                -0.0,
                1,
                -1,
                0x1p-96,
                0x1p-97,
                0x1.8p-96,
                -0x1.8p-96,
                0x1p-98,
                0x1.000001p-97,
                -0x1.000001p-97,
                Double.MIN_VALUE,
                Double.MIN_NORMAL,
                0x1.fffffffffffffp78,
                -0x1.fffffffffffffp78,
                0x1.fffffffffffffp-44,
                0x1.fffffffffffffp-45,
                0.1,
                -1e-20
            })
    void aNumberIsTheNearestMultiple(double number) {
        double[] words = new double[SumWords.LIMBS];
        SumWords.encode(number, words, 0);
        assertThat(word(words, 0)).isEqualTo(exact(number).mod(MODULUS));
        assertThat(SumWords.decode(words, 0)).isEqualTo(nearest(exact(number)));
        assertThat(SumWords.nearest(number)).isEqualTo(nearest(exact(number)));
        assertThat(SumWords.up(Math.abs(number))).isGreaterThanOrEqualTo(Math.abs(number));
        assertThat(exact(SumWords.up(Math.abs(number)))).isGreaterThanOrEqualTo(exact(Math.abs(number)));
    }

    @Test
    void randomNumbersAndTheirSumsAreThoseOfWholeNumbers() {
        Random random = new Random(5);
        for (int trial = 0; trial < 5_000; trial++) {
            int count = 1 + random.nextInt(6);
            double[][] addends = new double[count][2];
            double[] sum = new double[SumWords.LIMBS];
            BigInteger expected = BigInteger.ZERO;
            for (double[] addend : addends) {
                addend[1] = random(random);
                if (trial % 3 == 0 && addends[0][1] != 0) {
                    addend[1] = -addends[0][1] * (random.nextBoolean() ? 1 : 1 + 0x1p-52 * random.nextInt(3));
                }
                double[] word = new double[SumWords.LIMBS];
                SumWords.encode(addend[1], word, 0);
                assertThat(word(word, 0)).isEqualTo(exact(addend[1]).mod(MODULUS));
                SumWords.add(sum, word, 0, SumWords.LIMBS);
                expected = expected.add(exact(addend[1]));
            }
            assertThat(word(sum, 0)).isEqualTo(expected.mod(MODULUS));
            assertThat(SumWords.decode(sum, 0)).isEqualTo(nearest(expected));
            double[] together = ExactSum.of(addends, 1, 2);
            assertThat(together[0]).isZero();
            assertThat(Double.doubleToRawLongBits(together[1]))
                    .isEqualTo(Double.doubleToRawLongBits(SumWords.decode(sum, 0)));
        }
    }

    /** Sums that are a tie, or a hair from one, between two doubles. */
    @Test
    void tiesAreRoundedOnce() {
        double[][] ties = {
            {1, 0x1p-53},
            {1, 0x1p-53, 0x1p-96},
            {1, 0x1p-53, -0x1p-96},
            {1, 0x1.8p-53, 0x1p-54, 0x1p-54, -0x1p-96},
            {0x1p78, 0x1p25, 0x1p-96},
            {0x1p78, 0x1p25, -0x1p-96},
            {-1, -0x1p-53, -0x1p-96},
            {3, 0x1p-52, 0x1p-96, -0x1p-96}
        };
        for (double[] tie : ties) {
            double[][] addends =
                    Arrays.stream(tie).mapToObj(x -> new double[] {x}).toArray(double[][]::new);
            BigInteger sum = Arrays.stream(tie).mapToObj(SumWordsTest::exact).reduce(BigInteger.ZERO, BigInteger::add);
            assertThat(ExactSum.of(addends, 0, 1)[0]).as(Arrays.toString(tie)).isEqualTo(nearest(sum));
        }
    }

    @Test
    void theMostAndLargestAddendsDoNotWrap() {
        double largest = Math.nextDown(SumWords.TOO_LARGE);
        double[] word = new double[SumWords.LIMBS];
        SumWords.encode(-largest, word, 0);
        double[] sum = new double[SumWords.LIMBS];
        for (int k = 0; k < SumWords.MOST_ADDENDS; k++) {
            SumWords.add(sum, word, 0, SumWords.LIMBS);
        }
        assertThat(SumWords.decode(sum, 0))
                .isEqualTo(nearest(exact(-largest).multiply(BigInteger.valueOf(SumWords.MOST_ADDENDS))));
        double[] numbers = {SumWords.TOO_LARGE, largest, -largest, 0, Double.NaN};
        assertThat(SumWords.haveWords(numbers, 1, 4)).isTrue();
        assertThat(SumWords.haveWords(numbers, 0, 4)).isFalse();
        assertThat(SumWords.haveWords(numbers, 1, 5)).isFalse();
    }

    @Test
    void subtractingAnAddedMaskRestoresTheSum() {
        Random random = new Random(7);
        double[] sum = new double[SumWords.LIMBS];
        SumWords.encode(-12.5, sum, 0);
        double[] before = sum.clone();
        double[] mask = random.doubles(4, 0, 0x1p48).map(Math::floor).toArray();
        SumWords.add(sum, mask, 0, SumWords.LIMBS);
        assertThat(sum).isNotEqualTo(before);
        SumWords.subtract(sum, mask, 0, SumWords.LIMBS);
        assertThat(sum).isEqualTo(before);
    }

    @Test
    void onlyWholeNumbersOfFortyEightBitsAreLimbs() {
        assertThat(SumWords.areWords(new double[] {9, 0, 1, 2, 0x1p48 - 1}, 1, 5))
                .isTrue();
        for (double wrong : new double[] {-1, 0.5, 0x1p48, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThat(SumWords.areWords(new double[] {0, 1, 2, wrong}, 0, 4)).isFalse();
        }
        assertThat(SumWords.areWords(new double[3], 0, 3)).isFalse();
    }
}
