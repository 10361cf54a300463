package dev.starling.job.folds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.Dataset;
import dev.starling.data.Labels;
import dev.starling.job.NodeRows;
import dev.starling.job.Units;
import dev.starling.loss.Logistic;
import dev.starling.loss.Loss;
import dev.starling.model.CrossValidation.Estimate;
import dev.starling.problem.LocalProblem;
import dev.starling.settings.Folds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

/** Two values of λ and three folds, whose rows and models are such that everything can be added up again. */
class HeldOutScoresTest {

    private static final int FOLDS = 3;
    private static final int POINTS = 2;
    private static final double[] WEIGHTS = {1, 2, 1, 3, 1, 0.5, 2, 1, 1, 4};
    private static final double[][] VALUES = {
        {1, 0}, {0, 1}, {2, -1}, {-1, 0.5}, {0.5, 3}, {-2, 1}, {1.5, 1}, {-1, -1}, {3, 0.25}, {-0.5, -2}
    };

    private static Dataset rows(double... labels) {
        return Dataset.of(VALUES, labels).withWeights(WEIGHTS);
    }

    private static RowFolds folds(Dataset rows) {
        RowFolds folds = new RowFolds(Folds.of(3), NodeRows.all(rows), 0, 1, 4);
        assertThat(folds.fewest()).as("no fold is empty").isPositive();
        return folds;
    }

    /** The model of a class without a fold. */
    private static double[] model(int point, int fold, int label) {
        return new double[] {0.3 + point - 0.5 * fold + label, 0.7 * point + 0.4 * fold - 0.8 * label};
    }

    private static List<List<double[]>> models(int point, int classes) {
        List<List<double[]>> models = new ArrayList<>();
        for (int fold = 0; fold < FOLDS; fold++) {
            List<double[]> ofFold = new ArrayList<>();
            for (int label = 0; label < classes; label++) {
                ofFold.add(model(point, fold, label));
            }
            models.add(ofFold);
        }
        return models;
    }

    private static double margin(int row, double[] model) {
        return VALUES[row][0] * model[0] + VALUES[row][1] * model[1];
    }

    /** Means of folds, their mean by weight, and the standard error as the definition has it. */
    private static Estimate byDefinition(RowFolds folds, IntToDoubleFunction measure) {
        double[] weight = new double[FOLDS];
        double[] sum = new double[FOLDS];
        double all = 0;
        double total = 0;
        for (int row = 0; row < WEIGHTS.length; row++) {
            double value = WEIGHTS[row] * measure.applyAsDouble(row);
            weight[folds.of(row)] += WEIGHTS[row];
            sum[folds.of(row)] += value;
            all += WEIGHTS[row];
            total += value;
        }
        double variance = 0;
        for (int fold = 0; fold < FOLDS; fold++) {
            double off = sum[fold] / weight[fold] - total / all;
            variance += weight[fold] / all * off * off;
        }
        return new Estimate(total / all, Math.sqrt(variance / (FOLDS - 1)));
    }

    private static void assertClose(Map<String, Estimate> found, String measure, Estimate expected) {
        assertThat(found.get(measure).mean()).as(measure).isCloseTo(expected.mean(), within(1e-12));
        assertThat(found.get(measure).error()).as(measure).isCloseTo(expected.error(), within(1e-9));
    }

    private static HeldOutScores heldOut(RowFolds folds, boolean classification, double unit) {
        return new HeldOutScores(Folds.of(3), folds, folds.fewest(), POINTS, classification, unit, Units.NONE);
    }

    @Test
    void lossAndErrorsOfTwoClassesAreThoseOfTheModelWithoutTheRowsFold() {
        Dataset rows = rows(1, 1, -1, -1, 1, -1, 1, 1, -1, -1);
        RowFolds folds = folds(rows);
        HeldOutScores heldOut = heldOut(folds, true, 1);
        Loss loss = new Logistic();
        for (int point = 0; point < POINTS; point++) {
            heldOut.add(point, List.of(LocalProblem.of(rows, loss, 0.1)), models(point, 1));
        }

        assertThat(heldOut.request().rows()).isEqualTo(folds.fewest());
        assertThat(heldOut.request().numbers())
                .isEqualTo(heldOut.addend().length)
                .isEqualTo(FOLDS * POINTS * 3);
        List<Map<String, Estimate>> estimates = heldOut.estimates(heldOut.addend());
        for (int point = 0; point < POINTS; point++) {
            int at = point;
            IntToDoubleFunction margin = row -> margin(row, model(at, folds.of(row), 0));
            assertThat(estimates.get(point)).containsOnlyKeys("loss", "error");
            assertClose(
                    estimates.get(point),
                    "loss",
                    byDefinition(folds, row -> loss.value(margin.applyAsDouble(row), rows.label(row))));
            assertClose(
                    estimates.get(point),
                    "error",
                    byDefinition(folds, row -> margin.applyAsDouble(row) * rows.label(row) > 0 ? 0 : 1));
        }
    }

    /** Models of zeros: no margin is more than 0, and all are equal. */
    @Test
    void tiesCountForTheClassTheModelPredicts() {
        List<List<double[]>> nothing = List.of(
                List.of(new double[2], new double[2], new double[2]),
                List.of(new double[2], new double[2], new double[2]),
                List.of(new double[2], new double[2], new double[2]));
        Dataset two = rows(1, 1, -1, -1, 1, -1, 1, 1, -1, -1);
        RowFolds folds = folds(two);
        HeldOutScores ofTwo = heldOut(folds, true, 1);
        ofTwo.add(0, List.of(LocalProblem.of(two, new Logistic(), 0.1)), nothing);
        assertClose(
                ofTwo.estimates(ofTwo.addend()).get(0),
                "error",
                byDefinition(folds, row -> two.label(row) == -1 ? 0 : 1));

        Dataset three = rows(0, 1, 2, 2, 1, 0, 0, 1, 2, 0);
        Labels labels = Labels.of(0, 1, 2);
        RowFolds others = folds(three);
        HeldOutScores ofThree = heldOut(others, true, 1);
        List<LocalProblem> problems = labels.classes().stream()
                .map(label -> LocalProblem.of(labels.binary(three, label), new Logistic(), 0.1))
                .toList();
        ofThree.add(0, problems, nothing);
        assertClose(
                ofThree.estimates(ofThree.addend()).get(0),
                "error",
                byDefinition(others, row -> three.label(row) == 0 ? 0 : 1));
    }
}
