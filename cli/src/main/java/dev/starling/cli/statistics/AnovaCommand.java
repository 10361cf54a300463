package dev.starling.cli.statistics;

import dev.starling.cli.Main;
import dev.starling.cli.console.ConsoleCommand;
import dev.starling.cli.console.Json;
import dev.starling.cli.console.TextTable;
import dev.starling.cli.options.JsonOption;
import dev.starling.cli.options.Section;
import dev.starling.cli.options.SourceOptions;
import dev.starling.cli.options.Under;
import dev.starling.data.InvalidInputException;
import dev.starling.internal.JsonObject;
import dev.starling.model.LinearModel;
import dev.starling.recipe.Recipe;
import dev.starling.statistics.Anova;
import dev.starling.table.Table;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Compares nested models. */
@Command(
        name = "anova",
        description = {
            "Compares models of the same rows, each with all terms of the one before it.",
            "By the likelihood ratio if the dispersion is known, by F if it is estimated, by Rao's score with --rao."
                    + " The models are those that 'glm --model' wrote; they are sorted by their number of coefficients."
        },
        footer = {
            "",
            "Examples:",
            "  starling anova small.json large.json",
            "  starling anova a.json b.json c.json --json",
            "  starling anova small.json large.json --rao births.csv",
            "",
            "Exit codes: 0 done, 2 bad input, such as models of other rows."
        })
public final class AnovaCommand extends ConsoleCommand {

    @Parameters(arity = "1..*", paramLabel = "MODEL", description = "Model files that glm wrote.")
    private List<Path> models;

    @Under(Section.EVALUATION)
    @Option(
            names = "--rao",
            paramLabel = "FILE",
            description = "Rao's score test, which needs the rows that the models were fitted to.")
    private Path rao;

    @Under(Section.OUTPUT)
    @Option(
            names = "--digits",
            paramLabel = "N",
            defaultValue = "6",
            description = "Most digits of a number (default: ${DEFAULT-VALUE}).")
    private int digits;

    @Mixin
    private SourceOptions data;

    @Mixin
    private JsonOption json;

    @Override
    public Integer call() {
        List<Anova.Named> named = models.stream()
                .map(path -> new Anova.Named(path.toString(), LinearModel.load(path)))
                .toList();
        Anova anova = rao == null ? Anova.of(named) : byScore(named);
        if (json.isGiven()) {
            Json.print(out(), generator -> write(generator, anova));
        } else {
            print(anova);
        }
        return Main.DONE;
    }

    private Anova byScore(List<Anova.Named> named) {
        Table table = data.readTable(rao);
        return Anova.byScore(
                named,
                model -> Recipe.of(model)
                        .orElseThrow(() -> new InvalidInputException("a model does not say how its features are made of"
                                + " a table; write it with glm --model"))
                        .encodeWithoutKeys(table)
                        .rows());
    }

    private void print(Anova anova) {
        List<List<String>> cells = new ArrayList<>();
        String statistic = switch (anova.test()) {
            case LR -> "chi-square";
            case F -> "F";
            case RAO -> "Rao";
        };
        cells.add(List.of("model", "residual df", "deviance", "df", "reduction", statistic, "p"));
        for (Anova.Line line : anova.lines()) {
            cells.add(List.of(
                    line.name(),
                    Json.text(line.dfResidual()),
                    line.deviance().text(digits),
                    line.df() > 0 ? Json.text(line.df()) : "",
                    line.reduction().text(digits),
                    line.statistic().text(digits),
                    line.p().text(Math.min(digits, 4))));
        }
        new TextTable(cells).print(out());
    }

    private static void write(JsonObject generator, Anova anova) {
        generator.with("test", anova.test().name());
        generator.objects("models", anova.lines(), (one, line) -> {
            one.with("model", line.name());
            one.with("dfResidual", line.dfResidual());
            one.with("deviance", line.deviance().value());
            if (line.df() > 0) {
                one.with("df", line.df());
                one.with("reduction", line.reduction().value());
                one.with("statistic", line.statistic().value());
                one.with("p", line.p().value());
            }
        });
    }
}
