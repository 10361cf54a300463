package dev.starling.recipe;

import dev.starling.data.InvalidInputException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which features a model has, as in {@code y ~ age + sex + log(income) + age:sex}, read as R reads it.
 *
 * <p>{@code +} adds a term and {@code -} removes one, {@code a:b} is the product of two, {@code a*b} is short for
 * {@code a + b + a:b} and {@code (a + b + c)^2} for all three and their products by two, a dot stands for all other
 * columns, {@code - 1} leaves out the intercept, and {@code y ~ 1} has nothing else. {@code offset(x)} is added to
 * scores without a coefficient. {@link Factor.Function Functions} of a column are features too, and what is predicted
 * may be a function of a column or, as {@code cbind(successes, failures)}, the counts of two outcomes. Names with
 * characters other than letters, digits, dots and underscores must be enclosed in backticks.
 *
 * @param text the formula as it was written
 * @param response what is predicted; for counts, the column of successes
 * @param failures the column of failures, if the response is counts
 * @param status the column that says whether the event was seen, if the response is a time
 * @param entry the column of the times from which on rows were watched, if they may have come late
 * @param strata the columns whose cells together name a row's stratum
 * @param clusters the columns whose cells together name a row's cluster
 * @param right what stands on the right
 * @param offsets what is added to scores
 * @param intercept whether the model has an intercept
 * @param open where functions end that take something from rows which is not written down yet
 */
public record Formula(
        String text,
        Factor response,
        Optional<String> failures,
        Optional<String> status,
        Optional<String> entry,
        List<String> strata,
        List<String> clusters,
        Expression right,
        List<Factor> offsets,
        boolean intercept,
        List<Open> open) {

    /** A function that needs something learnt from rows, and the position in the text where that can be inserted. */
    public record Open(Factor factor, int position) {}

    /** The product of factors. */
    public record Term(List<Factor> factors) {

        /** Copies the list. */
        public Term {
            factors = List.copyOf(factors);
        }

        static Term of(String column) {
            return new Term(List.of(Factor.of(column)));
        }

        /** The product of both, each factor once. */
        Term times(Term other) {
            Set<Factor> all = new LinkedHashSet<>(factors);
            all.addAll(other.factors);
            return new Term(new ArrayList<>(all));
        }

        /** The term without one of its factors. */
        Set<Factor> without(Factor factor) {
            Set<Factor> rest = new LinkedHashSet<>(factors);
            rest.remove(factor);
            return rest;
        }

        @Override
        public String toString() {
            return factors.stream().map(Factor::toString).collect(Collectors.joining(":"));
        }
    }

    /** A part of the right side, which stands for terms. */
    public sealed interface Expression {

        /** One factor. */
        record One(Factor factor) implements Expression {}

        /** The dot: all columns except the label. */
        record AllOthers() implements Expression {}

        /** The terms of some parts, without those of others. */
        record Sum(List<Expression> added, List<Expression> removed) implements Expression {}

        /** The product of each term of one part with each of another; with both parts as well if they are crossed. */
        record Product(Expression left, Expression right, boolean crossed) implements Expression {}

        /**
         * The terms that a part stands for, in order; the same product is one term, in whatever order it is written.
         */
        default Map<Set<Factor>, Term> terms(List<String> others) {
            Map<Set<Factor>, Term> terms = new LinkedHashMap<>();
            if (this instanceof One one) {
                put(terms, new Term(List.of(one.factor)));
            } else if (this instanceof AllOthers) {
                others.forEach(column -> put(terms, Term.of(column)));
            } else if (this instanceof Sum sum) {
                sum.added.forEach(part -> part.terms(others).values().forEach(term -> put(terms, term)));
                sum.removed.forEach(
                        part -> terms.keySet().removeAll(part.terms(others).keySet()));
            } else if (this instanceof Product product) {
                Map<Set<Factor>, Term> left = product.left.terms(others);
                Map<Set<Factor>, Term> right = product.right.terms(others);
                if (product.crossed) {
                    terms.putAll(left);
                    right.values().forEach(term -> put(terms, term));
                }
                left.values().forEach(one -> right.values().forEach(other -> put(terms, one.times(other))));
            }
            return terms;
        }

        private static void put(Map<Set<Factor>, Term> terms, Term term) {
            terms.putIfAbsent(Set.copyOf(term.factors), term);
        }

        /** All factors that are mentioned, whether added or removed. */
        default Stream<Factor> factors() {
            if (this instanceof One one) {
                return Stream.of(one.factor);
            }
            if (this instanceof Sum sum) {
                return Stream.concat(sum.added.stream(), sum.removed.stream()).flatMap(Expression::factors);
            }
            return this instanceof Product product
                    ? Stream.concat(product.left.factors(), product.right.factors())
                    : Stream.empty();
        }
    }

    /** Copies the lists. */
    public Formula {
        strata = List.copyOf(strata);
        clusters = List.copyOf(clusters);
        offsets = List.copyOf(offsets);
        open = List.copyOf(open);
    }

    /**
     * Reads a formula.
     *
     * @throws dev.starling.data.InvalidInputException if it is not a formula; the message says where
     */
    public static Formula parse(String text) {
        return new FormulaParser(text).formula();
    }

    /** The text of a formula as a person wrote it, without what was learnt from rows. */
    public static String withoutLearnt(String text) {
        return text.replaceAll(", " + Factor.LEARNT + " = c\\([^)]*\\)", "");
    }

    /** All columns, each as a term of its own. */
    static Formula ofAll(List<String> columns) {
        List<Expression> all = columns.stream()
                .<Expression>map(column -> new Expression.One(Factor.of(column)))
                .toList();
        return new Formula(
                "",
                Factor.of(""),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                List.of(),
                new Expression.Sum(all, List.of()),
                List.of(),
                true,
                List.of());
    }

    /**
     * What is predicted: the name of a column, or two such as {@code cbind(ill, well)} and {@code Surv(time, seen)}.
     */
    public String label() {
        return status.isPresent()
                ? "Surv(" + entry.map(column -> column + ", ").orElse("") + response.column() + ", " + status.get()
                        + ")"
                : failures.map(column -> "cbind(" + response.column() + ", " + column + ")")
                        .orElse(response.column());
    }

    /** The columns that the label is made of. */
    public List<String> labelColumns() {
        return Stream.of(Stream.of(response.column()), failures.stream(), status.stream(), entry.stream())
                .flatMap(columns -> columns)
                .toList();
    }

    /** Refuses counts in two columns, where labels must be in one. */
    public void requireOneColumn() {
        if (failures.isPresent()) {
            throw new InvalidInputException(label() + " is for tables in one place; elsewhere, have a row for each"
                    + " outcome, and its count in a column of weights");
        }
    }

    /**
     * Refuses what sites cannot agree on: counts in two columns, and constants that come from the rows of one of them.
     */
    public void requireShareable() {
        requireOneColumn();
        Stream.concat(right.factors(), offsets.stream())
                .filter(factor -> factor.isOpen() || factor.arguments().containsKey(Factor.LEARNT))
                .findFirst()
                .ifPresent(factor -> {
                    throw new InvalidInputException(factor + " takes constants from rows, which would tell what they"
                            + " hold; sites have to name them, as in " + factor.example());
                });
    }

    /** All columns that are mentioned on the right, even those of terms that are removed. */
    Stream<String> mentioned() {
        return Stream.concat(right.factors(), offsets.stream()).map(Factor::column);
    }

    /**
     * The terms, those with fewer factors first.
     *
     * @param columns what a dot stands for
     */
    List<Term> terms(List<String> columns) {
        Set<String> taken = new LinkedHashSet<>(labelColumns());
        offsets.forEach(offset -> taken.add(offset.column()));
        taken.addAll(strata);
        taken.addAll(clusters);
        List<String> others =
                columns.stream().filter(column -> !taken.contains(column)).toList();
        return right.terms(others).values().stream()
                .sorted(Comparator.comparingInt(term -> term.factors.size()))
                .toList();
    }

    /** The text with everything that functions take from rows, which is learnt by the given function. */
    String fixed(Function<Factor, double[]> learn) {
        StringBuilder fixed = new StringBuilder(text);
        for (int k = open.size() - 1; k >= 0; k--) {
            List<Double> learnt =
                    Arrays.stream(learn.apply(open.get(k).factor)).boxed().toList();
            fixed.insert(open.get(k).position, ", " + Factor.LEARNT + " = " + Factor.vector(learnt));
        }
        return fixed.toString();
    }
}
