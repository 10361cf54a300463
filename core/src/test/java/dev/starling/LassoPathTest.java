package dev.starling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.starling.data.Dataset;
import dev.starling.loss.Hinge;
import dev.starling.loss.Losses;
import dev.starling.model.CrossValidation;
import dev.starling.model.LinearModel;
import dev.starling.runtime.Simulator;
import dev.starling.settings.Folds;
import dev.starling.settings.LambdaPath;
import dev.starling.support.Fixtures;
import dev.starling.support.RScript;
import dev.starling.support.SharedData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Paths of λ₁ without a ridge: the share of the l1 term is 1. */
@Timeout(120)
class LassoPathTest {

    private final Dataset census = Fixtures.read("census");

    @Test
    void everyValueIsTheLassoOfThatL1() {
        Fit fit = PathTest.trainer("1e-1,1e-2,3e-2", "1").gap(1e-8).fit(census);

        List<LinearModel> path = fit.model().path();
        assertThat(fit.isCertified()).isTrue();
        assertThat(path).extracting(one -> PathTest.setting(one, "lambda")).containsOnly(0.0);
        assertThat(path).extracting(one -> PathTest.setting(one, "l1")).containsExactly(1e-1, 3e-2, 1e-2);
        for (LinearModel one : path) {
            Fit alone = Trainer.logistic()
                    .nodes(2)
                    .l1(PathTest.setting(one, "l1"))
                    .lambda(0)
                    .gap(1e-8)
                    .fit(census);
            double objective = one.provenance().certificate().objective();
            assertThat(objective).isCloseTo(alone.objective(), within(1e-8 * objective));
            assertThat(one.provenance().method()).isEqualTo("proximal-newton");
        }
    }

    @Test
    void aDataDrivenPathBeginsWithNoWeights() {
        Fit fit = PathTest.trainer("6", "1").fit(census);

        List<LinearModel> path = fit.model().path();
        assertThat(fit.isCertified())
                .as("88 weights on 300 rows, many columns of which depend on others")
                .isTrue();
        double largest = PathTest.setting(path.get(0), "l1");
        assertThat(path.get(0).nonZeros()).isZero();
        assertThat(path.get(1).nonZeros()).isPositive();
        assertThat(PathTest.setting(path.get(5), "l1")).isCloseTo(1e-4 * largest, within(1e-12 * largest));
        Fit below = Trainer.logistic().l1(0.99 * largest).lambda(0).gap(1e-9).fit(census);
        assertThat(below.model().nonZeros()).isPositive();
    }

    @Test
    void aPathMayMixLassoAndElasticNets() {
        LinearModel model = PathTest.trainer("1e-1,1e-2", "0.5,1").fit(census).model();

        assertThat(model.path())
                .extracting(one -> PathTest.setting(one, "lambda"))
                .containsExactly(1e-1, 1e-2, 0.0, 0.0);
        assertThat(model.path()).extracting(one -> PathTest.setting(one, "l1")).containsExactly(1e-1, 1e-2, 1e-1, 1e-2);
        assertThat(model.at(0, OptionalDouble.of(1.001e-2)).weights(0))
                .isEqualTo(model.path().get(3).weights(0));
        assertThatThrownBy(() -> model.at(0, OptionalDouble.empty()))
                .hasMessage("the path has several models for lambda 0.0; there are l1 0.01, 0.1");
    }

    @Test
    void theNearestOfSimilarValuesIsTaken() {
        LinearModel model = PathTest.trainer("1e-2,1.005e-2", "1").fit(census).model();
        assertThat(PathTest.setting(model.at(0, OptionalDouble.of(1.001e-2)), "l1"))
                .isEqualTo(1e-2);
        assertThat(PathTest.setting(model.at(0, OptionalDouble.of(1.004e-2)), "l1"))
                .isEqualTo(1.005e-2);
    }

    @Test
    void crossValidationChoosesAmongValuesOfL1() {
        Fit fit = PathTest.trainer("1e-1,3e-2,1e-2", "1")
                .crossValidation(Folds.of(3))
                .fit(census);

        CrossValidation validation = fit.model().provenance().validation().orElseThrow();
        assertThat(validation.lines()).extracting(CrossValidation.Line::lambda).containsOnly(0.0);
        assertThat(validation.lines()).extracting(CrossValidation.Line::l1).containsExactly(1e-1, 3e-2, 1e-2);
        assertThat(PathTest.setting(fit.model(), "lambda")).isZero();
        assertThat(PathTest.setting(fit.model(), "l1"))
                .isEqualTo(validation.chosenLine().l1());
        assertThat(validation.chosenLine().l1()).isLessThan(1e-1);
    }

    @Test
    void aLossWithKinksIsRefused() {
        assertThatThrownBy(() -> Trainer.of(new Hinge())
                        .lambdaPath(LambdaPath.of(5).l1Ratios(1))
                        .settings()
                        .checked())
                .hasMessage("lambda 0 needs a loss without kinks, not hinge; give lambda a positive value");
    }

    @Test
    void coefficientsAreThoseOfGlmnet(@TempDir Path folder) throws IOException, InterruptedException {
        Dataset data = standardised(SharedData.read("cpusmall.gz"));
        Fit fit = Trainer.of(Losses.named("squared"))
                .nodes(2)
                .intercept(true)
                .gap(1e-8)
                .lambdaPath(LambdaPath.values(0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005)
                        .l1Ratios(1))
                .runner(new Simulator())
                .fit(data);
        List<LinearModel> path = fit.model().path();
        LassoTest.write(data, folder.resolve("rows.csv"));
        Files.write(
                folder.resolve("l1"),
                path.stream()
                        .map(one -> String.valueOf(PathTest.setting(one, "l1")))
                        .toList());
        RScript.run(LassoPathTest.class, "lasso-path.R", folder);
        Path found = folder.resolve("coefficients");
        assumeTrue(Files.exists(found), "R's glmnet is not installed (apt-get install r-cran-glmnet)");

        List<String> theirs = Files.readAllLines(found);
        assertThat(theirs).hasSameSizeAs(path);
        for (int k = 0; k < path.size(); k++) {
            double[] weights = Arrays.stream(theirs.get(k).strip().split(" +"))
                    .mapToDouble(Double::parseDouble)
                    .toArray();
            assertThat(path.get(k).weights(0)).containsExactly(weights, within(1e-6));
        }
        assertThat(fit.isCertified()).isTrue();
        assertThat(path.get(6).nonZeros()).isGreaterThan(8);
    }

    /** Features and target of mean 0 and variance 1. */
    private static Dataset standardised(Dataset data) {
        double[][] columns = new double[data.features() + 1][data.rows()];
        for (int i = 0; i < data.rows(); i++) {
            double[] row = new double[data.features()];
            data.addTo(i, 1, row);
            for (int c = 0; c < row.length; c++) {
                columns[c][i] = row[c];
            }
            columns[row.length][i] = data.label(i);
        }
        for (double[] column : columns) {
            double mean = Arrays.stream(column).average().orElseThrow();
            double variance = Arrays.stream(column)
                    .map(value -> (value - mean) * (value - mean))
                    .average()
                    .orElseThrow();
            Arrays.setAll(column, i -> (column[i] - mean) / Math.sqrt(variance));
        }
        double[][] rows = new double[data.rows()][data.features()];
        for (int i = 0; i < rows.length; i++) {
            int row = i;
            Arrays.setAll(rows[i], c -> columns[c][row]);
        }
        return Dataset.of(rows, columns[data.features()]);
    }
}
