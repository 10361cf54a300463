package dev.starling.recipe;

import dev.starling.data.InvalidInputException;
import dev.starling.recipe.Factor.Function;
import dev.starling.recipe.Formula.Term;
import dev.starling.recipe.basis.Basis;
import dev.starling.recipe.basis.Intervals;
import dev.starling.table.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The features that a recipe makes from its columns: products of parts, each with a block of consecutive features,
 * followed by the indicators of missing values.
 *
 * <p>Levels are coded as in R: every level but the reference has a feature, unless the term without that factor is not
 * in the model; then every level has one. Without an intercept, the first categorical column has one for every level,
 * too.
 */
final class Design {

    /**
     * The features that one factor makes from its column.
     *
     * @param column its index among the recipe's columns
     * @param basis what it makes of numbers, unless they are levels
     * @param intervals where it makes levels of numbers, what they are
     * @param positions the feature of each level, −1 for none; empty for numbers
     * @param names the names of its features
     * @param values room for the features of one number
     */
    record Part(
            int column,
            Factor factor,
            Basis basis,
            Optional<Intervals> intervals,
            int[] positions,
            boolean ordered,
            List<String> names,
            double[] values) {

        private Part(int column, Factor factor, List<String> names) {
            this(column, factor, factor.basis(), Optional.empty(), new int[0], false, names, new double[names.size()]);
        }

        private Part(
                int column,
                Factor factor,
                Optional<Intervals> intervals,
                int[] positions,
                boolean ordered,
                List<String> names) {
            this(
                    column,
                    factor,
                    Factor.of(factor.column()).basis(),
                    intervals,
                    positions,
                    ordered,
                    names,
                    new double[0]);
        }

        boolean isNumber() {
            return positions.length == 0;
        }

        /** The features of a number. */
        double[] of(double number) {
            basis.at(number, values);
            return values;
        }

        /** The level of a column's value; −1 if it is in none. */
        int level(double value) {
            return intervals.isPresent() ? intervals.get().place(value) : (int) value;
        }
    }

    /** The product of parts, whose features start at an offset, those of the last part varying fastest. */
    record Product(List<Part> parts, int offset) {

        /** The column whose number is the only feature, just as it is; −1 if there is none. */
        int plainColumn() {
            boolean plain = parts.size() == 1
                    && parts.get(0).isNumber()
                    && parts.get(0).factor.function() == Function.NONE;
            return plain ? parts.get(0).column : -1;
        }

        List<String> names() {
            List<String> names = List.of("");
            for (Part part : parts) {
                names = names.stream()
                        .flatMap(before ->
                                part.names.stream().map(name -> before.isEmpty() ? name : before + ":" + name))
                        .toList();
            }
            return names;
        }
    }

    private final List<Column> columns;
    private final List<Product> products = new ArrayList<>();
    private final List<String> names = new ArrayList<>();
    private final int[] indicators;

    Design(List<Column> columns, Formula formula) {
        this.columns = columns;
        List<Term> terms = formula.terms(columns.stream().map(Column::name).toList());
        Set<Set<Factor>> present = new HashSet<>(Set.of(Set.of()));
        terms.forEach(term -> present.add(Set.copyOf(term.factors())));
        requireOneUse(terms);
        boolean spare = !formula.intercept();
        for (Term term : terms) {
            List<Part> parts = new ArrayList<>();
            for (Factor factor : term.factors()) {
                int at = column(factor);
                boolean first = spare && term.factors().size() == 1 && hasLevels(at, factor);
                boolean full = first || !present.contains(Set.copyOf(term.without(factor)));
                spare &= !first;
                parts.add(part(at, factor, full));
            }
            Product product = new Product(parts, names.size());
            products.add(product);
            names.addAll(product.names());
        }
        indicators = new int[columns.size()];
        Arrays.fill(indicators, -1);
        for (int c = 0; c < columns.size(); c++) {
            if (columns.get(c).indicator()) {
                indicators[c] = names.size();
                names.add(columns.get(c).name() + "=(missing)");
            }
        }
        if (names.isEmpty() && !(terms.isEmpty() && formula.intercept())) {
            throw new InvalidInputException("the columns make no features; at least one is needed, and a column of"
                    + " categories makes none if all rows have the same one");
        }
    }

    private static void requireOneUse(List<Term> terms) {
        Set<String> factors = new HashSet<>();
        Set<String> numbers = new HashSet<>();
        terms.forEach(term -> term.factors()
                .forEach(one -> (one.function() == Function.FACTOR ? factors : numbers).add(one.column())));
        factors.retainAll(numbers);
        if (!factors.isEmpty()) {
            throw new InvalidInputException("column '" + factors.iterator().next()
                    + "' can be used as a number or as a factor, but not as both");
        }
    }

    private int column(Factor factor) {
        List<String> known = columns.stream().map(Column::name).toList();
        int at = known.indexOf(factor.column());
        if (at < 0) {
            throw InvalidInputException.unknownName("column", factor.column(), known);
        }
        Kind kind = columns.get(at).kind();
        if (factor.function() == Function.FACTOR && !kind.hasLevels()) {
            throw new InvalidInputException(factor + ": the recipe says that column '" + factor.column() + "' is "
                    + kind.text() + "; let it say categorical");
        }
        if (factor.function() != Function.NONE && factor.function() != Function.FACTOR && kind.hasLevels()) {
            throw new InvalidInputException(
                    factor + ": column '" + factor.column() + "' is " + kind.text() + ", but a number is needed");
        }
        if (factor.isOpen()) {
            throw new InvalidInputException(factor + " takes constants from all rows, which are not at hand here; give"
                    + " them, as in " + factor.example());
        }
        return at;
    }

    private boolean hasLevels(int column, Factor factor) {
        return columns.get(column).kind().hasLevels() || factor.function() == Function.CUT;
    }

    private Part part(int at, Factor factor, boolean full) {
        Column column = columns.get(at);
        String name = factor.toString();
        if (!hasLevels(at, factor)) {
            int width = factor.basis().width();
            return new Part(
                    at,
                    factor,
                    factor.function().isSingle()
                            ? List.of(name)
                            : IntStream.rangeClosed(1, width)
                                    .mapToObj(k -> name + k)
                                    .toList());
        }
        List<String> featureNames = new ArrayList<>();
        if (column.buckets() > 0) {
            int[] positions = new int[column.buckets()];
            Arrays.setAll(positions, bucket -> bucket);
            for (int bucket = 0; bucket < column.buckets(); bucket++) {
                featureNames.add(name + "#" + bucket);
            }
            return new Part(at, factor, Optional.empty(), positions, false, featureNames);
        }
        Optional<Intervals> intervals =
                factor.function() == Function.CUT ? Optional.of(factor.intervals()) : Optional.empty();
        List<String> levels = new ArrayList<>(intervals.map(Intervals::names).orElse(column.levels()));
        if (!column.rare().isEmpty()) {
            levels.add(Column.RARE);
        }
        boolean ordered = column.kind() == Kind.ORDERED && !full && factor.function() == Function.NONE;
        String reference =
                full ? null : ordered ? levels.get(0) : column.reference().orElse(levels.get(0));
        int[] positions = new int[levels.size()];
        for (int k = 0; k < positions.length; k++) {
            boolean isReference = levels.get(k).equals(reference);
            positions[k] = isReference ? -1 : featureNames.size();
            if (!isReference) {
                featureNames.add(name + (ordered ? ">=" : "=") + levels.get(k));
            }
        }
        return new Part(at, factor, intervals, positions, ordered, featureNames);
    }

    List<Product> products() {
        return products;
    }

    /** The names of the features. */
    List<String> names() {
        return names;
    }

    /** The feature that is 1 where a column's value was missing; −1 if there is none. */
    int indicator(int column) {
        return indicators[column];
    }
}
