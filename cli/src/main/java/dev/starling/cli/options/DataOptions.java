package dev.starling.cli.options;

import dev.starling.data.Dataset;
import dev.starling.data.DatasetReader;
import dev.starling.data.Format;
import dev.starling.data.InvalidInputException;
import dev.starling.model.LinearModel;
import dev.starling.recipe.Recipe;
import dev.starling.recipe.RecipeBuilder;
import dev.starling.table.Table;
import dev.starling.table.TableReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** How rows are read: the options shared by every command that reads data. */
@Under(Section.READING)
public class DataOptions {

    /** The file name that means standard input, or standard output for a file that is written. */
    public static final Path STANDARD = Path.of("-");

    private static final DatasetReader.Progress NO_PROGRESS = (bytes, total) -> {};

    /** The description of a parameter that takes rows in any format. */
    public static final String ROWS =
            "Rows in LIBSVM or CSV format, optionally compressed with gzip or bzip2, or a Parquet file; '-' is standard"
                    + " input.";

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "auto",
            completionCandidates = CompletionCandidates.OfFormat.class,
            description =
                    "Format of the data: auto, libsvm or csv (default: ${DEFAULT-VALUE}, recognised from the first"
                            + " lines).")
    private String format;

    @Option(
            names = "--label-column",
            paramLabel = "COLUMN",
            description = "Column of a CSV file that holds the label: its name, its number from 1, or 'last'.")
    private String labelColumn;

    @Option(
            names = "--column-names",
            paramLabel = "NAMES",
            split = ",",
            description = "Names of the columns, separated by commas, for a CSV file that has no header line.")
    private List<String> names = List.of();

    @Option(
            names = "--decimal",
            paramLabel = "SIGN",
            defaultValue = ".",
            description = "Decimal sign of the numbers in a CSV file: '.' (default) or ','.")
    private String decimal;

    private boolean inFloats;
    private boolean exactKeys;

    /**
     * Rounds the values of files of numbers while they are read, so that no others are ever kept.
     *
     * @param keyed whether rows are chosen by what they are in the file
     */
    public void inFloats(boolean rounds, boolean keyed) {
        inFloats = rounds;
        exactKeys = keyed;
    }

    /**
     * Reads a file, or standard input for "-". What the columns of a CSV file with text mean is inferred from its
     * cells.
     */
    public Dataset read(Path file, int atLeastFeatures, DatasetReader.Progress progress) {
        return read(file, atLeastFeatures, progress, table -> {
            RecipeBuilder builder = Recipe.builder();
            labelColumn().ifPresent(builder::label);
            return builder.learn(table).encode(table).rows();
        });
    }

    /** Reads a file, or standard input for "-", and encodes it like the rows that a model was trained on. */
    public Dataset read(Path file, LinearModel model) {
        return Recipe.of(model)
                .map(recipe -> recipe.isOfNumbers()
                        ? readNamed(
                                file,
                                model.features(),
                                table -> recipe.encode(table).rows())
                        : recipe.encode(readTable(file)).rows())
                .orElseGet(() -> read(file, model.features(), NO_PROGRESS));
    }

    /** Reads a file, or standard input for "-". A CSV file with text is turned into rows by the given encoder. */
    public Dataset read(Path file, int atLeastFeatures, DatasetReader.Progress progress, TableReader.Encoder encoder) {
        DatasetReader numbers = numbers(atLeastFeatures, progress);
        return file.equals(STANDARD)
                ? tables(progress).rows(System.in, name(file), numbers, encoder)
                : tables(progress).rows(file, numbers, encoder);
    }

    /**
     * Reads a file, or standard input for "-". Any CSV file, whose columns must have names, is turned into rows by the
     * given encoder.
     */
    public Dataset readNamed(Path file, int atLeastFeatures, TableReader.Encoder encoder) {
        DatasetReader libsvm = numbers(atLeastFeatures, NO_PROGRESS);
        return file.equals(STANDARD)
                ? tables(NO_PROGRESS).namedRows(System.in, name(file), libsvm, encoder)
                : tables(NO_PROGRESS).namedRows(file, libsvm, encoder);
    }

    /** Reads a CSV file, or standard input for "-", as text. */
    public Table readTable(Path file, DatasetReader.Progress progress) {
        TableReader reader = tables(progress);
        return file.equals(STANDARD) ? reader.read(System.in, name(file)) : reader.read(file);
    }

    /** Reads a CSV file, or standard input for "-", as text, without showing progress. */
    public final Table readTable(Path file) {
        return readTable(file, NO_PROGRESS);
    }

    private TableReader tables(DatasetReader.Progress progress) {
        if (!decimal.equals(".") && !decimal.equals(",")) {
            throw InvalidInputException.unknownName("--decimal", decimal, List.of(".", ","));
        }
        return TableReader.standard()
                .format(format())
                .names(names)
                .decimalComma(decimal.equals(","))
                .progress(progress);
    }

    private DatasetReader numbers(int atLeastFeatures, DatasetReader.Progress progress) {
        DatasetReader reader = DatasetReader.standard()
                .format(format())
                .features(atLeastFeatures)
                .inFloats(inFloats, exactKeys)
                .progress(progress);
        return labelColumn == null ? reader : reader.labelColumn(labelColumn);
    }

    /** The label column, if one was given. */
    public Optional<String> labelColumn() {
        return Optional.ofNullable(labelColumn);
    }

    /** The names of the columns, if they were given. */
    List<String> columnNames() {
        return names;
    }

    /** What to call the data in messages. */
    public String source(Path file) {
        return name(file);
    }

    /** What to call a file in messages. */
    public static String name(Path file) {
        return file.equals(STANDARD) ? "standard input" : file.toString();
    }

    /** The file that the rows come from; empty for standard input or a database. */
    public static Optional<Path> path(Path file) {
        return file == null || file.equals(STANDARD) ? Optional.empty() : Optional.of(file);
    }

    private Format format() {
        return EnumNames.parse(Format.class, "format", format);
    }
}
