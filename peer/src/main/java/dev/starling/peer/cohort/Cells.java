package dev.starling.peer.cohort;

import dev.starling.cores.Loops;
import dev.starling.data.Dataset;
import dev.starling.data.keys.RowKeys;
import dev.starling.study.StudyRows;
import dev.starling.table.Table;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A site's rows as they were written, cell by cell: those to train on and those held out, with their weights, offsets
 * and labels.
 *
 * @param ids a number for each row that identifies the person it is about; empty if the site has no identities
 * @param parts for each row, the part of the run that it belongs to: a fold, or the rows held out
 * @param places for each row, its place among the rows of the file, from 0; empty if all rows of the file are here
 * @param columns the names of the columns
 * @param source returns the cells of some of the columns
 */
public record Cells(long[] ids, int[] parts, List<Integer> places, List<String> columns, Source source) {

    /** Wider data are registered in this many groups of columns. */
    private static final int MOST_COLUMNS = 256;

    /** How many columns are read at once. */
    static final int AT_ONCE = 16;

    private static final int READERS = 16;

    private static final String LABEL = "(label)";
    private static final String WEIGHT = "(weight)";
    private static final String OFFSET = "(offset)";

    /** Returns a number per row for each of several consecutive columns; equal cells have equal numbers. */
    @FunctionalInterface
    public interface Source {

        /** Reads columns {@code first}, {@code first} + 1, … */
        long[][] read(int first, int count);
    }

    /** Copies the list. */
    public Cells {
        places = List.copyOf(places);
        columns = List.copyOf(columns);
    }

    /** The number of a row in its file, from 1. */
    public int number(int row) {
        return 1 + (places.isEmpty() ? row : places.get(row));
    }

    /** A digest of everything here: two lists of cells that differ anywhere do not have the same one by accident. */
    public byte[] digest() {
        long one = rows();
        long other = columns.hashCode();
        for (int row = 0; row < parts.length; row++) {
            one = RowKeys.mixed(one, parts[row]);
            other = RowKeys.mixed(other, ids.length > 0 ? ids[row] : 0);
        }
        for (int first = 0; first < columns.size(); first += AT_ONCE) {
            for (long[] column : source.read(first, Math.min(AT_ONCE, columns.size() - first))) {
                for (long cell : column) {
                    one = RowKeys.mixed(one, cell);
                    other = other * 31 + one;
                }
            }
        }
        return ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(one)
                .putLong(RowKeys.mixed(other, one))
                .array();
    }

    /** The number of rows. */
    public int rows() {
        return parts.length;
    }

    /** The cells of a study's table, in the columns that the study uses. */
    public static Cells of(StudyRows rows, int[] parts) {
        Table table = rows.table();
        List<String> used = rows.columns();
        int[] places = used.stream().mapToInt(table.names()::indexOf).toArray();
        return new Cells(rows.identities(), parts, rows.kept(), used, (first, count) -> {
            long[][] cells = new long[count][parts.length];
            Loops.run(READERS, reader -> read(rows, places, first, cells, reader));
            return cells;
        });
    }

    /** Reads what one of the readers reads: some consecutive rows, each of which is in the cache only once. */
    private static void read(StudyRows rows, int[] places, int first, long[][] cells, int reader) {
        List<Integer> kept = rows.kept();
        int end = (int) ((long) kept.size() * (reader + 1) / READERS);
        Table.Cursor cursor = rows.table().cursor();
        int at = -1;
        for (int row = (int) ((long) kept.size() * reader / READERS); row < end; row++) {
            for (int wanted = kept.get(row); at < wanted; at++) {
                cursor.next();
            }
            for (int c = 0; c < cells.length; c++) {
                cells[c][row] = cursor.key(places[first + c]);
            }
        }
    }

    /** The cells of rows of numbers, which have no identities. */
    public static Cells of(Dataset data, int[] parts) {
        int features = Math.min(data.features(), MOST_COLUMNS);
        List<String> names = new ArrayList<>(IntStream.range(0, features)
                .mapToObj(c -> data.features() > MOST_COLUMNS
                        ? "columns " + (c + 1) + " modulo " + MOST_COLUMNS
                        : data.names().isEmpty()
                                ? Integer.toString(c + 1)
                                : data.names().get(c))
                .toList());
        names.add(LABEL);
        names.add(WEIGHT);
        names.add(OFFSET);
        return new Cells(new long[0], parts, List.of(), names, (first, count) -> numbers(data, features, first, count));
    }

    private static long[][] numbers(Dataset data, int features, int first, int count) {
        long[][] cells = new long[count][data.rows()];
        for (int row = 0; row < data.rows(); row++) {
            int start = data.start(row);
            int end = data.end(row);
            boolean direct = data.isDense() && data.features() == features;
            int from = direct ? Math.min(end, start + first) : start;
            int to = direct ? Math.min(end, start + first + count) : end;
            for (int k = from; k < to; k++) {
                int column = data.column(row, k);
                int place = column % features - first;
                double value = data.value(row, k);
                if (value != 0 && place >= 0 && place < count) {
                    long bits = Double.doubleToLongBits(value);
                    cells[place][row] += data.features() == features ? bits : RowKeys.mixed(column, bits);
                }
            }
        }
        for (int c = Math.max(0, features - first); c < count; c++) {
            int which = first + c - features;
            for (int row = 0; row < data.rows(); row++) {
                double value = which == 0 ? data.label(row) : which == 1 ? data.weight(row) : data.offset(row);
                cells[c][row] = Double.doubleToLongBits(value + 0.0);
            }
        }
        return cells;
    }
}
