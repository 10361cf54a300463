package dev.starling.spark;

import dev.starling.spark.rows.TableColumns;
import dev.starling.table.Table;
import dev.starling.table.TableBuilder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import scala.jdk.javaapi.CollectionConverters;

/** Converts the rows of a partition in batches, so that a recipe need not be interpreted for each of them. */
abstract class RowBatches implements Iterator<Row> {

    private static final int BATCH = 1 << 10;

    private final TableColumns columns;
    private final Iterator<Row> rows;
    private long before;
    private Iterator<Row> ready = List.<Row>of().iterator();

    /** @param rows rows whose last column holds their texts in these columns, as an array */
    RowBatches(TableColumns columns, Iterator<Row> rows) {
        this.columns = columns;
        this.rows = rows;
    }

    /**
     * Converts a batch of rows.
     *
     * @param table the texts of these rows
     */
    abstract Iterator<Row> convert(List<Row> batch, Table table);

    @Override
    public final boolean hasNext() {
        while (!ready.hasNext() && rows.hasNext()) {
            ready = next(new ArrayList<>());
        }
        return ready.hasNext();
    }

    @Override
    public final Row next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        return ready.next();
    }

    private Iterator<Row> next(List<Row> batch) {
        TableBuilder builder = columns.builder(TaskContext.getPartitionId(), before);
        while (batch.size() < BATCH && rows.hasNext()) {
            Row row = rows.next();
            List<String> texts = row.getList(row.size() - 1);
            columns.addRow(builder, texts::get);
            batch.add(row);
        }
        before += batch.size();
        return convert(batch, builder.build());
    }

    /** Returns a row with other values in place of its last column. */
    static Row replaced(Row row, Object... last) {
        int own = row.size() - 1;
        Object[] values = Arrays.copyOf(CollectionConverters.asJava(row.toSeq()).toArray(), own + last.length);
        System.arraycopy(last, 0, values, own, last.length);
        return RowFactory.create(values);
    }
}
