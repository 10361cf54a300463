package dev.starling.cli.evaluate;

import dev.starling.cli.Main;
import dev.starling.cli.console.ConsoleCommand;
import dev.starling.cli.console.Json;
import dev.starling.cli.console.Outputs;
import dev.starling.cli.options.DataOptions;
import dev.starling.cli.options.JsonOption;
import dev.starling.cli.options.ModelChoice;
import dev.starling.cli.options.Remarks;
import dev.starling.cli.options.Section;
import dev.starling.cli.options.SourceOptions;
import dev.starling.cli.options.Under;
import dev.starling.cli.page.HtmlPage;
import dev.starling.data.AtomicFiles;
import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.evaluation.Evaluation;
import dev.starling.model.LinearModel;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.core.JsonGenerator;

/** Measures how good a model is on rows with known labels. */
@Command(
        name = "evaluate",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Measures how good a model is on rows with labels.",
            "Classes: accuracy, AUC with a confidence interval, log loss, Brier score, precision, recall, F1 and the"
                    + " confusion matrix. Numbers: RMSE, MAE, R2 and the model's own loss.",
            "Columns of a CSV file are matched by name with those the model was trained on. Several files are evaluated"
                    + " together and each on its own. Without a file, prints the evaluation that the model file holds"
                    + " from training."
        },
        footer = {
            "",
            "Examples:",
            "  starling evaluate model.json a9a.t.gz",
            "  starling evaluate model.json people.csv --page people.html",
            "  starling evaluate model.json lyon.csv nice.csv --json",
            "  starling evaluate model.json",
            "",
            "Exit codes: 0 done, 2 bad input, such as a label that the model does not know."
        })
public final class EvaluateCommand extends ConsoleCommand {

    @Parameters(index = "1..*", arity = "0..*", paramLabel = "DATA", description = DataOptions.ROWS)
    private List<Path> files = List.of();

    @Mixin
    private ModelChoice model;

    @Mixin
    private SourceOptions data;

    @Option(names = "--weights", paramLabel = "FILE", description = "File with the weights of the rows, one per line.")
    private Path weights;

    @Under(Section.OUTPUT)
    @Option(names = "--page", paramLabel = "OUT", description = "Write a self-contained HTML page with curves.")
    private Path page;

    @Mixin
    private JsonOption json;

    @Mixin
    private Remarks remarks;

    @Override
    public Integer call() {
        Path first = files.isEmpty() ? null : files.get(0);
        if (data.isNone(first) && page == null && weights == null) {
            return showKept(model.load());
        }
        data.check(first);
        if (weights != null && files.size() > 1) {
            throw new InvalidInputException("--weights " + weights + " belongs to one file, but there are "
                    + files.size() + "; put the weights into a column of each");
        }
        if (page != null) {
            Outputs.requireWritable(page, inputs());
        }
        LinearModel judged = model.load();
        // Without a file, rows come from a database.
        List<LabelledRows> places = (files.isEmpty() ? Stream.<Path>of((Path) null) : files.stream())
                .map(file -> LabelledRows.read(data, judged, file, remarks::say).weighted(Optional.ofNullable(weights)))
                .toList();
        // Each on its own first, so that an error names the file.
        List<EvaluationReport> ofEach = places.stream()
                .map(place -> new EvaluationReport(judged, place.evaluate(judged)))
                .toList();
        List<Dataset> rows = places.stream().map(LabelledRows::rows).toList();
        EvaluationReport all =
                places.size() == 1 ? ofEach.get(0) : new EvaluationReport(judged, Evaluation.of(judged, rows));
        if (page != null) {
            String text = HtmlPage.filled(EvaluateCommand.class, "evaluate.html", generator -> {
                write(generator, places, ofEach, all);
                new Curves(judged, all.measures(), rows).write(generator);
            });
            Outputs.write(() -> AtomicFiles.write(page, out -> out.write(text.getBytes(StandardCharsets.UTF_8))));
        }
        PrintWriter out = out();
        if (json.isGiven()) {
            Json.print(out, generator -> write(generator, places, ofEach, all));
        } else {
            print(out, places, ofEach, all);
        }
        return Main.DONE;
    }

    private int showKept(LinearModel judged) {
        StoredEvaluations kept = new StoredEvaluations(judged.provenance());
        kept.require(model.file());
        PrintWriter out = out();
        if (json.isGiven()) {
            Json.print(out, generator -> {
                generator.writeStringProperty("model", model.file().toString());
                generator.writeStringProperty("modelHash", judged.hash());
                kept.write(generator);
            });
        } else {
            kept.print(out);
        }
        return Main.DONE;
    }

    private void print(
            PrintWriter out, List<LabelledRows> places, List<EvaluationReport> ofEach, EvaluationReport all) {
        out.printf("%-10s %d%n", "rows", all.measures().rows());
        all.print(out);
        if (places.size() > 1) {
            out.println();
            byPlace(places, ofEach).print(out);
        }
        out.flush();
    }

    private static TextTable byPlace(List<LabelledRows> places, List<EvaluationReport> ofEach) {
        List<List<String>> lines = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of("file", "rows"));
        head.addAll(ofEach.get(0).measures().values().keySet());
        lines.add(head);
        for (int k = 0; k < places.size(); k++) {
            Map<String, Double> values = ofEach.get(k).measures().values();
            List<String> line = new ArrayList<>(List.of(
                    places.get(k).name(), Long.toString(ofEach.get(k).measures().rows())));
            values.values()
                    .forEach(value -> line.add(Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.4g", value)));
            lines.add(line);
        }
        return new TextTable(lines);
    }

    private void write(
            JsonGenerator json, List<LabelledRows> places, List<EvaluationReport> ofEach, EvaluationReport all) {
        json.writeStringProperty("model", model.file().toString());
        json.writeStringProperty("modelHash", all.model().hash());
        json.writeStringProperty("lossName", all.model().loss());
        all.write(json);
        json.writeArrayPropertyStart("files");
        for (int k = 0; k < places.size(); k++) {
            json.writeStartObject();
            json.writeStringProperty("data", places.get(k).name());
            ofEach.get(k).write(json);
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
