package dev.starling.job;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.starling.data.Dataset;
import dev.starling.loss.Logistic;
import dev.starling.node.ObjectionException;
import dev.starling.settings.Settings;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RowSummaryTest {

    private static final Units.Sizes ORDINARY = new Units.Sizes(0, 0, 0, 0);

    private static final Dataset ROWS = Dataset.sparse(
            4,
            new int[] {0, 2, 3, 3, 4, 6},
            new int[] {0, 3, 1, 2, 0, 1},
            new float[] {1, 2, 0, 4, 5, 6},
            new double[] {3, 1, 3, 1, 2});

    private static RowSummary of(int node, double... labels) {
        Dataset rows = Dataset.dense(node + 1, new float[labels.length * (node + 1)], labels);
        return RowSummary.of(NodeRows.all(rows), node, Settings.of(new Logistic()));
    }

    private static void assertSame(RowSummary actual, RowSummary expected) {
        assertThat(actual.encode()).containsExactly(expected.encode());
    }

    @Test
    void aNodeWithoutRowsIsRefused() {
        assertThatRefused(() -> RowSummary.of(NodeRows.all(ROWS.picked(new int[0])), 0, Settings.of(new Logistic())))
                .hasMessage("there are no rows; every node needs at least one");
    }

    @Test
    void mergedSummariesAreThatOfAllNodes() {
        RowSummary first = of(2, 5, 5, 1).with(new double[] {10, 4});
        RowSummary second = of(1, 2, 3, 1, 4).with(new double[] {20, 7});

        RowSummary expected = new RowSummary(
                7,
                30,
                11,
                2,
                3,
                4,
                1,
                new double[] {1, 2, 3, 4, 5},
                0,
                2,
                1,
                new double[] {1, 2, 3, 4},
                second.sizes());
        assertSame(first.merge(second), expected);
        RowSummary other =
                new RowSummary(2, 0, 0, 3, 3, 2, 9, new double[] {8, 9}, 0, 9, 9, new double[] {8, 9}, ORDINARY);
        RowSummary same = of(2, 7, 8).merge(other);
        assertThat(same.narrowNode()).as("the first of two that are as narrow").isEqualTo(2);
        assertThat(same.known()).as("the first of two that know as much").containsExactly(7, 8);
    }

    @Test
    void differentColumnNamesAreRefusedNamingTheSecondNode() {
        Dataset rows = Dataset.dense(2, new float[2], new double[] {1});
        RowSummary first =
                RowSummary.of(NodeRows.all(rows.withNames(List.of("a", "b"))), 3, Settings.of(new Logistic()));
        RowSummary second =
                RowSummary.of(NodeRows.all(rows.withNames(List.of("b", "a"))), 5, Settings.of(new Logistic()));
        RowSummary joined =
                RowSummary.of(NodeRows.all(rows.withNames(List.of("ab", ""))), 6, Settings.of(new Logistic()));

        assertThat(first.columns()).isBetween(1L, 1L << 48).isNotIn(second.columns(), joined.columns());
        assertThat(RowSummary.decode(first.encode()).columns()).isEqualTo(first.columns());
        ObjectionException objection = catchThrowableOfType(ObjectionException.class, () -> first.merge(second));
        assertThat(objection)
                .hasMessage("its columns are not those of node 3; their names, their order and their number must be the"
                        + " same everywhere");
        assertThat(objection.node()).isEqualTo(5);
    }

    @Test
    void moreThanAThousandLabelsAreRefused() {
        double[] many = IntStream.range(0, 1000).asDoubleStream().toArray();

        assertThat(of(0, many).merge(of(0, 3, 999)).labels()).hasSize(1000);
        assertThat(of(0, many).merge(of(0, many)).encode()).hasSize(RowSummary.LONGEST);
        assertThatThrownBy(() -> of(0, many).merge(of(0, 1000)))
                .hasMessage("more than 1000 different labels; to predict numbers, use a regression loss");
        assertThatRefused(() -> of(0, IntStream.range(0, 1001).asDoubleStream().toArray()));
    }

    @Test
    void isDecodedAsItWasEncoded() {
        RowSummary summary =
                new RowSummary(7, 30, 11, 2, 3, 4, 1, new double[] {1, 2, 5}, 99, 2, 6, new double[] {1, 5}, ORDINARY);
        assertSame(RowSummary.decode(summary.encode()), summary);
        assertThat(RowSummary.decode(summary.encode()).labels()).containsExactly(1, 2, 5);
        assertThat(RowSummary.decode(summary.encode()).known()).containsExactly(1, 5);
        assertThat(RowSummary.decode(summary.encode()).knowing()).isEqualTo(6);
        assertThat(RowSummary.decode(summary.encode()).node()).isEqualTo(2);
        RowSummary regression = new RowSummary(1, 0, 0, 1, 1, 1, 0, new double[0], 0, 0, 0, new double[0], ORDINARY);
        assertSame(RowSummary.decode(regression.encode()), regression);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "0, NaN", "14, 4", "14, 1", "14, -1", "17, 3", "17, 1", "17, -1"})
    void invalidSummariesAreRefused(int entry, double value) {
        // Two labels, of which one node knows both: {…, 2, 1, 5, 2, 1, 5}.
        double[] numbers = of(0, 1, 5).encode();
        numbers[entry] = value;

        assertNonsense(numbers);
        assertNonsense(Arrays.copyOf(numbers, 14));
        assertNonsense(Arrays.copyOf(of(0, 1, 5).encode(), 17));
        assertNonsense(Arrays.copyOf(of(0, 1, 5).encode(), 21));
    }

    private static void assertNonsense(double[] numbers) {
        assertThatRefused(() -> RowSummary.decode(numbers))
                .hasMessage("a summary of rows that makes no sense; do all nodes run the same version?");
    }
}
