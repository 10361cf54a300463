package dev.starling.lab.bound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.lab.baseline.Baselines;
import dev.starling.lab.paper.WorstCaseTrial;
import dev.starling.lab.variant.Algorithm;
import dev.starling.lab.variant.Algorithms;
import dev.starling.network.Network;
import dev.starling.network.Spectrum;
import dev.starling.problem.Problem;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class LowerBoundTest {

    /** The methods that are held against the bound: whatever is in the lists of methods. */
    private static Stream<String> methods() {
        return Stream.concat(Algorithms.all().stream(), Baselines.all().stream())
                .map(Algorithm::name)
                // Point-SAGA pools all data on one machine, where nothing has to cross the line; FedNL tells Hessians.
                .filter(method -> !Set.of("point-saga", "fednl").contains(method));
    }

    /** S-ADFS takes no longer than this many times the bound (m + √(mκ_s) + τ√(κ_ℓ/γ)) log 1/ε. */
    private static final double CONSTANT = 2;

    /** Nor than this many times what these very functions make any method take. */
    private static final double CONSTANT_OF_INSTANCE = 8;

    static Stream<Arguments> methodsAndDelays() {
        return methods().flatMap(method -> Stream.of(0.0, 1.0, 20.0).map(tau -> Arguments.of(method, tau)));
    }

    @Tag("thorough")
    @ParameterizedTest
    @MethodSource("methodsAndDelays")
    void noMethodBeatsTheBoundOnTheLinearWorstCase(String method, double delay) {
        WorstCase worst = new WorstCase(5, 3, 20, 30);
        double least = worst.smallestTime(1e-4, delay);
        WorstCaseTrial trial = WorstCaseTrial.linear(worst, method, delay, 1e-4, 100 * least, 1);
        assertThat(trial.closest()).isGreaterThanOrEqualTo(1 - 1e-9);
        assertThat(trial.time().orElse(Double.POSITIVE_INFINITY)).isGreaterThanOrEqualTo(least);
    }

    @Tag("thorough")
    @ParameterizedTest
    @CsvSource({
        "3, 1, 100, 0",
        "3, 8, 100, 0",
        "3, 8, 1000, 0",
        "3, 8, 100, 10",
        "9, 4, 100, 1",
        "9, 4, 100, 100",
        "17, 4, 100, 100"
    })
    void synchronousAdfsStaysWithinAConstantOfTheBoundAndAboveIt(
            int nodes, int functions, double conditioning, double delay) {
        int length = conditioning > 500 ? 240 : 80;
        WorstCase worst = new WorstCase(nodes, functions, length, conditioning);
        Network network = worst.network();
        double precision = 1e-4;
        double least = worst.smallestTime(precision, delay);
        WorstCaseTrial trial = WorstCaseTrial.adfs(worst, delay, precision, 2 * CONSTANT_OF_INSTANCE * least, 5);
        double taken = trial.time().orElse(Double.POSITIVE_INFINITY);
        double[] ones = new double[nodes];
        Arrays.fill(ones, 1);
        double spectralGap = Spectrum.smallest(network, ones) / Spectrum.largest(network, ones);
        double bound = LowerBound.time(
                functions, worst.stochasticConditioning(), worst.localConditioning(), spectralGap, delay, precision);
        assertThat(taken).isBetween(least, CONSTANT_OF_INSTANCE * least);
        assertThat(taken).isLessThan(CONSTANT * bound);
        assertThat(trial.closest()).isGreaterThanOrEqualTo(1 - 1e-9);
    }

    @Test
    void aMethodThatPoolsAllRowsIsFasterThanTheBound() {
        WorstCase worst = new WorstCase(5, 3, 20, 30);
        WorstCaseTrial trial = WorstCaseTrial.linear(worst, "point-saga", 1000, 1e-4, 1e6, 1);
        assertThat(trial.closest()).isLessThan(1);
        assertThat(trial.time().orElseThrow()).isLessThan(worst.smallestTime(1e-4, 1000));
    }

    @Test
    void theOptimumOfTheWorstCaseHasNoGradient() {
        WorstCase worst = new WorstCase(4, 3, 10, 50);
        assertThat(worst.problem().gapBound(worst.optimum())).isLessThan(1e-28);
        assertThat(worst.problem().gapBound(new double[30])).isGreaterThan(1);
    }

    @Test
    void theLinearWorstCaseHasTheSameObjectiveUpToAConstant() {
        WorstCase worst = new WorstCase(4, 3, 10, 50);
        double[] other = new double[30];
        Arrays.setAll(other, c -> 0.1 * (c % 7) - 0.2);
        Problem linear = worst.linearProblem();
        double difference = linear.objective(other) - linear.objective(worst.optimum());
        assertThat(difference * linear.totalWeight())
                .isCloseTo(worst.problem().value(other) - worst.problem().value(worst.optimum()), within(1e-10));
    }

    @Test
    void theWorstCaseHasTheGeometricOptimumOfTheTheorem() {
        double[] optimum = new WorstCase(3, 1, 100, 9).optimum();
        for (int k = 1; k <= 20; k++) {
            assertThat(optimum[k - 1]).isCloseTo(Math.pow(0.5, k), within(1e-15));
        }
    }

    @Test
    void theProximalPointsOfTheWorstCaseSolveTheirEquation() {
        WorstCase worst = new WorstCase(3, 2, 6, 50);
        double[] point = new double[12];
        Arrays.setAll(point, c -> Math.sin(c));
        for (int node : new int[] {0, 2}) {
            for (var function : worst.problem().nodes().get(node).functions()) {
                double[] proximal = new double[12];
                double[] gradient = new double[12];
                function.prox(point, 0.3, proximal);
                function.gradient(proximal, gradient);
                for (int c = 0; c < 12; c++) {
                    assertThat(proximal[c] + 0.3 * gradient[c]).isCloseTo(point[c], within(1e-13));
                }
            }
        }
    }
}
