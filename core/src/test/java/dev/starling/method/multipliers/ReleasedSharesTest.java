package dev.starling.method.multipliers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.loss.Deviations;
import dev.starling.node.SumKind;
import dev.starling.problem.LocalProblem;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReleasedSharesTest {

    private static final int ROWS = 200;
    private static final int FEATURES = 3;

    private static double[] ones(int count) {
        return IntStream.range(0, ROWS).mapToDouble(j -> j < count ? 1 : 0).toArray();
    }

    private static ReleasedShares told(int fewest) {
        double[] weights = new double[ROWS];
        Arrays.fill(weights, 1);
        return new ReleasedShares(weights, fewest, false, shares -> true);
    }

    @Test
    void sharesThatDifferInFewSamplesAreNotReleased() {
        ReleasedShares told = told(50);
        told.add(ones(0));
        told.add(ones(100));
        assertThat(told.substituteFor(ones(30))).isEqualTo(ones(0));
        assertThat(told.substituteFor(ones(70))).isEqualTo(ones(100));
        assertThat(told.substituteFor(ones(50))).isEqualTo(ones(50));
        assertThat(told.substituteFor(ones(149))).isEqualTo(ones(100));
        assertThat(told.substituteFor(ones(150))).isEqualTo(ones(150));
    }

    @Test
    void forbiddenSharesAreNotReleased() {
        double[] weights = new double[ROWS];
        Arrays.fill(weights, 2);
        ReleasedShares told = new ReleasedShares(weights, 50, false, shares -> shares[160] == 0 || shares[160] == 4);
        double[] shares = ones(200);

        assertThat(told.substituteFor(shares)).as("nothing was told before").isSameAs(shares);

        told.add(ones(0));
        told.add(ones(100));
        assertThat(told.substituteFor(shares)).isEqualTo(ones(100));
        shares[160] = 2;
        assertThat(told.substituteFor(shares)).isSameAs(shares);
    }

    @Test
    void sharesThatDifferMuchInOneSampleOnlyAreNotReleased() {
        ReleasedShares told = told(50);
        told.add(ones(0));
        double[] shares = DoubleStream.generate(() -> 1e-9).limit(ROWS).toArray();
        assertThat(told.substituteFor(shares)).isSameAs(shares);
        shares[7] = 0.1;
        assertThat(told.substituteFor(shares)).isEqualTo(ones(0));
    }

    /** Sums over positive shares alone may not differ in a few either. */
    @Test
    void samplesOfEachSignMustBeManyWhenSignsAreReleased() {
        double[] weights = new double[ROWS];
        Arrays.fill(weights, 1);
        ReleasedShares together = new ReleasedShares(weights, 50, false, shares -> true);
        ReleasedShares apart = new ReleasedShares(weights, 50, true, shares -> true);
        together.add(ones(0));
        apart.add(ones(0));
        double[] few = IntStream.range(0, ROWS)
                .mapToDouble(j -> j < 30 ? 1 : j < 100 ? -1 : 0)
                .toArray();
        double[] many = IntStream.range(0, ROWS)
                .mapToDouble(j -> j < 60 ? 1 : j < 120 ? -1 : 0)
                .toArray();
        assertThat(together.substituteFor(few)).isSameAs(few);
        assertThat(apart.substituteFor(few)).isEqualTo(ones(0));
        assertThat(apart.substituteFor(many)).isSameAs(many);
    }

    @Test
    void withoutRulesEverythingIsReleased() {
        ReleasedShares told = told(0);
        told.add(ones(10));
        double[] shares = ones(11);
        assertThat(told.substituteFor(shares)).isSameAs(shares);
    }

    private static final double[] TRIALS = {0x1p-6, 0x1p-5, 0x1p-4, 0x1p-3, 0x1p-2, 0x1p-1, 1, 2};

    private static double[] sums(int numbers) {
        return new double[GradientLayout.FIRST + numbers];
    }

    /** A slope by its definition: the absolute loss, rounded over a band, with multipliers of 0. */
    private static double slope(double margin, double label, double band) {
        return Math.max(-1, Math.min(1, (margin - label) / band));
    }

    @ParameterizedTest
    @ValueSource(doubles = {1e-3, 1e-2, 0.1, 1})
    void slopesAlongALineDifferInManySamplesOrNone(double band) {
        Dataset data = Generator.regression(ROWS, FEATURES).seed(4).generate();
        LocalProblem problem = LocalProblem.of(data, Deviations.absolute(), 1e-2);
        double[] direction = new Random(3).doubles(FEATURES, -1, 1).toArray();
        double[] point = new double[FEATURES];
        GradientLayout layout = new GradientLayout(FEATURES, false);
        SmoothedSamples samples = new SmoothedSamples(problem, layout, false, 50, (kind, shares) -> true);
        SumInstructions first =
                new SumInstructions(SumKind.GRADIENT, point, 0, direction, new double[0], false, band, false, 1, true);
        samples.sumGradient(first, false, 50, sums(layout.numbers(SumKind.GRADIENT)));
        double[] line = sums(TRIALS.length);
        samples.sumLine(
                new SumInstructions(SumKind.LINE, point, 0, direction, TRIALS, false, band, false, 1, false), line);

        double before = 0;
        int distinct = 0;
        for (int k = 0; k < TRIALS.length; k++) {
            double now = 0;
            double then = 0;
            int differ = 0;
            for (int j = 0; j < ROWS; j++) {
                double label = data.label(j);
                double speed = data.dot(j, direction);
                double slope = slope(TRIALS[k] * speed, label, band);
                double last = slope(before * speed, label, band);
                now += speed * slope;
                then += speed * last;
                differ += slope != last ? 1 : 0;
            }
            boolean tells = differ >= 50;
            assertThat(line[GradientLayout.FIRST + k]).isCloseTo(tells ? now : then, within(1e-9 * Math.abs(then)));
            before = tells ? TRIALS[k] : before;
            distinct += tells ? 1 : 0;
        }
        // Some steps are told of, and where the band is narrow not all.
        assertThat(distinct).isPositive();
        assertThat(distinct < TRIALS.length).isEqualTo(band < 0.5);
        assertThat(TRIALS[0]).isEqualTo(0x1p-6);
    }
}
