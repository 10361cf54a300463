package dev.starling.evaluation.tally;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.Dataset;
import dev.starling.evaluation.Area;
import dev.starling.evaluation.ClassMeasures;
import dev.starling.evaluation.Evaluation;
import dev.starling.evaluation.Measures;
import dev.starling.evaluation.NumberMeasures;
import dev.starling.model.LinearModel;
import dev.starling.model.Provenance;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TallyTest {

    private static final LinearModel IDENTITY = model("logistic", List.of(3.0, 7.0), 1);

    private static final double[] ONE = {1};

    /** Scores are the first feature times the place of the score. */
    private static LinearModel model(String loss, List<Double> classes, int scores) {
        double[][] weights = new double[scores][1];
        Arrays.setAll(weights, k -> new double[] {k + 1.0});
        return new LinearModel(loss, classes, weights, new double[scores], Provenance.UNKNOWN);
    }

    private static Dataset rows(double[] values, double[] labels) {
        return Dataset.of(
                DoubleStream.of(values).mapToObj(x -> new double[] {x}).toArray(double[][]::new), labels);
    }

    private static ClassMeasures byCounts(LinearModel model, ScoreBins bins, Dataset... places) {
        Tally all = Tally.of(model, bins, 0);
        for (Dataset rows : places) {
            Tally own = Tally.of(model, bins, 0);
            own.addAll(rows);
            all.add(own.sums());
        }
        return (ClassMeasures) all.measures();
    }

    static Stream<Arguments> scores() {
        Random random = new Random(3);
        return Stream.of(
                Arguments.of("normal", (DoubleUnaryOperator) i -> random.nextGaussian()),
                Arguments.of("all the same", (DoubleUnaryOperator) i -> 0.25),
                Arguments.of("two values", (DoubleUnaryOperator) i -> random.nextInt(2)),
                Arguments.of("zeros of both signs", (DoubleUnaryOperator) i -> random.nextBoolean() ? -0.0 : 0.0),
                Arguments.of("huge", (DoubleUnaryOperator) i -> random.nextGaussian() * 1e30),
                Arguments.of("tiny", (DoubleUnaryOperator) i -> random.nextGaussian() * 1e-30),
                Arguments.of("neighbours", (DoubleUnaryOperator) i -> 1 + random.nextInt(9) * 0x1p-23),
                Arguments.of("far and near", (DoubleUnaryOperator) i -> Math.exp(80 * random.nextDouble() - 40)),
                Arguments.of("ascending", (DoubleUnaryOperator) i -> i),
                Arguments.of("descending", (DoubleUnaryOperator) i -> -i));
    }

    @ParameterizedTest
    @MethodSource("scores")
    void theBoundsOfBinsContainTheExactArea(String name, DoubleUnaryOperator score) {
        Random random = new Random(4);
        for (int trial = 0; trial < 30; trial++) {
            int count = 2 + random.nextInt(60);
            double[] values = new double[count];
            double[] labels = new double[count];
            double[] weights = new double[count];
            for (int i = 0; i < count; i++) {
                values[i] = score.applyAsDouble(i);
                labels[i] = i == 0 ? 3 : i == 1 ? 7 : trial % 3 == 0 && i < count / 2 ? 3 : 3 + 4 * random.nextInt(2);
                weights[i] = trial % 2 == 0 ? 1 : Math.exp(10 * random.nextGaussian());
            }
            Dataset rows = rows(values, labels).withWeights(weights);
            double exact = bruteForce(rows);
            assertThat(((ClassMeasures) Evaluation.of(IDENTITY, rows)).auc()).isCloseTo(exact, within(1e-12));
            for (int bins : new int[] {2, 7, 200}) {
                Area area = byCounts(IDENTITY, new ScoreBins(bins), rows)
                        .curves()
                        .get(0)
                        .area();
                assertThat(exact).isBetween(area.least(), area.most());
                assertThat(area.value()).isBetween(area.least(), area.most());
                assertThat(area.error()).isGreaterThanOrEqualTo(Math.abs(area.value() - exact));
            }
        }
    }

    private static double bruteForce(Dataset rows) {
        double won = 0;
        double pairs = 0;
        for (int i = 0; i < rows.rows(); i++) {
            for (int j = 0; j < rows.rows(); j++) {
                if (rows.label(i) == 7 && rows.label(j) == 3) {
                    double weight = rows.weight(i) * rows.weight(j);
                    double difference = rows.dot(i, ONE) - rows.dot(j, ONE);
                    pairs += weight;
                    won += difference > 0 ? weight : difference == 0 ? weight / 2 : 0;
                }
            }
        }
        return won / pairs;
    }

    @Test
    void manyBinsGiveTightBounds() {
        Random random = new Random(8);
        double[] values = random.doubles(5000, -3, 3).toArray();
        double[] labels = Arrays.stream(values)
                .map(x -> random.nextDouble() < 1 / (1 + Math.exp(-x)) ? 7 : 3)
                .toArray();
        Area area = byCounts(IDENTITY, ScoreBins.USUAL, rows(values, labels))
                .curves()
                .get(0)
                .area();
        Area exact = ((ClassMeasures) Evaluation.of(IDENTITY, rows(values, labels)))
                .curves()
                .get(0)
                .area();
        assertThat(area.error()).isLessThan(0.003);
        assertThat(area.standardError()).isCloseTo(exact.standardError(), within(1e-4));
        assertThat(area.lower()).isLessThan(exact.lower());
        assertThat(area.upper()).isGreaterThan(exact.upper());
    }

    @Test
    void countsOfSitesAddUpToThoseOfAllRows() {
        LinearModel model = model("logistic", List.of(0.0, 1.0, 2.0), 3);
        Random random = new Random(2);
        double[] values = random.doubles(90, -2, 2).toArray();
        double[] labels = random.doubles(90, 0, 3).map(Math::floor).toArray();
        double[] weights = random.doubles(90, 0.5, 2).toArray();
        Dataset all = rows(values, labels).withWeights(weights);
        ClassMeasures together = (ClassMeasures) Evaluation.of(model, all);
        ClassMeasures added = byCounts(
                model,
                ScoreBins.USUAL,
                all.picked(new int[] {0, 5, 7}),
                all.picked(IntStream.range(0, 90)
                        .filter(i -> i != 0 && i != 5 && i != 7)
                        .toArray()));
        together.values().forEach((name, value) -> {
            if (!name.equals("auc")) {
                assertThat(added.values().get(name)).as(name).isCloseTo(value, within(1e-12 * Math.max(1, value)));
            }
        });
        assertThat(added.rows()).isEqualTo(90);
    }

    @Test
    void aRowOfWeightTwoCountsLikeTwoRows() {
        double[] values = {-1, 0.5, 2, -0.5, 0.25};
        double[] labels = {3, 7, 7, 7, 3};
        Measures weighted = Evaluation.of(IDENTITY, rows(values, labels).withWeights(new double[] {1, 2, 1, 1, 2}));
        Measures repeated = Evaluation.of(
                IDENTITY, rows(new double[] {-1, 0.5, 0.5, 2, -0.5, 0.25, 0.25}, new double[] {3, 7, 7, 7, 7, 3, 3}));
        repeated.values()
                .forEach(
                        (name, value) -> assertThat(weighted.values().get(name)).isCloseTo(value, within(1e-14)));
    }

    @Test
    void theUnitOfWeightsDoesNotNarrowTheInterval() {
        double[] values = {-1, 0.5, 2, -0.5, 0.25};
        double[] labels = {3, 7, 7, 7, 3};
        Dataset rows = rows(values, labels);
        double[] thousand = {1000, 1000, 1000, 1000, 1000};
        assertThat(((ClassMeasures) Evaluation.of(IDENTITY, rows.withWeights(thousand)))
                        .curves()
                        .get(0)
                        .area()
                        .standardError())
                .isCloseTo(
                        ((ClassMeasures) Evaluation.of(IDENTITY, rows))
                                .curves()
                                .get(0)
                                .area()
                                .standardError(),
                        within(1e-15));
    }

    @Test
    void oneClassHasNoAreaAndOneRowHasNoInterval() {
        ClassMeasures alone = (ClassMeasures) Evaluation.of(IDENTITY, rows(new double[] {1, 2}, new double[] {7, 7}));
        assertThat(alone.auc()).isNaN();
        assertThat(alone.curves().get(0).area().value()).isNaN();
        assertThat(alone.accuracy()).isEqualTo(1);
        assertThat(alone.macro(ClassMeasures.OfClass::recall)).isEqualTo(1);
        ClassMeasures one =
                (ClassMeasures) Evaluation.of(IDENTITY, rows(new double[] {1, 2, 0}, new double[] {7, 7, 3}));
        assertThat(one.auc()).isEqualTo(1);
        assertThat(one.curves().get(0).area().lower()).isNaN();
    }

    @Test
    void aModelWithoutProbabilitiesHasOnlyItsOwnLoss() {
        ClassMeasures measures = (ClassMeasures) Evaluation.of(
                model("hinge", List.of(3.0, 7.0), 1), rows(new double[] {2, -3, 0.5}, new double[] {7, 7, 3}));
        assertThat(measures.logLoss()).isNaN();
        assertThat(measures.brier()).isNaN();
        assertThat(measures.calibration()).isEmpty();
        // 0, 1 + 3 and 1 + 0.5.
        assertThat(measures.loss()).isCloseTo(5.5 / 3, within(1e-15));
    }

    @Test
    void hugeScoresHaveFiniteLosses() {
        LinearModel three = model("logistic", List.of(0.0, 1.0, 2.0), 3);
        Dataset rows = rows(new double[] {3000, -3000}, new double[] {0, 2});
        assertThat(((ClassMeasures) Evaluation.of(three, rows)).logLoss()).isFinite();
        assertThat(((ClassMeasures) Evaluation.of(IDENTITY, rows(new double[] {3000}, new double[] {3}))).logLoss())
                .isEqualTo(3000);
    }

    @Test
    void equalLabelsHaveNoVarianceToExplain() {
        LinearModel numbers = model("squared", List.of(), 1);
        NumberMeasures measures = (NumberMeasures) Evaluation.of(
                numbers, rows(new double[] {1, 2, 3}, new double[] {1e6 + 0.1, 1e6 + 0.1, 1e6 + 0.1}));
        assertThat(measures.r2()).isNaN();
        assertThat(measures.mae()).isCloseTo(1e6 + 0.1 - 2, within(1e-6));
    }

    @Test
    void unknownLabelsAreNamed() {
        assertThatRefused(() -> Evaluation.of(IDENTITY, rows(new double[] {1, 2}, new double[] {7, 5})))
                .hasMessage("row 2: label 5 is not one of the model's classes 3, 7");
    }
}
