package dev.starling.cli.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Random;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Double-double arithmetic beside BigDecimal's, with 60 digits. */
class DoubleDoubleTest {

    private static final MathContext DIGITS = new MathContext(60);
    private static final int VALUES = 5_000;

    private final Random random = new Random(7);

    /** A number with a rest, of a size between 2⁻⁴⁰ and 2⁴⁰. */
    private DoubleDouble any() {
        double high = Math.scalb(random.nextDouble() - 0.5, random.nextInt(81) - 40);
        return DoubleDouble.sum(high, (random.nextDouble() - 0.5) * Math.ulp(high));
    }

    private static void assertNear(DoubleDouble actual, BigDecimal expected, double relative) {
        BigDecimal allowed = expected.abs().multiply(new BigDecimal(relative));
        assertThat(actual.exact().subtract(expected).abs()).isLessThanOrEqualTo(allowed);
    }

    private void agree(BinaryOperator<DoubleDouble> ours, BinaryOperator<BigDecimal> exact, double relative) {
        for (int k = 0; k < VALUES; k++) {
            DoubleDouble a = any();
            DoubleDouble b = any();
            assertNear(ours.apply(a, b), exact.apply(a.exact(), b.exact()), relative);
        }
    }

    @Test
    void sumsOfTwoDoublesAndTheirProductsAreExact() {
        for (int k = 0; k < VALUES; k++) {
            double a = any().high();
            double b = any().high();
            assertThat(DoubleDouble.sum(a, b).exact()).isEqualByComparingTo(new BigDecimal(a).add(new BigDecimal(b)));
            assertThat(DoubleDouble.product(a, b).exact())
                    .isEqualByComparingTo(new BigDecimal(a).multiply(new BigDecimal(b)));
        }
    }

    @Test
    void sumsDifferencesProductsAndQuotientsHaveTwiceADoublesDigits() {
        agree(DoubleDouble::plus, BigDecimal::add, 0x1p-103);
        agree(DoubleDouble::minus, BigDecimal::subtract, 0x1p-103);
        agree(DoubleDouble::times, BigDecimal::multiply, 0x1p-102);
        agree(DoubleDouble::over, (a, b) -> a.divide(b, DIGITS), 0x1p-101);
        agree(
                (a, b) -> a.times(b.high()).plus(b.low()),
                (a, b) -> {
                    BigDecimal high = new BigDecimal(b.doubleValue());
                    return a.multiply(high).add(b.subtract(high));
                },
                0x1p-101);
    }

    private void agree(UnaryOperator<DoubleDouble> ours, UnaryOperator<BigDecimal> exact, double largest, double off) {
        for (int k = 0; k < VALUES / 10; k++) {
            DoubleDouble x = any();
            if (x.abs().high() < largest) {
                assertNear(ours.apply(x), exact.apply(x.exact()), off);
            }
        }
    }

    @Test
    void rootsExponentialsAndLogarithmsHaveThirtyDigits() {
        agree(x -> x.abs().sqrt(), x -> x.abs().sqrt(DIGITS), Double.MAX_VALUE, 0x1p-101);
        agree(DoubleDouble::exp, DoubleDoubleTest::exp, 700, 1e-29);
        // The logarithm is tested by what it inverts; x may be next to 1, where only log1p has a relative error.
        agree(x -> x.abs().log().exp(), BigDecimal::abs, Double.MAX_VALUE, 1e-29);
        agree(x -> x.abs().log1p(), x -> log1p(x.abs()), 0.2, 1e-29);
        agree(x -> x.abs().negated().log1p(), x -> log1p(x.abs().negate()), 0.2, 1e-29);
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
        assertThat(DoubleDouble.of(-1000).exp()).isEqualTo(DoubleDouble.ZERO);
        assertThat(DoubleDouble.of(1000).exp().high()).isEqualTo(Double.POSITIVE_INFINITY);
        assertThat(DoubleDouble.ZERO.sqrt()).isEqualTo(DoubleDouble.ZERO);
        assertThat(DoubleDouble.ZERO.exp()).isEqualTo(DoubleDouble.ONE);
        assertThat(DoubleDouble.ONE.log().high()).isZero();
    }
}
