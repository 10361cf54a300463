package dev.starling.data;

import dev.starling.data.text.TextSource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Reads rows of numbers from LIBSVM or CSV text, plain or compressed with gzip or bzip2. Immutable: each setting
 * returns a new reader. Tables with words are read by the module {@code dev.starling.tables}.
 *
 * <pre>{@code
 * Dataset rows = DatasetReader.standard().read(Path.of("a9a.gz"));
 * Dataset prices = DatasetReader.standard().labelColumn("price").read(Path.of("houses.csv"));
 * }</pre>
 *
 * <p>CSV cells are separated by tabs, semicolons, commas or bars: the one of these that divides the first lines most
 * evenly. The first line holds names if one of its cells is text where the next line has a number, or if all its cells
 * are text. The label is the column called {@code label}, {@code target}, {@code y} or {@code class} if there are
 * names, and the first column if there are none, unless {@link #labelColumn} says otherwise. All other columns are
 * features, in order, and keep their names.
 *
 * <p>Values are read as doubles, as Java reads them, unless {@link #inFloats} rounds them; zeros, written out or left
 * out, are the same. The result is dense where {@link Dataset#densePays} says so, whatever the format was. The first
 * bad line of a file is reported by an {@link InvalidInputException} that names file and line.
 */
public final class DatasetReader implements Cloneable {

    private static final int USUAL_CHUNK = 1 << 19;

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

    /** Reads texts that hold something other than rows of numbers. */
    @FunctionalInterface
    public interface Alternative {
        /** Returns the rows of a text, or nothing for one that it leaves alone after a look at its beginning. */
        Optional<Dataset> read(TextSource text) throws IOException;
    }

    private Format format = Format.AUTO;
    private Optional<String> labelColumn = Optional.empty();
    private Alternative alternative = text -> Optional.empty();
    private int features;
    private boolean inFloats;
    private boolean exactKeys = true;
    private Progress progress = (bytes, total) -> {};
    private int chunkBytes = USUAL_CHUNK;
    private int threads = Runtime.getRuntime().availableProcessors();

    private DatasetReader() {}

    private DatasetReader with(Consumer<DatasetReader> change) {
        try {
            DatasetReader copy = (DatasetReader) clone();
            change.accept(copy);
            return copy;
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A reader that detects the format and uses every core. */
    public static DatasetReader standard() {
        return new DatasetReader();
    }

    /** Reads the given format instead of detecting it from the first lines. */
    public DatasetReader format(Format newFormat) {
        Objects.requireNonNull(newFormat, "format");
        return with(copy -> copy.format = newFormat);
    }

    /** Takes the label of a CSV file from the given column: its name, its number from 1, or {@code last}. */
    public DatasetReader labelColumn(String column) {
        return with(copy -> copy.labelColumn = Optional.of(column));
    }

    /** Asks another reader first, which takes the texts that it can read. */
    public DatasetReader unless(Alternative other) {
        return with(copy -> copy.alternative = other);
    }

    /** Expects at least this many features: those that no row mentions are zero throughout. */
    public DatasetReader features(int atLeast) {
        if (atLeast < 0) {
            throw new InvalidInputException("features " + atLeast + "; must not be negative");
        }
        return with(copy -> copy.features = atLeast);
    }

    /** Rounds values to floats as they are read, whose keys stay those of the rows in the file; false by default. */
    public DatasetReader inFloats(boolean rounds) {
        return inFloats(rounds, true);
    }

    /**
     * Rounds values to floats as they are read.
     *
     * @param keyed whether the keys of rows stay those of the rows in the file, which takes time, because some may be
     *     held out or dealt to folds
     */
    public DatasetReader inFloats(boolean rounds, boolean keyed) {
        return with(copy -> {
            copy.inFloats = rounds;
            copy.exactKeys = keyed;
        });
    }

    /** Reports progress to the given listener. */
    public DatasetReader progress(Progress newProgress) {
        Objects.requireNonNull(newProgress, "progress");
        return with(copy -> copy.progress = newProgress);
    }

    /** Sets the size of the chunks that are parsed in parallel, and the number of threads. */
    DatasetReader pieces(int newChunkBytes, int newThreads) {
        return with(copy -> {
            copy.chunkBytes = newChunkBytes;
            copy.threads = newThreads;
        });
    }

    /**
     * Reads a file.
     *
     * @throws InvalidInputException if it is missing, cannot be read, or holds anything but rows
     */
    public Dataset read(Path file) {
        return TextSource.read(file, this::read);
    }

    /**
     * Reads a stream to its end, without closing it.
     *
     * @param name what to call it in messages, such as {@code standard input}
     * @throws InvalidInputException if it cannot be read or holds anything but rows
     */
    public Dataset read(InputStream in, String name) {
        return TextSource.read(in, name, this::read);
    }

    private Dataset read(TextSource text) throws IOException {
        Optional<Dataset> taken = alternative.read(text);
        if (taken.isPresent()) {
            return taken.get();
        }
        FileHeader opening = FileHeader.of(text.start(), format, labelColumn, text.name());
        RowAssembler assembler = new RowAssembler(text.name(), text.size(), features, inFloats, exactKeys);
        boolean rounds = inFloats && !exactKeys;
        ParallelParsing parsing =
                new ParallelParsing(opening, text.name(), chunkBytes, threads, rounds, text::bytesRead);
        parsing.parse(text.after(opening.skippedBytes()), (piece, bytes) -> {
            progress.read(bytes, text.size());
            return assembler.add(piece, bytes);
        });
        return assembler.finish().called(opening.names());
    }
}
