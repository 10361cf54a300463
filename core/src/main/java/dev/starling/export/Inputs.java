package dev.starling.export;

import dev.starling.data.InvalidInputException;
import dev.starling.model.LinearModel;
import dev.starling.table.Column;
import dev.starling.table.Kind;
import dev.starling.table.Lookup;
import dev.starling.table.Recipe;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What other languages have to know of a model's raw columns. */
final class Inputs {

    private Inputs() {}

    /**
     * How a model's features are made of columns with names; empty if they have none.
     *
     * @throws InvalidInputException if a column is hashed, for nobody else has this hash
     */
    static Optional<Recipe> recipe(LinearModel model) {
        boolean named = model.features() > 0 && model.names().size() == model.features();
        Optional<Recipe> recipe =
                model.recipe().or(() -> named ? Optional.of(Recipe.ofNumbers(model.names(), "")) : Optional.empty());
        recipe.stream().flatMap(made -> made.columns().stream()).forEach(column -> {
            if (column.buckets() > 0) {
                throw new InvalidInputException("column '" + column.name() + "' is hashed, which other programs cannot"
                        + " do; train with levels to export the model");
            }
        });
        return recipe;
    }

    /** What stands in for a missing value; empty if nothing does. */
    static Optional<String> fill(Column column) {
        return column.missing().isImputed() ? column.fill() : Optional.empty();
    }

    /** The place of the weights that are not known, after those of all levels. */
    static int nowhere(Column column) {
        return Lookup.levels(column);
    }

    /** The place of a level that is not listed. */
    static int otherPlace(Column column) {
        return column.unknownIsReference()
                ? column.levels()
                        .indexOf(column.reference().orElse(column.levels().get(0)))
                : nowhere(column);
    }

    /** The place of every spelling of a level. */
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

    /** The place of every spelling that has one, those of missing values among them. */
    static Map<String, Integer> places(Column column, List<String> missingTokens) {
        Map<String, Integer> places = levels(column);
        int missing = fill(column).map(cell -> places.getOrDefault(cell, 0)).orElse(nowhere(column));
        missingTokens.forEach(token -> places.put(token, missing));
        return places;
    }

    /** Yes and no may be in capitals or not. */
    private static List<String> spellings(Column column, String level) {
        if (column.kind() != Kind.BOOLEAN) {
            return List.of(level);
        }
        String small = level.toLowerCase(Locale.ROOT);
        String large = level.toUpperCase(Locale.ROOT);
        return List.of(level, small, large, large.charAt(0) + small.substring(1));
    }
}
