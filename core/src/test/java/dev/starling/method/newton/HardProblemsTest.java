package dev.starling.method.newton;

import static dev.starling.method.newton.NewtonRun.rows;
import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Dataset;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.loss.Squared;
import dev.starling.method.StoppingRule;
import dev.starling.method.newton.NewtonRun.Proof;
import dev.starling.method.newton.NewtonRun.Way;
import dev.starling.problem.Problem;
import dev.starling.runtime.Simulator;
import dev.starling.support.ReferenceNewton;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Problems that are hard on a method which solves linear systems: what is certified is certified truly, and all are.
 */
@Timeout(60)
@ParameterizedClass
@EnumSource
class HardProblemsTest {

    private static final double GAP = 1e-9;

    /** Without a Hessian, rows that are separable and fewer than features take 2,000 when lambda is 1e-8. */
    private static final int MOST_PASSES = 3000;

    private final Way way;

    HardProblemsTest(Way way) {
        this.way = way;
    }

    private static Dataset dense(int rows, int features, long seed, Row row) {
        Random random = new Random(seed);
        float[] values = new float[rows * features];
        double[] labels = new double[rows];
        float[] one = new float[features];
        for (int i = 0; i < rows; i++) {
            Arrays.fill(one, 0);
            labels[i] = row.fill(i, random, one);
            System.arraycopy(one, 0, values, i * features, features);
        }
        return Dataset.dense(features, values, labels);
    }

    /** Writes a row and returns its label. */
    private interface Row {
        double fill(int index, Random random, float[] row);
    }

    private static double gaussians(Random random, float[] row) {
        for (int c = 0; c < row.length; c++) {
            row[c] = (float) random.nextGaussian();
        }
        return random.nextBoolean() ? 1 : -1;
    }

    static Map<String, Dataset> datasets() {
        Map<String, Dataset> sets = new LinkedHashMap<>();
        sets.put("separable", dense(200, 5, 1, (i, random, row) -> {
            gaussians(random, row);
            return row[0] + 0.5 * row[1] > 0 ? 1 : -1;
        }));
        sets.put("separable by far", dense(50, 3, 2, (i, random, row) -> {
            gaussians(random, row);
            row[2] = i % 2 == 0 ? 10 : -10;
            return i % 2 == 0 ? 1 : -1;
        }));
        sets.put("a feature that is always zero", dense(100, 6, 3, (i, random, row) -> {
            double label = gaussians(random, row);
            row[3] = 0;
            return label;
        }));
        sets.put("a feature of one row", dense(100, 6, 4, (i, random, row) -> {
            double label = gaussians(random, row);
            row[3] = i == 57 ? 5 : 0;
            return label;
        }));
        sets.put("features twice", dense(150, 8, 5, (i, random, row) -> {
            double label = gaussians(random, row);
            System.arraycopy(row, 0, row, 4, 4);
            return label;
        }));
        sets.put("a feature that is the sum of others", dense(150, 5, 6, (i, random, row) -> {
            double label = gaussians(random, row);
            row[4] = row[0] + row[1];
            return label;
        }));
        sets.put("scales of 1e6 and 1e-6", dense(200, 6, 7, (i, random, row) -> {
            double label = gaussians(random, row);
            for (int c = 0; c < row.length; c++) {
                row[c] *= c % 2 == 0 ? 1e6f : 1e-6f;
            }
            return label;
        }));
        sets.put("more features than rows", dense(10, 40, 8, (i, random, row) -> gaussians(random, row)));
        sets.put("a row for each node", dense(4, 3, 9, (i, random, row) -> {
            gaussians(random, row);
            return i % 2 == 0 ? 1 : -1;
        }));
        sets.put("rows that are all zero", dense(60, 3, 10, (i, random, row) -> {
            double label = gaussians(random, row);
            if (i % 3 != 0) {
                Arrays.fill(row, 0);
            }
            return label;
        }));
        sets.put("nothing but zeros", dense(20, 3, 11, (i, random, row) -> i % 2 == 0 ? 1 : -1));
        sets.put("one class at each node", dense(80, 4, 12, (i, random, row) -> {
            gaussians(random, row);
            return i % 4 < 2 ? 1 : -1;
        }));
        sets.put("labels all alike", dense(60, 3, 13, (i, random, row) -> {
            gaussians(random, row);
            return 1;
        }));
        sets.put("a sample of zeros", dense(16_400, 3, 14, (i, random, row) -> {
            double label = gaussians(random, row);
            if (i % 8 < 4) {
                Arrays.fill(row, 0);
            }
            return label;
        }));
        sets.put("a sample of one class", dense(16_400, 3, 15, (i, random, row) -> {
            gaussians(random, row);
            return i / 4 % 8 == 0 || row[0] > 0 ? 1 : -1;
        }));
        sets.put("separable and many", dense(20_000, 3, 16, (i, random, row) -> {
            gaussians(random, row);
            return row[0] - row[1] > 0 ? 1 : -1;
        }));
        return sets;
    }

    static Stream<Arguments> problems() {
        return datasets().entrySet().stream()
                .flatMap(entry -> Stream.of("logistic", "squared", "squared-hinge", "huber", "smoothed-hinge")
                        .flatMap(loss -> Stream.of(1e-8, 1e-4)
                                .map(lambda -> Arguments.of(entry.getKey(), loss, lambda, entry.getValue()))));
    }

    @ParameterizedTest(name = "{0}, {1}, lambda {2}")
    @MethodSource("problems")
    void hardProblemsAreCertified(String what, String lossName, double lambda, Dataset data) {
        Loss loss = Losses.named(lossName);
        NewtonRun run = NewtonRun.of(
                        way, Problem.deal(data, loss, lambda, 4), "line", new StoppingRule(GAP, MOST_PASSES))
                .run(new Simulator());

        assertThat(run.isCertified())
                .as(
                        "%s, %s, lambda %s: gap %s",
                        what, lossName, lambda, run.certificate().relativeGap())
                .isTrue();
        assertThat(Arrays.stream(run.parameter()).allMatch(Double::isFinite)).isTrue();
        double objective = ReferenceNewton.objective(data, loss, lambda, run.parameter());
        double dual = NewtonRun.dual(data, loss, lambda, run.parameter());
        double size = Math.max(objective, ReferenceNewton.objective(data, loss, lambda, new double[data.features()]));
        // What rounding leaves of sums as large as those at zero.
        assertThat(Math.abs(run.certificate().objective() - objective)).isLessThanOrEqualTo(1e-13 * size);
        assertThat(objective - dual).isLessThanOrEqualTo(GAP * objective + 1e-12 * size);
    }

    /** Half a square up to a margin of one, and beyond that nobody has defined it. */
    private record Undefined(double beyond) implements Loss {
        @Override
        public String name() {
            return "undefined";
        }

        @Override
        public double value(double margin, double label) {
            return Math.abs(margin) > 1 ? beyond : 0.5 * (margin - label) * (margin - label);
        }

        @Override
        public double derivative(double margin, double label) {
            return Math.abs(margin) > 1 ? beyond : margin - label;
        }

        @Override
        public double smoothness() {
            return 1;
        }

        @Override
        public boolean isClassification() {
            return false;
        }
    }

    private NewtonRun ended(Dataset data, Loss loss) {
        return NewtonRun.of(way, Problem.deal(data, loss, 1e-3, 2), "line", new StoppingRule(1e-6, 30))
                .run(new Simulator());
    }

    private static void assertProvesNothingThatIsNotTrue(NewtonRun run) {
        for (Proof proof : run.proofs()) {
            boolean finite = Arrays.stream(proof.theta()).allMatch(Double::isFinite);
            assertThat(finite || !(proof.certificate().relativeGap() < Double.POSITIVE_INFINITY))
                    .isTrue();
        }
        assertThat(Arrays.stream(run.parameter()).allMatch(Double::isFinite)).isTrue();
    }

    @Test
    void aLossThatIsNotANumberIsNeverCertified() {
        for (double beyond : new double[] {Double.NaN, Double.POSITIVE_INFINITY}) {
            Dataset data = rows(new Squared(), 100, 3, true, false, 1);
            double[] labels = new double[100];
            Arrays.setAll(labels, i -> 1000 * data.label(i));
            NewtonRun run = ended(data.withLabels(labels), new Undefined(beyond));

            assertThat(run.isCertified()).isFalse();
            assertProvesNothingThatIsNotTrue(run);
        }
    }

    @Test
    void overflowingSumsAtTheFirstPointAreRefused() {
        Dataset data = rows(new Squared(), 40, 3, true, false, 1);
        float[] values = new float[3 * data.rows()];
        double[] labels = filled(0);
        // Numbers that are not finite are refused at once, so arrays are spoilt after they were handed over.
        List<Dataset> spoilt = List.of(
                data.withLabels(labels), data.withLabels(filled(1e200)), Dataset.dense(3, values, data.labels()));
        Arrays.fill(labels, Double.NaN);
        values[50] = Float.NaN;
        for (Dataset wrong : spoilt) {
            assertThatRefused(() -> ended(wrong, new Squared()))
                    .hasMessageContaining("not finite or too large to be added up; standardise");
        }
    }

    private static double[] filled(double label) {
        double[] labels = new double[40];
        Arrays.fill(labels, label);
        return labels;
    }
}
