package dev.starling.table;

import dev.starling.data.Dataset;
import dev.starling.data.DatasetReader;
import dev.starling.data.Format;
import dev.starling.data.InvalidInputException;
import dev.starling.data.text.TextOpening;
import dev.starling.data.text.TextSource;
import dev.starling.table.parquet.ParquetFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Reads tables from CSV text, plain or compressed with gzip or bzip2, and from Parquet files, which are recognised by
 * their first bytes. Immutable: each setting returns a new reader.
 *
 * <pre>{@code
 * Table people = TableReader.standard().read(Path.of("people.csv"));
 * }</pre>
 *
 * <p>The cells of a CSV file are separated as {@link DatasetReader} says, and so is its first line recognised.
 */
public final class TableReader {

    /** Turns a table into rows of numbers. */
    @FunctionalInterface
    public interface Encoder {
        /** Returns the rows of a table. */
        Dataset encode(Table table);

        /**
         * Returns the rows of a table that holds nothing but numbers, and so needs no encoding.
         *
         * @param rows its rows, with the names of all columns but the label
         * @param label the name of the label's column
         * @param decimals what labels that are whole numbers have after their digits: nothing, or {@code .0}
         */
        default Dataset encode(Dataset rows, String label, String decimals) {
            return rows;
        }
    }

    private final Format format;
    private final List<String> names;
    private final boolean decimalComma;
    private final DatasetReader.Progress progress;

    private TableReader(Format format, List<String> names, boolean decimalComma, DatasetReader.Progress progress) {
        this.format = format;
        this.names = List.copyOf(names);
        this.decimalComma = decimalComma;
        this.progress = progress;
    }

    /** A reader of files that have a line of names. */
    public static TableReader standard() {
        return new TableReader(Format.AUTO, List.of(), false, (bytes, total) -> {});
    }

    /** Reads the given format instead of detecting it from the first lines; LIBSVM text is not a table. */
    public TableReader format(Format newFormat) {
        return new TableReader(newFormat, names, decimalComma, progress);
    }

    /** Names the columns of a CSV file that has no line of names. */
    public TableReader names(List<String> perColumn) {
        return new TableReader(format, perColumn, decimalComma, progress);
    }

    /** Sets whether numbers in CSV files have a decimal comma, as in 3,9, instead of a point. */
    public TableReader decimalComma(boolean value) {
        return new TableReader(format, names, value, progress);
    }

    /** Reports progress to the given listener. */
    public TableReader progress(DatasetReader.Progress newProgress) {
        return new TableReader(format, names, decimalComma, newProgress);
    }

    /**
     * Reads a CSV or Parquet file, whatever its cells hold.
     *
     * @throws InvalidInputException if it is missing, cannot be read, or is not a table whose columns have names
     */
    public Table read(Path file) {
        try {
            return isParquet(file) ? ParquetFile.read(file) : TextSource.read(file, this::read);
        } catch (IOException e) {
            throw InvalidInputException.unreadable(file.toString(), e);
        }
    }

    /** Reads a stream of CSV text to its end, without closing it. */
    public Table read(InputStream in, String name) {
        return TextSource.read(in, name, this::read);
    }

    /**
     * Reads a file that may hold rows of numbers or a table. LIBSVM text and CSV files without names are read as
     * {@code numbers} says; Parquet files, and CSV files whose columns have names, become rows by the encoder. Where
     * such a file holds nothing but numbers, they are read by several threads and never kept as text.
     */
    public Dataset rows(Path file, DatasetReader numbers, Encoder encoder) {
        if (isParquet(file)) {
            return encoder.encode(read(file));
        }
        if (names.isEmpty() && !decimalComma && Files.isRegularFile(file)) {
            Optional<TextOpening> opening =
                    TextSource.read(file, text -> TableHeader.aboveNumbers(text.start(), format, text.name()));
            Optional<Dataset> rows = opening.flatMap(found -> numbersOf(file, numbers));
            if (rows.isPresent()) {
                List<String> columns = opening.get().cells(0);
                List<String> features = rows.get().names();
                int label = IntStream.range(0, columns.size())
                        .filter(column -> !features.contains(columns.get(column)))
                        .findFirst()
                        .orElseThrow();
                Optional<String> decimals = TableHeader.decimals(opening.get(), label);
                if (decimals.isPresent()) {
                    return encoder.encode(rows.get(), columns.get(label), decimals.get());
                }
            }
        }
        return numbers.unless(text -> named(text, encoder)).read(file);
    }

    /** The rows of a file of numbers; none if some cell turns out to hold something else. */
    private static Optional<Dataset> numbersOf(Path file, DatasetReader numbers) {
        try {
            return Optional.of(numbers.read(file));
        } catch (InvalidInputException e) {
            // Missing values are for the encoder; of anything else the reader of tables has more to say.
            return Optional.empty();
        }
    }

    /** Reads a stream that may hold rows of numbers or a table, as {@link #rows(Path, DatasetReader, Encoder)} does. */
    public Dataset rows(InputStream in, String name, DatasetReader numbers, Encoder encoder) {
        return numbers.unless(text -> named(text, encoder)).read(in, name);
    }

    /**
     * Reads a file that may hold LIBSVM text or a table: every CSV or Parquet file becomes rows by the encoder, even if
     * it holds nothing but numbers, so its columns must have names.
     */
    public Dataset namedRows(Path file, DatasetReader libsvm, Encoder encoder) {
        return isParquet(file)
                ? encoder.encode(read(file))
                : libsvm.unless(text -> csv(text, encoder)).read(file);
    }

    /** Reads a stream that may hold LIBSVM text or a table, as for files. */
    public Dataset namedRows(InputStream in, String name, DatasetReader libsvm, Encoder encoder) {
        return libsvm.unless(text -> csv(text, encoder)).read(in, name);
    }

    private static boolean isParquet(Path file) {
        return Files.isRegularFile(file) && ParquetFile.isParquet(TextSource.firstBytes(file, ParquetFile.MAGIC_BYTES));
    }

    private Table read(TextSource text) throws IOException {
        return table(TableHeader.of(text.start(), format, names, text.name()), text);
    }

    private Optional<Dataset> named(TextSource text, Encoder encoder) throws IOException {
        return encoded(TableHeader.ofNamed(text.start(), format, names, text.name()), text, encoder);
    }

    private Optional<Dataset> csv(TextSource text, Encoder encoder) throws IOException {
        return encoded(TableHeader.ofCsv(text.start(), format, names, text.name()), text, encoder);
    }

    private Optional<Dataset> encoded(Optional<TableHeader> header, TextSource text, Encoder encoder)
            throws IOException {
        return header.isPresent() ? Optional.of(encoder.encode(table(header.get(), text))) : Optional.empty();
    }

    private Table table(TableHeader header, TextSource text) throws IOException {
        return new TableParser(text.name(), header, decimalComma)
                .parse(text.after(header.skippedBytes()), block -> progress.read(text.bytesRead(), text.size()));
    }
}
