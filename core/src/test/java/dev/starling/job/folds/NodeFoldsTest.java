package dev.starling.job.folds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.starling.data.Dataset;
import dev.starling.data.Labels;
import dev.starling.job.NodeRows;
import dev.starling.job.Units;
import dev.starling.loss.Logistic;
import dev.starling.method.Facts;
import dev.starling.network.Topology;
import dev.starling.node.Collectives;
import dev.starling.node.SumGuard;
import dev.starling.problem.LocalProblem;
import dev.starling.settings.Folds;
import dev.starling.settings.LambdaPath;
import dev.starling.settings.Setting;
import dev.starling.settings.Settings;
import dev.starling.support.SettingTexts;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NodeFoldsTest {

    private static final Labels LABELS = Labels.of(0, 1);

    private static Settings settings(String cv) {
        return Settings.of(new Logistic())
                .withPath(LambdaPath.values(0.1, 0.01))
                .withFolds(SettingTexts.folds(cv))
                .with(Setting.SEED, 3L);
    }

    private static Dataset rows(int count) {
        double[][] values = new double[count][];
        double[] labels = new double[count];
        double[] weights = new double[count];
        for (int i = 0; i < count; i++) {
            values[i] = new double[] {i, 1};
            labels[i] = i % 3 == 0 ? 1 : -0.0;
            weights[i] = 1 + i % 4;
        }
        return Dataset.of(values, labels).withWeights(weights);
    }

    private static Collectives place(int node, int nodes, SumGuard guard) {
        return Collectives.apart(Topology.named("line").build(nodes, 1).spanningTree(), node, nodes, guard);
    }

    private static NodeFolds folding(String cv, Dataset rows, int node, int nodes) {
        return new NodeFolds(settings(cv), NodeRows.all(rows), place(node, nodes, SumGuard.NONE));
    }

    private static LocalProblem problem(Dataset rows) {
        return LocalProblem.of(LABELS.binary(rows), new Logistic(), 0.1);
    }

    private static Facts facts(Dataset rows) {
        return Facts.of(problem(rows), new double[0]);
    }

    @Test
    void aNodeReportsRowsWeightAndClassesOutsideEveryFold() {
        Dataset rows = rows(40);
        RowFolds folds = new RowFolds(Folds.of(4), NodeRows.all(rows), 0, 1, 3);
        double[] expected = new double[4 * 4];
        for (int row = 0; row < 40; row++) {
            for (int fold = 0; fold < 4; fold++) {
                if (folds.of(row) != fold) {
                    expected[4 * fold]++;
                    expected[4 * fold + 1] += rows.weight(row);
                    expected[4 * fold + 2 + (int) rows.label(row)]++;
                }
            }
        }
        NodeFolds folding = folding("4", rows, 0, 1);
        double[] addend = folding.addend(problem(rows), NodeRows.all(rows), LABELS);

        assertThat(addend).containsExactly(expected);
        assertThat(folding.request(LABELS).numbers()).isEqualTo(16);
        assertThat(folding.request(LABELS).rows()).isEqualTo(folds.fewest());
        folding.known(addend, List.of(facts(rows)), LABELS);
        for (int fold = 0; fold < 4; fold++) {
            Facts without = folding.without(fold, 0.5).get(0);
            assertThat(without.samples()).isEqualTo((long) expected[4 * fold]);
            assertThat(without.weight()).isEqualTo(expected[4 * fold + 1]);
            assertThat(without.sigma()).isEqualTo(0.5 * expected[4 * fold + 1]);
            LocalProblem some = folding.without(fold, problem(rows), 0.5);
            assertThat(some.samples()).isEqualTo((int) expected[4 * fold]);
            assertThat(some.sigma()).isEqualTo(0.5 * expected[4 * fold + 1]);
        }
    }

    @Test
    void withFoldsBySiteANodeReportsOnlyItsClasses() {
        NodeFolds both = folding("sites", rows(5), 1, 3);
        assertThat(both.count()).isEqualTo(3);
        assertThat(both.request(LABELS).numbers()).isEqualTo(2);
        assertThat(both.request(LABELS).rows()).isEqualTo(5);
        assertThat(both.addend(problem(rows(5)), NodeRows.all(rows(5)), LABELS)).containsExactly(1, 1);
        Dataset zeros = rows(3).picked(new int[] {1, 2});
        assertThat(folding("sites", zeros, 1, 3).addend(problem(zeros), NodeRows.all(zeros), LABELS))
                .containsExactly(1, 0);
    }

    @Test
    void withFoldsBySiteTheOtherNodesRowsAreLeft() {
        List<Dataset> nodes = List.of(rows(5), rows(7), rows(9));
        NodeFolds folding = folding("sites", nodes.get(0), 0, 3);
        folding.known(
                new double[] {3, 3}, nodes.stream().map(NodeFoldsTest::facts).toList(), LABELS);

        assertThat(IntStream.range(0, 3)
                        .mapToLong(fold -> folding.without(fold, 1).get(0).samples()))
                .containsExactly(16L, 14L, 12L);
        assertThat(folding.without(1, 2).get(0).sigma())
                .isEqualTo(2 * (facts(rows(5)).weight() + facts(rows(9)).weight()));
    }

    @Test
    void withFoldsBySiteAClassOfOneNodeIsRefused() {
        List<Facts> facts = List.of(facts(rows(5)), facts(rows(7)), facts(rows(9)));
        NodeFolds folding = folding("sites", rows(5), 0, 3);
        folding.known(new double[] {2, 2}, facts, LABELS);

        assertThatThrownBy(() -> folding.known(new double[] {1, 3}, facts, LABELS))
                .hasMessageStartingWith("without one of the nodes no row has label 0;");
    }

    @Test
    void heldOutSumsCoverTheSmallestFoldOrAllRowsOfANode() {
        Dataset rows = rows(40);
        int fewest = new RowFolds(Folds.of(4), NodeRows.all(rows), 0, 1, 3).fewest();

        assertThat(folding("4", rows, 0, 1)
                        .heldOut(2, true, 1, Units.NONE)
                        .request()
                        .rows())
                .isEqualTo(fewest);
        assertThat(folding("sites", rows, 1, 3)
                        .heldOut(2, true, 1, Units.NONE)
                        .request()
                        .rows())
                .isEqualTo(40);
    }
}
