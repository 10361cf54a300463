package dev.starling.lab.bound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.lab.baseline.Baselines;
import dev.starling.lab.general.GeneralAdfs;
import dev.starling.lab.variant.Algorithm;
import dev.starling.lab.variant.Algorithms;
import dev.starling.network.Network;
import dev.starling.network.Spectrum;
import dev.starling.node.EstimatingProgram;
import dev.starling.problem.Problem;
import dev.starling.runtime.Delays;
import dev.starling.runtime.Simulator;
import dev.starling.runtime.StopSignal;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class LowerBoundTest {

    /** The methods that are held against the bound: whatever is in the lists of methods. */
    private static List<Algorithm> methods() {
        return Stream.concat(Algorithms.all().stream(), Baselines.all().stream())
                // Point-SAGA pools all data on one machine, where nothing has to cross the line.
                .filter(method -> !method.name().equals("point-saga"))
                .toList();
    }

    /** S-ADFS takes no longer than this many times the bound (m + √(mκ_s) + τ√(κ_ℓ/γ)) log 1/ε. */
    private static final double CONSTANT = 2;

    /** Nor than this many times what these very functions make any method take. */
    private static final double CONSTANT_OF_INSTANCE = 8;

    static Stream<Arguments> methodsAndDelays() {
        return methods().stream()
                .flatMap(method -> Stream.of(0.0, 1.0, 20.0).map(tau -> Arguments.of(method.name(), method, tau)));
    }

    @ParameterizedTest
    @MethodSource("methodsAndDelays")
    void noMethodBeatsTheBoundOnTheLinearWorstCase(String name, Algorithm method, double delay) {
        WorstCase worst = new WorstCase(5, 3, 20, 30);
        Problem problem = worst.linearProblem();
        List<? extends EstimatingProgram> programs = method.programs(problem, worst.network(), delay, 1);
        double taken = timeTo(worst, programs, delay, 1e-4, 3_000);
        assertThat(taken).as(name).isGreaterThanOrEqualTo(worst.smallestTime(1e-4, delay));
    }

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
        double taken =
                timeTo(worst, GeneralAdfs.programs(worst.problem(), network, delay, 5), delay, precision, 200_000);
        double least = worst.smallestTime(precision, delay);
        double[] ones = new double[nodes];
        Arrays.fill(ones, 1);
        double spectralGap = Spectrum.smallest(network, ones) / Spectrum.largest(network, ones);
        double bound = LowerBound.time(
                functions, worst.stochasticConditioning(), worst.localConditioning(), spectralGap, delay, precision);
        assertThat(taken).isBetween(least, CONSTANT_OF_INSTANCE * least);
        assertThat(taken).isLessThan(CONSTANT * bound);
    }

    /** The time at which every node's error has come down to a precision; no error on the way may beat the bound. */
    private static double timeTo(
            WorstCase worst, List<? extends EstimatingProgram> programs, double delay, double precision, long most) {
        double[] reached = new double[programs.size()];
        Arrays.fill(reached, Double.POSITIVE_INFINITY);
        double[] theta = new double[worst.optimum().length];
        StopSignal enough = StopSignal.manual();
        Simulator simulator = new Simulator((node, program, clock, rounds) -> {
            program.estimate(theta);
            double error = worst.relativeError(theta);
            assertThat(error)
                    .as("node %d at time %s", node, clock)
                    .isGreaterThanOrEqualTo(worst.smallestError(clock, delay) * (1 - 1e-9));
            reached[node] = error > precision ? Double.POSITIVE_INFINITY : Math.min(reached[node], clock);
            if (rounds > most || Arrays.stream(reached).allMatch(time -> time < Double.POSITIVE_INFINITY)) {
                enough.request();
            }
        });
        simulator.run(worst.network(), programs, Delays.uniform(delay), enough);
        return Arrays.stream(reached).max().orElseThrow();
    }

    @Test
    void theOptimumOfTheWorstCaseHasNoGradient() {
        WorstCase worst = new WorstCase(4, 3, 10, 50);
        assertThat(worst.problem().gapBound(worst.optimum())).isLessThan(1e-28);
        assertThat(worst.problem().gapBound(new double[30])).isGreaterThan(1);
    }

    @Test
    void theLinearWorstCaseHasTheSameSumUpToAConstant() {
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
