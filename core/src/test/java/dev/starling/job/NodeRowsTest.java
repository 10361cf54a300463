package dev.starling.job;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Dataset;
import dev.starling.data.Dealing;
import dev.starling.data.Labels;
import dev.starling.node.State;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeRowsTest {

    private static Dataset rows(int count) {
        float[] values = new float[2 * count];
        double[] labels = new double[count];
        for (int i = 0; i < count; i++) {
            values[2 * i] = i;
            labels[i] = i % 3;
        }
        return Dataset.dense(2, values, labels);
    }

    private static List<NodeRows> dealt(int count, int nodes) {
        return NodeRows.dealt(rows(count), Dealing.TURNS.rows(rows(count), nodes, 0), new long[0]);
    }

    @Test
    void rowsAreDealtOutInTurn() {
        for (int count = 1; count < 12; count++) {
            for (int nodes = 1; nodes <= count; nodes++) {
                List<List<Integer>> expected = new ArrayList<>();
                for (int node = 0; node < nodes; node++) {
                    expected.add(new ArrayList<>());
                }
                for (int row = 0; row < count; row++) {
                    expected.get(row % nodes).add(row);
                }
                List<NodeRows> dealt = dealt(count, nodes);
                assertThat(dealt).hasSize(nodes);
                for (int node = 0; node < nodes; node++) {
                    NodeRows own = dealt.get(node);
                    List<Integer> found = new ArrayList<>();
                    for (int k = 0; k < own.count(); k++) {
                        found.add((int) own.data().dot(k, new double[] {1, 0}));
                    }
                    assertThat(found).isEqualTo(expected.get(node));
                    assertThat(own.owner(7)).isEqualTo(new State.Owner(7, 2, found.size()));
                }
            }
        }
    }

    @Test
    void moreNodesThanRowsAreRefused() {
        assertThat(dealt(3, 3)).hasSize(3);
        assertThatRefused(() -> dealt(3, 4))
                .hasMessage("4 nodes for 3 samples; every node needs at least one, so use at most 3 nodes");
    }

    @Test
    void pickedRowsKeepTheirKeys() {
        NodeRows some = NodeRows.all(rows(4), new long[] {10, 11, 12, 13}).only(new int[] {3, 1});

        assertThat(some.keys()).containsExactly(13, 11);
        assertThat(some.count()).isEqualTo(2);
        assertThat(some.data().dot(0, new double[] {1, 0})).isEqualTo(3);
        assertThat(NodeRows.all(rows(4)).only(new int[] {3, 1}).keys()).isEmpty();
    }

    @Test
    void presenceMarksEveryColumnThatIsNotAllZerosAndEveryClass() {
        Labels labels = Labels.of(0, 2, 5);
        Dataset dense = Dataset.dense(
                3, new float[] {0, 1, 0, /**/ 4, 0, 0, /**/ 0, -1, 0, /**/ 0, 0, 7}, new double[] {2, -0.0, 2, 5});
        for (Dataset data : List.of(dense, dense.laidOut(false))) {
            assertThat(ColumnPresence.of(NodeRows.all(data), 4, labels)).containsExactly(1, 1, 1, 0, /**/ 1, 1, 1);
            assertThat(ColumnPresence.of(NodeRows.all(data.dealt(0, 2)), 4, labels))
                    .containsExactly(0, 1, 0, 0, /**/ 0, 1, 0);
            assertThat(ColumnPresence.of(NodeRows.all(data.dealt(1, 2)), 4, labels))
                    .containsExactly(1, 0, 1, 0, /**/ 1, 0, 1);
        }
        assertThat(ColumnPresence.of(NodeRows.all(dense), 3, Labels.regression()))
                .containsExactly(1, 1, 1);
        assertThat(ColumnPresence.length(4, labels)).isEqualTo(7);
    }
}
