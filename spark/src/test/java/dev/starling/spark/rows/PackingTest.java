package dev.starling.spark.rows;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Dataset;
import dev.starling.data.keys.Fingerprint;
import dev.starling.data.keys.RowKeys;
import dev.starling.job.NodeRows;
import dev.starling.recipe.Encoded;
import dev.starling.recipe.Missing;
import dev.starling.recipe.Recipe;
import dev.starling.recipe.RecipeJson;
import dev.starling.table.Table;
import dev.starling.table.TableBuilder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.UserDefinedType;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import scala.Tuple2;
import scala.jdk.javaapi.CollectionConverters;

/** Rows that are packed in several parts are the rows that one part would have, each counted from the first. */
class PackingTest {

    private static final int MANY = 10_000;
    private static final List<String> FOLDS = List.of("town", "y");

    private static final TableColumns COLUMNS = TableColumns.of(
            new StructType()
                    .add("y", DataTypes.StringType)
                    .add("x", DataTypes.DoubleType)
                    .add("town", DataTypes.StringType)
                    .add("o", DataTypes.DoubleType),
            List.of("y", "x", "town", "o"));

    /** Every 97th row is without a number. */
    private static List<String> texts(int i) {
        List<String> texts = new ArrayList<>();
        texts.add(i % 3 == 0 ? "a" : "b");
        texts.add(i % 97 == 0 ? null : Double.toString(i % 1000));
        texts.add("town" + i % 7);
        texts.add(Double.toString(i % 11));
        return texts;
    }

    private static InternalRow row(List<String> texts) {
        return new GenericInternalRow(texts.stream()
                .map(text -> text == null ? null : UTF8String.fromString(text))
                .toArray());
    }

    private static Iterator<InternalRow> rows() {
        return IntStream.range(0, MANY).mapToObj(i -> row(texts(i))).iterator();
    }

    private static Table table() {
        TableBuilder all = COLUMNS.builder(0, 0);
        IntStream.range(0, MANY).forEach(i -> COLUMNS.addRow(all, texts(i)::get));
        return all.build();
    }

    private static Recipe recipe(Missing missing) {
        return Recipe.builder().missing(missing).label("y").offset("o").learn(table());
    }

    private static NodeRows encoded(Missing missing) {
        Encoded encoded = recipe(missing).encode(table());
        return NodeRows.all(encoded.rows(), table().keys(FOLDS, encoded.kept()));
    }

    private static TablePacking packing(Missing missing) {
        return new TablePacking(COLUMNS, RecipeJson.text(recipe(missing)), FOLDS);
    }

    private static void assertSameRows(NodeRows rows, Dataset expected, long[] keys) {
        Dataset actual = rows.data();
        assertThat(rows.keys()).isEqualTo(keys);
        assertThat(actual.rows()).isEqualTo(expected.rows());
        assertThat(actual.isDense()).isEqualTo(expected.isDense());
        assertThat(actual.features()).isEqualTo(expected.features());
        for (int i = 0; i < actual.rows(); i++) {
            assertThat(RowKeys.ofContent(actual, i)).isEqualTo(RowKeys.ofContent(expected, i));
            assertThat(actual.offset(i)).isEqualTo(expected.offset(i));
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Missing.class,
            names = {"DROP", "MEAN"})
    void aPartitionIsEncodedAsTheWholeTableWouldBe(Missing missing) {
        RowIntake.Pending pending =
                new RowIntake.Rows(packing(missing), true).open(0, CollectionConverters.asScala(rows()));

        assertThat(pending.isEmpty()).isFalse();
        NodeRows all = encoded(missing);
        RowIntake.Taken taken = pending.rows().get();
        assertSameRows(taken.rows(), all.data(), all.keys());
        assertThat(RowStretch.fingerprint(taken.stretches())).isEqualTo(Fingerprint.of(all.data()));
    }

    /** Values that stand in for missing ones make no difference to keys, which decide on what is held out. */
    @ParameterizedTest
    @EnumSource(
            value = Missing.class,
            names = {"DROP", "MEAN"})
    void rowsThatAreNotDroppedAreDealtOutInTurn(Missing missing) {
        Iterator<Tuple2<Integer, byte[]>> chunks =
                RowDealing.inTurn(3, packing(missing)).call(4, rows());
        List<List<Tuple2<Integer, byte[]>>> nodes = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        chunks.forEachRemaining(chunk -> nodes.get(chunk._1()).add(chunk));

        NodeRows all = encoded(missing);
        List<RowStretch> stretches = new ArrayList<>();
        for (int node = 0; node < 3; node++) {
            int first = (node + 2) % 3; // row r of partition 4 is at node (4 + r) mod 3
            int[] own =
                    IntStream.range(0, all.count()).filter(r -> r % 3 == first).toArray();
            RowIntake.Pending pending = new RowIntake.Chunks(false)
                    .open(node, CollectionConverters.asScala(nodes.get(node).iterator()));
            RowIntake.Taken taken = pending.rows().get();
            stretches.addAll(0, taken.stretches());
            assertSameRows(
                    taken.rows(),
                    all.data().picked(own).wellLaidOut(),
                    IntStream.of(own).mapToLong(row -> all.keys()[row]).toArray());
        }
        assertThat(RowStretch.fingerprint(stretches)).isEqualTo(Fingerprint.of(all.data()));
    }

    @Test
    void anInvalidCellIsNamedByItsPlaceInThePartition() {
        List<InternalRow> rows = new ArrayList<>();
        rows().forEachRemaining(rows::add);
        rows.set(8999, row(List.of("a", "1.5", "Oz", "0")));
        RowIntake.Pending pending =
                new RowIntake.Rows(packing(Missing.DROP), true).open(3, CollectionConverters.asScala(rows.iterator()));

        assertThatRefused(() -> pending.rows().get())
                .hasMessageStartingWith(
                        "partition 3 of the DataFrame, row 9000: column 'town' holds 'Oz', which is not a known level");
    }

    /** Chunks of a node that is full are sent before the partition has ended, at whatever row that is. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    @SuppressWarnings("unchecked")
    void theFingerprintOfManyChunksIsThatOfAllRowsInOrder(int nodes) {
        UserDefinedType<Object> type = (UserDefinedType<Object>) SQLDataTypes.VectorType();
        List<InternalRow> rows = IntStream.range(0, 210_000)
                .<InternalRow>mapToObj(i -> new GenericInternalRow(
                        new Object[] {type.serialize(Vectors.dense(i % 17, i % 3)), (double) (i % 2)}))
                .toList();
        VectorPacking packing = new VectorPacking(false, false, 0, true);
        List<RowStretch> stretches = new ArrayList<>();
        RowDealing.inTurn(nodes, packing)
                .call(1, rows.iterator())
                .forEachRemaining(chunk -> stretches.add(
                        Serialized.value(chunk._2(), RowChunk.class).stretch()));
        RowIntake.Taken whole = new RowIntake.Rows(packing, true)
                .open(1, CollectionConverters.asScala(rows.iterator()))
                .rows()
                .get();

        assertThat(stretches).hasSizeGreaterThan(nodes);
        Collections.reverse(stretches);
        assertThat(RowStretch.fingerprint(stretches))
                .isEqualTo(RowStretch.fingerprint(whole.stretches()))
                .isEqualTo(Fingerprint.of(whole.rows().data()));
    }

    @Test
    void partitionsWhoseRowsAreAllDroppedAreEmpty() {
        Iterator<InternalRow> dropped =
                IntStream.range(0, 5_000).mapToObj(i -> row(texts(97))).iterator();

        assertThat(new RowIntake.Rows(packing(Missing.DROP), true)
                        .open(0, CollectionConverters.asScala(dropped))
                        .isEmpty())
                .isTrue();
    }

    @Test
    @SuppressWarnings("unchecked")
    void rowsAreNumberedAcrossChunks() {
        UserDefinedType<Object> type = (UserDefinedType<Object>) SQLDataTypes.VectorType();
        InternalRow vector = (InternalRow) type.serialize(Vectors.dense(1, 2));
        List<InternalRow> rows = new ArrayList<>();
        for (int i = 0; i < 70_000; i++) {
            UTF8String group = i == 0 ? null : UTF8String.fromString("g" + i % 5);
            rows.add(new GenericInternalRow(new Object[] {vector, (double) (i % 2), 1.0, i / 2.0, group}));
        }
        // It does not count, nor is it counted.
        rows.add(5, new GenericInternalRow(new Object[] {vector, 0.0, 0.0, null, null}));
        VectorPacking packing = new VectorPacking(true, true, 1, true);

        NodeRows taken = new RowIntake.Rows(packing, true)
                .open(0, CollectionConverters.asScala(rows.iterator()))
                .rows()
                .get()
                .rows();
        Dataset all = taken.data();
        assertThat(all.rows()).isEqualTo(70_000);
        assertThat(all.label(69_999)).isEqualTo(1);
        assertThat(all.offset(69_999)).isEqualTo(69_999 / 2.0);
        assertThat(taken.keys())
                .hasSize(70_000)
                .startsWith(RowKeys.ofCells(List.of("")), RowKeys.ofCells(List.of("g1")))
                .endsWith(RowKeys.ofCells(List.of("g4")));

        rows.add(new GenericInternalRow(new Object[] {vector, -1.0, 1.0, 0.0, null}));
        RowIntake.Pending bad =
                new RowIntake.Rows(packing, true).open(2, CollectionConverters.asScala(rows.iterator()));
        assertThatRefused(() -> bad.rows().get()).hasMessageStartingWith("partition 2, row 70001: label -1.0");
    }
}
