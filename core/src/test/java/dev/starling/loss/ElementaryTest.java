package dev.starling.loss;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.function.DoubleUnaryOperator;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ElementaryTest {

    private final UniformRandomProvider random = RandomSource.XO_SHI_RO_256_PP.create(11);

    /** StrictMath is itself off by less than one unit, so two doubles within one unit each are at most two apart. */
    private void assertNear(DoubleUnaryOperator found, DoubleUnaryOperator strict, double from, double to) {
        double worst = 0;
        double where = 0;
        for (int i = 0; i < 1_000_000; i++) {
            double x = random.nextDouble(from, to);
            double truth = strict.applyAsDouble(x);
            double error = Math.abs(found.applyAsDouble(x) - truth) / Math.ulp(truth);
            if (!(error <= worst)) {
                worst = error;
                where = x;
            }
        }
        assertThat(worst).as("units in the last place at %s", where).isLessThanOrEqualTo(1);
    }

    @Test
    void agreesWithStrictExpEverywhere() {
        assertNear(Elementary::exp, StrictMath::exp, -746, 709.7);
        assertNear(Elementary::exp, StrictMath::exp, -1, 1);
        assertNear(Elementary::exp, StrictMath::exp, -40, 0);
        assertNear(Elementary::exp, StrictMath::exp, -746, -706);
        assertNear(Elementary::exp, StrictMath::exp, 706, 709.782);
    }

    @Test
    void agreesWithStrictLogEverywhere() {
        assertNear(Elementary::log, StrictMath::log, 0, 2);
        assertNear(Elementary::log, StrictMath::log, 0.99, 1.01);
        assertNear(Elementary::log, StrictMath::log, 0, 1e-308);
        assertNear(Elementary::log, StrictMath::log, 0, Double.MAX_VALUE);
        assertNear(Elementary::log1p, StrictMath::log1p, -1, 1);
        assertNear(Elementary::log1p, StrictMath::log1p, -1e-5, 1e-5);
        assertNear(Elementary::log1p, StrictMath::log1p, 0.3, 50);
        assertNear(Elementary::log1p, StrictMath::log1p, 0, 1e17);
    }

    @Test
    void agreesWithStrictExpm1Everywhere() {
        assertNear(Elementary::expm1, StrictMath::expm1, -0.3, 0.3);
        assertNear(Elementary::expm1, StrictMath::expm1, -1e-6, 1e-6);
        assertNear(Elementary::expm1, StrictMath::expm1, -2, 2);
        assertNear(Elementary::expm1, StrictMath::expm1, -45, 0);
        assertNear(Elementary::expm1, StrictMath::expm1, 0, 45);
        assertNear(Elementary::expm1, StrictMath::expm1, -746, 709.7);
    }

    @ParameterizedTest
    @CsvSource({"2000, -0.3, 0.3", "1000, -1e-9, 1e-9", "2000, -5, 5", "1000, -60, 60", "500, -700, 709"})
    void exponentialsWithoutTheirFirstTermsAreWithinUnitsOfTheTrueValue(int count, double from, double to) {
        for (int i = 0; i < count; i++) {
            double x = random.nextDouble(from, to);
            BigDecimal less = Exact.expm1(Exact.of(x));
            assertThat(Exact.ulps(Elementary.expm1(x), less)).as("expm1(%s)", x).isLessThan(0.85);
            assertThat(Exact.ulps(Elementary.expm2(x), less.subtract(Exact.of(x))))
                    .as("expm2(%s)", x)
                    .isLessThan(4);
        }
    }

    /** Below −708 it is subnormal. */
    @ParameterizedTest
    @CsvSource({"2000, -708, 709, 0.52", "500, -745, -708, 1"})
    void expIsWithinOneUlpOfTheTrueValue(int count, double from, double to, double units) {
        for (int i = 0; i < count; i++) {
            double x = random.nextDouble(from, to);
            assertThat(Exact.ulps(Elementary.exp(x), Exact.exp(Exact.of(x))))
                    .as("exp(%s)", x)
                    .isLessThan(units);
        }
    }

    @Test
    void logIsWithinOneUlpOfTheTrueValue() {
        for (int i = 0; i < 1000; i++) {
            double x = Math.scalb(random.nextDouble(0.5, 1), random.nextInt(-40, 40));
            assertThat(Exact.ulps(Elementary.log(x), Exact.log(Exact.of(x))))
                    .as("log(%s)", x)
                    .isLessThan(1);
            BigDecimal shifted = BigDecimal.ONE.add(Exact.of(x));
            assertThat(Exact.ulps(Elementary.log1p(x), Exact.log(shifted)))
                    .as("log1p(%s)", x)
                    .isLessThan(1);
        }
    }

    @Test
    void sigmoidAndSoftplusAreWithinTwoUlpsOfTheTrueValues() {
        for (int i = 0; i < 1000; i++) {
            double x = random.nextDouble(-60, 60);
            BigDecimal e = Exact.exp(Exact.of(x));
            BigDecimal onePlus = BigDecimal.ONE.add(e);
            assertThat(Exact.ulps(Elementary.sigmoid(x), e.divide(onePlus, Exact.DIGITS)))
                    .as("sigmoid(%s)", x)
                    .isLessThan(2);
            assertThat(Exact.ulps(Elementary.softplus(x), Exact.log(onePlus)))
                    .as("softplus(%s)", x)
                    .isLessThan(2);
        }
    }

    @Test
    void treatsTheEndsOfTheRangeAsIeeeDoes() {
        assertThat(Elementary.exp(0)).isEqualTo(1);
        assertThat(Elementary.exp(-0.0)).isEqualTo(1);
        assertThat(Elementary.exp(709.782712893384)).isEqualTo(1.7976931348622732E308);
        assertThat(Elementary.exp(709.7827128933841)).isInfinite();
        assertThat(Elementary.exp(1e300)).isInfinite();
        assertThat(Elementary.exp(-745.13)).isEqualTo(Double.MIN_VALUE);
        assertThat(Elementary.exp(-745.14)).isZero();
        assertThat(Elementary.exp(-1e300)).isZero();
        assertThat(Elementary.exp(Double.NEGATIVE_INFINITY)).isZero();
        assertThat(Elementary.exp(Double.POSITIVE_INFINITY)).isInfinite();
        assertThat(Elementary.exp(Double.NaN)).isNaN();
        assertThat(Elementary.expm1(-0.0)).isEqualTo(-0.0);
        assertThat(Elementary.expm1(Double.MIN_VALUE)).isEqualTo(Double.MIN_VALUE);
        assertThat(Elementary.expm1(1e300)).isInfinite();
        assertThat(Elementary.expm1(-1e300)).isEqualTo(-1);
        assertThat(Elementary.expm1(Double.NEGATIVE_INFINITY)).isEqualTo(-1);
        assertThat(Elementary.expm1(Double.NaN)).isNaN();
        assertThat(Elementary.expm2(0)).isZero();
        assertThat(Elementary.expm2(-1e300)).isEqualTo(1e300);
        assertThat(Elementary.expm2(800)).isInfinite();
        assertThat(Elementary.expm2(Double.NaN)).isNaN();
        assertThat(Elementary.log(0)).isEqualTo(Double.NEGATIVE_INFINITY);
        assertThat(Elementary.log(-1)).isNaN();
        assertThat(Elementary.log(1)).isZero();
        assertThat(Elementary.log(Double.MIN_VALUE)).isEqualTo(StrictMath.log(Double.MIN_VALUE));
        assertThat(Elementary.log(Double.POSITIVE_INFINITY)).isEqualTo(Double.POSITIVE_INFINITY);
        assertThat(Elementary.log(Double.NaN)).isNaN();
        assertThat(Elementary.log1p(-1)).isEqualTo(Double.NEGATIVE_INFINITY);
        assertThat(Elementary.log1p(-1.5)).isNaN();
        assertThat(Elementary.log1p(1e-300)).isEqualTo(1e-300);
        assertThat(Elementary.log1p(Double.NaN)).isNaN();
        assertThat(Elementary.sigmoid(-1e300)).isZero();
        assertThat(Elementary.sigmoid(1e300)).isEqualTo(1);
        assertThat(Elementary.softplus(1e300)).isEqualTo(1e300);
        assertThat(Elementary.softplus(-1e300)).isZero();
        assertThat(Elementary.softplus(Double.NaN)).isNaN();
    }
}
