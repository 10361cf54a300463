package dev.starling.support;

import dev.starling.data.Dataset;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** What rows store, one after another. */
public final class Stored {

    private Stored() {}

    /** The values of all rows. */
    public static double[] values(Dataset rows) {
        return IntStream.range(0, rows.rows())
                .mapToObj(row -> values(rows, row))
                .flatMapToDouble(DoubleStream::of)
                .toArray();
    }

    /** The values of a row. */
    public static double[] values(Dataset rows, int row) {
        return rows.values(row).toArray(rows.start(row), rows.end(row));
    }

    /** The columns of the values of all rows. */
    public static int[] columns(Dataset rows) {
        return IntStream.range(0, rows.rows())
                .flatMap(row -> IntStream.range(rows.start(row), rows.end(row)).map(k -> rows.column(row, k)))
                .toArray();
    }

    /** The value of a dense row in a column. */
    public static double value(Dataset rows, int row, int column) {
        return rows.value(row, rows.start(row) + column);
    }
}
