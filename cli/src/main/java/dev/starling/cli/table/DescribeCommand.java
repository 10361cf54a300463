package dev.starling.cli.table;

import dev.starling.cli.Main;
import dev.starling.cli.console.ConsoleCommand;
import dev.starling.cli.console.Json;
import dev.starling.cli.console.Outputs;
import dev.starling.cli.options.Advice;
import dev.starling.cli.options.ColumnOptions;
import dev.starling.cli.options.JsonOption;
import dev.starling.cli.options.SourceOptions;
import dev.starling.cli.page.HtmlPage;
import dev.starling.data.InvalidInputException;
import dev.starling.peer.config.WordFile;
import dev.starling.recipe.Recipe;
import dev.starling.recipe.RecipeBuilder;
import dev.starling.table.Survey;
import dev.starling.table.Table;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Describes the columns of a table, as Starling understands them. */
@Command(
        name = "describe",
        description = {
            "Describes the columns of a table: kinds, ranges, missing values, levels.",
            "With --recipe, writes a recipe for turning them into features, which you can edit and give to 'train"
                    + " --recipe'."
        },
        footer = {
            "",
            "Examples:",
            "  starling describe people.csv",
            "  starling describe people.csv --page people.html",
            "  starling describe people.csv --label-column income --missing median --recipe recipe.yaml"
        })
public final class DescribeCommand extends ConsoleCommand {

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "FILE",
            description =
                    "CSV file whose columns have names, optionally compressed with gzip or bzip2, or a Parquet file;"
                            + " '-' is standard input.")
    private Path file;

    @Mixin
    private SourceOptions data;

    @Mixin
    private ColumnOptions columns;

    @Option(
            names = "--recipe",
            paramLabel = "OUT",
            description = "Write a recipe, as YAML if the name ends in .yaml or .yml, otherwise as JSON.")
    private Path recipe;

    @Option(names = "--page", paramLabel = "OUT", description = "Write a self-contained HTML page with histograms.")
    private Path page;

    @Mixin
    private JsonOption json;

    @Override
    public Integer call() {
        data.check(file);
        columns.check();
        Stream.of(recipe, page).filter(out -> out != null).forEach(out -> Outputs.requireWritable(out, inputs()));
        Outputs.requireDifferent("--recipe", Optional.ofNullable(recipe), "--page", Optional.ofNullable(page));
        Table table = data.readTable(file);
        RecipeBuilder builder = columns.builder();
        data.labelColumn().ifPresent(builder::label);
        Survey survey = Survey.of(table, builder.missingTokens());
        Description description = new Description(
                survey,
                label(table, builder),
                table.isFile() ? Optional.of(table.delimiter()) : Optional.empty(),
                advice -> Advice.inOptions(advice, commandLine().getCommandSpec()));
        if (recipe != null) {
            Recipe learnt = builder.learn(survey, builder.labelColumn(table));
            Outputs.write(() -> WordFile.writeRecipe(learnt, recipe));
        }
        if (page != null) {
            String text = HtmlPage.filled(DescribeCommand.class, "describe.html", description::write);
            Outputs.write(page, text);
        }
        PrintWriter out = out();
        if (json.isGiven()) {
            Json.print(out, description::write);
        } else {
            description.print(out);
        }
        return Main.DONE;
    }

    /** The column that would be predicted, unless none is named and none has a usual name. */
    private Optional<String> label(Table table, RecipeBuilder builder) {
        try {
            return Optional.of(builder.labelColumn(table));
        } catch (InvalidInputException e) {
            if (data.labelColumn().isPresent()) {
                throw e;
            }
            return Optional.empty();
        }
    }
}
