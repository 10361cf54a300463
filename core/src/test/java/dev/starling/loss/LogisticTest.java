package dev.starling.loss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogisticTest {

    private final Logistic loss = new Logistic();
    private final UniformRandomProvider random = RandomSource.XO_SHI_RO_256_PP.create(5);

    /** p solving μ − b p = t to 40 digits or so, by Newton's method from a double that is nearly right. */
    private static BigDecimal exactTail(double signedPoint, double step, double nearlyRight) {
        BigDecimal b = Exact.of(step);
        BigDecimal margin = Exact.of(nearlyRight);
        BigDecimal p = BigDecimal.ZERO;
        for (int i = 0; i < 4; i++) {
            p = BigDecimal.ONE.divide(BigDecimal.ONE.add(Exact.exp(margin)), Exact.DIGITS);
            BigDecimal residual = margin.subtract(b.multiply(p)).subtract(Exact.of(signedPoint));
            BigDecimal slope = BigDecimal.ONE.add(b.multiply(p).multiply(BigDecimal.ONE.subtract(p)));
            margin = margin.subtract(residual.divide(slope, Exact.DIGITS));
        }
        return p;
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 1e-9, 0.01, 1, 4, 30, 1e3, 1e5, 1e8})
    void solvesTheProximalEquationToThirteenDigitsFromAnyStart(double step) {
        for (int i = 0; i < 400; i++) {
            double label = random.nextBoolean() ? 1 : -1;
            double margin = (i % 4 == 0 ? 300 : i % 4 == 1 ? 30 : 3) * random.nextDouble(-1, 1);
            double point = margin + step * loss.derivative(margin, label);
            double scale = new double[] {1e-7, 3e-4, 2e-3, 0.1, 0.7, 5, 1e3, 1e6}[i % 8];
            double start = margin + scale * random.nextDouble(-1, 1);
            BigDecimal truth = exactTail(label * point, step, label * loss.prox(point, step, label, margin));
            double nearSlope = (float) loss.derivative((float) start, label);
            double anySlope = -label * random.nextDouble();
            double[] found = {
                loss.proxSlope(point, step, label, start),
                loss.proxSlope(point, step, label, (float) start, nearSlope),
                loss.proxSlope(point, step, label, start, anySlope)
            };
            for (double slope : found) {
                BigDecimal error =
                        Exact.of(-label * slope).subtract(truth).abs().divide(truth, Exact.DIGITS);
                assertThat(error.doubleValue())
                        .as("relative error at point %s, step %s, label %s, start %s", point, step, label, start)
                        .isLessThan(2e-15);
            }
        }
    }

    @Test
    void keepsTheSmallTailWithAHugeStep() {
        for (double offset : new double[] {-50, -3, 0, 3, 50}) {
            double step = 1e8;
            double found = -loss.proxSlope(offset, step, 1, 0);
            BigDecimal truth = exactTail(offset, step, loss.prox(offset, step, 1, 0));
            assertThat(Exact.of(found)
                            .subtract(truth)
                            .abs()
                            .divide(truth, Exact.DIGITS)
                            .doubleValue())
                    .as("relative error at %s", offset)
                    .isLessThan(2e-15);
        }
    }

    @Test
    void isTheMirrorImageForTheOtherLabel() {
        for (int i = 0; i < 10_000; i++) {
            double point = random.nextDouble(-20, 20);
            double step = random.nextDouble(0, 40);
            double start = random.nextDouble(-20, 20);
            assertThat(loss.proxSlope(-point, step, -1, -start)).isEqualTo(-loss.proxSlope(point, step, 1, start));
        }
    }

    @Test
    void endsAtOnceOnNotANumber() {
        assertThat(loss.proxSlope(Double.NaN, 1, 1, 0)).isNaN();
        assertThat(loss.proxSlope(Double.NaN, 1, 1, 0, -0.5)).isNaN();
        double slope = loss.proxSlope(1, 1, 1, 1);
        assertThat(loss.proxSlope(1, 1, 1, Double.NaN)).isCloseTo(slope, within(1e-15));
        assertThat(loss.proxSlope(1, 1, 1, 1, Double.NaN)).isCloseTo(slope, within(1e-15));
    }

    @Test
    void hasTheExactConjugateAtTheEndsAndTheMiddle() {
        assertThat(loss.conjugate(0, 1)).isZero();
        assertThat(loss.conjugate(-1, 1)).isZero();
        assertThat(loss.conjugate(-0.5, 1)).isEqualTo(-StrictMath.log(2));
        assertThat(loss.conjugate(1e-300, -1)).isEqualTo(1e-300 * (StrictMath.log(1e-300) - 1));
        assertThat(loss.conjugate(0.1, 1)).isInfinite();
    }
}
