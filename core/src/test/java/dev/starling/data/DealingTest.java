package dev.starling.data;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DealingTest {

    private static final Dataset ROWS =
            Generator.classification(503, 3).noise(0.2).seed(4).generate();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "turns",
                "blocks",
                "labels",
                "column:2",
                "sizes:1.5",
                "sizes:20",
                "dirichlet:0.05",
                "dirichlet:100"
            })
    void everyRowGoesToExactlyOneNodeAndEveryNodeHasOne(String how) {
        for (int nodes : new int[] {1, 2, 7, 60}) {
            int[][] dealt = Dealing.named(how).rows(ROWS, nodes, 9);
            assertThat(Arrays.stream(dealt).allMatch(own -> own.length > 0)).isTrue();
            assertThat(Arrays.stream(dealt)
                            .flatMapToInt(Arrays::stream)
                            .sorted()
                            .toArray())
                    .isEqualTo(IntStream.range(0, 503).toArray());
            assertThat(dealt.length).isEqualTo(nodes);
            assertThat(Arrays.deepEquals(Dealing.named(how).rows(ROWS, nodes, 9), dealt))
                    .isTrue();
        }
    }

    /** The share of a node's most frequent class, on average over nodes: 1 if all have one class only. */
    private static double purity(String how) {
        return Arrays.stream(Dealing.named(how).rows(ROWS, 10, 1))
                .mapToDouble(own -> {
                    double ones = Arrays.stream(own)
                                    .filter(row -> ROWS.label(row) > 0)
                                    .count()
                            / (double) own.length;
                    return Math.max(ones, 1 - ones);
                })
                .average()
                .orElseThrow();
    }

    @Test
    void aSmallDirichletParameterMakesNodesThatDiffer() {
        assertThat(purity("labels")).isGreaterThan(0.95);
        assertThat(purity("dirichlet:0.05")).isGreaterThan(0.85);
        assertThat(purity("dirichlet:10000")).isLessThan(0.65);
        assertThat(purity("turns")).isLessThan(0.65);
    }

    @Test
    void sizesFallWithTheirPower() {
        int[][] dealt = Dealing.named("sizes:1").rows(ROWS, 4, 1);
        // 1, 1/2, 1/3, 1/4 of their sum, 25/12.
        assertThat(dealt[0].length).isBetween(240, 243);
        assertThat(dealt[1].length).isBetween(120, 122);
        assertThat(dealt[3].length).isBetween(60, 62);
    }

    @Test
    void aColumnIsSorted() {
        int[][] dealt = Dealing.named("column:2").rows(ROWS, 5, 1);
        double[] unit = {0, 1, 0};
        double last = Double.NEGATIVE_INFINITY;
        for (int[] own : dealt) {
            for (int row : own) {
                assertThat(ROWS.dot(row, unit)).isGreaterThanOrEqualTo(last);
                last = ROWS.dot(row, unit);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"bogus", "sizes", "sizes:0", "dirichlet:x", "dirichlet:NaN", "column:", "turns:3"})
    void refusesWhatItCannotRead(String how) {
        assertThatRefused(() -> Dealing.named(how));
    }

    @Test
    void refusesAColumnThatIsNotThere() {
        assertThatThrownBy(() -> Dealing.named("column:4").rows(ROWS, 2, 1))
                .hasMessage("deal 'column:4': there is no such column; give its name, or a number from 1 to 3");
    }
}
