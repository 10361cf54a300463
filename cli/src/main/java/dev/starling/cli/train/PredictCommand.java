package dev.starling.cli.train;

import dev.starling.cli.Main;
import dev.starling.cli.console.Json;
import dev.starling.cli.console.Outputs;
import dev.starling.cli.options.DataOptions;
import dev.starling.data.AtomicFiles;
import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.model.LinearModel;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Predicts the labels of rows. */
@Command(
        name = "predict",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Predicts labels, one per line.",
            "Says on stderr how well they agree with the labels in the data.",
            "Reads models in Starling's JSON and in LIBLINEAR's text format."
        },
        footer = {
            "",
            "Examples:",
            "  starling predict model.json a9a.t.gz",
            "  starling predict model.json a9a.t.gz --probabilities --output predictions.txt",
            "  starling predict liblinear.model a9a.t.gz --json",
            "  starling predict path.json a9a.t.gz --lambda 1e-3"
        })
public final class PredictCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "MODEL", description = "Model file.")
    private Path model;

    @Parameters(
            index = "1",
            paramLabel = "DATA",
            description = "Rows in LIBSVM or CSV format, plain, gzip or bzip2; '-' is standard input.")
    private Path file;

    @Option(
            names = "--lambda",
            paramLabel = "L",
            description = "Which model of a path to take (default: the last, of the smallest lambda).")
    private Double lambda;

    @Option(names = "--l1", paramLabel = "L1", description = "The same where a path has several for each lambda.")
    private Double l1;

    @Mixin
    private DataOptions data;

    @Option(
            names = "--probabilities",
            description = "Print the probability of each class after the label, below a line with the classes.")
    private boolean probabilities;

    @Option(names = "--strict", description = "Refuse rows with features that the model does not know.")
    private boolean strict;

    @Option(names = "--output", paramLabel = "OUT", description = "Write predictions to a file instead of stdout.")
    private Path output;

    @Option(
            names = "--json",
            description = "Print one JSON object with the metrics instead of predictions and remarks.")
    private boolean json;

    @Option(
            names = {"-q", "--quiet"},
            description = "No remarks on stderr.")
    private boolean quiet;

    @Override
    public Integer call() throws IOException {
        if (output != null) {
            Outputs.requireWritable(
                    output,
                    Stream.concat(Stream.of(model), DataOptions.path(file).stream())
                            .toList());
        }
        LinearModel linear = chosen(LinearModel.load(model));
        String name = DataOptions.name(file);
        Dataset read = data.read(file, linear.features(), (bytes, total) -> {});
        Dataset rows = linear.fitted(strict ? read : read.narrowed(linear.features()), name);
        if (rows.features() < read.features() && !quiet) {
            spec.commandLine()
                    .getErr()
                    .println(name + " has " + read.features() + " features, the model " + linear.features()
                            + "; the others are ignored");
        }
        if (probabilities) {
            linear.probabilities(rows, 0);
        }
        PrintWriter out = spec.commandLine().getOut();
        if (output != null) {
            Outputs.write(() -> AtomicFiles.write(output, stream -> {
                Writer text = new OutputStreamWriter(stream, StandardCharsets.US_ASCII);
                write(linear, rows, text);
                text.flush();
            }));
        } else if (!json) {
            write(linear, rows, out);
            out.flush();
        }
        Metrics metrics = Metrics.of(linear, rows);
        if (json) {
            Json.print(out, generator -> {
                generator.writeNumberProperty("rows", rows.rows());
                metrics.values().forEach((key, value) -> Json.number(generator, key, value));
                generator.writeStringProperty("modelHash", linear.hash());
                if (output != null) {
                    generator.writeStringProperty("output", output.toString());
                }
            });
        } else if (!quiet) {
            metrics.print(spec.commandLine().getErr());
        }
        return Main.DONE;
    }

    private LinearModel chosen(LinearModel last) {
        if (lambda == null) {
            if (l1 != null) {
                throw new InvalidInputException("--l1 " + Json.text(l1) + " goes with --lambda; give both");
            }
            return last;
        }
        try {
            return last.at(lambda, l1 == null ? OptionalDouble.empty() : OptionalDouble.of(l1));
        } catch (InvalidInputException e) {
            throw new InvalidInputException(model + ": " + e.getMessage(), e);
        }
    }

    private void write(LinearModel linear, Dataset rows, Writer out) {
        try {
            if (probabilities) {
                out.write(
                        "labels " + linear.classes().stream().map(Json::text).collect(Collectors.joining(" ")) + "\n");
            }
            for (int i = 0; i < rows.rows(); i++) {
                out.write(Json.text(linear.predict(rows, i)));
                if (probabilities) {
                    for (double probability : linear.probabilities(rows, i)) {
                        out.write(" " + Json.text(probability));
                    }
                }
                out.write('\n');
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
