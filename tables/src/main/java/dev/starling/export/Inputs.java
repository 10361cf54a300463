package dev.starling.export;

import dev.starling.data.InvalidInputException;
import dev.starling.model.LinearModel;
import dev.starling.recipe.Column;
import dev.starling.recipe.Factor;
import dev.starling.recipe.Lookup;
import dev.starling.recipe.Recipe;
import dev.starling.table.Kind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What an exported model needs to know about raw columns. */
final class Inputs {

    private Inputs() {}

    /** Returns what to throw for a model whose predictions a format cannot compute from scores. */
    static InvalidInputException unknownLink(LinearModel model, String format) {
        return new InvalidInputException("predictions of the loss " + model.loss() + " with the link "
                + model.link().name() + " cannot be written as " + format + "; use the model file itself");
    }

    /**
     * How a model's features are made from named columns; empty if they have no names.
     *
     * @throws InvalidInputException if a column is hashed, since other programs do not have this hash function
     */
    static Optional<Recipe> recipe(LinearModel model) {
        boolean named = model.features() > 0 && model.names().size() == model.features();
        Optional<Recipe> recipe =
                Recipe.of(model).or(() -> named ? Optional.of(Recipe.ofNumbers(model.names(), "")) : Optional.empty());
        recipe.stream().flatMap(made -> made.columns().stream()).forEach(column -> {
            if (column.buckets() > 0) {
                throw new InvalidInputException("column '" + column.name() + "' is hashed, which other programs cannot"
                        + " do; train with levels to export the model");
            }
        });
        recipe.stream().flatMap(made -> made.offsets().stream()).forEach(offset -> {
            if (offset.function() != Factor.Function.NONE) {
                throw new InvalidInputException("offset(" + offset + ") cannot be exported; make " + offset
                        + " a column of its own and train with that");
            }
        });
        return recipe;
    }

    /** The cell that replaces a missing one; empty if none does. */
    static Optional<String> fill(Column column) {
        return column.missing().isImputed() ? column.fill() : Optional.empty();
    }

    /** The index for unknown levels, after those of all known ones. */
    static int unknownPlace(Column column) {
        return Lookup.levels(column);
    }

    /** The index of a level that is not listed. */
    static int otherPlace(Column column) {
        return column.unknownIsReference()
                ? column.levels()
                        .indexOf(column.reference().orElse(column.levels().get(0)))
                : unknownPlace(column);
    }

    /** The index of every spelling of a level. */
    static Map<String, Integer> levels(Column column) {
        Map<String, Integer> places = new LinkedHashMap<>();
        for (int place = 0; place < column.levels().size(); place++) {
            for (String spelling : spellings(column, column.levels().get(place))) {
                places.put(spelling, place);
            }
        }
        column.rare().forEach(level -> places.put(level, column.levels().size()));
        return places;
    }

    /** The index of every known spelling, including those of missing values. */
    static Map<String, Integer> places(Column column, List<String> missingTokens) {
        Map<String, Integer> places = levels(column);
        int missing = fill(column).map(cell -> places.getOrDefault(cell, 0)).orElse(unknownPlace(column));
        missingTokens.forEach(token -> places.put(token, missing));
        return places;
    }

    /** Booleans may be in upper or lower case. */
    private static List<String> spellings(Column column, String level) {
        if (column.kind() != Kind.BOOLEAN) {
            return List.of(level);
        }
        String lower = level.toLowerCase(Locale.ROOT);
        String upper = level.toUpperCase(Locale.ROOT);
        return List.of(level, lower, upper, upper.charAt(0) + lower.substring(1));
    }
}
