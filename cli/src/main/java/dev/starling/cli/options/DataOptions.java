package dev.starling.cli.options;

import dev.starling.data.Dataset;
import dev.starling.data.DatasetReader;
import dev.starling.data.Format;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** How rows are read: options that every command which reads data shares. */
public final class DataOptions {

    /** The name that stands for standard input, and for standard output where something is written. */
    public static final Path STANDARD = Path.of("-");

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "auto",
            completionCandidates = Candidates.OfFormat.class,
            description =
                    "Format of the data: auto, libsvm or csv (default: ${DEFAULT-VALUE}, recognised from the first lines).")
    private String format;

    @Option(
            names = "--label-column",
            paramLabel = "COLUMN",
            description = "Column of a CSV file that holds the label: its name, its number from 1, or 'last'.")
    private String labelColumn;

    /** Reads a file, or standard input for "-". */
    public Dataset read(Path file, int atLeastFeatures, DatasetReader.Progress progress) {
        DatasetReader reader = DatasetReader.standard()
                .format(format())
                .features(atLeastFeatures)
                .progress(progress);
        if (labelColumn != null) {
            reader = reader.labelColumn(labelColumn);
        }
        return file.equals(STANDARD) ? reader.read(System.in, name(file)) : reader.read(file);
    }

    /** What to call the data in messages. */
    public static String name(Path file) {
        return file.equals(STANDARD) ? "standard input" : file.toString();
    }

    /** The file that the rows come from, if it is one. */
    public static Optional<Path> path(Path file) {
        return file == null || file.equals(STANDARD) ? Optional.empty() : Optional.of(file);
    }

    private Format format() {
        return Names.parse(Format.class, "format", format);
    }
}
