package dev.starling.spark.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.data.RowKeys;
import dev.starling.data.TableBuilder;
import dev.starling.model.RecipeJson;
import dev.starling.table.Missing;
import dev.starling.table.Recipe;
import java.util.ArrayList;
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
import scala.Tuple2;
import scala.jdk.javaapi.CollectionConverters;

/** Rows that are packed in several parts are the rows that one part would have, each counted from the first. */
class PackingTest {

    private static final int MANY = 10_000;

    private static final TableColumns COLUMNS = TableColumns.of(
            new StructType()
                    .add("y", DataTypes.StringType)
                    .add("x", DataTypes.DoubleType)
                    .add("town", DataTypes.StringType),
            List.of("y", "x", "town"));

    /** Every 97th row is without a number. */
    private static List<String> texts(int i) {
        List<String> texts = new ArrayList<>();
        texts.add(i % 3 == 0 ? "a" : "b");
        texts.add(i % 97 == 0 ? null : Double.toString(i % 1000));
        texts.add("town" + i % 7);
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

    private static Recipe recipe(Missing missing) {
        TableBuilder all = COLUMNS.builder(0, 0);
        IntStream.range(0, MANY).forEach(i -> COLUMNS.addRow(all, texts(i)::get));
        return Recipe.builder().missing(missing).label("y").learn(all.build());
    }

    private static Dataset encoded(Missing missing) {
        TableBuilder all = COLUMNS.builder(0, 0);
        IntStream.range(0, MANY).forEach(i -> COLUMNS.addRow(all, texts(i)::get));
        return recipe(missing).encode(all.build()).rows();
    }

    private static TablePacking packing(Missing missing) {
        return new TablePacking(COLUMNS, RecipeJson.text(recipe(missing)));
    }

    private static void assertSameRows(Dataset actual, Dataset expected) {
        assertThat(actual.rows()).isEqualTo(expected.rows());
        assertThat(actual.isDense()).isEqualTo(expected.isDense());
        assertThat(actual.features()).isEqualTo(expected.features());
        for (int i = 0; i < actual.rows(); i++) {
            assertThat(RowKeys.ofContent(actual, i)).isEqualTo(RowKeys.ofContent(expected, i));
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Missing.class,
            names = {"DROP", "MEAN"})
    void aPartitionOfATableIsEncodedAsTheWholeOfIt(Missing missing) {
        Intake.Pending pending = new Intake.Rows(packing(missing)).open(0, CollectionConverters.asScala(rows()));

        assertThat(pending.isEmpty()).isFalse();
        assertSameRows(pending.rows().get(), encoded(missing));
    }

    /** Values that stand in for missing ones make no difference to keys, which decide on what is held out. */
    @ParameterizedTest
    @EnumSource(
            value = Missing.class,
            names = {"DROP", "MEAN"})
    void rowsThatCountAreDealtOutInTurn(Missing missing) {
        Iterator<Tuple2<Integer, byte[]>> chunks = new Dealing(3, packing(missing)).call(4, rows());
        List<List<Tuple2<Integer, byte[]>>> nodes = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        chunks.forEachRemaining(chunk -> nodes.get(chunk._1()).add(chunk));

        Dataset all = encoded(missing);
        for (int node = 0; node < 3; node++) {
            int first = (node + 2) % 3; // row r of partition 4 is at node (4 + r) mod 3
            int[] own =
                    IntStream.range(0, all.rows()).filter(r -> r % 3 == first).toArray();
            Intake.Pending pending = new Intake.Chunks()
                    .open(node, CollectionConverters.asScala(nodes.get(node).iterator()));
            assertSameRows(pending.rows().get(), all.picked(own).wellLaidOut());
        }
    }

    @Test
    void aCellThatDoesNotFitIsNamedByItsPlaceInThePartition() {
        List<InternalRow> rows = new ArrayList<>();
        rows().forEachRemaining(rows::add);
        rows.set(8999, row(List.of("a", "1.5", "Oz")));
        Intake.Pending pending =
                new Intake.Rows(packing(Missing.DROP)).open(3, CollectionConverters.asScala(rows.iterator()));

        assertThatThrownBy(() -> pending.rows().get())
                .isInstanceOf(InvalidInputException.class)
                .hasMessageStartingWith(
                        "partition 3 of the DataFrame, row 9000: column 'town' holds 'Oz', which is not a known level");
    }

    @Test
    void partitionsWithoutRowsThatCountAreEmpty() {
        Iterator<InternalRow> dropped =
                IntStream.range(0, 5_000).mapToObj(i -> row(texts(97))).iterator();

        assertThat(new Intake.Rows(packing(Missing.DROP))
                        .open(0, CollectionConverters.asScala(dropped))
                        .isEmpty())
                .isTrue();
    }

    @Test
    @SuppressWarnings("unchecked")
    void vectorsAreCountedOverAllParts() {
        UserDefinedType<Object> type = (UserDefinedType<Object>) SQLDataTypes.VectorType();
        InternalRow vector = (InternalRow) type.serialize(Vectors.dense(1, 2));
        List<InternalRow> rows = new ArrayList<>();
        for (int i = 0; i < 70_000; i++) {
            rows.add(new GenericInternalRow(new Object[] {vector, (double) (i % 2), 1.0}));
        }
        // It does not count, nor is it counted.
        rows.add(5, new GenericInternalRow(new Object[] {vector, 0.0, 0.0}));
        VectorPacking packing = new VectorPacking(true, true);

        Dataset all = new Intake.Rows(packing)
                .open(0, CollectionConverters.asScala(rows.iterator()))
                .rows()
                .get();
        assertThat(all.rows()).isEqualTo(70_000);
        assertThat(all.label(69_999)).isEqualTo(1);

        rows.add(new GenericInternalRow(new Object[] {vector, -1.0, 1.0}));
        Intake.Pending bad = new Intake.Rows(packing).open(2, CollectionConverters.asScala(rows.iterator()));
        assertThatThrownBy(() -> bad.rows().get())
                .isInstanceOf(InvalidInputException.class)
                .hasMessageStartingWith("partition 2, row 70001: label -1.0");
    }
}
