package dev.starling.data;

import dev.starling.data.parquet.ParquetFile;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.FileInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.SequenceInputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Reads rows from LIBSVM or CSV text, plain or compressed with gzip or bzip2, and tables from Parquet files, which are
 * recognised by their first bytes. Immutable: each setting returns a new reader.
 *
 * <pre>{@code
 * Dataset rows = DatasetReader.standard().read(Path.of("a9a.gz"));
 * Dataset prices = DatasetReader.standard().labelColumn("price").read(Path.of("houses.csv"));
 * }</pre>
 *
 * <p>CSV cells are separated by tabs, else semicolons, else commas, else bars: the first of these that the first line
 * contains outside quotes. The first line holds names if one of its cells is text where the next line has a number, or
 * if all its cells are text. The label is the column called {@code label}, {@code target}, {@code y} or {@code class}
 * if there are names, and the first column if there are none, unless {@link #labelColumn} says otherwise. All other
 * columns are features, in order, and keep their names.
 *
 * <p>Values are read as doubles, as Java reads them; zeros, written out or left out, are the same. The result is dense
 * where {@link Dataset#densePays} says so, whatever the format was. The first bad line of a file is reported by an
 * {@link InvalidInputException} that names file and line.
 */
public final class DatasetReader {

    private static final int USUAL_CHUNK = 1 << 19;
    private static final int USUAL_OPENING = 1 << 16;
    private static final int LARGEST_OPENING = (1 << 29) - 1;

    /** Receives progress reports while a file is read. */
    @FunctionalInterface
    public interface Progress {
        /**
         * Called about twice a megabyte, always by the thread that called {@code read}.
         *
         * @param bytes bytes of the file read so far; if it is compressed, compressed bytes
         * @param total size of the file in bytes; −1 if unknown
         */
        void read(long bytes, long total);
    }

    /** Turns a table of text into rows of numbers. */
    @FunctionalInterface
    public interface TableEncoder {
        /** Returns the rows of a table. */
        Dataset encode(Table table);
    }

    private final Format format;
    private final Optional<String> labelColumn;
    private final Optional<TableEncoder> encoder;
    private final boolean allTables;
    private final List<String> names;
    private final int features;
    private final Progress progress;
    private final int chunkBytes;
    private final int threads;

    private DatasetReader(
            Format format,
            Optional<String> labelColumn,
            Optional<TableEncoder> encoder,
            boolean allTables,
            List<String> names,
            int features,
            Progress progress,
            int chunkBytes,
            int threads) {
        this.format = format;
        this.labelColumn = labelColumn;
        this.encoder = encoder;
        this.allTables = allTables;
        this.names = List.copyOf(names);
        this.features = features;
        this.progress = progress;
        this.chunkBytes = chunkBytes;
        this.threads = threads;
    }

    /** A reader that detects the format and uses every core. */
    public static DatasetReader standard() {
        int cores = Runtime.getRuntime().availableProcessors();
        return new DatasetReader(
                Format.AUTO,
                Optional.empty(),
                Optional.empty(),
                false,
                List.of(),
                0,
                (bytes, total) -> {},
                USUAL_CHUNK,
                cores);
    }

    /** Reads the given format instead of detecting it from the first lines. */
    public DatasetReader format(Format newFormat) {
        Objects.requireNonNull(newFormat, "format");
        return new DatasetReader(
                newFormat, labelColumn, encoder, allTables, names, features, progress, chunkBytes, threads);
    }

    /** Takes the label of a CSV file from the given column: its name, its number from 1, or {@code last}. */
    public DatasetReader labelColumn(String column) {
        return new DatasetReader(
                format, Optional.of(column), encoder, allTables, names, features, progress, chunkBytes, threads);
    }

    /**
     * Reads CSV files with named columns and some cells that are not numbers as tables, and turns them into rows with
     * the given encoder. Without one, such files are rejected.
     */
    public DatasetReader tables(TableEncoder newEncoder) {
        return withEncoder(newEncoder, false);
    }

    /**
     * Reads every CSV file as a table and turns it into rows with the given encoder; files whose columns have no names
     * are rejected.
     */
    public DatasetReader allTables(TableEncoder newEncoder) {
        return withEncoder(newEncoder, true);
    }

    private DatasetReader withEncoder(TableEncoder newEncoder, boolean all) {
        return new DatasetReader(
                format, labelColumn, Optional.of(newEncoder), all, names, features, progress, chunkBytes, threads);
    }

    /** Names the columns of a CSV file that has no header line; it is then read as a table. */
    public DatasetReader names(List<String> perColumn) {
        return new DatasetReader(
                format, labelColumn, encoder, allTables, perColumn, features, progress, chunkBytes, threads);
    }

    /** Expects at least this many features: those that no row mentions are zero throughout. */
    public DatasetReader features(int atLeast) {
        if (atLeast < 0) {
            throw new InvalidInputException("features " + atLeast + "; must not be negative");
        }
        return new DatasetReader(
                format, labelColumn, encoder, allTables, names, atLeast, progress, chunkBytes, threads);
    }

    /** Reports progress to the given listener. */
    public DatasetReader progress(Progress newProgress) {
        Objects.requireNonNull(newProgress, "progress");
        return new DatasetReader(
                format, labelColumn, encoder, allTables, names, features, newProgress, chunkBytes, threads);
    }

    /** Sets the size of the chunks that are parsed in parallel, and the number of threads. */
    DatasetReader pieces(int newChunkBytes, int newThreads) {
        return new DatasetReader(
                format, labelColumn, encoder, allTables, names, features, progress, newChunkBytes, newThreads);
    }

    /**
     * Reads a file.
     *
     * @throws InvalidInputException if it is missing, cannot be read, or holds anything but rows
     */
    public Dataset read(Path file) {
        if (isParquet(file)) {
            return encoder.orElseThrow(() -> new InvalidInputException(
                            file + " is a Parquet file, which holds a table; say how to turn it into rows"))
                    .encode(readTable(file));
        }
        try {
            return opened(file, this::read);
        } catch (TextCellException e) {
            // The first lines held only numbers but a later one does not; a regular file can be read again, as a table.
            if (encoder.isEmpty() || !e.hasNames() || !Files.isRegularFile(file)) {
                throw new InvalidInputException(e.getMessage(), e);
            }
            return encoder.get().encode(readTable(file));
        }
    }

    /**
     * Reads a stream to its end, without closing it.
     *
     * @param name what to call it in messages, such as {@code standard input}
     * @throws InvalidInputException if it cannot be read or holds anything but rows
     */
    public Dataset read(InputStream in, String name) {
        try {
            return read(in, name, -1);
        } catch (TextCellException e) {
            throw new InvalidInputException(e.getMessage(), e);
        }
    }

    /**
     * Reads a CSV or Parquet file as a table of text, whatever its cells hold.
     *
     * @throws InvalidInputException if it is missing, cannot be read, or is not a table whose columns have names
     */
    public Table readTable(Path file) {
        return isParquet(file)
                ? opened(file, (in, name, size) -> ParquetFile.read(file))
                : opened(file, this::readTable);
    }

    private static boolean isParquet(Path file) {
        return Files.isRegularFile(file)
                && opened(file, (in, name, size) -> ParquetFile.isParquet(in.readNBytes(ParquetFile.MAGIC_BYTES)));
    }

    /** Reads a stream to its end as text, without closing it. */
    public Table readTable(InputStream in, String name) {
        return readTable(in, name, -1);
    }

    @FunctionalInterface
    private interface Reading<T> {
        T read(InputStream in, String name, long size) throws IOException;
    }

    private static <T> T opened(Path file, Reading<T> reading) {
        String name = file.toString();
        if (Files.isDirectory(file)) {
            throw new InvalidInputException(name + " is a directory; give one of the files in it");
        }
        boolean regular = Files.isRegularFile(file);
        // The stream of a channel queries its position, which a pipe does not have.
        try (InputStream in =
                regular || Files.notExists(file) ? Files.newInputStream(file) : new FileInputStream(file.toFile())) {
            return reading.read(in, name, regular ? Files.size(file) : -1);
        } catch (NoSuchFileException e) {
            throw new InvalidInputException(name + " does not exist; give the path of a LIBSVM or CSV file", e);
        } catch (IOException e) {
            throw InvalidInputException.unreadable(name, e);
        }
    }

    private Dataset read(InputStream in, String name, long size) {
        return decompressed(in, name, (start, text, counted) -> {
            if (encoder.isPresent()) {
                Optional<TableHeader> header = allTables
                        ? TableHeader.ofCsv(start, format, names, name)
                        : TableHeader.ofText(start, format, names, name);
                if (header.isPresent()) {
                    return encoder.get().encode(table(header.get(), start, text, counted, name, size));
                }
            }
            FileHeader opening = FileHeader.of(start, format, labelColumn, name);
            RowAssembler assembler = new RowAssembler(name, size, features);
            ParallelParsing parsing = new ParallelParsing(opening, name, chunkBytes, threads, () -> counted.bytes);
            parsing.parse(after(start, opening.skippedBytes(), text), (piece, bytes) -> {
                progress.read(bytes, size);
                return assembler.add(piece, bytes);
            });
            return assembler.finish().called(opening.names());
        });
    }

    private Table readTable(InputStream in, String name, long size) {
        return decompressed(
                in,
                name,
                (start, text, counted) ->
                        table(TableHeader.of(start, format, names, name), start, text, counted, name, size));
    }

    private Table table(TableHeader header, byte[] start, InputStream text, Counted counted, String name, long size)
            throws IOException {
        return new TableParser(name, header)
                .parse(after(start, header.skippedBytes(), text), block -> progress.read(counted.bytes, size));
    }

    private static InputStream after(byte[] start, int skipped, InputStream text) {
        return new SequenceInputStream(new ByteArrayInputStream(start, skipped, start.length - skipped), text);
    }

    @FunctionalInterface
    private interface TextReading<T> {
        /**
         * @param start the first bytes of the text
         * @param rest the text after them
         */
        T read(byte[] start, InputStream rest, Counted file) throws IOException;
    }

    private static <T> T decompressed(InputStream in, String name, TextReading<T> reading) {
        Counted counted = new Counted(in);
        BufferedInputStream compressed = Decompression.buffered(counted);
        Decompression decompression = Decompression.NONE;
        try {
            decompression = Decompression.of(compressed, name);
            InputStream text = decompression.open(compressed);
            return reading.read(beginning(text, name), text, counted);
        } catch (IOException e) {
            throw new InvalidInputException(unreadable(name, decompression, e), e);
        }
    }

    /** Reads enough text to detect the format: the first two lines that are not blank, at least, if there are two. */
    private static byte[] beginning(InputStream text, String name) throws IOException {
        byte[] start = text.readNBytes(USUAL_OPENING);
        while (start.length >= USUAL_OPENING && firstLinesAreCut(start)) {
            byte[] more = text.readNBytes(start.length);
            // No text holds a zero, so what does need not be read to its first line end.
            if (more.length == 0 || start[start.length - 1] == 0) {
                break;
            }
            if (start.length > LARGEST_OPENING) {
                throw new InvalidInputException(
                        name + ": its first two lines are longer than 512 MiB; end every row with a line break");
            }
            int length = start.length;
            start = Arrays.copyOf(start, length + more.length);
            System.arraycopy(more, 0, start, length, more.length);
        }
        return start;
    }

    /** Whether there are fewer than two complete lines that are not blank. */
    private static boolean firstLinesAreCut(byte[] start) {
        int lines = 0;
        boolean blank = true;
        for (byte c : start) {
            if (c == '\n') {
                lines += blank ? 0 : 1;
                blank = true;
            } else if (c > ' ' || c < 0) {
                blank = false;
            }
            if (lines == 2) {
                return false;
            }
        }
        return true;
    }

    private static String unreadable(String name, Decompression decompression, IOException e) {
        if (decompression == Decompression.NONE || e instanceof InterruptedIOException) {
            return name + " cannot be read: " + e.getMessage();
        }
        boolean cut =
                e instanceof EOFException || String.valueOf(e.getMessage()).contains("nexpected end of");
        return name + ": the " + decompression.label() + " data "
                + (cut ? "ends too early, the file is truncated" : "is corrupt")
                + "; copy or download it again";
    }

    /** Counts the bytes read from a file. */
    private static final class Counted extends FilterInputStream {
        private long bytes;

        Counted(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            int c = super.read();
            bytes += c < 0 ? 0 : 1;
            return c;
        }

        @Override
        public int read(byte[] buffer, int from, int length) throws IOException {
            int read = super.read(buffer, from, length);
            bytes += Math.max(0, read);
            return read;
        }
    }
}
