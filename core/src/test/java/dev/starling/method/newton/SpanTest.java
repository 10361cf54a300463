package dev.starling.method.newton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.Dataset;
import dev.starling.loss.Squared;
import dev.starling.objective.Family;
import dev.starling.objective.PassLayout;
import dev.starling.objective.PassSums;
import dev.starling.objective.Span;
import dev.starling.objective.Term;
import dev.starling.problem.LocalProblem;
import dev.starling.support.SavedStates;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    @Test
    void anInterceptHasADirectionOfItsOwn() {
        Random random = new Random(5);
        PassLayout layout = PassLayout.inSpan(FEATURES, true, 2);

        Span span = Span.of(layout, totals(layout, random(random), random(random)));

        assertThat(span.vectors()).hasDimensions(3, FEATURES);
        assertThat(span.vectors()[0][FEATURES - 1]).isZero();
        assertThat(span.vectors()[1][FEATURES - 1]).isZero();
        assertThat(span.vectors()[2]).containsExactly(0, 0, 0, 0, 0, 0, 0, 0, 1);
        assertThat(dot(span.vectors()[0], span.vectors()[1])).isCloseTo(0, within(1e-14));
        assertThat(dot(span.vectors()[1], span.vectors()[1])).isCloseTo(1, within(1e-14));
    }

    /** Three rows of nine features, one of them with nothing but zeros. */
    private static Dataset rows(boolean dense) {
        Random random = new Random(7);
        double[][] values = new double[4][];
        for (int i = 0; i < 4; i++) {
            values[i] = i == 2 ? new double[FEATURES] : random(random);
        }
        return Dataset.of(values, new double[] {1, -2, 0.5, 3}).laidOut(dense);
    }

    private static double[] row(Dataset data, int row) {
        double[] x = new double[FEATURES];
        data.addTo(row, 1, x);
        return x;
    }

    /** Which node has which rows makes no difference to Σ u uᵀω, nor does how long they are. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void combinationsAreThoseOfTheRowsOfAllNodes(boolean dense) {
        Dataset data = rows(dense);
        PassLayout layout = PassLayout.inSpan(FEATURES, false, 4);
        double[] whole = pass(LocalProblem.of(data, new Squared(), 0), layout, PassSums.SPAN);
        double[] first = pass(LocalProblem.of(data.dealt(0, 2), new Squared(), 0), layout, PassSums.SPAN);
        double[] second = pass(LocalProblem.of(data.dealt(1, 2), new Squared(), 0), layout, PassSums.SPAN);

        for (int k = PassLayout.LOSS; k < whole.length; k++) {
            if (k != PassLayout.ERROR && k != PassLayout.SLACK && k != PassLayout.SPREAD) {
                assertThat(first[k] + second[k]).isCloseTo(whole[k], within(1e-12));
            }
        }
        Span span = Span.of(layout, whole);
        for (int i = 0; i < 4; i++) {
            double[] rest = row(data, i);
            span.takeOut(rest, new double[4]);
            assertThat(Math.sqrt(dot(rest, rest))).isLessThan(1e-13);
        }
        // Three rows that are something span three dimensions.
        assertThat(Arrays.stream(span.vectors()).filter(vector -> dot(vector, vector) > 0.5))
                .hasSize(3);
    }

    /** Rows that are a thousand times as long have the same directions. */
    @Test
    void howLongRowsAreMakesNoDifference() {
        Dataset data = rows(true);
        double[][] longer = new double[4][];
        for (int i = 0; i < 4; i++) {
            longer[i] = row(data, i);
            for (int c = 0; c < FEATURES; c++) {
                longer[i][c] *= 1 << (3 * i);
            }
        }
        PassLayout layout = PassLayout.inSpan(FEATURES, false, 4);

        double[] sums = pass(LocalProblem.of(data, new Squared(), 0), layout, PassSums.SPAN);
        double[] others =
                pass(LocalProblem.of(Dataset.of(longer, data.labels()), new Squared(), 0), layout, PassSums.SPAN);

        for (int k = layout.hessian(); k < sums.length; k++) {
            assertThat(others[k]).isCloseTo(sums[k], within(1e-13));
        }
    }

    private static double[] pass(LocalProblem problem, PassLayout layout, PassSums order) {
        double[] sums = new double[layout.length(order)];
        Family.of(problem.loss()).term(problem, layout, 1).sum(order, new double[FEATURES], 1, false, sums);
        return sums;
    }

    /** Of squares one step is enough: θ = Xᵀ(XXᵀ + nλI)⁻¹y, which a fixed number of plain sweeps solves for. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void ofSquaresOneStepEndsAtTheOptimum(boolean dense) {
        double lambda = 0.3;
        Dataset data = rows(dense);
        LocalProblem problem = LocalProblem.of(data, new Squared(), lambda);
        PassLayout layout = PassLayout.inSpan(FEATURES, false, 4);
        Term pass = Family.of(problem.loss()).term(problem, layout, 1);
        SpanNewton newton = new SpanNewton(layout, 4, lambda);
        newton.beginAt(new double[] {1, 1, 1, 1, 1, 1, 1, 1, 1});
        PassSums[] orders = {PassSums.SPAN, PassSums.HESSIAN};
        for (PassSums order : orders) {
            assertThat(newton.passSums()).isEqualTo(order);
            assertThat(newton.point()).containsOnly(0);
            newton = SavedStates.copy(newton, new SpanNewton(layout, 4, lambda));
            newton.span().ifPresent(pass::project);
            double[] sums = new double[layout.length(order)];
            pass.sum(order, newton.point(), 1, false, sums);
            newton.take(sums);
            newton.advance();
        }

        double[] expected = optimum(data, lambda);
        assertThat(newton.point()).containsExactly(expected, within(1e-13));
        assertThat(newton.warmStart()).isEmpty();
        double[] last = new double[layout.length(PassSums.HESSIAN)];
        pass.sum(newton.passSums(), newton.point(), 1, false, last);
        newton.take(last);
        assertThat(newton.gap()).isLessThan(1e-25);
        // Saved with its span, it goes on from here.
        SpanNewton other = SavedStates.copy(newton, new SpanNewton(layout, 4, lambda));
        other.advance();
        newton.advance();
        assertThat(other.point()).isEqualTo(newton.point());
    }

    private static double[] optimum(Dataset data, double lambda) {
        double[] alpha = new double[4];
        for (int sweep = 0; sweep < 5000; sweep++) {
            for (int i = 0; i < 4; i++) {
                double rest = data.label(i);
                for (int j = 0; j < 4; j++) {
                    rest -= j == i ? 0 : dot(row(data, i), row(data, j)) * alpha[j];
                }
                alpha[i] = rest / (dot(row(data, i), row(data, i)) + 4 * lambda);
            }
        }
        double[] theta = new double[FEATURES];
        for (int i = 0; i < 4; i++) {
            data.addTo(i, alpha[i], theta);
        }
        return theta;
    }
}
