package dev.starling.settings;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.loss.Logistic;
import dev.starling.settings.LambdaPath.Point;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LambdaPathTest {

    private static final Folds FIVE = Folds.of(5);

    private static Offset<Double> nearly(double value) {
        return within(1e-12 * value);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.25, 0.5, 0.9, 1})
    void beginsWithTheSmallestL1TermThatLeavesNoWeight(double ratio) {
        double steepest = 3;
        List<Point> points = new LambdaPath(5, List.of(), List.of(ratio)).points(steepest, false);

        assertThat(points.get(0).l1()).isCloseTo(steepest, nearly(steepest));
        assertThat(points.get(4).l1()).isCloseTo(1e-4 * steepest, nearly(1e-4 * steepest));
        for (Point point : points) {
            // r = λ₁/(λ + λ₁)
            assertThat(point.l1() / (point.lambda() + point.l1())).isCloseTo(ratio, nearly(ratio));
        }
    }

    @Test
    void fallsByEqualFactors() {
        List<Point> points = new LambdaPath(9, List.of(), List.of()).points(2, false);
        for (int k = 0; k < 9; k++) {
            // Four powers of ten in eight intervals.
            double expected = 2000 * Math.pow(10, -k / 2.0);
            assertThat(points.get(k).lambda()).isCloseTo(expected, nearly(expected));
            assertThat(points.get(k).l1()).isZero();
        }
    }

    @Test
    void goesFurtherDownForCrossValidationWithoutAnL1Term() {
        List<Point> points = new LambdaPath(2, List.of(), List.of(0.0, 0.5)).points(1, true);

        assertThat(points).hasSize(4);
        assertThat(points.get(1).lambda()).isCloseTo(1e-4, nearly(1e-4));
        assertThat(points.get(0).lambda()).isCloseTo(1e3, nearly(1e3));
        assertThat(points.get(3).lambda()).as("with an l1 term").isCloseTo(1e-4, nearly(1e-4));
        assertThat(points.get(2).lambda()).isCloseTo(1, nearly(1));
    }

    @Test
    void listedValuesAreSortedAndSolvedOnce() {
        LambdaPath path = LambdaPath.values(0.01, 1, 0.1, 1).l1Ratios(0.5, 1);

        assertThat(path.points(7, false))
                .containsExactly(
                        new Point(1, 1),
                        new Point(0.1, 0.1),
                        new Point(0.01, 0.01),
                        new Point(0, 1),
                        new Point(0, 0.1),
                        new Point(0, 0.01));
        assertThat(path.size()).isEqualTo(6);
        assertThat(Setting.LAMBDA_PATH.text(path)).isEqualTo("1.0,0.1,0.01");
        assertThat(Setting.L1_RATIOS.text(path.l1Ratios())).isEqualTo("0.5,1.0");
        assertThat(path.examples()).containsExactly(new Point(1, 1), new Point(0, 1));
    }

    @Test
    void aCountLeavesTheValuesToTheData() {
        LambdaPath path = LambdaPath.of(20).l1Ratios(0, 0.5, 1);

        assertThat(path.isPresent()).isTrue();
        assertThat(path.size()).isEqualTo(60);
        assertThat(Setting.LAMBDA_PATH.text(path)).isEqualTo("20");
        assertThat(path.points(1, false)).hasSize(60);
        assertThat(path.examples()).containsExactly(new Point(1, 0), new Point(1, 1), new Point(0, 1));
        assertThat(LambdaPath.of(20).examples()).containsExactly(new Point(1, 0));
        assertThat(Setting.LAMBDA_PATH.parse(" ")).isEqualTo(LambdaPath.NONE);
        assertThat(LambdaPath.NONE.isPresent()).isFalse();
        assertThat(LambdaPath.values(1e-3).isPresent()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"2", "1000"})
    void twoToAThousandValuesAreAccepted(String count) {
        assertThat(Setting.LAMBDA_PATH.parse(count).size()).isEqualTo(Integer.parseInt(count));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "1; ; lambda-path 1 must be between 2 and 1000",
                "1001; ; lambda-path 1001 must be between 2 and 1000",
                "5000000000; ; lambda-path 5000000000 must be between 2 and 1000",
                "0.1,0; ; lambda-path has 0.0; every lambda must be positive",
                "0.1,-1; ; lambda-path has -1.0; every lambda must be positive",
                "5; -0.1; l1-ratios has -0.1; each must be between 0 and 1",
                "5; 1.1; l1-ratios has 1.1; each must be between 0 and 1",
                "''; 0.5; l1-ratios 0.5 are for a path",
            })
    void invalidPathsAreRefused(String path, String ratios, String message) {
        assertThatRefused(() -> Settings.of(Map.of("lambda-path", path, "l1-ratios", ratios == null ? "" : ratios)))
                .hasMessageStartingWith(message);
    }

    @Test
    void invalidCountsAndInfinitiesAreRefused() {
        for (int count : new int[] {-1, 1, 1001}) {
            assertThatRefused(() -> new LambdaPath(count, List.of(), List.of()))
                    .hasMessageContaining("between 2 and 1000");
        }
        assertThatRefused(() -> new LambdaPath(0, List.of(Double.POSITIVE_INFINITY), List.of()))
                .hasMessageContaining("from 1e-60 to 1e45");
    }

    private static Settings choosing(LambdaPath path) {
        return Settings.of(new Logistic()).withFolds(FIVE).withPath(path).checked();
    }

    @Test
    void cvWithoutAPathChoosesAmongFiftyValues() {
        assertThat(choosing(LambdaPath.NONE).path()).isEqualTo(LambdaPath.of(50));
        assertThat(Settings.of(Map.of("cv", "5", "l1-ratios", "0.5")).path())
                .isEqualTo(LambdaPath.of(50).l1Ratios(0.5));
    }
}
