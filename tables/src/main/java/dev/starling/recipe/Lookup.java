package dev.starling.recipe;

import dev.starling.data.InvalidInputException;
import dev.starling.recipe.Factor.Function;
import java.util.ArrayList;
import java.util.List;

/**
 * A term of a recipe as a lookup table: a product of numbers, and for each combination of levels the features whose
 * value that product is. The term's part of a score is the product times the sum of these features' weights.
 *
 * @param numbers the factors of the product; an empty product is 1
 * @param columns the columns with levels, in order
 * @param features the features that have the value, for each combination of levels; the level of the last column varies
 *     fastest, and a column with rare levels has one more at its end, which stands for all of these
 */
public record Lookup(List<Factor> numbers, List<Column> columns, List<List<Integer>> features) {

    /** Copies the lists. */
    public Lookup {
        numbers = List.copyOf(numbers);
        columns = List.copyOf(columns);
        features = List.copyOf(features);
    }

    /** How many levels a column has in a lookup: all rare ones count as one. */
    public static int levels(Column column) {
        return column.levels().size() + (column.rare().isEmpty() ? 0 : 1);
    }

    static List<Lookup> of(Design design, List<Column> columns) {
        return design.products().stream().map(product -> of(product, columns)).toList();
    }

    private static Lookup of(Design.Product product, List<Column> columns) {
        List<Factor> numbers = new ArrayList<>();
        List<Column> withLevels = new ArrayList<>();
        List<List<Integer>> features = List.of(List.of(0));
        for (Design.Part part : product.parts()) {
            Function function = part.factor().function();
            if (function != Function.FACTOR && (function == Function.SCALE || !function.isSingle())) {
                throw new InvalidInputException(part.factor() + " cannot be exported, since other programs do not know"
                        + " it; export a model without it, or use the model file itself");
            }
            if (part.isNumber()) {
                numbers.add(part.factor());
            } else {
                withLevels.add(columns.get(part.column()));
                features = spread(features, part);
            }
        }
        return new Lookup(
                numbers,
                withLevels,
                features.stream()
                        .map(some -> some.stream()
                                .map(feature -> product.offset() + feature)
                                .toList())
                        .toList());
    }

    /** Combines the features so far with each level of another part. */
    private static List<List<Integer>> spread(List<List<Integer>> before, Design.Part part) {
        int width = part.names().size();
        List<List<Integer>> after = new ArrayList<>();
        for (List<Integer> some : before) {
            for (int level = 0; level < part.positions().length; level++) {
                List<Integer> features = new ArrayList<>();
                for (int feature : some) {
                    // In an ordered column, the features of all levels up to this one are 1.
                    for (int k = part.ordered() ? 1 : level; k <= level; k++) {
                        if (part.positions()[k] >= 0) {
                            features.add(feature * width + part.positions()[k]);
                        }
                    }
                }
                after.add(features);
            }
        }
        return after;
    }
}
