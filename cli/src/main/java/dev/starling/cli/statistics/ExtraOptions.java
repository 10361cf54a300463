package dev.starling.cli.statistics;

import dev.starling.cli.options.Section;
import dev.starling.cli.options.Under;
import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.internal.JsonObject;
import dev.starling.model.LinearModel;
import dev.starling.recipe.Recipe;
import dev.starling.statistics.Coefficient;
import dev.starling.statistics.GlmTable;
import dev.starling.statistics.GlmText;
import dev.starling.statistics.MarginalEffects;
import dev.starling.statistics.Proven;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import picocli.CommandLine.Option;

/** What is printed of a generalised linear model besides its table. */
@Under(Section.OUTPUT)
final class ExtraOptions {

    @Option(
            names = "--contrasts",
            paramLabel = "COLUMN",
            description =
                    "Also print the differences between all levels of a column, with p adjusted by Holm's method.")
    private String contrasts;

    @Option(
            names = "--margins",
            description =
                    "Also print average marginal effects: by how much the mean changes with each feature, on average"
                            + " over all rows.")
    private boolean margins;

    @Option(names = "--vif", description = "Also print variance inflation factors.")
    private boolean vif;

    /**
     * A table that was asked for.
     *
     * @param heading what it is about
     * @param cells its header and lines
     * @param json writes it as a member of an object
     */
    record Extra(String heading, List<List<String>> cells, Consumer<JsonObject> json) {

        static Extra of(String name, String heading, List<Coefficient> lines, GlmText text) {
            return new Extra(heading, text.cells(lines), json -> GlmJson.write(json, name, lines));
        }
    }

    boolean isGiven() {
        return contrasts != null || ofOneScore();
    }

    /** Whether something was asked for that models with one score alone have. */
    boolean ofOneScore() {
        return vif || margins;
    }

    /**
     * The lines that were asked for.
     *
     * @param rows the rows of the model; empty if it was read from a file
     */
    List<Extra> of(LinearModel fitted, Optional<Dataset> rows, GlmText text, Path file) {
        double level = text.table().level();
        List<Extra> extras = new ArrayList<>();
        if (contrasts != null) {
            extras.add(Extra.of(
                    "contrasts",
                    "differences between levels of " + contrasts + ", p adjusted by Holm's method",
                    contrasts(fitted, level),
                    text));
        }
        if (margins) {
            Dataset all = rows.orElseThrow(() -> new InvalidInputException(
                    "--margins are averages over rows, which " + file + " does not have; give the rows and a formula"));
            extras.add(Extra.of("margins", "average marginal effects", MarginalEffects.of(fitted, all, level), text));
        }
        if (vif) {
            Map<String, Proven> factors = GlmTable.inflation(fitted);
            List<List<String>> cells = new ArrayList<>(List.of(List.of("", "VIF")));
            factors.forEach((name, factor) -> cells.add(List.of(name, factor.text(text.digits()))));
            extras.add(new Extra(
                    "variance inflation factors",
                    cells,
                    json -> json.object(
                            "vif", one -> factors.forEach((name, factor) -> one.with(name, factor.value())))));
        }
        return extras;
    }

    private List<Coefficient> contrasts(LinearModel fitted, double level) {
        String reference = Recipe.of(fitted).stream()
                .flatMap(recipe -> recipe.columns().stream())
                .filter(column -> column.name().equals(contrasts))
                .flatMap(column -> column.levels().stream())
                .filter(name -> !fitted.names().contains(contrasts + "=" + name)
                        && !fitted.names().contains("factor(" + contrasts + ")=" + name))
                .findFirst()
                .orElse("reference");
        return GlmTable.contrasts(fitted, contrasts, reference, level);
    }
}
