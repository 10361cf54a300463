package dev.starling.data;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.keys.Fingerprint;
import dev.starling.support.Stored;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class DatasetTest {

    private static final int[] NO_COLUMNS = {};

    private static Dataset read(String text) {
        return DatasetReader.standard().read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "test");
    }

    private static void assertRefused(String message, ThrowingCallable call) {
        assertThatRefused(call).hasMessage(message);
    }

    @Test
    void arraysGiveTheSameRowsAsAFile() {
        Dataset file = read("1,0.1,2,0\n-1,0,3,4\n");
        Dataset arrays = Dataset.of(new double[][] {{0.1, 2, 0}, {0, 3, 4}}, new double[] {1, -1});
        assertThat(arrays.isDense()).isTrue();
        assertThat(Stored.values(arrays)).containsExactly(0.1, 2, 0, 0, 3, 4);
        assertThat(Fingerprint.of(arrays)).isEqualTo(Fingerprint.of(file));
    }

    @Test
    void rowsAddedOneByOneAreTheSameAsFromAFile() {
        Dataset file = read("1 1:0.5 9:2\n-1\n3 2:7\n");
        Dataset built = Dataset.builder(9)
                .row(1, new int[] {0, 8}, new double[] {0.5, 2})
                .row(-1, NO_COLUMNS, new double[0])
                .row(3, 0, 7, 0, 0, -0.0, 0, 0, 0, 0)
                .build();
        assertThat(built.isDense()).isFalse();
        assertThat(built.storedValues()).isEqualTo(3);
        assertThat(built.isWeighted()).isFalse();
        assertThat(Fingerprint.of(built)).isEqualTo(Fingerprint.of(file));
    }

    @Test
    void aThousandRowsAreKept() {
        DatasetBuilder builder = Dataset.builder(1000);
        for (int i = 0; i < 1000; i++) {
            builder.row(i, new int[] {i}, new double[] {i + 1});
        }
        Dataset rows = builder.build();
        for (int i = 0; i < 1000; i++) {
            assertThat(rows.label(i)).isEqualTo(i);
            assertThat(rows.end(i) - rows.start(i)).isEqualTo(1);
            assertThat(rows.column(i, rows.start(i))).isEqualTo(i);
            assertThat(rows.value(i, rows.start(i))).isEqualTo(i + 1);
        }
    }

    @Test
    void aWeightBelongsToTheRowBeforeIt() {
        Dataset rows = Dataset.builder(1)
                .row(1, 1.0)
                .row(2, 1.0)
                .weight(2.5)
                .row(3, 1.0)
                .build();
        assertThat(rows.isWeighted()).isTrue();
        assertThat(List.of(rows.weight(0), rows.weight(1), rows.weight(2))).containsExactly(1.0, 2.5, 1.0);
        DatasetBuilder many = Dataset.builder(1).row(0, 1.0).weight(3);
        for (int i = 1; i < 100; i++) {
            many.row(i, 1.0);
        }
        Dataset hundred = many.row(100, 1.0).weight(4).build();
        assertThat(hundred.weight(0)).isEqualTo(3);
        assertThat(hundred.weight(50)).isEqualTo(1);
        assertThat(hundred.weight(100)).isEqualTo(4);
    }

    @Test
    void invalidRowsAreRefusedByRowAndValue() {
        DatasetBuilder one = Dataset.builder(3).names("a", "b", "c").row(1, 1, 2, 3);
        assertRefused("row 2: 2 values; there must be 3, one per feature", () -> one.row(1, 1, 2));
        assertRefused("row 2: label NaN must be finite", () -> one.row(Double.NaN, 1, 2, 3));
        assertRefused(
                "row 2: column 1 (b) holds Infinity; values must be finite",
                () -> one.row(1, 1, Double.POSITIVE_INFINITY, 3));
        assertRefused(
                "row 2: column 2 (c) holds NaN; values must be finite",
                () -> one.row(1, new int[] {0, 2}, new double[] {1, Double.NaN}));
        assertRefused(
                "row 2: column 3 must be between 0 and 2", () -> one.row(1, new int[] {1, 3}, new double[] {1, 1}));
        assertRefused(
                "row 2: column 1 after 1; columns must ascend",
                () -> one.row(1, new int[] {1, 1}, new double[] {1, 1}));
        assertRefused(
                "row 2: 1 columns for 2 values; there must be one for each",
                () -> one.row(1, new int[] {1}, new double[] {1, 1}));
        assertRefused("row 1: weight 0.0 must be positive and finite", () -> one.weight(0));
        Dataset rows = one.row(2, 4, 5, 6).build();
        assertThat(Stored.values(rows)).as("refused rows leave nothing behind").containsExactly(1, 2, 3, 4, 5, 6);
    }

    @Test
    void emptyDatasetsAreRefused() {
        assertRefused(
                "no rows were added; at least one is needed",
                () -> Dataset.builder(2).build());
        assertRefused("0 features; there must be at least one", () -> Dataset.builder(0));
        assertRefused("no rows; at least one is needed", () -> Dataset.of(new double[0][], new double[0]));
        assertRefused(
                "1 labels for 2 rows; there must be one per row",
                () -> Dataset.of(new double[][] {{1}, {2}}, new double[1]));
        assertRefused(
                "weight 2.0 before the first row; add the row first",
                () -> Dataset.builder(2).weight(2));
    }

    @Test
    void invalidArraysAreRefusedByRowAndValue() {
        int[] offsets = {0, 1, 3};
        float[] values = {1, 2, 3};
        double[] labels = {1, -1};
        assertRefused(
                "row 2: column 3 must be between 0 and 2",
                () -> Dataset.sparse(3, offsets, new int[] {0, 1, 3}, values, labels));
        assertRefused(
                "row 2: column 0 after 1; columns must ascend",
                () -> Dataset.sparse(3, offsets, new int[] {0, 1, 0}, values, labels));
        assertRefused(
                "row 2: column 2 holds NaN; values must be finite",
                () -> Dataset.sparse(3, offsets, new int[] {0, 1, 2}, new float[] {1, 2, Float.NaN}, labels));
        assertRefused(
                "offsets from 0 to 3; they must be within the 2 stored values",
                () -> Dataset.sparse(3, offsets, new int[] {0, 1}, values, labels));
        assertRefused(
                "row 2: it ends at 1, before its start at 2; offsets must ascend",
                () -> Dataset.sparse(3, new int[] {0, 2, 1}, new int[] {0, 1, 2}, values, labels));
        assertRefused(
                "row 2: column 0 holds Infinity; values must be finite",
                () -> Dataset.dense(2, new float[] {1, 2, Float.POSITIVE_INFINITY, 4}, labels));
        assertRefused(
                "row 1: label NaN must be finite", () -> Dataset.dense(1, new float[2], new double[] {Double.NaN, 1}));
        Dataset rows = Dataset.dense(1, new float[2], labels);
        assertRefused(
                "row 2: label Infinity must be finite",
                () -> rows.withLabels(new double[] {1, Double.POSITIVE_INFINITY}));
        assertRefused("row 1: offset NaN must be finite", () -> rows.withOffsets(new double[] {Double.NaN, 1}));
    }

    @Test
    void aNameBelongsToOneColumn() {
        String problem = "two columns are called 'a'; give every column a name of its own";
        assertRefused(
                problem, () -> Dataset.builder(2).names("a", "a").row(1, 1, 2).build());
        assertRefused("test, line 1: " + problem, () -> read("a,a,y\n1,2,1\n3,4,0\n"));
        assertRefused(
                "test, line 1: column 1 has no name; give it one, or remove it if it only numbers the rows",
                () -> read(",a,y\n1,2,1\n3,4,0\n"));
    }

    @Test
    void namesOfTheHeaderAreKept() {
        Dataset rows = read("age, label ,\"income, net\"\n30,1,2\n40,0,3\n");
        assertThat(rows.names()).containsExactly("age", "income, net");
        assertThat(read("30,1,2\n40,0,3\n").names()).isEmpty();
        assertThat(read("1 1:2\n").names()).isEmpty();
    }

    @Test
    void namesStayWithTheRows() {
        Dataset rows =
                Dataset.builder(2).names("a", "b").row(1, 1, 2).row(2, 3, 4).build();
        List<String> names = List.of("a", "b");
        assertThat(rows.names()).isEqualTo(names);
        assertThat(rows.withLabels(new double[2]).names()).isEqualTo(names);
        assertThat(rows.withWeights(new double[] {1, 2}).names()).isEqualTo(names);
        assertThat(rows.withFeatures(3).names()).isEqualTo(names);
        assertThat(rows.withBias(1).names()).isEqualTo(names);
        assertThat(rows.picked(new int[] {1}).names()).isEqualTo(names);
        assertThat(rows.laidOut(false).names()).isEqualTo(names);
        assertThat(rows.laidOut(false).laidOut(true).names()).isEqualTo(names);
        assertRefused(
                "1 names for 2 features; there must be one for each, or none", () -> rows.withNames(List.of("a")));
    }

    @Test
    void textShowsSizeAndLayout() {
        assertThat(Dataset.of(new double[][] {{1, 2}}, new double[1]))
                .hasToString("Dataset[1 rows × 2 features, dense]");
        Dataset sparse = Dataset.builder(9)
                .row(1, new int[] {0, 8}, new double[] {0.5, 2})
                .weight(2)
                .row(1, NO_COLUMNS, new double[0])
                .row(1, NO_COLUMNS, new double[0])
                .build();
        assertThat(sparse).hasToString("Dataset[3 rows × 9 features, sparse, 0.7 values per row, weighted]");
    }
}
