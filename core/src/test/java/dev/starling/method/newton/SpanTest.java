package dev.starling.method.newton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.objective.PassLayout;
import dev.starling.objective.PassSums;
import dev.starling.objective.Span;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Newton's method in the span of a few rows of many features. */
class SpanTest {

    private static final int FEATURES = 9;

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int c = 0; c < a.length; c++) {
            sum += a[c] * b[c];
        }
        return sum;
    }

    private static double[] totals(PassLayout layout, double[]... combinations) {
        double[] totals = new double[layout.length(PassSums.SPAN)];
        for (int k = 0; k < combinations.length; k++) {
            System.arraycopy(combinations[k], 0, totals, layout.hessian() + k * FEATURES, FEATURES);
        }
        return totals;
    }

    private static double[] random(Random random) {
        return random.doubles(FEATURES, -1, 1).toArray();
    }

    @Test
    void theBasisIsOrthonormalAndHasEveryCombinationInIt() {
        Random random = new Random(2);
        PassLayout layout = PassLayout.inSpan(FEATURES, false, 4);
        double[][] combinations = {random(random), random(random), random(random), random(random)};

        Span span = Span.of(layout, totals(layout, combinations));

        for (int i = 0; i < 4; i++) {
            for (int j = 0; j < 4; j++) {
                assertThat(dot(span.vectors()[i], span.vectors()[j])).isCloseTo(i == j ? 1 : 0, within(1e-14));
            }
        }
        for (double[] combination : combinations) {
            double[] rest = combination.clone();
            double[] coordinates = new double[4];
            span.takeOut(rest, coordinates);
            assertThat(Math.sqrt(dot(rest, rest))).isLessThan(1e-14);
            assertThat(dot(coordinates, coordinates)).isCloseTo(dot(combination, combination), within(1e-13));
            span.addTo(rest, coordinates);
            assertThat(rest).containsExactly(combination, within(1e-14));
        }
    }

    /** Once more leaves next to nothing of what rounding left of the others the first time. */
    @Test
    void combinationsThatAreNearlyTheSameAreAtRightAnglesAllTheSame() {
        Random random = new Random(3);
        PassLayout layout = PassLayout.inSpan(FEATURES, false, 3);
        double[] first = random(random);
        double[] second = first.clone();
        double[] third = first.clone();
        for (int c = 0; c < FEATURES; c++) {
            second[c] += 1e-9 * random.nextDouble();
            third[c] += 1e-9 * random.nextDouble();
        }

        Span span = Span.of(layout, totals(layout, first, second, third));

        assertThat(dot(span.vectors()[0], span.vectors()[1])).isCloseTo(0, within(1e-14));
        assertThat(dot(span.vectors()[0], span.vectors()[2])).isCloseTo(0, within(1e-14));
        assertThat(dot(span.vectors()[1], span.vectors()[2])).isCloseTo(0, within(1e-14));
    }

    @Test
    void aCombinationThatAddsNothingIsNoVectorOfTheBasis() {
        Random random = new Random(4);
        PassLayout layout = PassLayout.inSpan(FEATURES, false, 3);
        double[] first = random(random);
        double[] twice = first.clone();
        for (int c = 0; c < FEATURES; c++) {
            twice[c] *= 1e6;
        }

        Span span = Span.of(layout, totals(layout, first, twice, new double[FEATURES]));

        assertThat(dot(span.vectors()[1], span.vectors()[1])).isZero();
        assertThat(dot(span.vectors()[2], span.vectors()[2])).isZero();
        assertThat(dot(span.vectors()[0], span.vectors()[0])).isCloseTo(1, within(1e-14));
    }
}
