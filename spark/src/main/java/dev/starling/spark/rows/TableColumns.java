package dev.starling.spark.rows;

import static org.apache.spark.sql.functions.array;
import static org.apache.spark.sql.functions.col;

import dev.starling.data.InvalidInputException;
import dev.starling.data.Table;
import dev.starling.data.TableBuilder;
import java.io.Serializable;
import java.util.Iterator;
import java.util.List;
import java.util.function.IntFunction;
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
 * Columns of a DataFrame as those of a table: numbers, words, truths and dates as Spark spells them, null as a missing
 * cell. Strings are words even where they look like numbers.
 *
 * @param columns the columns, in the table's order
 */
public record TableColumns(List<OfFrame> columns) implements Serializable {

    private static final int PART_ROWS = 1 << 12;

    /**
     * A column.
     *
     * @param words whether its type is that of strings
     * @param floating whether its type has values that are no finite numbers
     */
    public record OfFrame(String name, boolean words, boolean floating) implements Serializable {}

    /** Copies the list. */
    public TableColumns {
        columns = List.copyOf(columns);
    }

    /**
     * Some columns of a DataFrame.
     *
     * @param names which, all of which it has
     * @throws InvalidInputException if one is of a type that no table has
     */
    public static TableColumns of(StructType schema, List<String> names) {
        return new TableColumns(
                names.stream().map(name -> of(schema.apply(name))).toList());
    }

    private static OfFrame of(StructField field) {
        DataType type = field.dataType();
        boolean words = type instanceof StringType;
        boolean known = words
                || type instanceof NumericType
                || type instanceof BooleanType
                || type instanceof DateType
                || type instanceof TimestampType
                || type instanceof TimestampNTZType;
        if (!known) {
            throw new InvalidInputException("column '" + field.name() + "' is of type " + type.simpleString()
                    + ", which is neither number, word, truth nor date; cast it to one of these, or leave it out");
        }
        return new OfFrame(field.name(), words, type instanceof FloatType || type instanceof DoubleType);
    }

    /** What a row says in them, as an array of texts. */
    public Column cells() {
        return array(texts());
    }

    /** Their values as text. */
    public Column[] texts() {
        return columns.stream().map(column -> named(column.name).cast("string")).toArray(Column[]::new);
    }

    /** A column of a DataFrame by its name, whatever characters that has. */
    public static Column named(String name) {
        return col("`" + name.replace("`", "``") + "`");
    }

    /** The rows of a partition as tables, made as they are asked for, of what {@link #texts} selects. */
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

    /** A table of some rows of a partition, before which there are others. */
    public TableBuilder builder(int partition, long before) {
        TableBuilder builder = new TableBuilder(
                        "partition " + partition + " of the DataFrame",
                        columns.stream().map(OfFrame::name).toList())
                .after(before);
        columns.stream().filter(OfFrame::words).forEach(column -> builder.words(column.name));
        return builder;
    }

    /** Adds a row of texts, null where nothing is known. */
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
