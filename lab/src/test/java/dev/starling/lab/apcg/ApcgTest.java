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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ApcgTest {

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void algorithmFourTakesTheStepsOfAlgorithmOne(long seed) {
        TrialProblem random = TrialProblem.of(seed, true);
        Apcg efficient = Apcg.stronglyConvex(random.problem(), random.sampling(), random.samplingConstant());
        assertSameSteps(efficient, random.sampling(), seed, 2000);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void algorithmFiveTakesTheStepsOfAlgorithmOne(long seed) {
        TrialProblem random = TrialProblem.of(seed, false);
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
        TrialProblem random = TrialProblem.of(3, true);
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
    @CsvSource({
        "corollary-1, 11",
        "corollary-1, 12",
        "corollary-1, 13",
        "corollary-1, 14",
        "theorem-2, 21",
        "theorem-2, 22",
        "corollary-2, 31",
        "corollary-2, 32",
        "corollary-2, 33"
    })
    void theMeanErrorStaysBelowItsBound(String form, long seed) {
        RateTrial trial =
                RateTrial.measure(RateTrial.Form.named(form), seed, 300, form.equals("corollary-1") ? 1500 : 300);
        for (RateTrial.Moment moment : trial.moments()) {
            assertThat(moment.error()).as("after step " + moment.step()).isLessThanOrEqualTo(moment.bound() + 1e-12);
        }
        RateTrial.Moment last = trial.moments().get(trial.moments().size() - 1);
        if (!form.equals("theorem-2")) {
            assertThat(last.error())
                    .as("it converges")
                    .isLessThan(trial.moments().get(0).error() / 100);
        }
    }

    @Test
    void reachesTheMinimiserThatFullProximalGradientStepsFind() {
        TrialProblem random = TrialProblem.of(41, true);
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
        TrialProblem random = TrialProblem.of(1, true);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Apcg.stronglyConvex(random.problem(), random.sampling(), 1e-3))
                .withMessageContaining("it must be at least");
    }

    @Test
    void refusesTheStronglyConvexFormWithoutStrongConvexity() {
        TrialProblem random = TrialProblem.of(1, false);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Apcg.stronglyConvex(random.problem(), random.sampling(), 10))
                .withMessageContaining("strong convexity");
    }
}
