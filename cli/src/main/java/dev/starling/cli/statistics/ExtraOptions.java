package dev.starling.cli.statistics;

import dev.starling.cli.options.Section;
import dev.starling.cli.options.Under;
import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.model.LinearModel;
import dev.starling.recipe.Recipe;
import dev.starling.statistics.Coefficient;
import dev.starling.statistics.GlmTable;
import dev.starling.statistics.MarginalEffects;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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

    /** Lines that follow the table, with their name in JSON and their heading. */
    record Extra(String name, String heading, List<Coefficient> lines) {}

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
    List<Extra> of(LinearModel fitted, Optional<Dataset> rows, double level, Path file) {
        List<Extra> extras = new ArrayList<>();
        if (contrasts != null) {
            extras.add(new Extra(
                    "contrasts",
                    "differences between levels of " + contrasts + ", p adjusted by Holm's method",
                    contrasts(fitted, level)));
        }
        if (margins) {
            Dataset all = rows.orElseThrow(() -> new InvalidInputException(
                    "--margins are averages over rows, which " + file + " does not have; give the rows and a formula"));
            extras.add(new Extra("margins", "average marginal effects", MarginalEffects.of(fitted, all, level)));
        }
        return extras;
    }

    /** The variance inflation factors, if they were asked for. */
    List<String> inflation(LinearModel fitted, int digits) {
        List<String> lines = new ArrayList<>();
        if (vif) {
            lines.add("");
            GlmTable.inflation(fitted).forEach((name, factor) -> lines.add("VIF " + name + "  " + factor.text(digits)));
        }
        return lines;
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
