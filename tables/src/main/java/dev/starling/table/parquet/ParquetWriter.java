package dev.starling.table.parquet;

import dev.starling.internal.Version;
import dev.starling.table.Table;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Writes a table as a Parquet file: one row group, plain values, no dictionary, no compression, which every reader
 * knows. A column whose cells are all numbers or empty holds doubles, any other one text; empty cells are null.
 */
public final class ParquetWriter {

    private static final int OPTIONAL = 1;
    private static final int UTF8 = 0;
    private static final int PLAIN = 0;
    private static final int RUN_LENGTHS = 3;

    /** What else a cell of a column of numbers may hold; NaN is null, as no number is there. */
    private static final Set<String> NOT_FINITE = Set.of("", "NaN", "Infinity", "-Infinity");

    private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final List<ThriftWriter> schema = new ArrayList<>();
    private final List<ThriftWriter> chunks = new ArrayList<>();

    private ParquetWriter() {}

    /** The bytes of the file. */
    public static byte[] bytes(Table table) {
        ParquetWriter writer = new ParquetWriter();
        writer.out.writeBytes(MAGIC);
        writer.schema.add(
                new ThriftWriter().text(4, "table").number(5, table.names().size()));
        for (int c = 0; c < table.names().size(); c++) {
            writer.column(table, c);
        }
        return writer.finish(table.rows());
    }

    private void column(Table table, int column) {
        List<String> cells = new ArrayList<>(table.rows());
        String name = table.names().get(column);
        boolean numbers = !table.holdsWords(name);
        for (Table.Cursor row = table.cursor(); row.next(); ) {
            cells.add(row.text(column));
            numbers &= !Double.isNaN(row.number(column)) || NOT_FINITE.contains(row.text(column));
        }
        if (numbers) {
            cells.replaceAll(cell -> cell.equals("NaN") ? "" : cell);
        }
        int type = numbers ? ParquetType.DOUBLE : ParquetType.BYTE_ARRAY;
        ThriftWriter element =
                new ThriftWriter().number(1, type).number(3, OPTIONAL).text(4, name);
        schema.add(numbers ? element : element.number(6, UTF8));
        long start = out.size();
        byte[] page = page(cells, numbers);
        out.writeBytes(new ThriftWriter()
                .number(1, 0)
                .number(2, page.length)
                .number(3, page.length)
                .struct(
                        5,
                        new ThriftWriter()
                                .number(1, cells.size())
                                .number(2, PLAIN)
                                .number(3, RUN_LENGTHS)
                                .number(4, RUN_LENGTHS))
                .bytes());
        out.writeBytes(page);
        long size = out.size() - start;
        chunks.add(new ThriftWriter()
                .number(2, start)
                .struct(
                        3,
                        new ThriftWriter()
                                .number(1, type)
                                .numbers(2, PLAIN, RUN_LENGTHS)
                                .texts(3, name)
                                .number(4, 0)
                                .number(5, (long) cells.size())
                                .number(6, size)
                                .number(7, size)
                                .number(9, start)));
    }

    /** Runs of 1 for a value and 0 for none, and the values. */
    private static byte[] page(List<String> cells, boolean numbers) {
        ByteArrayOutputStream levels = new ByteArrayOutputStream();
        ByteArrayOutputStream values = new ByteArrayOutputStream();
        for (int k = 0; k < cells.size(); ) {
            boolean present = !cells.get(k).isEmpty();
            int end = k;
            for (; end < cells.size() && !cells.get(end).isEmpty() == present; end++) {
                if (present && numbers) {
                    values.writeBytes(little(Double.BYTES)
                            .putDouble(Double.parseDouble(cells.get(end)))
                            .array());
                } else if (present) {
                    byte[] text = cells.get(end).getBytes(StandardCharsets.UTF_8);
                    values.writeBytes(little(Integer.BYTES).putInt(text.length).array());
                    values.writeBytes(text);
                }
            }
            ThriftWriter.varint(levels, (long) (end - k) << 1);
            levels.write(present ? 1 : 0);
            k = end;
        }
        ByteArrayOutputStream page = new ByteArrayOutputStream();
        page.writeBytes(little(Integer.BYTES).putInt(levels.size()).array());
        page.writeBytes(levels.toByteArray());
        page.writeBytes(values.toByteArray());
        return page.toByteArray();
    }

    private static ByteBuffer little(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private byte[] finish(long rows) {
        byte[] footer = new ThriftWriter()
                .number(1, 1)
                .structs(2, schema)
                .number(3, rows)
                .structs(
                        4,
                        List.of(new ThriftWriter()
                                .structs(1, chunks)
                                .number(2, (long) out.size() - MAGIC.length)
                                .number(3, rows)))
                .text(6, "starling " + Version.current())
                .bytes();
        out.writeBytes(footer);
        out.writeBytes(little(Integer.BYTES).putInt(footer.length).array());
        out.writeBytes(MAGIC);
        return out.toByteArray();
    }
}
