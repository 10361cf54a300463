package dev.starling.lab.paper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.starling.data.Dataset;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RandomSharesTest {

    /** Row r has label r and the single value r. */
    private static Dataset numbered(int rows) {
        float[] values = new float[rows];
        double[] labels = new double[rows];
        for (int r = 0; r < rows; r++) {
            values[r] = r;
            labels[r] = r;
        }
        return Dataset.dense(1, values, labels);
    }

    @Test
    void aNodeHasEveryRowAtMostOnce() {
        Dataset drawn = RandomShares.forNodes(numbered(50), 4, 30, 1);
        assertThat(drawn.rows()).isEqualTo(120);
        for (int node = 0; node < 4; node++) {
            Set<Double> seen = new HashSet<>();
            for (int j = 0; j < 30; j++) {
                assertThat(seen.add(drawn.label(node + 4 * j))).isTrue();
            }
        }
    }

    @Test
    void nodesShareAsManyRowsAsExpectedByChance() {
        Dataset drawn = RandomShares.forNodes(numbered(1000), 2, 500, 7);
        Set<Double> first = new HashSet<>();
        IntStream.range(0, 500).forEach(j -> first.add(drawn.label(2 * j)));
        long common = IntStream.range(0, 500)
                .filter(j -> first.contains(drawn.label(2 * j + 1)))
                .count();
        assertThat(common).isBetween(200L, 300L);
    }

    @Test
    void rowsKeepTheirValues() {
        Dataset sparse = numbered(20).laidOut(false);
        for (Dataset base : new Dataset[] {numbered(20), sparse}) {
            Dataset drawn = RandomShares.forNodes(base, 3, 5, 2);
            for (int r = 0; r < drawn.rows(); r++) {
                assertThat(drawn.dot(r, new double[] {1})).isEqualTo(drawn.label(r));
            }
        }
    }

    @Test
    void sharesDependOnTheSeed() {
        Dataset base = numbered(100);
        assertThat(RandomShares.forNodes(base, 2, 50, 1).labels())
                .isEqualTo(RandomShares.forNodes(base, 2, 50, 1).labels());
        assertThat(RandomShares.forNodes(base, 2, 50, 1).labels())
                .isNotEqualTo(RandomShares.forNodes(base, 2, 50, 2).labels());
    }

    @Test
    void aBaseWithTooFewRowsIsRefused() {
        assertThatThrownBy(() -> RandomShares.forNodes(numbered(10), 2, 11, 1))
                .hasMessage("10 rows, but every node draws 11 of them; there must be at least as many");
    }
}
