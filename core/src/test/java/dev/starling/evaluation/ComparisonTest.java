package dev.starling.evaluation;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.Dataset;
import dev.starling.evaluation.Comparison.Difference;
import dev.starling.model.LinearModel;
import dev.starling.model.Provenance;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ComparisonTest {

    private static final double[] LABELS = {
        1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 1, 1, 1, 0, 0,
        0, 1, 1, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 1, 1, 1, 1, 1
    };
    private static final double[] FIRST = {
        1.5, 1.1, 2.2, 2.4, 2.7, 1, -1, -2, -1.8, 1.1, 2.8, -0.8, 1.1, 1.9, 0.7, 1.8, 0.3, -0.5, -0.7, -0.1, 1.5, 0.2,
        2.2, 0.6, 1.1, -0.9, 0.8, -0.1, 1.1, 0.2, -1.1, 2.1, 0.6, 1.7, 0.4, -0.3, -2.1, -0.3, -0.1, 0.9, -0.2, 1, 0.3,
        0, 0.4, -0.2, 1, 1.3, 0.2, -0.6, 1.7, -1.7, 1, 0, 0.7, 0.5, 3.6, 0.7, 1.1, 0.7
    };
    private static final double[] SECOND = {
        2, -0.5, 1.7, 2.4, 2.6, 0.9, -0.8, -1.5, -1.1, 0.8, -0.3, 0.7, 1.5, 1.2, 0.6, 2.1, 0.2, -2.2, -1.1, 1.2, -0.2,
        1.7, 4, 0.7, -0.5, 0.3, -1.2, 0.4, 0.9, -0.1, 0.6, 2.2, -0.7, -0.5, 1.6, 0.1, -1.5, 1.1, -1.1, -0.7, 1.2, -1.2,
        -1.1, -0.1, 0.9, 0.4, 0.8, -0.1, 0.7, 0, 0.4, -0.9, 2.7, 1, 0, 0.1, 2.2, 0.4, -0.6, 0.3
    };

    /** A model whose only feature is its score. */
    private static LinearModel scores(String loss, List<Double> classes) {
        return new LinearModel(loss, classes, new double[][] {{1}}, new double[1], Provenance.UNKNOWN);
    }

    private static Judged judged(String loss, List<Double> classes, double[] scores, double[] labels) {
        double[][] rows =
                Arrays.stream(scores).mapToObj(score -> new double[] {score}).toArray(double[][]::new);
        return new Judged(scores(loss, classes), Dataset.of(rows, labels));
    }

    private static Judged logistic(double... scores) {
        return judged("logistic", List.of(0.0, 1.0), scores, LABELS);
    }

    private static Difference of(String measure, List<Difference> all) {
        return all.stream()
                .filter(one -> one.measure().equals(measure))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void areasDifferAsInPRoc() {
        // roc.test(roc(y, a), roc(y, b), method = "delong", paired = TRUE) of R's pROC 1.18.
        Difference found = of("auc", Comparison.of(logistic(FIRST), logistic(SECOND)));
        assertThat(found.first()).isCloseTo(0.8512906846240179, within(1e-14));
        assertThat(found.second()).isCloseTo(0.5982042648709315, within(1e-14));
        assertThat(-found.value() / found.standardError()).isCloseTo(3.393148129916481, within(1e-12));
        assertThat(-found.upper()).isCloseTo(0.1068976155217647, within(1e-12));
        assertThat(-found.lower()).isCloseTo(0.3992752239844082, within(1e-12));
        assertThat(found.isMoreThanChance()).isTrue();
        assertThat(found.favoursSecond()).isFalse();
    }

    @Test
    void theVarianceOfAnAreaIsThatOfAllPairsCountedOneByOne() {
        double[] ofPositives = new double[LABELS.length];
        double[] ofNegatives = new double[LABELS.length];
        double positives = Arrays.stream(LABELS).sum();
        double negatives = LABELS.length - positives;
        for (int i = 0; i < LABELS.length; i++) {
            for (int j = 0; j < LABELS.length; j++) {
                if (LABELS[i] > LABELS[j]) {
                    double won = (Math.signum(SECOND[i] - SECOND[j]) - Math.signum(FIRST[i] - FIRST[j])) / 2;
                    ofPositives[i] += won / negatives;
                    ofNegatives[j] += won / positives;
                }
            }
        }
        double mean = Arrays.stream(ofPositives).sum() / positives;
        double variance = 0;
        for (int i = 0; i < LABELS.length; i++) {
            variance += LABELS[i] == 1
                    ? (ofPositives[i] - mean) * (ofPositives[i] - mean) / (positives - 1) / positives
                    : (ofNegatives[i] - mean) * (ofNegatives[i] - mean) / (negatives - 1) / negatives;
        }
        Difference found = of("auc", Comparison.of(logistic(FIRST), logistic(SECOND)));
        assertThat(found.value()).isCloseTo(mean, within(1e-14));
        assertThat(found.standardError()).isCloseTo(Math.sqrt(variance), within(1e-14));
    }

    @Test
    void whichClassComesFirstDoesNotMatter() {
        double[] negated = Arrays.stream(FIRST).map(score -> -score).toArray();
        Judged swapped = judged("logistic", List.of(1.0, 0.0), negated, LABELS);
        Difference usual = of("auc", Comparison.of(logistic(FIRST), logistic(SECOND)));
        Difference other = of("auc", Comparison.of(swapped, logistic(SECOND)));
        assertThat(other.value()).isCloseTo(usual.value(), within(1e-14));
        assertThat(other.standardError()).isCloseTo(usual.standardError(), within(1e-14));
        assertThat(of("logLoss", Comparison.of(swapped, logistic(FIRST))).value())
                .isCloseTo(0, within(1e-14));
    }

    @Test
    void meansDifferAsInAPairedTTest() {
        double[] differences = IntStream.range(0, LABELS.length)
                .mapToDouble(i -> Math.abs(SECOND[i] - LABELS[i]) - Math.abs(FIRST[i] - LABELS[i]))
                .toArray();
        double mean = Arrays.stream(differences).average().orElseThrow();
        double variance =
                Arrays.stream(differences).map(d -> (d - mean) * (d - mean)).sum() / (LABELS.length - 1);
        List<Difference> all = Comparison.of(
                judged("squared", List.of(), FIRST, LABELS), judged("squared", List.of(), SECOND, LABELS));
        Difference found = of("mae", all);
        assertThat(found.value()).isCloseTo(mean, within(1e-14));
        assertThat(found.standardError()).isCloseTo(Math.sqrt(variance / LABELS.length), within(1e-14));
        // qt(0.975, 59)
        assertThat(found.upper() - found.value()).isCloseTo(2.000995378088267 * found.standardError(), within(1e-12));
        assertThat(all).extracting(Difference::measure).containsExactly("rmse", "mae", "loss");
        assertThat(Comparison.of(
                        judged("squared", List.of(), FIRST, LABELS), judged("absolute", List.of(), SECOND, LABELS)))
                .extracting(Difference::measure)
                .doesNotContain("loss");
    }

    @Test
    void measuresAreThoseOfAnEvaluation() {
        Judged three = random(new Random(1), 0.5);
        Judged other = random(new Random(1), 2);
        for (Judged[] pair : new Judged[][] {
            {logistic(FIRST), logistic(SECOND)},
            {three, other},
            {judged("squared", List.of(), FIRST, LABELS), judged("squared", List.of(), SECOND, LABELS)}
        }) {
            for (Difference one : Comparison.of(pair[0], pair[1])) {
                assertThat(one.first())
                        .as(one.measure())
                        .isCloseTo(values(pair[0]).get(one.measure()), within(1e-14));
                assertThat(one.second())
                        .as(one.measure())
                        .isCloseTo(values(pair[1]).get(one.measure()), within(1e-14));
            }
        }
    }

    private static Map<String, Double> values(Judged judged) {
        return Evaluation.of(judged.model(), judged.places()).values();
    }

    /** A model of three classes whose scores are what tells them apart, plus noise. */
    private static Judged random(Random random, double noise) {
        double[][] rows = new double[150][3];
        double[] labels = new double[rows.length];
        for (int i = 0; i < rows.length; i++) {
            labels[i] = i % 5 == 0 ? 2 : i % 2;
            for (int k = 0; k < 3; k++) {
                rows[i][k] = (labels[i] == k ? 1 : 0) + random.nextGaussian() + noise * random.nextGaussian();
            }
        }
        return new Judged(
                new LinearModel(
                        "softmax",
                        List.of(0.0, 1.0, 2.0),
                        new double[][] {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                        new double[3],
                        Provenance.UNKNOWN),
                Dataset.of(rows, labels));
    }

    @Test
    void standardErrorsOfSeveralClassesAreHowMuchDifferencesVary() {
        int runs = 600;
        double[] values = new double[runs];
        double errors = 0;
        for (int run = 0; run < runs; run++) {
            Difference found = of("auc", Comparison.of(random(new Random(run), 0.5), random(new Random(run), 1)));
            values[run] = found.value();
            errors += found.standardError() / runs;
        }
        double mean = Arrays.stream(values).average().orElseThrow();
        double deviation = Math.sqrt(
                Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum() / (runs - 1));
        // A deviation of 600 values is uncertain by 3 %.
        assertThat(errors).isCloseTo(deviation, within(0.09 * deviation));
    }

    @Test
    void aThresholdMovesTheConfusionMatrix() {
        ClassMeasures measures = (ClassMeasures)
                Evaluation.of(logistic(FIRST).model(), logistic(FIRST).places());
        ClassMeasures moved = measures.at(1);
        double hits = IntStream.range(0, LABELS.length)
                .filter(i -> LABELS[i] == 1 && FIRST[i] > 1)
                .count();
        double alarms = IntStream.range(0, LABELS.length)
                .filter(i -> LABELS[i] == 0 && FIRST[i] > 1)
                .count();
        assertThat(moved.confusion()[1][1]).isEqualTo(hits);
        assertThat(moved.confusion()[0][1]).isEqualTo(alarms);
        assertThat(moved.auc()).isEqualTo(measures.auc());
        assertThat(measures.at(0).confusion()).isDeepEqualTo(measures.confusion());
        Difference accuracy = of(
                "accuracy",
                Comparison.of(
                        logistic(FIRST),
                        new Judged(logistic(FIRST).model(), logistic(FIRST).places(), 1)));
        assertThat(accuracy.first()).isCloseTo(measures.accuracy(), within(1e-14));
        assertThat(accuracy.second()).isCloseTo(moved.accuracy(), within(1e-14));
        ClassMeasures three = (ClassMeasures) Evaluation.of(
                random(new Random(1), 1).model(), random(new Random(1), 1).places());
        assertThatRefused(() -> three.at(0.3)).hasMessageContaining("there are 3");
    }

    @Test
    void otherLabelsAreRefused() {
        double[] turned = Arrays.stream(LABELS).map(label -> 1 - label).toArray();
        assertThatRefused(() -> Comparison.of(logistic(FIRST), judged("logistic", List.of(0.0, 1.0), SECOND, turned)))
                .hasMessageContaining("the same labels");
    }

    @Test
    void foldsAreComparedWithARoomierInterval() {
        Difference found = Comparison.ofFolds(
                "loss", List.of(2.0, 2.0, 2.0, 2.0), List.of(1.0, 2.0, 3.0, 4.0), List.of(1.1, 2.3, 3.1, 4.3));
        assertThat(found.value()).isCloseTo(0.2, within(1e-14));
        // Differences of 0.1 and 0.3, twice each: variance 0.04/3, over 4 folds, times 1 + 4/3.
        assertThat(found.standardError()).isCloseTo(Math.sqrt(0.04 / 3 / 4 * (1 + 4.0 / 3)), within(1e-14));
        assertThat(found.upper() - found.value()).isCloseTo(3.1824463052837078 * found.standardError(), within(1e-12));
    }

    @ParameterizedTest
    @CsvSource({
        "1, 12.706204736174694",
        "2, 4.3026527297494619",
        "3, 3.1824463052837078",
        "4.9, 2.7764451051977934",
        "9, 2.2621571627982049",
        "30, 2.0422724563012378",
        "199, 1.9719565442517519",
        "200, 1.9718962236339079",
        "500, 1.9647198374673673",
        "Infinity, 1.959963984540054"
    })
    void quantilesAreThoseOfR(double degrees, double quantile) {
        assertThat(StudentT.quantile(degrees)).isCloseTo(quantile, within(2e-9));
    }
}
