package dev.starling;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.Dataset;
import dev.starling.data.Moments;
import dev.starling.data.Standardizer;
import dev.starling.data.keys.RowKeys;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.loss.Softmax;
import dev.starling.model.CrossValidation;
import dev.starling.model.CrossValidation.Estimate;
import dev.starling.model.CrossValidation.Line;
import dev.starling.model.LinearModel;
import dev.starling.runtime.Simulator;
import dev.starling.runtime.Threads;
import dev.starling.settings.Folds;
import dev.starling.support.Fixtures;
import dev.starling.support.SettingTexts;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Choosing λ by cross-validation. */
@Timeout(120)
class CrossValidationTest {

    private static final long SEED = 1;
    private static final double GAP = 1e-12;

    private final Dataset census = Fixtures.read("census");
    private final Dataset species = Fixtures.read("species");

    private static Trainer trainer(Loss loss, String path, String ratios, String folds) {
        return Trainer.of(loss)
                .nodes(3)
                .gap(GAP)
                .runner(new Simulator())
                .lambdaPath(SettingTexts.path(path, ratios))
                .crossValidation(SettingTexts.folds(folds));
    }

    private static Trainer logistic(String path, String ratios, String folds) {
        return trainer(Losses.named("logistic"), path, ratios, folds);
    }

    private static int fold(Dataset rows, int row, int folds) {
        return (int) Long.remainderUnsigned(RowKeys.mixed(RowKeys.ofContent(rows, row), SEED), folds);
    }

    private static Dataset rowsWhere(Dataset rows, IntPredicate wanted) {
        return rows.picked(IntStream.range(0, rows.rows()).filter(wanted).toArray());
    }

    /** The loss of raw scores, of all classes one versus the rest. */
    private static double loss(Loss loss, LinearModel model, Dataset rows) {
        double sum = 0;
        for (int i = 0; i < rows.rows(); i++) {
            if (model.loss().equals("softmax")) {
                sum += rows.weight(i)
                        * new Softmax(model.scores())
                                .value(model.scores(rows, i), model.classes().indexOf(rows.label(i)));
                continue;
            }
            for (int k = 0; k < model.scores(); k++) {
                double label = !model.isClassifier()
                        ? rows.label(i)
                        : rows.label(i) == model.classes().get(model.scores() == 1 ? 1 : k) ? 1 : -1;
                sum += rows.weight(i) * loss.value(model.score(rows, i, k), label);
            }
        }
        return sum;
    }

    private static double weight(Dataset rows) {
        return IntStream.range(0, rows.rows()).mapToDouble(rows::weight).sum();
    }

    /**
     * How far the losses of rows may be apart at two parameters with a gap of at most g, both at most √(2gP/λ) from the
     * optimum, times the slope of the loss and the length of rows.
     */
    private static double tolerance(Loss loss, Dataset rows, LinearModel model, double lambda) {
        double longest = IntStream.range(0, rows.rows())
                .mapToDouble(rows::squaredNorm)
                .max()
                .orElse(0);
        double objective = model.provenance().certificate().objective();
        double slope = loss.isClassification() ? 1 : Math.sqrt(2 * objective);
        return 2 * model.scores() * slope * Math.sqrt(longest + 1) * Math.sqrt(2 * GAP * objective / lambda);
    }

    @ParameterizedTest
    @CsvSource({
        "logistic, census, 0.0",
        "logistic, census, 0.5",
        "logistic, species, 0.0",
        "squared-hinge, species, 0.0",
        "squared, houses, 0.0"
    })
    void errorsAreThoseOfAPlainLoopOverFolds(String loss, String data, String ratio) {
        Loss named = Losses.named(loss);
        Dataset raw = Fixtures.read(data);
        Dataset rows = named.isClassification()
                ? raw
                : Standardizer.centred(Moments.of(raw)).withTarget().apply(raw);
        Trainer trainer = trainer(named, "1e-1,1e-2", ratio, "3").bias(1);
        CrossValidation found = trainer.fit(rows).validation().orElseThrow();

        for (Line line : found.lines()) {
            double losses = 0;
            double errors = 0;
            double squaredMeans = 0;
            double tolerance = 0;
            for (int f = 0; f < 3; f++) {
                int fold = f;
                LinearModel model = Trainer.of(named)
                        .gap(GAP)
                        .bias(1)
                        .lambda(line.lambda())
                        .l1(line.l1())
                        .fit(rowsWhere(rows, i -> fold(rows, i, 3) != fold))
                        .model();
                Dataset heldOut = rowsWhere(rows, i -> fold(rows, i, 3) == fold);
                double sum = loss(named, model, heldOut);
                tolerance = Math.max(tolerance, tolerance(named, rows, model, line.lambda()));
                losses += sum;
                squaredMeans += sum * sum / weight(heldOut);
                for (int i = 0; i < heldOut.rows(); i++) {
                    double residual = model.predict(heldOut, i) - heldOut.label(i);
                    errors += model.isClassifier() ? (residual == 0 ? 0 : 1) : residual * residual;
                }
            }
            double n = rows.rows();
            double mean = losses / n;
            String measure = named.isClassification() ? "error" : "squaredError";
            assertThat(tolerance).isLessThan(1e-3);
            assertThat(line.loss().mean()).isCloseTo(mean, within(tolerance));
            assertThat(line.loss().error())
                    .isCloseTo(Math.sqrt((squaredMeans / n - mean * mean) / 2), within(tolerance));
            assertThat(line.measures().get(measure).mean())
                    .isCloseTo(errors / n, within(named.isClassification() ? 1e-15 : 2 * tolerance));
        }
    }

    @Test
    void theModelIsThatOfTheChosenLambdaTrainedOnAllRows() {
        Fit fit = logistic("1,1e-2,1e-5", "", "4").fit(census);
        CrossValidation found = fit.validation().orElseThrow();

        List<Double> means =
                found.lines().stream().map(line -> line.loss().mean()).toList();
        assertThat(means.get(found.chosen())).isEqualTo(Collections.min(means));
        assertThat(found.best()).isEqualTo(found.chosen());
        assertThat(fit.isCertified()).isTrue();
        LinearModel alone = logistic("1,1e-2,1e-5", "", "4")
                .crossValidation(Folds.NONE)
                .fit(census)
                .model()
                .path()
                .get(found.chosen());
        assertThat(fit.model().weightsHash()).isEqualTo(alone.weightsHash());
        assertThat(fit.model().path()).hasSize(3);
    }

    @Test
    void foldsAreScoredOneByOneForTheChosenLambdaUnlessTheyAreSites() {
        CrossValidation found =
                logistic("1,1e-2,1e-5", "", "4").fit(census).validation().orElseThrow();
        List<Double> weights = found.ofFolds().weights();
        for (int f = 0; f < 4; f++) {
            int fold = f;
            assertThat(weights.get(f))
                    .isEqualTo(
                            rowsWhere(census, i -> fold(census, i, 4) == fold).rows());
        }
        found.chosenLine().measures().forEach((measure, estimate) -> {
            List<Double> means = found.ofFolds().means().get(measure);
            double sum = 0;
            double squares = 0;
            for (int f = 0; f < 4; f++) {
                sum += weights.get(f) * means.get(f);
                squares += weights.get(f) * means.get(f) * means.get(f);
            }
            assertThat(estimate).isNotEqualTo(new Estimate(means.get(0), 0));
            assertThat(estimate.mean()).isCloseTo(sum / census.rows(), within(1e-14));
            assertThat(estimate.error())
                    .isCloseTo(
                            Math.sqrt((squares / census.rows() - estimate.mean() * estimate.mean()) / 3), within(1e-9));
        });
        assertThat(logistic("1,1e-1", "", "sites")
                        .nodes(4)
                        .fit(census)
                        .validation()
                        .orElseThrow()
                        .ofFolds())
                .isEqualTo(CrossValidation.FoldScores.UNKNOWN);
    }

    @Test
    void neitherTheOrderOfRowsNorNodesMatter() {
        List<Integer> order =
                new ArrayList<>(IntStream.range(0, census.rows()).boxed().toList());
        Collections.shuffle(order, new Random(7));
        Dataset shuffled =
                census.picked(order.stream().mapToInt(Integer::intValue).toArray());
        CrossValidation usual =
                logistic("1e-2,1e-3", "", "5").fit(census).validation().orElseThrow();
        CrossValidation other = logistic("1e-2,1e-3", "", "5")
                .nodes(7)
                .fit(shuffled.laidOut(!shuffled.isDense()))
                .validation()
                .orElseThrow();

        for (int k = 0; k < 2; k++) {
            Estimate mean = usual.lines().get(k).loss();
            assertThat(other.lines().get(k).loss().mean()).isCloseTo(mean.mean(), within(1e-6));
            assertThat(other.lines().get(k).loss().error()).isCloseTo(mean.error(), within(1e-6));
        }
        CrossValidation otherSeed =
                logistic("1e-2,1e-3", "", "5").seed(2).fit(census).validation().orElseThrow();
        assertThat(otherSeed.lines().get(0).loss().mean())
                .isNotCloseTo(usual.lines().get(0).loss().mean(), within(1e-5));
    }

    @ParameterizedTest
    @CsvSource({"logistic, 10, census", "logistic, sites, species", "hinge, 2, census"})
    void simulatorAndThreadsGiveTheSameBits(String loss, String folds, String data) {
        Dataset rows = Fixtures.read(data);
        Trainer trainer = trainer(Losses.named(loss), "1,1e-1", "", folds).gap(1e-2);
        Fit simulated = trainer.fit(rows);
        Fit threaded = trainer.runner(new Threads(2)).fit(rows);

        assertThat(threaded.model().hash()).isEqualTo(simulated.model().hash());
        assertThat(threaded.validation()).isEqualTo(simulated.validation());
    }

    @Test
    void aFoldMayBeTheRowsOfOneNode() {
        CrossValidation found =
                logistic("1e-1,1e-2", "", "sites").fit(census).validation().orElseThrow();

        assertThat(found.folds()).isEqualTo(3);
        assertThat(found.by()).isEqualTo("site");
        double sum = 0;
        double squaredMeans = 0;
        double tolerance = 0;
        for (int n = 0; n < 3; n++) {
            int node = n;
            LinearModel model = Trainer.logistic()
                    .gap(GAP)
                    .lambda(1e-2)
                    .fit(rowsWhere(census, i -> i % 3 != node))
                    .model();
            Dataset heldOut = rowsWhere(census, i -> i % 3 == node);
            double loss = loss(Losses.named("logistic"), model, heldOut);
            sum += loss;
            squaredMeans += loss * loss / heldOut.rows();
            tolerance = Math.max(tolerance, tolerance(Losses.named("logistic"), census, model, 1e-2));
        }
        double mean = sum / census.rows();
        double error = Math.sqrt((squaredMeans / census.rows() - mean * mean) / 2);
        assertThat(tolerance).isLessThan(1e-4);
        assertThat(found.lines().get(1).loss().mean()).isCloseTo(mean, within(tolerance));
        assertThat(found.lines().get(1).loss().error()).isCloseTo(error, within(tolerance));
    }

    /**
     * A label that only its group decides is learnt from other rows of the group, and from other groups not at all:
     * their weights say nothing of it, and no weight at all makes it negative.
     */
    @Test
    void rowsWithTheSameKeyAreInTheSameFold() {
        int groups = 40;
        Random random = new Random(3);
        double[][] values = new double[800][groups];
        double[] labels = new double[values.length];
        long[] keys = new long[values.length];
        boolean[] positive = new boolean[groups];
        int positives = 0;
        for (int g = 0; g < groups; g++) {
            positive[g] = random.nextBoolean();
            positives += positive[g] ? 1 : 0;
        }
        for (int i = 0; i < values.length; i++) {
            int group = i % groups;
            values[i][group] = 1 + 0.1 * random.nextDouble();
            labels[i] = positive[group] ? 1 : -1;
            keys[i] = RowKeys.mixed(0, group);
        }
        Dataset rows = Dataset.of(values, labels);
        Trainer trainer = logistic("1e-3,1e-4", "", "5");
        double apart = error(trainer.fit(rows));
        double together = error(trainer.crossValidation(Folds.of(5).by("group")).fit(rows, keys));

        assertThat(apart).isZero();
        assertThat(together).isCloseTo(positives / (double) groups, within(1e-15));
        assertThatThrownBy(() -> trainer.fit(rows, keys)).hasMessageContaining("rows have keys");
        assertThatThrownBy(
                        () -> trainer.crossValidation(Folds.of(5).by("group")).fit(rows))
                .hasMessageContaining("folds depend on column group, which these rows do not have");
    }

    private static double error(Fit fit) {
        return fit.validation()
                .orElseThrow()
                .lines()
                .get(0)
                .measures()
                .get("error")
                .mean();
    }

    @Test
    void errorsOfNumbersAreInTheirOwnUnits() {
        Dataset houses = Fixtures.read("houses");
        double[] labels = new double[houses.rows()];
        java.util.Arrays.setAll(labels, i -> 1000 * houses.label(i) + 5);
        Trainer trainer = trainer(Losses.named("squared"), "1e-1,1e-2", "", "3").standardize(true);
        Line small = trainer.fit(houses).validation().orElseThrow().lines().get(0);
        Line large = trainer.fit(houses.withLabels(labels))
                .validation()
                .orElseThrow()
                .lines()
                .get(0);

        // Other labels are other contents, so folds differ and with them the last digits.
        assertThat(large.measures().get("absoluteError").mean())
                .isCloseTo(
                        1000 * small.measures().get("absoluteError").mean(),
                        within(100.0 * small.measures().get("absoluteError").mean()));
        assertThat(large.loss().mean())
                .isCloseTo(small.loss().mean(), within(0.1 * small.loss().mean()));
    }

    @Test
    void aModelFileSaysHowLambdaWasChosen(@TempDir Path folder) {
        LinearModel model = logistic("1e-1,1e-2", "0,0.5", "3").fit(census).model();
        model.save(folder.resolve("model.json"));

        LinearModel read = LinearModel.load(folder.resolve("model.json"));
        assertThat(read.provenance().validation())
                .isEqualTo(model.provenance().validation())
                .isPresent();
        assertThat(read.provenance().settings())
                .containsEntry("cv", "3")
                .containsEntry("cv-columns", "")
                .containsEntry("cv-rule", "min");
        assertThat(read.hash()).isEqualTo(model.hash());
    }

    @Test
    void fiftyValuesAreTriedByDefault() {
        assertThat(Trainer.logistic()
                        .crossValidation(Folds.of(10).rule(Folds.Rule.ONE_STANDARD_ERROR))
                        .settings()
                        .checked()
                        .toMap())
                .containsEntry("lambda-path", "50")
                .containsEntry("cv", "10")
                .containsEntry("cv-rule", "1se");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1 | '' | min | 2 | cv 1 must be between 2 and 1000 folds",
                "many | '' | min | 2 | cv is 'many'; it must be a number of folds such as 10, or sites",
                "5 | '' | most | 2 | unknown cv-rule 'most'; there are: min, 1se",
                "'' | '' | 1se | 2 | cv-rule 1se is for cross-validation; give cv too, for example 10",
                "'' | town | min | 2 | cv-columns town is for cross-validation; give cv too, for example 10",
                "sites | town | min | 2 | cv sites makes each node's rows a fold, whatever column town says;"
                        + " leave it out",
                "5 | '' | min | 1e-3 | cv 5 chooses among several values of lambda, and there is one; give"
                        + " lambda-path, for example 50"
            })
    void invalidSettingsAreRefused(String cv, String columns, String rule, String path, String message) {
        assertThatRefused(() -> dev.starling.settings.Settings.of(
                        Map.of("cv", cv, "cv-columns", columns, "cv-rule", rule, "lambda-path", path)))
                .hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "13 | 13 folds for 12 rows; use at most as many folds as rows",
                "11 | of 11 has no rows, because a hash of each row decides where rows go; use fewer folds or another"
                        + " seed",
                "3 | no row has label 2; use fewer folds or another seed, or leave the class out"
            })
    void foldsThatLeaveTooLittleToTrainOnAreRefused(String folds, String message) {
        double[][] values = new double[12][2];
        double[] labels = new double[12];
        for (int i = 0; i < 12; i++) {
            values[i][0] = i;
            values[i][1] = i * i % 5;
            labels[i] = i == 4 && folds.equals("3") ? 2 : i % 2;
        }
        assertThatRefused(() -> logistic("2", "", folds).fit(Dataset.of(values, labels)))
                .hasMessageContaining(message);
    }

    @Test
    void leavingOutTheOnlyNodeOrUsingAdfsIsRefused() {
        assertThatThrownBy(() -> logistic("2", "", "sites").nodes(1).fit(census))
                .hasMessageContaining("cv sites with 1 node");
        assertThatThrownBy(() -> logistic("2", "", "3").method("adfs").fit(census))
                .hasMessageContaining("which method adfs cannot do");
    }

    @Test
    void aNodeMayHaveNoRowsOutsideAFold() {
        Fit fit = logistic("1e-1,1e-2", "", "2")
                .nodes(40)
                .fit(species.picked(IntStream.range(0, 80).toArray()));

        assertThat(fit.isCertified()).isTrue();
    }
}
