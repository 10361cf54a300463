package dev.starling.evaluation.tally;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.Dataset;
import dev.starling.evaluation.Area;
import dev.starling.evaluation.ClassMeasures;
import dev.starling.evaluation.Evaluation;
import dev.starling.evaluation.Measures;
import dev.starling.model.LinearModel;
import dev.starling.model.Provenance;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Judgements of parts, added up, are those of all rows. */
class PartialEvaluationTest {

    private static final int ROWS = 300;

    /** Few different values, so that scores are tied within parts and across them. */
    private static Dataset rows(int classes) {
        Random random = new Random(classes);
        double[][] values = new double[ROWS][2];
        double[] labels = new double[ROWS];
        double[] weights = new double[ROWS];
        for (int i = 0; i < ROWS; i++) {
            values[i][0] = random.nextInt(5);
            values[i][1] = random.nextInt(4) - 2;
            labels[i] = classes == 0 ? 1000 + values[i][0] + random.nextGaussian() : random.nextInt(classes);
            weights[i] = 0.5 + random.nextDouble();
        }
        return Dataset.of(values, labels).withWeights(weights);
    }

    private static LinearModel model(int classes) {
        double[][] weights = classes > 2 ? new double[][] {{1, 0}, {0, 1}, {-1, 0.5}} : new double[][] {{0.5, -1}};
        return new LinearModel(
                classes == 0 ? "squared" : "logistic",
                IntStream.range(0, classes).mapToObj(k -> (double) k).toList(),
                weights,
                new double[weights.length],
                Provenance.UNKNOWN);
    }

    private static Measures ofParts(LinearModel model, Dataset rows) {
        return PartialEvaluation.sum(IntStream.range(0, 4)
                        .mapToObj(part -> rows.picked(IntStream.range(0, ROWS)
                                .filter(i -> i % 7 % 4 == part)
                                .toArray()))
                        .map(part -> PartialEvaluation.of(model, part))
                        .toList())
                .measures(model);
    }

    @Test
    void measuresOfPartsAreThoseOfAllRows() {
        for (int classes : new int[] {0, 2, 3}) {
            Measures expected = Evaluation.of(model(classes), rows(classes));
            Measures actual = ofParts(model(classes), rows(classes));

            assertThat(actual.rows()).isEqualTo(ROWS);
            expected.values()
                    .forEach((name, value) -> assertThat(actual.values().get(name))
                            .as(classes + " classes, " + name)
                            .isCloseTo(value, within(1e-11 * Math.abs(value))));
        }
    }

    @Test
    void classesInAnOrderAreMeasuredByTheirProbabilities() {
        LinearModel ordered = new LinearModel(
                "ordinal",
                List.of(0.0, 1.0, 2.0),
                new double[][] {{1, -0.5}, {1, -0.5}},
                new double[] {-1.1, 0.7},
                Provenance.UNKNOWN);
        Dataset rows = rows(3);
        double logLoss = 0;
        double right = 0;
        double weight = 0;
        double[][] p = new double[ROWS][];
        for (int i = 0; i < ROWS; i++) {
            p[i] = ordered.probabilities(rows, i);
            logLoss -= rows.weight(i) * Math.log(p[i][(int) rows.label(i)]);
            right += ordered.predict(rows, i) == rows.label(i) ? rows.weight(i) : 0;
            weight += rows.weight(i);
        }

        Measures found = Evaluation.of(ordered, rows);

        assertThat(found.values().get("logLoss")).isCloseTo(logLoss / weight, within(1e-12));
        assertThat(found.values().get("loss")).isCloseTo(logLoss / weight, within(1e-12));
        assertThat(found.values().get("accuracy")).isCloseTo(right / weight, within(1e-12));
        double area = 0;
        for (int k = 0; k < 3; k++) {
            area += area(rows, k, p) / 3;
        }
        assertThat(found.values().get("auc")).isCloseTo(area, within(1e-12));
        assertThat(ofParts(ordered, rows).values().get("auc")).isCloseTo(area, within(1e-12));
    }

    /** How often the probability of a class is larger in its rows than in others. */
    private static double area(Dataset rows, int positive, double[][] p) {
        double won = 0;
        double all = 0;
        for (int i = 0; i < ROWS; i++) {
            for (int j = 0; rows.label(i) == positive && j < ROWS; j++) {
                if (rows.label(j) != positive) {
                    double pair = rows.weight(i) * rows.weight(j);
                    all += pair;
                    won += pair * (1 + Math.signum(p[i][positive] - p[j][positive])) / 2;
                }
            }
        }
        return won / all;
    }

    /** The labels of the second part are far from those of the first, and so are their means. */
    @Test
    void theShareOfVariationThatIsExplainedIsThatOfAllRows() {
        double[] labels = {1, 2, 4, 1e6, 1e6 + 1, 1e6 + 5};
        double[][] values = {{1, 0}, {2, 0}, {3, 0}, {9e5, 0}, {1e6, 0}, {1.1e6, 0}};
        Dataset rows = Dataset.of(values, labels);
        LinearModel identity =
                new LinearModel("squared", List.of(), new double[][] {{1, 0}}, new double[1], Provenance.UNKNOWN);

        double whole = Evaluation.of(identity, rows).values().get("r2");
        double parts = Evaluation.of(
                        identity, List.of(rows.picked(new int[] {0, 1, 2}), rows.picked(new int[] {3, 4, 5})))
                .values()
                .get("r2");

        assertThat(parts).isCloseTo(whole, within(1e-14));
    }

    @Test
    void areasAndTheirErrorsAreThoseOfAllRows() {
        ClassMeasures expected = (ClassMeasures) Evaluation.of(model(2), rows(2));
        ClassMeasures actual = (ClassMeasures) ofParts(model(2), rows(2));
        Area area = actual.curves().get(0).area();

        assertThat(area.error()).isZero();
        assertThat(area.standardError())
                .isCloseTo(expected.curves().get(0).area().standardError(), within(1e-13));
        assertThat(actual.curves().get(0).size())
                .isEqualTo(expected.curves().get(0).size());
        assertThat(actual.curves().get(0).averagePrecision())
                .isCloseTo(expected.curves().get(0).averagePrecision(), within(1e-13));
    }
}
