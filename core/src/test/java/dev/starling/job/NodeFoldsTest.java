package dev.starling.job;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.starling.data.Dataset;
import dev.starling.data.Labels;
import dev.starling.loss.Logistic;
import dev.starling.method.Facts;
import dev.starling.network.Topology;
import dev.starling.node.Collectives;
import dev.starling.node.SumGuard;
import dev.starling.problem.LocalProblem;
import dev.starling.settings.LambdaPath;
import dev.starling.settings.Setting;
import dev.starling.settings.Settings;
import dev.starling.support.SettingTexts;
import java.util.List;
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
    void withFoldsBySiteAClassOfOneNodeIsRefused() {
        List<Facts> facts = List.of(facts(rows(5)), facts(rows(7)), facts(rows(9)));
        NodeFolds folding = folding("sites", rows(5), 0, 3);
        folding.known(new double[] {2, 2}, facts, LABELS);

        assertThatThrownBy(() -> folding.known(new double[] {1, 3}, facts, LABELS))
                .hasMessageStartingWith("without one of the nodes no row has label 0;");
    }
}
