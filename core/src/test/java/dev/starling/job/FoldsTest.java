package dev.starling.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.Dataset;
import dev.starling.data.Dealing;
import dev.starling.data.Generator;
import dev.starling.job.folds.RowFolds;
import dev.starling.model.CrossValidation.Estimate;
import dev.starling.model.CrossValidation.Line;
import dev.starling.settings.Folds;
import dev.starling.settings.Setting;
import dev.starling.settings.Settings;
import dev.starling.support.Fixtures;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FoldsTest {

    private static final Folds TEN = Folds.of(10);

    private final Dataset census = Fixtures.read("census");

    private static Map<Integer, Integer> foldOfRow(Dataset rows, int nodes) {
        Map<Integer, Integer> folds = new HashMap<>();
        List<NodeRows> dealt = NodeRows.dealt(rows, Dealing.TURNS.rows(rows, nodes, 0), new long[0]);
        for (int k = 0; k < nodes; k++) {
            NodeRows own = dealt.get(k);
            RowFolds node = new RowFolds(TEN, own, k, nodes, 1);
            for (int fold = 0; fold < 10; fold++) {
                for (int row : node.heldOut(fold)) {
                    assertThat(folds.put(k + row * nodes, fold)).isNull();
                }
                assertThat(node.heldOut(fold).length + node.others(fold).length).isEqualTo(own.count());
            }
        }
        assertThat(folds).hasSize(rows.rows());
        return folds;
    }

    @Test
    void theFoldOfARowDependsOnlyOnTheRow() {
        Map<Integer, Integer> usual = foldOfRow(census, 1);
        int[] backwards = new int[census.rows()];
        java.util.Arrays.setAll(backwards, i -> census.rows() - 1 - i);
        Map<Integer, Integer> other =
                foldOfRow(census.laidOut(!census.isDense()).picked(backwards), 7);

        usual.forEach((row, fold) -> assertThat(other.get(backwards[row])).isEqualTo(fold));
    }

    @Test
    void equalRowsAreInOneFold() {
        Dataset twice = census.picked(new int[] {5, 9, 5, 5}).withWeights(new double[] {1, 1, 2, 3});
        Map<Integer, Integer> folds = foldOfRow(twice, 1);

        assertThat(List.of(folds.get(2), folds.get(3))).containsOnly(folds.get(0));
    }

    /** Five standard deviations of a binomial: that a share is off by more happens once in a million rows. */
    @Test
    void classesHaveNearlyEqualSharesOfEveryFold() {
        Dataset rows = Generator.classification(3000, 4).seed(2).generate();
        Map<Integer, Integer> folds = foldOfRow(rows, 3);
        for (double label : new double[] {-1, 1}) {
            int[] counts = new int[10];
            int all = 0;
            for (int row = 0; row < rows.rows(); row++) {
                if (rows.label(row) == label) {
                    counts[folds.get(row)]++;
                    all++;
                }
            }
            assertThat(all).isGreaterThan(100);
            for (int count : counts) {
                assertThat(count).isCloseTo(all / 10, within((int) Math.ceil(5 * Math.sqrt(all * 0.09))));
            }
        }
    }

    @Test
    void theFewestRowsAreThoseOfTheSmallestFold() {
        RowFolds folds = new RowFolds(TEN, NodeRows.all(census), 0, 1, 1);
        int fewest = Integer.MAX_VALUE;
        for (int fold = 0; fold < 10; fold++) {
            fewest = Math.min(fewest, folds.heldOut(fold).length);
        }
        assertThat(folds.fewest()).isEqualTo(fewest).isPositive();
    }

    private static Folds parsed(String cv, String columns, String rule) {
        return Settings.of(Map.of("cv", cv, "cv-columns", columns, "cv-rule", rule))
                .folds();
    }

    @Test
    void textIsReadBackUnchanged() {
        assertThat(Setting.CV.text(TEN)).isEqualTo("10");
        assertThat(TEN.basis()).isEqualTo("content");
        Folds byColumns = parsed(" 5 ", "clinic,year", "1SE ");
        assertThat(byColumns).isEqualTo(Folds.of(5).by("clinic", "year").rule(Folds.Rule.ONE_STANDARD_ERROR));
        assertThat(byColumns.basis()).isEqualTo("clinic,year");
        assertThat(Setting.CV.text(Folds.sites())).isEqualTo("sites");
        assertThat(Folds.sites().basis()).isEqualTo("site");
        assertThat(parsed(" ", "", "min")).isEqualTo(Folds.NONE);
        assertThat(Setting.CV.text(Folds.NONE)).isEmpty();
        assertThat(Folds.NONE.isPresent()).isFalse();
        assertThat(Folds.Rule.names()).containsExactly("min", "1se");
    }

    private static Dataset numbered(int rows) {
        return Dataset.dense(1, new float[rows], new double[rows]);
    }

    @Test
    void rowsWithTheSameKeyAreInOneFold() {
        long[] keys = {7, 8, 7, 9, 8, 7};
        Dataset rows = census.picked(new int[] {0, 1, 2, 3, 4, 5});
        Folds byColumn = Folds.of(1000).by("clinic");
        RowFolds folds = new RowFolds(byColumn, NodeRows.all(rows, keys), 0, 1, 1);

        assertThat(folds.of(2)).isEqualTo(folds.of(0)).isEqualTo(folds.of(5));
        assertThat(folds.of(4)).isEqualTo(folds.of(1)).isNotEqualTo(folds.of(0));
        RowFolds second = new RowFolds(
                byColumn,
                NodeRows.dealt(rows, Dealing.TURNS.rows(rows, 2, 1), keys).get(1),
                0,
                2,
                1);
        assertThat(second.of(0)).isEqualTo(folds.of(1));
        assertThat(second.of(2)).isEqualTo(folds.of(5));
        assertThat(new RowFolds(byColumn, NodeRows.all(rows, keys), 0, 1, 3).of(0))
                .as("with another seed")
                .isNotEqualTo(folds.of(0));
    }

    @Test
    void foldsBySiteHoldAllRowsOfASite() {
        RowFolds folds = new RowFolds(Folds.sites(), NodeRows.all(numbered(3)), 2, 4, 1);

        assertThat(folds.count()).isEqualTo(4);
        assertThat(folds.heldOut(2)).containsExactly(0, 1, 2);
        assertThat(folds.others(2)).isEmpty();
        assertThat(folds.others(1)).containsExactly(0, 1, 2);
        assertThat(folds.others(2)).isEmpty();
    }

    @Test
    void theFewestRowsIncludeThoseOutsideAFold() {
        Folds byColumn = Folds.of(2).by("clinic");
        for (long key = 0; key < 10; key++) {
            RowFolds one = new RowFolds(byColumn, NodeRows.all(numbered(3), new long[] {key, key, key}), 0, 1, 1);
            assertThat(one.fewest()).isZero();
        }
        RowFolds sites = new RowFolds(Folds.sites(), NodeRows.all(numbered(5)), 0, 1, 1);
        assertThat(sites.fewest()).as("one fold, with nothing outside").isZero();
    }

    private static List<Line> lines(double... meansAndErrors) {
        List<Line> lines = new ArrayList<>();
        for (int k = 0; k < meansAndErrors.length; k += 2) {
            lines.add(new Line(
                    1.0 / (k + 1), 0, Map.of("loss", new Estimate(meansAndErrors[k], meansAndErrors[k + 1]))));
        }
        return lines;
    }

    @Test
    void modelsWithinOneStandardErrorOfTheBestAreAsGood() {
        List<Line> lines = lines(0.70, 0.02, 0.56, 0.02, 0.53, 0.02, 0.50, 0.04, 0.51, 0.01);

        assertThat(Folds.Rule.MIN.chosen(lines, 0, 3)).isEqualTo(3);
        assertThat(Folds.Rule.ONE_STANDARD_ERROR.chosen(lines, 0, 3)).isEqualTo(2);
        assertThat(Folds.Rule.ONE_STANDARD_ERROR.chosen(lines, 3, 3)).isEqualTo(3);
    }

    /** Losses 1, 2 and 6 in folds of weight 1, 1 and 2: mean (1 + 2 + 12)/4, variance Σ W (m − mean)²/4. */
    @Test
    void meansAndStandardErrorsAreThoseOfAHandComputedExample() {
        double mean = 15.0 / 4;
        double variance = (square(1 - mean) + square(2 - mean) + 2 * square(6 - mean)) / 4;
        Estimate estimate = Estimate.of(3, 4, 15, 1 + 4 + 144 / 2.0);

        assertThat(estimate.mean()).isEqualTo(mean);
        assertThat(estimate.error()).isCloseTo(Math.sqrt(variance / 2), within(1e-14));
    }

    private static double square(double value) {
        return value * value;
    }
}
