package dev.starling.spark.rows;

import static org.apache.spark.sql.functions.array;
import static org.apache.spark.sql.functions.col;

import dev.starling.data.InvalidInputException;
import dev.starling.table.Table;
import dev.starling.table.TableBuilder;
import java.io.Serializable;
import java.util.Iterator;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;

/**
 * Columns of a DataFrame as the columns of a table: strings, and numbers, booleans and dates as Spark formats them;
 * null is a missing cell. Strings stay strings even if they look like numbers.
 *
 * @param columns the columns, in the table's order
 */
public record TableColumns(List<OfFrame> columns) implements Serializable {

    private static final int PART_ROWS = 1 << 12;

    /**
     * A column.
     *
     * @param words whether its values are strings
     * @param floating whether its type is floating-point, so that values may be infinite or NaN
     */
    public record OfFrame(String name, boolean words, boolean floating) implements Serializable {}

    /** Copies the list. */
    public TableColumns {
        columns = List.copyOf(columns);
    }

    /**
     * Selects columns of a DataFrame.
     *
     * @param names the names of the columns, all of which must exist
     * @throws InvalidInputException if the type of one is not supported
     */
    public static TableColumns of(StructType schema, List<String> names) {
        return new TableColumns(
                names.stream().map(name -> of(schema.apply(name))).toList());
    }

    /**
     * Selects columns of a DataFrame and all others that can be cells: the keys of rows are made of them all.
     *
     * @param names the names of columns that must exist
     * @param ids the names of columns that the keys are made of instead, if there are any
     * @throws InvalidInputException if the type of one that must exist is not supported
     */
    public static TableColumns keyed(StructType schema, List<String> names, List<String> ids) {
        Stream<OfFrame> needed = names.stream().distinct().map(name -> of(schema.apply(name)));
        Stream<OfFrame> others = Stream.of(schema.fields())
                .filter(field -> !names.contains(field.name()))
                .filter(field -> ids.isEmpty() ? isCell(field.dataType()) : ids.contains(field.name()))
                .map(field -> new OfFrame(field.name(), field.dataType() instanceof StringType, false));
        return new TableColumns(Stream.concat(needed, others).toList());
    }

    private static boolean isCell(DataType type) {
        return type instanceof StringType
                || type instanceof NumericType
                || type instanceof BooleanType
                || type instanceof DateType
                || type instanceof TimestampType
                || type instanceof TimestampNTZType;
    }

    private static OfFrame of(StructField field) {
        DataType type = field.dataType();
        if (!isCell(type)) {
            throw new InvalidInputException("column '" + field.name() + "' is of type " + type.simpleString()
                    + ", which is not a number, string, boolean or date; cast it to one of these, or leave it out");
        }
        return new OfFrame(
                field.name(), type instanceof StringType, type instanceof FloatType || type instanceof DoubleType);
    }

    /** Their values as text, as an array. */
    public Column cells() {
        return array(texts());
    }

    /** Their values as text. */
    public Column[] texts() {
        return columns.stream().map(column -> named(column.name).cast("string")).toArray(Column[]::new);
    }

    /** Returns a column of a DataFrame by its name, which may contain any characters. */
    public static Column named(String name) {
        return col("`" + name.replace("`", "``") + "`");
    }

    /**
     * Converts the rows of a partition, with the columns that {@link #texts} selects, to tables that are computed
     * lazily.
     */
    public Iterator<Table> tables(int partition, Iterator<InternalRow> rows) {
        return new LazyIterator<>() {
            private long before;

            @Override
            protected Table make() {
                if (!rows.hasNext()) {
                    return null;
                }
                TableBuilder builder = builder(partition, before);
                for (int k = 0; k < PART_ROWS && rows.hasNext(); k++) {
                    InternalRow row = rows.next();
                    addRow(
                            builder,
                            c -> row.isNullAt(c) ? null : row.getUTF8String(c).toString());
                }
                Table table = builder.build();
                before += table.rows();
                return table;
            }
        };
    }

    /** Returns a builder for a table of rows of a partition, with this number of rows before them. */
    public TableBuilder builder(int partition, long before) {
        TableBuilder builder = new TableBuilder(
                        "partition " + partition + " of the DataFrame",
                        columns.stream().map(OfFrame::name).toList())
                .after(before);
        columns.stream().filter(OfFrame::words).forEach(column -> builder.words(column.name));
        return builder;
    }

    /** Adds a row of texts, which are null for missing values. */
    public void addRow(TableBuilder builder, IntFunction<String> texts) {
        for (int c = 0; c < columns.size(); c++) {
            String text = texts.apply(c);
            if (text == null) {
                builder.addMissing();
            } else if (columns.get(c).floating && !Double.isFinite(Double.parseDouble(text))) {
                throw builder.problem("holds " + text + ", which is not finite; make it null, or filter such rows out");
            } else {
                builder.add(text);
            }
        }
    }
}
