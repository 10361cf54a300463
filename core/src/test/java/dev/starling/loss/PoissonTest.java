package dev.starling.loss;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.Dataset;
import java.math.BigDecimal;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Half the unit deviance of counts, beside its definition in 50 digits. */
class PoissonTest {

    private static final Poisson POISSON = new Poisson();

    /** The margin minus ln y is rounded, to which the loss is as sensitive as its slope says. */
    @ParameterizedTest
    @ValueSource(doubles = {0, 1, 2, 7, 100, 12_345, 2e7})
    void valueAndSlopeAreThoseOfTheDefinition(double count) {
        Random random = new Random((long) count);
        for (int k = 0; k < 300; k++) {
            double spread = k % 3 == 0 ? 1e-4 : k % 3 == 1 ? 1 : 12;
            double margin = POISSON.labelSize(count) + spread * random.nextGaussian();
            BigDecimal mean = Exact.exp(Exact.of(margin));
            BigDecimal y = Exact.of(count);
            BigDecimal slope = mean.subtract(y);
            BigDecimal value = count == 0
                    ? mean
                    : slope.subtract(y.multiply(Exact.of(margin).subtract(Exact.log(y))));
            double reach = 4 * 0x1p-53 * (Math.abs(margin) + POISSON.labelSize(count));
            double room = 8 * 0x1p-53;
            assertThat(POISSON.value(margin, count))
                    .isCloseTo(
                            value.doubleValue(),
                            within(room * value.doubleValue()
                                    + reach * Math.abs(slope.doubleValue())
                                    + reach * reach * mean.doubleValue()));
            assertThat(POISSON.derivative(margin, count))
                    .isCloseTo(
                            slope.doubleValue(),
                            within(room * Math.abs(slope.doubleValue()) + reach * mean.doubleValue()));
            assertThat(POISSON.curvature(margin, count))
                    .isCloseTo(mean.doubleValue(), within(room * mean.doubleValue()));
        }
    }

    @Test
    void isZeroAtTheLogarithmOfTheCountAndNowhereNegative() {
        Random random = new Random(3);
        for (int count = 1; count < 200; count++) {
            assertThat(POISSON.value(Elementary.log(count), count)).isZero();
            assertThat(POISSON.derivative(Elementary.log(count), count)).isZero();
            assertThat(POISSON.value(20 * random.nextGaussian(), count)).isNotNegative();
        }
    }

    /** s u ≤ ℓ(u) + ℓ*(s), with equality where s is the slope at u. */
    @Test
    void conjugateMeetsFenchelAndYoung() {
        Random random = new Random(4);
        for (int k = 0; k < 2000; k++) {
            double count = random.nextInt(4) == 0 ? 0 : random.nextInt(50);
            double margin = 3 * random.nextGaussian();
            double other = 3 * random.nextGaussian();
            double slope = POISSON.derivative(margin, count);
            double conjugate = POISSON.conjugate(slope, count);
            double scale = 1 + Math.abs(slope * margin) + POISSON.value(margin, count) + Math.abs(conjugate);
            assertThat(conjugate + POISSON.value(margin, count)).isCloseTo(slope * margin, within(1e-13 * scale));
            assertThat(conjugate + POISSON.value(other, count))
                    .isGreaterThanOrEqualTo(slope * other - 1e-13 * (scale + Math.abs(slope * other)));
        }
        assertThat(POISSON.conjugate(-5, 5)).isCloseTo(5 - 5 * Math.log(5), within(1e-14));
        assertThat(POISSON.conjugate(-5.001, 5)).isInfinite();
        assertThat(POISSON.conjugate(0, 0)).isZero();
    }

    @Test
    void curvatureChangesByAFactorOfAtMostTheExponentialOfTheDistance() {
        assertThat(POISSON.isDifferentiable()).isTrue();
        assertThat(POISSON.hasBoundedCurvature()).isFalse();
        for (double distance : new double[] {0.01, 1, 5}) {
            assertThat(POISSON.curvature(2 + distance, 3) / POISSON.curvature(2, 3))
                    .isCloseTo(Math.exp(POISSON.selfConcordance() * distance), within(1e-12 * Math.exp(distance)));
        }
    }

    @Test
    void predictsTheExponentialOfTheScore() {
        assertThat(POISSON.link()).isEqualTo(Link.LOG);
        assertThat(POISSON.link().mean(Math.log(12))).isCloseTo(12, within(1e-13));
        assertThat(POISSON.link().score(12)).isCloseTo(Math.log(12), within(1e-15));
        assertThat(Link.LOGIT.score(Link.LOGIT.mean(0.7))).isCloseTo(0.7, within(1e-15));
        assertThat(Losses.link("logistic").givesProbabilities()).isTrue();
        assertThat(Losses.link("hinge").givesProbabilities()).isFalse();
        assertThat(Losses.link("a loss of somebody's own")).isEqualTo(Link.IDENTITY);
    }

    @ParameterizedTest
    @ValueSource(doubles = {-1, 2.5, 1e-300})
    void refusesLabelsThatAreNoCounts(double label) {
        Dataset rows = Dataset.of(new double[][] {{1}, {2}, {3}}, new double[] {0, 4, label});

        assertThatRefused(() -> POISSON.domain().require(rows, 0, 3, "poisson"))
                .hasMessage("row 3 has the label " + label
                        + "; the loss poisson takes a count: 0, 1, 2 and so on for every row");
        POISSON.domain().require(rows, 0, 2, "poisson");
    }

    @ParameterizedTest
    @CsvSource({
        "REAL, -1, true", "REAL, NaN, false", "COUNTS, 3, true", "NOT_NEGATIVE, 0, true", "NOT_NEGATIVE, 2.5, true",
        "NOT_NEGATIVE, -0.1, false", "POSITIVE, 0, false", "POSITIVE, 1e-9, true", "UNIT, 1, true", "UNIT, 1.01, false",
        "POSITIVE, Infinity, false", "CLASSES, -7, true"
    })
    void domainsContainWhatTheySay(LabelDomain domain, double label, boolean contained) {
        assertThat(domain.contains(label)).isEqualTo(contained);
    }
}
