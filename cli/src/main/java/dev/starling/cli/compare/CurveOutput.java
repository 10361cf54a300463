package dev.starling.cli.compare;

import dev.starling.cli.console.Json;
import dev.starling.cli.console.Outputs;
import dev.starling.cli.options.JsonOption;
import dev.starling.cli.options.Section;
import dev.starling.cli.options.Under;
import dev.starling.data.Format;
import dev.starling.data.InvalidInputException;
import dev.starling.data.text.AtomicFiles;
import dev.starling.table.Table;
import dev.starling.table.TableReader;
import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How curves are printed, and the picture of them. */
@Under(Section.OUTPUT)
final class CurveOutput {

    @Mixin
    private JsonOption json;

    @Option(names = "--csv", description = "Print the curves as comma-separated values.")
    private boolean csv;

    @Option(names = "--svg", paramLabel = "OUT", description = "Write the curves as an SVG picture for papers.")
    private Path svg;

    @Option(names = "--parquet", paramLabel = "OUT", description = "Write the values of --csv as a Parquet file.")
    private Path parquet;

    void check(List<Path> inputs) {
        if (json.isGiven() && csv) {
            throw new InvalidInputException("--json and --csv both say what to print; give one of them");
        }
        svg().ifPresent(out -> Outputs.requireWritable(out, inputs));
        if (parquet != null) {
            Outputs.requireWritable(parquet, inputs);
        }
    }

    /** Whether an output has more than the curves themselves. */
    boolean needsConstants() {
        return json.isGiven() || svg != null;
    }

    Optional<Path> svg() {
        return Optional.ofNullable(svg);
    }

    /** Prints results, and writes their picture if that was asked for; returns what to remark about it. */
    Optional<String> deliver(Measurements result, PrintWriter out) {
        if (json.isGiven()) {
            Json.print(out, result::write);
        } else if (csv) {
            result.csv(out);
        } else {
            result.print(out);
        }
        if (parquet != null) {
            StringWriter text = new StringWriter();
            result.csv(new PrintWriter(text));
            byte[] csv = text.toString().getBytes(StandardCharsets.UTF_8);
            Table table = TableReader.standard().format(Format.CSV).read(new ByteArrayInputStream(csv), "--parquet");
            Outputs.write(() -> AtomicFiles.write(parquet, stream -> stream.write(table.parquet())));
        }
        svg().ifPresent(file -> Outputs.write(() -> result.chart().write(file)));
        return svg().map(file -> "picture written to " + file);
    }
}
