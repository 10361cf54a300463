package dev.starling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.Dataset;
import dev.starling.loss.Hinge;
import dev.starling.loss.Logistic;
import dev.starling.loss.Losses;
import dev.starling.model.LinearModel;
import dev.starling.runtime.Simulator;
import dev.starling.runtime.Threads;
import dev.starling.settings.LambdaPath;
import dev.starling.settings.Settings;
import dev.starling.support.Fixtures;
import dev.starling.support.SettingTexts;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Many values of λ in one run. */
@Timeout(60)
class PathTest {

    private static final OptionalDouble ANY = OptionalDouble.empty();

    private final Dataset census = Fixtures.read("census");

    static double setting(LinearModel model, String name) {
        return Double.parseDouble(model.provenance().settings().get(name));
    }

    static Trainer trainer(String path, String ratios) {
        return Trainer.logistic()
                .nodes(2)
                .lambdaPath(SettingTexts.path(path, ratios))
                .runner(new Simulator());
    }

    @ParameterizedTest
    @CsvSource({"0.5, proximal-newton", "0, newton"})
    void everyValueIsSolvedAsIfItWereAlone(double ratio, String method) {
        Fit fit = trainer("1e-2,1e-4,1e-3", Double.toString(ratio)).fit(census);

        List<LinearModel> path = fit.model().path();
        assertThat(path).extracting(one -> setting(one, "lambda")).containsExactly(1e-2, 1e-3, 1e-4);
        assertThat(fit.isCertified()).isTrue();
        for (LinearModel one : path) {
            double lambda = setting(one, "lambda");
            double l1 = lambda * ratio / (1 - ratio);
            Fit alone = Trainer.logistic().nodes(2).lambda(lambda).l1(l1).fit(census);
            double objective = one.provenance().certificate().objective();
            assertThat(setting(one, "l1")).isEqualTo(l1);
            assertThat(one.provenance().method()).isEqualTo(method);
            assertThat(one.provenance().certified()).isTrue();
            assertThat(objective).isCloseTo(alone.objective(), within(1e-6 * objective));
        }
        assertThat(fit.model().weightsHash()).isEqualTo(path.get(2).weightsHash());
        assertThat(fit.objective())
                .isEqualTo(path.get(2).provenance().certificate().objective());
    }

    @Test
    void aDataDrivenPathBeginsWithNoWeights() {
        List<LinearModel> path = trainer("6", "0.9").fit(census).model().path();

        assertThat(path).hasSize(6);
        assertThat(path.get(0).nonZeros()).isZero();
        assertThat(path.get(1).nonZeros()).isPositive();
        assertThat(setting(path.get(5), "lambda")).isCloseTo(1e-4 * setting(path.get(0), "lambda"), within(1e-15));
        double slightlyLess = 0.99 * setting(path.get(0), "lambda");
        Fit below = Trainer.logistic()
                .lambda(slightlyLess)
                .l1(9 * slightlyLess)
                .gap(1e-9)
                .fit(census);
        assertThat(below.model().nonZeros()).isPositive();
    }

    @Test
    void aPathTakesFewerPassesThanItsValuesOneByOne() {
        Fit fit = trainer("10", "0.9").fit(census);

        double alone = 0;
        for (LinearModel one : fit.model().path()) {
            alone += Trainer.logistic()
                    .nodes(2)
                    .lambda(setting(one, "lambda"))
                    .l1(setting(one, "l1"))
                    .fit(census)
                    .epochs();
        }
        assertThat(fit.epochs()).isLessThan(0.8 * alone);
    }

    /** Where weights are 0, the intercept is the one that rows without features have. */
    @ParameterizedTest
    @CsvSource({"logistic, 0", "squared, 1000"})
    void aDataDrivenPathWithAFreeInterceptBeginsWithNoWeights(String loss, double shift) {
        double[] labels = java.util.Arrays.stream(census.labels())
                .map(y -> loss.equals("squared") ? y + shift : y)
                .toArray();
        Fit fit = Trainer.of(Losses.named(loss))
                .nodes(2)
                .intercept(true)
                .lambdaPath(LambdaPath.of(6).l1Ratios(0.9))
                .runner(new Simulator())
                .fit(census.withLabels(labels));
        List<LinearModel> path = fit.model().path();

        assertThat(fit.isCertified()).as(fit.toString()).isTrue();
        assertThat(path.get(0).nonZeros()).isZero();
        assertThat(path.get(1).nonZeros()).isPositive();
        double slightlyLess = 0.99 * setting(path.get(0), "lambda");
        Fit below = Trainer.of(Losses.named(loss))
                .intercept(true)
                .lambda(slightlyLess)
                .l1(9 * slightlyLess)
                .gap(1e-10)
                .fit(census.withLabels(labels));
        assertThat(below.model().nonZeros()).isPositive();
    }

    @Test
    void anUnknownLambdaIsToldTheNearestOfMany() {
        LinearModel model = trainer("1,0.5,0.2,0.1,0.05", "0,0.5").fit(census).model();

        assertThatThrownBy(() -> model.at(0.3, ANY))
                .hasMessage("the path has no model for lambda 0.3; of its 5 values of lambda, from 0.05 to 1.0, the"
                        + " nearest are 0.1, 0.2, 0.5");
        assertThatThrownBy(() -> model.at(0.05, OptionalDouble.of(3)))
                .hasMessage("the path has no model for lambda 0.05, l1 3.0; there are l1 0.0, 0.05");
    }

    @Test
    void everyL1RatioHasAPath() {
        LinearModel model = trainer("1e-2,1e-3", "0,0.5").fit(census).model();

        assertThat(model.path()).extracting(one -> setting(one, "l1")).containsExactly(0.0, 0.0, 1e-2, 1e-3);
        assertThat(setting(model.at(1e-2, OptionalDouble.of(1e-2)), "l1")).isEqualTo(1e-2);
        assertThatThrownBy(() -> model.at(1e-2, ANY)).hasMessageContaining("several models for lambda 0.01");
    }

    @ParameterizedTest
    @CsvSource({"logistic, auto, 3, 0.5, census", "hinge, auto, '1e-1,1e-2', 0, census"})
    void simulatorAndThreadsGiveTheSameBits(String loss, String method, String path, String ratios) {
        Trainer trainer = Trainer.of(Losses.named(loss))
                .method(method)
                .nodes(3)
                .gap(1e-2)
                .lambdaPath(SettingTexts.path(path, ratios));

        assertThat(trainer.runner(new Threads(2)).fit(census).model().hash())
                .isEqualTo(trainer.runner(new Simulator()).fit(census).model().hash());
    }

    @Test
    void everyClassHasAPath() {
        double[] labels = new double[census.rows()];
        java.util.Arrays.setAll(labels, i -> i % 3 == 0 ? 2 : census.label(i) > 0 ? 1 : 0);
        Fit fit = trainer("1e-2,1e-3", "0.5").fit(census.withLabels(labels));

        assertThat(fit.isCertified()).isTrue();
        assertThat(fit.model().path()).extracting(LinearModel::scores).containsExactly(3, 3);
    }

    @Test
    void aModelFileHoldsThePath(@TempDir Path folder) {
        LinearModel model = trainer("4", "0.5").fit(census).model();
        model.save(folder.resolve("path.json"));
        LinearModel read = LinearModel.load(folder.resolve("path.json"));

        assertThat(read.hash()).isEqualTo(model.hash());
        for (int k = 0; k < 4; k++) {
            LinearModel one = model.path().get(k);
            LinearModel same = read.at(setting(one, "lambda") * 1.001, ANY);
            assertThat(same.weights(0)).containsExactly(one.weights(0));
            assertThat(same.provenance()).isEqualTo(one.provenance());
        }
        assertThatThrownBy(() -> read.at(1e-30, ANY)).hasMessageContaining("no model for lambda 1.0E-30; of its 4");
        assertThatThrownBy(() -> read.path().get(0).at(1, ANY)).hasMessageContaining("for one lambda only");
    }

    @Test
    void settingsHoldThePathAsText() {
        Settings settings = Settings.of(new Logistic())
                .withPath(LambdaPath.values(1e-3, 1e-2).l1Ratios(0, 0.9));

        assertThat(settings.toMap()).containsEntry("lambda-path", "0.01,0.001").containsEntry("l1-ratios", "0.0,0.9");
        assertThat(Settings.of(settings.toMap())).isEqualTo(settings);
        assertThat(Settings.of(Map.of("lambda-path", "50")).path().count()).isEqualTo(50);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1 | | lambda-path 1 must be between 2 and 1000 values",
                "5000 | | lambda-path 5000 must be between 2 and 1000 values",
                "1e-2,-1 | | lambda-path has -1.0; every lambda must be from 1e-60 to 1e45",
                "1e-2,x | | lambda-path is 'x'; it must be a number",
                "5 | 1.1 | l1-ratios has 1.1; each must be between 0 and 1",
                "5 | -0.1 | l1-ratios has -0.1; each must be between 0 and 1",
                "'' | 0.5 | l1-ratios 0.5 are for a path of lambdas"
            })
    void invalidPathsAreRefused(String path, String ratios, String message) {
        assertThatThrownBy(() -> Trainer.logistic()
                        .lambdaPath(SettingTexts.path(path, ratios == null ? "" : ratios))
                        .settings()
                        .checked())
                .hasMessageStartingWith(message);
    }

    @Test
    void aMethodThatCannotTakeAnL1RatioIsRefused() {
        assertThatThrownBy(() -> Trainer.logistic()
                        .method("newton")
                        .lambdaPath(LambdaPath.of(5).l1Ratios(0, 0.5))
                        .settings()
                        .checked())
                .hasMessageStartingWith("method newton cannot take an l1 term");
        assertThatThrownBy(() -> Trainer.of(new Hinge())
                        .method("proximal-newton")
                        .settings()
                        .checked())
                .hasMessageStartingWith("method proximal-newton cannot take the loss hinge");
    }
}
