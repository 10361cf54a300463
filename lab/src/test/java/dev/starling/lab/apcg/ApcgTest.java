package dev.starling.lab.apcg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ApcgTest {

    /** Runs averaged where a guarantee is about an expectation. */
    private static final int RUNS = 300;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void algorithmFourTakesTheStepsOfAlgorithmOne(long seed) {
        RandomProblem random = RandomProblem.of(seed, true);
        Apcg efficient = Apcg.stronglyConvex(random.problem(), random.sampling(), random.samplingConstant());
        assertSameSteps(efficient, random.sampling(), seed, 2000);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void algorithmFiveTakesTheStepsOfAlgorithmOne(long seed) {
        RandomProblem random = RandomProblem.of(seed, false);
        assertThat(random.smooth().strongConvexity()).isZero();
        Apcg efficient = Apcg.convex(random.problem(), random.sampling(), random.samplingConstant());
        assertSameSteps(efficient, random.sampling(), seed, 500);
    }

    private static void assertSameSteps(Apcg efficient, BlockSampling sampling, long seed, int steps) {
        Apcg printed = efficient.asPrinted();
        ApcgState fast = efficient.start();
        ApcgState plain = printed.start();
        UniformRandomProvider random = RandomSource.XO_SHI_RO_256_PP.create(seed);
        for (int t = 0; t < steps; t++) {
            int[] block = sampling.draw(random);
            efficient.step(fast, block);
            printed.step(plain, block);
            assertThat(fast.point()).as("x after step " + t).containsExactly(plain.point(), within(1e-12));
            assertThat(fast.anchor()).as("v after step " + t).containsExactly(plain.anchor(), within(1e-12));
        }
    }

    @Test
    void theGeneralCoefficientsOfTheoremTwoBecomeThoseOfCorollaryOne() {
        RandomProblem random = RandomProblem.of(3, true);
        double constant = random.samplingConstant();
        Apcg corollary = Apcg.stronglyConvex(random.problem(), random.sampling(), constant);
        Apcg theorem = Apcg.general(
                random.problem(),
                random.sampling(),
                constant,
                1,
                random.smooth().strongConvexity());
        double[] expected = corollary.run(5, state -> state.steps() == 100).point();
        double[] found = theorem.run(5, state -> state.steps() == 100).point();
        assertThat(found).containsExactly(expected, within(1e-12));
    }

    @Tag("thorough")
    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13, 14})
    void theMeanErrorStaysBelowTheBoundOfCorollaryOne(long seed) {
        RandomProblem random = RandomProblem.of(seed, true);
        double constant = random.samplingConstant();
        double convexity = random.smooth().strongConvexity();
        double rate = Math.sqrt(convexity) / constant;
        Apcg apcg = Apcg.stronglyConvex(random.problem(), random.sampling(), constant);
        double start = lyapunov(random, apcg.start(), convexity, 1);
        double[] errors = meanLyapunov(random, apcg, (int) (8 / rate), step -> convexity, step -> 1);
        for (int t = 0; t < errors.length; t++) {
            assertThat(errors[t]).as("after step " + t).isLessThanOrEqualTo(start * Math.pow(1 - rate, t) + 1e-13);
        }
        assertThat(errors[errors.length - 1]).as("it converges").isLessThan(start * 1e-3);
    }

    @Tag("thorough")
    @ParameterizedTest
    @ValueSource(longs = {21, 22})
    void theMeanErrorStaysBelowTheBoundOfTheoremTwo(long seed) {
        RandomProblem random = RandomProblem.of(seed, true);
        double constant = random.samplingConstant();
        double convexity = random.smooth().strongConvexity();
        double a0 = 1;
        double b0 = 0.25 * convexity;
        int steps = 200;
        double[] a = new double[steps];
        double[] b = new double[steps];
        a[0] = a0;
        b[0] = b0;
        for (int t = 1; t < steps; t++) {
            // a² S² = (A + a)(B + σ a), its positive root.
            double square = constant * constant - convexity;
            double half = a[t - 1] * convexity + b[t - 1];
            double growth = (half + Math.sqrt(half * half + 4 * square * a[t - 1] * b[t - 1])) / (2 * square);
            a[t] = a[t - 1] + growth;
            b[t] = b[t - 1] + convexity * growth;
        }
        Apcg apcg = Apcg.general(random.problem(), random.sampling(), constant, a0, b0);
        double start = lyapunov(random, apcg.start(), b0, a0);
        double[] errors = meanLyapunov(random, apcg, steps, step -> b[step], step -> a[step]);
        for (int t = 0; t < steps; t++) {
            assertThat(errors[t]).as("after step " + t).isLessThanOrEqualTo(start * (1 + 1e-9));
        }
    }

    @Tag("thorough")
    @ParameterizedTest
    @ValueSource(longs = {31, 32, 33})
    void theMeanErrorStaysBelowTheBoundOfCorollaryTwo(long seed) {
        RandomProblem random = RandomProblem.of(seed, false);
        double constant = random.samplingConstant();
        Apcg apcg = Apcg.convex(random.problem(), random.sampling(), constant);
        double smallest = 1;
        for (int i = 4; i < RandomProblem.DIMENSION; i++) {
            smallest = Math.min(smallest, random.sampling().probability(i));
        }
        double gap = lyapunov(random, apcg.start(), 0, 0.5);
        double distance = random.smooth().squaredSeminorm(random.minimiser());
        double[] errors = meanLyapunov(random, apcg, 300, step -> 0, step -> 0.5);
        for (int t = 1; t < errors.length; t++) {
            double bound = 2.0 / ((double) t * t) * (constant * constant * distance + 2 / (smallest * smallest) * gap);
            assertThat(errors[t]).as("after step " + t).isLessThanOrEqualTo(bound);
        }
        assertThat(errors[299]).as("it converges").isLessThan(gap * 1e-2);
    }

    /** distance · ‖v − x*‖²_{A⁺A} + 2 · value · (F(x) − F*). */
    private static double lyapunov(RandomProblem random, ApcgState state, double distance, double value) {
        return lyapunov(random, random.minimiser(), state, distance, value);
    }

    private static double lyapunov(
            RandomProblem random, double[] minimiser, ApcgState state, double distance, double value) {
        double[] away = state.anchor();
        for (int i = 0; i < away.length; i++) {
            away[i] -= minimiser[i];
        }
        double gap = random.problem().value(state.point()) - random.problem().value(minimiser);
        return distance * random.smooth().squaredSeminorm(away) + 2 * value * gap;
    }

    private static double[] meanLyapunov(
            RandomProblem random,
            Apcg apcg,
            int steps,
            java.util.function.IntToDoubleFunction distance,
            java.util.function.IntToDoubleFunction value) {
        double[] minimiser = random.minimiser();
        double[] mean = new double[steps];
        for (int run = 0; run < RUNS; run++) {
            UniformRandomProvider draws = RandomSource.XO_SHI_RO_256_PP.create(1000L + run);
            ApcgState state = apcg.start();
            for (int t = 0; t < steps; t++) {
                double error = lyapunov(random, minimiser, state, distance.applyAsDouble(t), value.applyAsDouble(t));
                mean[t] += error / RUNS;
                apcg.step(state, random.sampling().draw(draws));
            }
        }
        return mean;
    }

    @Test
    void reachesTheMinimiserThatFullProximalGradientStepsFind() {
        RandomProblem random = RandomProblem.of(41, true);
        Apcg apcg = Apcg.stronglyConvex(random.problem(), random.sampling(), random.samplingConstant());
        double[] found = apcg.run(1, state -> state.steps() == 20_000).point();
        double[] minimiser = random.minimiser();
        for (int i = 0; i < found.length; i++) {
            found[i] -= minimiser[i];
        }
        assertThat(random.smooth().squaredSeminorm(found)).isLessThan(1e-22);
    }

    @Test
    void theSnippetOfTheDocumentationSolvesItsLasso() {
        // begin snippet
        double[][] matrix = {{2, 1, 0}, {0, 1, 1}, {1, 0, 3}, {1, 1, 1}};
        Quadratic smooth = Quadratic.of(matrix, new double[] {1, 1, 1, 1}, new double[] {1, 2, 3, 4});
        SeparableTerm lasso = new SeparableTerm() {
            @Override
            public double value(int i, double x) {
                return 0.1 * Math.abs(x);
            }

            @Override
            public double prox(int i, double point, double step) {
                return Math.signum(point) * Math.max(0, Math.abs(point) - 0.1 * step);
            }

            @Override
            public boolean isZero(int i) {
                return false;
            }
        };
        ListedBlocks sampling = BlockSampling.coordinates(new double[] {0.3, 0.3, 0.4});
        CompositeProblem problem = new CompositeProblem(smooth, lasso);
        Apcg apcg = Apcg.stronglyConvex(problem, sampling, smooth.samplingConstant(sampling));
        double[] x = apcg.run(42, state -> state.steps() == 2000).point();
        // end snippet
        double[] slopes = new double[3];
        smooth.gradient(i -> x[i], new int[] {0, 1, 2}, slopes);
        for (int i = 0; i < 3; i++) {
            // Optimality: −∇q ∈ 0.1 ∂|x|.
            double expected =
                    Math.abs(x[i]) < 1e-9 ? Math.max(-0.1, Math.min(0.1, -slopes[i])) : 0.1 * Math.signum(x[i]);
            assertThat(-slopes[i]).isCloseTo(expected, within(1e-9));
        }
    }

    @Test
    void theSnippetOfTheDocumentationIsTheCodeThatIsTested() throws IOException {
        String source = Files.readString(Path.of("src/main/java/dev/starling/lab/apcg/Apcg.java"));
        String test = Files.readString(Path.of("src/test/java/dev/starling/lab/apcg/ApcgTest.java"));
        String tested = test.substring(test.indexOf("// begin snippet\n") + 17, test.indexOf("// end snippet\n"));
        String documented = source.substring(source.indexOf("{@code\n") + 7, source.indexOf(" * }</pre>"));
        assertThat(words(documented.replace("\n * ", "\n"))).isEqualTo(words(tested.replace("@Override", "")));
    }

    private static List<String> words(String code) {
        return List.of(code.replaceFirst("^ \\* ", "").strip().split("\\s+"));
    }

    @Test
    void refusesASamplingThatNeverDrawsACoordinate() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BlockSampling.of(2, List.of(new int[] {0}), new double[] {1}))
                .withMessageContaining("coordinate 1 is in no block");
    }

    @Test
    void refusesASamplingConstantThatPromisesMoreThanTheProbabilitiesAllow() {
        RandomProblem random = RandomProblem.of(1, true);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Apcg.stronglyConvex(random.problem(), random.sampling(), 1e-3))
                .withMessageContaining("it must be at least");
    }

    @Test
    void refusesTheStronglyConvexFormWithoutStrongConvexity() {
        RandomProblem random = RandomProblem.of(1, false);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Apcg.stronglyConvex(random.problem(), random.sampling(), 10))
                .withMessageContaining("strong convexity");
    }
}
