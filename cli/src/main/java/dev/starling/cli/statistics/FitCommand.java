package dev.starling.cli.statistics;

import dev.starling.cli.options.ColumnOptions;
import dev.starling.cli.options.Remarks;
import dev.starling.internal.JsonObject;
import dev.starling.model.LinearModel;
import dev.starling.recipe.Column;
import dev.starling.recipe.Encoded;
import dev.starling.recipe.Recipe;
import dev.starling.statistics.GlmTable;
import dev.starling.statistics.GlmText;
import dev.starling.statistics.Heterogeneity;
import dev.starling.table.Table;
import java.util.List;
import java.util.function.Consumer;
import picocli.CommandLine.Mixin;

/** A command that fits a model to a table, or takes one that was fitted, and prints the table of its coefficients. */
abstract class FitCommand extends StatisticsCommand {

    @Mixin
    TableForm form;

    @Mixin
    ColumnOptions columns;

    @Mixin
    Remarks remarks;

    /** The formula; null if the file is a model. */
    abstract String formula();

    /**
     * A table in all its forms.
     *
     * @param page the table of the page, which is not exponentiated
     * @param classes the class that each coefficient is about; empty if there are none
     * @param text the table as it is printed
     * @param json the members of the JSON object
     * @param after what follows the text
     * @param more tables that follow
     */
    record Printed(
            GlmText page,
            List<String> classes,
            GlmText text,
            Consumer<JsonObject> json,
            List<String> after,
            List<ExtraOptions.Extra> more) {

        Printed(GlmText page, List<String> classes, GlmText text, Consumer<JsonObject> json, List<String> after) {
            this(page, classes, text, json, after, List.of());
        }
    }

    /** Refuses columns that have no estimates, or names them if that is what was asked for, or all that can be done. */
    final void settle(GlmTable table) {
        if (formula() == null) {
            form.remark(table, source(), remarks);
        } else {
            form.settle(table, source(), remarks);
        }
    }

    /** The rows that a recipe makes of a table, with remarks about what is left out. */
    final Encoded encoded(Recipe recipe, Table table) {
        Encoded encoded = recipe.encodeWithoutKeys(table);
        encoded.leftOut(table).forEach(remarks::say);
        form.settle(
                recipe.columns().stream()
                        .filter(column -> column.levels().size() == 1)
                        .map(Column::name)
                        .filter(name -> encoded.rows().names().stream()
                                .noneMatch(feature -> feature.contains(name + "=") || feature.contains(name + ")=")))
                        .toList(),
                source(),
                remarks);
        return encoded;
    }

    final void print(Printed table) {
        String subject = formula() == null ? file.toString() : formula() + " in " + source();
        form.writePage(table.page(), table.classes(), subject, this::bySite);
        print(table.json(), () -> {
            form.print(table.text(), out());
            table.after().forEach(out()::println);
            table.more().forEach(more -> form.printMore(more, out()));
        });
    }

    private List<Heterogeneity.Estimate> bySite() {
        return formula() == null
                ? Heterogeneity.of(LinearModel.load(file))
                        .map(Heterogeneity::estimates)
                        .orElse(List.of())
                : List.of();
    }

    /** How much sites differ, if the model says so and people read the table. */
    final List<String> heterogeneity(LinearModel model) {
        return form.isPlain() ? Heterogeneity.of(model).map(Heterogeneity::text).orElse(List.of()) : List.of();
    }
}
