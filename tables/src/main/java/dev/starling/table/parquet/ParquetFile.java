package dev.starling.table.parquet;

import dev.starling.data.InvalidInputException;
import dev.starling.table.Table;
import dev.starling.table.TableBuilder;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a Parquet file as a table. */
public final class ParquetFile {

    /** The bytes with which every Parquet file begins and ends. */
    private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);

    /** How many bytes from the beginning of a file {@link #isParquet} needs. */
    public static final int MAGIC_BYTES = 4;

    /** The length of the footer, which comes before these bytes, and the magic bytes. */
    private static final long TAIL_BYTES = 8;

    private static final int REPEATED = 2;

    /** How pandas, in the notes that it adds to a file, says that a column of whole numbers holds time spans. */
    private static final Pattern TIME_SPANS =
            Pattern.compile("\"field_name\":\\s*\"((?:[^\"\\\\]|\\\\.)*)\",[^{}]*?\"numpy_type\":\\s*\"timedelta");

    private record Field(String name, ParquetType type, boolean optional) {}

    private final String file;
    private final RandomAccessFile in;

    private ParquetFile(String file, RandomAccessFile in) {
        this.file = file;
        this.in = in;
    }

    /** Whether a file begins like a Parquet file. */
    public static boolean isParquet(byte[] beginning) {
        return beginning.length >= MAGIC.length && Arrays.equals(MAGIC, Arrays.copyOf(beginning, MAGIC.length));
    }

    /**
     * Reads a file.
     *
     * @throws InvalidInputException if it is corrupt, or does not hold a table
     */
    public static Table read(Path file) throws IOException {
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            return new ParquetFile(file.toString(), in).read();
        } catch (CorruptException | DateTimeException | ArithmeticException | NumberFormatException e) {
            throw new InvalidInputException(
                    file + " is not a complete Parquet file: " + e.getMessage() + "; copy or write it again", e);
        }
    }

    private Table read() throws IOException {
        Thrift.Struct footer = footer();
        if (footer.has(8)) {
            throw new InvalidInputException(file + " is encrypted; write it without encryption");
        }
        requireNoTimeSpans(footer.structs(5));
        List<Field> fields = fields(footer.structs(2));
        TableBuilder table =
                new TableBuilder(file, fields.stream().map(Field::name).toList());
        fields.stream()
                .filter(field -> field.type.meaning() == ParquetType.Meaning.WORDS)
                .forEach(field -> table.words(field.name));
        List<Thrift.Struct> groups = footer.structs(4);
        if (groups.stream().mapToLong(group -> group.number(3)).sum() != footer.number(3)) {
            throw new CorruptException("its row groups do not add up to the number of rows that it declares");
        }
        for (Thrift.Struct group : groups) {
            List<Thrift.Struct> chunks = group.structs(1);
            if (chunks.size() != fields.size()) {
                throw new CorruptException(chunks.size() + " columns where there should be " + fields.size());
            }
            long rows = group.number(3);
            List<ColumnPages> columns = new ArrayList<>();
            for (int c = 0; c < fields.size(); c++) {
                columns.add(pages(fields.get(c), chunks.get(c).struct(3), rows));
            }
            for (long row = 0; row < rows; row++) {
                for (int c = 0; c < columns.size(); c++) {
                    add(columns.get(c).next(), fields.get(c), table);
                }
            }
        }
        return table.build();
    }

    private void requireNoTimeSpans(List<Thrift.Struct> notes) {
        for (Thrift.Struct note : notes) {
            Matcher found = TIME_SPANS.matcher(note.text(1).equals("pandas") ? note.text(2) : "");
            if (found.find()) {
                throw new InvalidInputException(file + ": column '" + found.group(1)
                        + "' holds time spans, which have no unit of their own; write a number of seconds or days"
                        + " instead, in pandas with .dt.total_seconds()");
            }
        }
    }

    private static void add(Optional<String> value, Field field, TableBuilder table) {
        if (value.isEmpty()) {
            table.addMissing();
            return;
        }
        if (!field.type.isUsable(value.get())) {
            throw table.problem(
                    "holds " + value.get() + ", which is not finite; leave such rows out, or make them null");
        }
        table.add(value.get());
    }

    private Thrift.Struct footer() throws IOException {
        long length = in.length();
        if (length < 3L * MAGIC.length) {
            throw new CorruptException("it ends too early");
        }
        Bytes tail = new Bytes(bytes(length - TAIL_BYTES, TAIL_BYTES));
        long size = tail.fixed(Integer.BYTES);
        if (!Arrays.equals(tail.take(MAGIC.length), MAGIC)) {
            throw new CorruptException("it does not end like one");
        }
        return new Thrift(new Bytes(bytes(length - TAIL_BYTES - size, size))).struct();
    }

    private List<Field> fields(List<Thrift.Struct> schema) {
        List<Field> fields = new ArrayList<>();
        for (Thrift.Struct element : schema.subList(Math.min(1, schema.size()), schema.size())) {
            String name = element.text(4);
            String where = file + ": column '" + name + "'";
            if (element.number(5, 0) > 0 || element.number(3, 0) == REPEATED) {
                throw new InvalidInputException(
                        where + " is nested, a list or a structure; write the file without it, or flatten it");
            }
            fields.add(new Field(name, ParquetType.of(element, where), element.number(3, 0) == 1));
        }
        if (fields.isEmpty()) {
            throw new CorruptException("it has no columns");
        }
        return fields;
    }

    private ColumnPages pages(Field field, Thrift.Struct chunk, long rows) throws IOException {
        long data = chunk.number(9);
        long dictionary = chunk.number(11, 0);
        // Some writers store 0 if there is no dictionary.
        long start = dictionary > 0 ? Math.min(dictionary, data) : data;
        return new ColumnPages(
                file + ": column '" + field.name + "'",
                field.type,
                field.optional,
                (int) chunk.number(4),
                bytes(start, chunk.number(7)),
                rows);
    }

    private byte[] bytes(long from, long count) throws IOException {
        if (from < 0 || count < 0 || count > Integer.MAX_VALUE - 8 || from + count > in.length()) {
            throw new CorruptException("it refers to bytes that it does not have");
        }
        byte[] bytes = new byte[(int) count];
        in.seek(from);
        in.readFully(bytes);
        return bytes;
    }
}
