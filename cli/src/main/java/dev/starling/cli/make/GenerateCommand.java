package dev.starling.cli.make;

import dev.starling.cli.Main;
import dev.starling.cli.console.ConsoleCommand;
import dev.starling.cli.console.Outputs;
import dev.starling.cli.options.DataOptions;
import dev.starling.cli.options.SeedOption;
import dev.starling.data.Generator;
import dev.starling.data.InvalidInputException;
import dev.starling.data.LibsvmWriter;
import dev.starling.data.text.AtomicFiles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes a synthetic problem of known difficulty. */
@Command(
        name = "generate",
        description = {
            "Writes a synthetic problem in LIBSVM format, or a table.",
            "Features are Gaussian; labels come from a hidden linear model, with noise. The same options give the same"
                    + " rows."
        },
        footer = {
            "",
            "Examples:",
            "  starling generate easy.txt --rows 10000 --features 50",
            "  starling generate hard.gz --rows 50000 --features 200 --density 0.05 --conditioning 1e4 --noise 0",
            "  starling generate people.csv --table --rows 5000",
            "  starling generate - --regression --rows 100 --features 3 | head"
        })
public final class GenerateCommand extends ConsoleCommand {

    @Parameters(
            index = "0",
            paramLabel = "OUT",
            description = "File to write, compressed with gzip if its name ends in .gz; '-' is standard output.")
    private Path target;

    @Option(
            names = "--rows",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Number of rows (default: ${DEFAULT-VALUE}).")
    private int rows;

    @Option(
            names = "--features",
            paramLabel = "D",
            defaultValue = "20",
            description = "Number of features (default: ${DEFAULT-VALUE}).")
    private int features;

    @Option(
            names = "--table",
            description = "Write an invented census instead: a CSV file with column names, categories, missing values"
                    + " and the label >50K. Only --rows and --seed matter.")
    private boolean table;

    @Option(names = "--regression", description = "Write numbers as labels, instead of -1 and 1.")
    private boolean regression;

    @Option(
            names = "--density",
            paramLabel = "P",
            defaultValue = "1",
            description = "Fraction of the values that are not zero (default: ${DEFAULT-VALUE}).")
    private double density;

    @Option(
            names = "--conditioning",
            paramLabel = "K",
            defaultValue = "1",
            description = "Condition number of the features' covariance (default: ${DEFAULT-VALUE}).")
    private double conditioning;

    @Option(
            names = "--noise",
            paramLabel = "P",
            defaultValue = "0.1",
            description = "Probability that a label is flipped, 0 for separable classes; in regression, the standard"
                    + " deviation of the noise when that of the signal is 1 (default: ${DEFAULT-VALUE}).")
    private double noise;

    @Mixin
    private SeedOption seed;

    @Override
    public Integer call() throws IOException {
        if (table) {
            return census();
        }
        Generator.Kind kind = regression ? Generator.Kind.REGRESSION : Generator.Kind.CLASSIFICATION;
        Generator generator;
        try {
            generator = new Generator(kind, rows, features, density, conditioning, noise, seed.value());
        } catch (InvalidInputException e) {
            throw new InvalidInputException("--" + e.getMessage(), e);
        }
        if (target.equals(DataOptions.STANDARD)) {
            ByteArrayOutputStream text = new ByteArrayOutputStream();
            LibsvmWriter.write(generator.generate(), text);
            out().print(text.toString(StandardCharsets.US_ASCII));
        } else {
            Outputs.requireWritable(target, List.of());
            Outputs.write(() -> generator.write(target));
        }
        return Main.DONE;
    }

    private int census() throws IOException {
        if (rows < 1) {
            throw new InvalidInputException("--rows " + rows + "; there must be at least one");
        }
        CensusTable census = new CensusTable(seed.value());
        if (target.equals(DataOptions.STANDARD)) {
            census.write(rows, out());
            return Main.DONE;
        }
        Outputs.requireWritable(target, List.of());
        Outputs.write(() -> AtomicFiles.write(target, out -> {
            boolean compressed = target.toString().toLowerCase(Locale.ROOT).endsWith(".gz");
            GZIPOutputStream gzip = compressed ? new GZIPOutputStream(out) : null;
            Writer text = new OutputStreamWriter(compressed ? gzip : out, StandardCharsets.UTF_8);
            census.write(rows, text);
            text.flush();
            if (compressed) {
                gzip.finish();
            }
        }));
        return Main.DONE;
    }
}
