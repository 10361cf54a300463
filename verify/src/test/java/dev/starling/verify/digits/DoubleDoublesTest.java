package dev.starling.verify.digits;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Random;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;
import org.apache.commons.numbers.core.DD;
import org.junit.jupiter.api.Test;

/** DoubleDoubles and logarithms of double-doubles, and the arithmetic they use, beside BigDecimal's with 60 digits. */
class DoubleDoublesTest {

    private static final MathContext DIGITS = new MathContext(60);
    private static final int VALUES = 5_000;

    private final Random random = new Random(7);

    /** A number with a rest, of a size between 2⁻⁴⁰ and 2⁴⁰. */
    private DD any() {
        double high = Math.scalb(random.nextDouble() - 0.5, random.nextInt(81) - 40);
        return DD.ofSum(high, (random.nextDouble() - 0.5) * Math.ulp(high));
    }

    private static void assertNear(DD actual, BigDecimal expected, double relative) {
        BigDecimal allowed = expected.abs().multiply(new BigDecimal(relative));
        assertThat(actual.bigDecimalValue().subtract(expected).abs()).isLessThanOrEqualTo(allowed);
    }

    private void agree(BinaryOperator<DD> ours, BinaryOperator<BigDecimal> exact, double relative) {
        for (int k = 0; k < VALUES; k++) {
            DD a = any();
            DD b = any();
            assertNear(ours.apply(a, b), exact.apply(a.bigDecimalValue(), b.bigDecimalValue()), relative);
        }
    }

    @Test
    void sumsOfTwoDoublesAndTheirProductsAreExact() {
        for (int k = 0; k < VALUES; k++) {
            double a = any().hi();
            double b = any().hi();
            assertThat(DD.ofSum(a, b).bigDecimalValue()).isEqualByComparingTo(new BigDecimal(a).add(new BigDecimal(b)));
            assertThat(DD.ofProduct(a, b).bigDecimalValue())
                    .isEqualByComparingTo(new BigDecimal(a).multiply(new BigDecimal(b)));
        }
    }

    @Test
    void sumsDifferencesProductsAndQuotientsHaveTwiceADoublesDigits() {
        agree(DD::add, BigDecimal::add, 0x1p-103);
        agree(DD::subtract, BigDecimal::subtract, 0x1p-103);
        agree(DD::multiply, BigDecimal::multiply, 0x1p-102);
        agree(DD::divide, (a, b) -> a.divide(b, DIGITS), 0x1p-101);
        agree(
                (a, b) -> a.multiply(b.hi()).add(b.lo()),
                (a, b) -> {
                    BigDecimal high = new BigDecimal(b.doubleValue());
                    return a.multiply(high).add(b.subtract(high));
                },
                0x1p-101);
    }

    private void agree(UnaryOperator<DD> ours, UnaryOperator<BigDecimal> exact, double largest, double off) {
        for (int k = 0; k < VALUES / 10; k++) {
            DD x = any();
            if (x.abs().hi() < largest) {
                assertNear(ours.apply(x), exact.apply(x.bigDecimalValue()), off);
            }
        }
    }

    @Test
    void rootsExponentialsAndLogarithmsHaveThirtyDigits() {
        agree(x -> x.abs().sqrt(), x -> x.abs().sqrt(DIGITS), Double.MAX_VALUE, 0x1p-101);
        agree(DoubleDoubles::exp, DoubleDoublesTest::exp, 700, 1e-29);
        // The logarithm is tested by what it inverts; x may be next to 1, where only log1p has a relative error.
        agree(x -> DoubleDoubles.exp(DoubleDoubles.log(x.abs())), BigDecimal::abs, Double.MAX_VALUE, 1e-29);
        agree(x -> DoubleDoubles.log1p(x.abs()), x -> log1p(x.abs()), 0.2, 1e-29);
        agree(x -> DoubleDoubles.log1p(x.abs().negate()), x -> log1p(x.abs().negate()), 0.2, 1e-29);
    }

    private static BigDecimal exp(BigDecimal x) {
        BigDecimal reduced = x.divide(new BigDecimal(1 << 20), new MathContext(90));
        BigDecimal sum = BigDecimal.ONE;
        BigDecimal term = BigDecimal.ONE;
        for (int k = 1; k < 40; k++) {
            term = term.multiply(reduced).divide(new BigDecimal(k), new MathContext(90));
            sum = sum.add(term);
        }
        for (int k = 0; k < 20; k++) {
            sum = sum.multiply(sum, new MathContext(90));
        }
        return sum;
    }

    private static BigDecimal log1p(BigDecimal x) {
        BigDecimal sum = BigDecimal.ZERO;
        BigDecimal power = BigDecimal.ONE;
        for (int k = 1; k < 90; k++) {
            power = power.multiply(x, DIGITS).negate();
            sum = sum.subtract(power.divide(new BigDecimal(k), DIGITS));
        }
        return sum;
    }

    @Test
    void overflowAndUnderflowAreThoseOfDoubles() {
        assertThat(DoubleDoubles.exp(DD.of(-1000))).isEqualTo(DD.ZERO);
        assertThat(DoubleDoubles.exp(DD.of(1000)).hi()).isEqualTo(Double.POSITIVE_INFINITY);
        assertThat(DD.ZERO.sqrt()).isEqualTo(DD.ZERO);
        assertThat(DoubleDoubles.exp(DD.ZERO)).isEqualTo(DD.ONE);
        assertThat(DoubleDoubles.log(DD.ONE).hi()).isZero();
    }
}
