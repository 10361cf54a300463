package dev.starling.peer.setup;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Dataset;
import dev.starling.data.DatasetReader;
import dev.starling.data.Generator;
import dev.starling.data.LibsvmWriter;
import dev.starling.loss.Logistic;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Problem;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowSplitTest {

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(doubles = {0.2, 1})
    void givesEverySiteTheRowsThatTrainingDealsToItsNode(double density) {
        Dataset rows =
                Generator.classification(103, 17).density(density).seed(5).generate();
        Problem dealt = Problem.deal(rows, new Logistic(), 1e-3, 4);
        for (int node = 0; node < 4; node++) {
            Path file = directory.resolve(node + ".libsvm");
            LibsvmWriter.write(RowSplit.part(rows, node, 4), file);
            Dataset part = DatasetReader.standard().features(rows.features()).read(file);
            LocalProblem local = dealt.nodes().get(node);
            assertThat(part.rows()).isEqualTo(local.samples());
            double[] expected = new double[rows.features()];
            double[] actual = new double[rows.features()];
            for (int j = 0; j < part.rows(); j++) {
                assertThat(part.label(j)).isEqualTo(local.label(j));
                local.data().addTo(local.row(j), j + 1, expected);
                part.addTo(j, j + 1, actual);
            }
            assertThat(actual).isEqualTo(expected);
        }
    }

    @Test
    void refusesMoreNodesThanRows() {
        Dataset rows = Generator.classification(3, 2).seed(1).generate();
        assertThatRefused(() -> RowSplit.part(rows, 0, 4)).hasMessageContaining("at most 3 nodes");
    }
}
