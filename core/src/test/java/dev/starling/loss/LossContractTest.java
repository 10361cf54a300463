package dev.starling.loss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.support.PlainLoss;
import dev.starling.support.PseudoHuber;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Stream;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** What every loss must satisfy: a new one is a new line in {@link #losses}. */
@ParameterizedClass
@MethodSource("losses")
class LossContractTest {

    private static final int TRIALS = 300;
    private static final double[] STEPS = {0, 1e-6, 0.01, 0.5, 1, 7, 300, 1e5, 1e8};
    private static final double[] EXTREMES = {0.0, -0.0, 1, -1, 1e8, -1e8, 1e300, -1e300};

    private final Loss loss;
    private final UniformRandomProvider random = RandomSource.XO_SHI_RO_256_PP.create(17);

    LossContractTest(Loss loss) {
        this.loss = loss;
    }

    static List<Loss> losses() {
        List<Loss> losses = new ArrayList<>(builtIn().toList());
        builtIn().map(PlainLoss::new).forEach(losses::add);
        losses.add(new PseudoHuber());
        return losses;
    }

    static Stream<Loss> builtIn() {
        return Stream.of(
                new Logistic(),
                new Squared(),
                new SquaredHinge(),
                new SmoothedHinge(1),
                new SmoothedHinge(0.05),
                new Huber(1),
                new Huber(0.3),
                new SquaredEpsilonInsensitive(0.1),
                new SquaredEpsilonInsensitive(0),
                new Hinge(),
                Deviations.absolute(),
                Deviations.epsilonInsensitive(0.1),
                Deviations.epsilonInsensitive(2),
                Deviations.quantile(0.5),
                Deviations.quantile(0.9));
    }

    private boolean smooth() {
        return loss.smoothness() < Double.POSITIVE_INFINITY;
    }

    private double someLabel() {
        if (loss.isClassification()) {
            return random.nextBoolean() ? 1 : -1;
        }
        return random.nextDouble(-3, 3);
    }

    private double someMargin(int trial) {
        return (trial % 3 == 0 ? 1.5 : trial % 3 == 1 ? 6 : 40) * random.nextDouble(-1, 1);
    }

    private static double someStep(int trial) {
        return STEPS[trial % STEPS.length];
    }

    private static double unit(double... values) {
        double largest = 1;
        for (double value : values) {
            largest = Math.max(largest, Math.abs(value));
        }
        return Math.ulp(largest);
    }

    /** The subgradients at a margin are between the derivatives on both sides, as near as rounding of it allows. */
    private double slopeBelow(double margin, double label, double reach) {
        return loss.derivative(margin - reach, label);
    }

    private double slopeAbove(double margin, double label, double reach) {
        return loss.derivative(margin + reach, label);
    }

    @Test
    void proxMinimisesItsObjective() {
        for (int i = 0; i < TRIALS; i++) {
            double label = someLabel();
            double point = someMargin(i);
            double step = Math.min(1e3, someStep(i));
            double found = loss.prox(point, step, label, someMargin(i + 1));
            DoubleUnaryOperator objective = m -> step * loss.value(m, label) + 0.5 * (m - point) * (m - point);
            double least = objective.applyAsDouble(goldenSection(objective, -2000, 2000));
            assertThat(objective.applyAsDouble(found))
                    .as("%s at point %s, step %s, label %s", loss.name(), point, step, label)
                    .isLessThanOrEqualTo(least + 1e-13 * Math.max(1, Math.abs(least)));
        }
    }

    private static double goldenSection(DoubleUnaryOperator f, double from, double to) {
        double ratio = (Math.sqrt(5) - 1) / 2;
        double low = from;
        double high = to;
        for (int i = 0; i < 90; i++) {
            double left = high - ratio * (high - low);
            double right = low + ratio * (high - low);
            if (f.applyAsDouble(left) < f.applyAsDouble(right)) {
                high = right;
            } else {
                low = left;
            }
        }
        return 0.5 * (low + high);
    }

    @Test
    void proxMeetsTheOptimalityCondition() {
        for (int i = 0; i < TRIALS; i++) {
            double label = someLabel();
            double point = someMargin(i);
            double step = someStep(i);
            double m = loss.prox(point, step, label, someMargin(i + 1));
            double reach = 8 * unit(point, m, label);
            double slack = 8 * unit(point, m, label);
            assertThat(point - m)
                    .as("%s at point %s, step %s, label %s", loss.name(), point, step, label)
                    .isBetween(
                            step * slopeBelow(m, label, reach) - slack - 4 * step * Math.ulp(1.0) * Math.abs(m - label),
                            step * slopeAbove(m, label, reach)
                                    + slack
                                    + 4 * step * Math.ulp(1.0) * Math.abs(m - label));
        }
    }

    @Test
    void proxSlopeIsASubgradientAtTheProx() {
        for (int i = 0; i < TRIALS; i++) {
            double label = someLabel();
            double point = someMargin(i);
            double step = someStep(i);
            double m = loss.prox(point, step, label, someMargin(i + 1));
            double s = loss.proxSlope(point, step, label, someMargin(i + 2));
            double reach = 8 * unit(point, m, label);
            double slack = 8 * Math.ulp(Math.max(1, Math.abs(s)));
            String where = "%s at point %s, step %s, label %s".formatted(loss.name(), point, step, label);
            assertThat(s).as(where).isEqualTo(loss.clamp(s, label));
            assertThat(s).as(where).isBetween(slopeBelow(m, label, reach) - slack, slopeAbove(m, label, reach) + slack);
            assertThat(m + step * s).as(where).isCloseTo(point, within(16 * unit(point, m, label, step * s)));
        }
    }

    @Test
    void proxSlopeIsTheDerivativeForAStepOfZero() {
        for (int i = 0; i < TRIALS && smooth(); i++) {
            double label = someLabel();
            double point = someMargin(i);
            double truth = loss.derivative(point, label);
            assertThat(loss.prox(point, 0, label, someMargin(i + 1))).isCloseTo(point, within(unit(point)));
            assertThat(loss.proxSlope(point, 0, label, someMargin(i + 1)))
                    .isCloseTo(truth, within(1e-14 * Math.abs(truth)));
        }
    }

    @Test
    void proxIsTheSameFromEveryStart() {
        double[] starts = {0, -0.0, 1e-9, -1, 1, 30, -30, 1e3, -1e3, 1e6, -1e6, 1e300, -1e300};
        for (int i = 0; i < TRIALS; i++) {
            double label = someLabel();
            double point = someMargin(i);
            double step = someStep(i);
            double m = loss.prox(point, step, label, point);
            double s = loss.proxSlope(point, step, label, point);
            for (double start : starts) {
                String where =
                        "%s at point %s, step %s, label %s, start %s".formatted(loss.name(), point, step, label, start);
                assertThat(loss.prox(point, step, label, start))
                        .as(where)
                        .isCloseTo(m, within(8 * unit(point, m, label)));
                assertThat(loss.proxSlope(point, step, label, start))
                        .as(where)
                        .isCloseTo(s, within(8 * unit(point, m, label, s)));
            }
        }
    }

    @Test
    void fenchelYoungHolds() {
        for (int i = 0; i < TRIALS; i++) {
            double label = someLabel();
            double slope = loss.derivative(someMargin(i), label);
            double mixed = 0.5 * (slope + loss.derivative(someMargin(i + 1), label));
            double conjugate = loss.conjugate(mixed, label);
            for (int j = 0; j < 20; j++) {
                double u = someMargin(j);
                double rest = mixed * u - loss.value(u, label);
                assertThat(conjugate)
                        .as("%s at slope %s, margin %s, label %s", loss.name(), mixed, u, label)
                        .isGreaterThanOrEqualTo(rest - 4 * unit(mixed * u, rest, conjugate));
            }
        }
    }

    @Test
    void fenchelYoungIsAnEqualityAtTheDerivative() {
        for (int i = 0; i < TRIALS; i++) {
            double label = someLabel();
            double u = someMargin(i);
            double slope = loss.derivative(u, label);
            double value = loss.value(u, label);
            assertThat(loss.conjugate(slope, label))
                    .as("%s at margin %s, label %s", loss.name(), u, label)
                    .isCloseTo(slope * u - value, within(16 * unit(u, slope * u, value, slope * label)));
        }
    }

    @Test
    void conjugateIsInfiniteOutsideItsDomain() {
        for (double label : new double[] {-1, 1}) {
            if (loss.largestSlope(label) < Double.POSITIVE_INFINITY) {
                assertThat(loss.conjugate(loss.largestSlope(label) + 1e-9, label))
                        .isEqualTo(Double.POSITIVE_INFINITY);
                assertThat(loss.conjugate(loss.largestSlope(label), label)).isLessThan(Double.POSITIVE_INFINITY);
            }
            if (loss.smallestSlope(label) > Double.NEGATIVE_INFINITY) {
                assertThat(loss.conjugate(loss.smallestSlope(label) - 1e-9, label))
                        .isEqualTo(Double.POSITIVE_INFINITY);
                assertThat(loss.conjugate(loss.smallestSlope(label), label)).isLessThan(Double.POSITIVE_INFINITY);
            }
        }
    }

    /** Moreau: prox of bℓ at t plus b times the prox of ℓ*‌/b at t/b is t. */
    @Test
    void proxSlopeMinimisesTheDual() {
        for (int i = 0; i < TRIALS; i++) {
            double label = someLabel();
            double point = someMargin(i);
            double step = Math.max(0.01, Math.min(1e3, someStep(i)));
            double s = loss.proxSlope(point, step, label, 0);
            DoubleUnaryOperator dual = v -> loss.conjugate(v, label) + 0.5 * step * v * v - point * v;
            double found = dual.applyAsDouble(s);
            for (int j = 0; j < 20; j++) {
                double other = loss.clamp(s + Math.scalb(random.nextDouble(-1, 1), -j), label);
                assertThat(found)
                        .as(
                                "%s at point %s, step %s, label %s: %s against %s",
                                loss.name(), point, step, label, s, other)
                        .isLessThanOrEqualTo(
                                dual.applyAsDouble(other) + 16 * unit(found, point * s, step * s * s, label * s));
            }
        }
    }

    @Test
    void derivativeIsThatOfFiniteDifferences() {
        double h = 1e-6;
        for (int i = 0; i < TRIALS; i++) {
            double label = someLabel();
            double u = someMargin(i);
            double left = loss.derivative(u - h, label);
            double right = loss.derivative(u + h, label);
            double difference = (loss.value(u + h, label) - loss.value(u - h, label)) / (2 * h);
            double rounding = 4 * unit(loss.value(u, label), u) / h;
            assertThat(difference)
                    .as("%s at %s, label %s", loss.name(), u, label)
                    .isBetween(left - rounding, right + rounding);
            assertThat(loss.derivative(u, label)).isBetween(left, right);
        }
    }

    @Test
    void smoothnessIsTheSmallestBoundOnTheChangeOfSlope() {
        double steepest = 0;
        for (double label : new double[] {-1, 1}) {
            for (double u = -4; u < 4 && smooth(); u += 1.0 / 1024) {
                double other = u + 1.0 / 1024;
                double change = (loss.derivative(other, label) - loss.derivative(u, label)) * 1024;
                assertThat(change).as("%s at %s", loss.name(), u).isLessThanOrEqualTo(loss.smoothness() * (1 + 1e-12));
                steepest = Math.max(steepest, change);
            }
        }
        if (smooth()) {
            assertThat(steepest).as(loss.name()).isGreaterThan(0.99 * loss.smoothness());
        }
    }

    @Test
    void isConvexAndAboveItsTangents() {
        for (int i = 0; i < TRIALS; i++) {
            double label = someLabel();
            double u = someMargin(i);
            double v = someMargin(i + 1);
            double tangent = loss.value(u, label) + loss.derivative(u, label) * (v - u);
            assertThat(loss.value(v, label))
                    .as("%s at %s and %s, label %s", loss.name(), u, v, label)
                    .isGreaterThanOrEqualTo(
                            tangent - 8 * unit(tangent, loss.value(u, label), (v - u) * loss.derivative(u, label)));
        }
    }

    @Test
    void isFiniteAtExtremes() {
        for (double label : new double[] {-1, 1}) {
            for (double u : EXTREMES) {
                String where = "%s at %s, label %s".formatted(loss.name(), u, label);
                assertThat(loss.value(u, label)).as(where).isGreaterThanOrEqualTo(0);
                assertThat(Math.abs(loss.derivative(u, label))).as(where).isLessThan(Double.POSITIVE_INFINITY);
                for (double step : STEPS) {
                    double m = loss.prox(u, step, label, 0);
                    double s = loss.proxSlope(u, step, label, 0);
                    assertThat(Math.abs(m)).as(where).isLessThan(Double.POSITIVE_INFINITY);
                    assertThat(s).as(where).isBetween(loss.smallestSlope(label), loss.largestSlope(label));
                    assertThat(loss.conjugate(s, label)).as(where).isNotNaN();
                }
            }
        }
    }

    @Test
    void aLinearTailDoesNotOverflow() {
        if (loss.largestSlope(-1) < Double.POSITIVE_INFINITY) {
            assertThat(loss.value(1e300, -1)).isCloseTo(loss.largestSlope(-1) * 1e300, within(1e285));
        }
    }

    @Test
    void clampingTwiceIsClampingOnce() {
        for (double label : new double[] {-1, 1}) {
            for (double s : EXTREMES) {
                double clamped = loss.clamp(s, label);
                assertThat(clamped).isBetween(loss.smallestSlope(label), loss.largestSlope(label));
                assertThat(loss.clamp(clamped, label)).isEqualTo(clamped);
            }
        }
    }

    @Test
    void defaultsAgreeWithTheClosedForms() {
        if (loss instanceof PlainLoss plain) {
            Loss full = plain.full();
            for (int i = 0; i < TRIALS; i++) {
                double label = someLabel();
                double point = someMargin(i);
                double step = someStep(i);
                String where = "%s at point %s, step %s, label %s".formatted(full.name(), point, step, label);
                double m = full.prox(point, step, label, 0);
                double s = full.proxSlope(point, step, label, 0);
                double rounding = 16 * unit(point, m, label);
                assertThat(loss.prox(point, step, label, 0)).as(where).isCloseTo(m, within(rounding));
                if (smooth()) {
                    assertThat(loss.proxSlope(point, step, label, 0))
                            .as(where)
                            .isCloseTo(s, within(rounding * Math.max(1, full.smoothness())));
                }
                double conjugate = full.conjugate(s, label);
                assertThat(loss.conjugate(s, label))
                        .as(where + ", slope " + s)
                        .isCloseTo(conjugate, within(64 * unit(conjugate, s * m, m)));
            }
        }
    }
}
