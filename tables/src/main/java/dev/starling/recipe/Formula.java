package dev.starling.recipe;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which features a model has, as in {@code y ~ age + sex + log(income) + age:sex}.
 *
 * <p>{@code +} adds a term and {@code -} removes one, {@code a:b} is the product of two, {@code a*b} is short for
 * {@code a + b + a:b}, a dot stands for all other columns, {@code - 1} leaves out the intercept. {@code log},
 * {@code sqrt} and {@code exp} of a column and whole powers, {@code I(x^2)}, are features too. Names with characters
 * other than letters, digits, dots and underscores must be enclosed in backticks.
 *
 * @param label the column of the label
 * @param added terms to add, in order; a term without factors stands for the dot
 * @param removed terms to remove
 * @param intercept whether the model has an intercept
 */
public record Formula(String label, List<Term> added, List<Term> removed, boolean intercept) {

    /** A function of the number in a column. */
    public enum Function {
        /** The number itself. */
        NONE,
        /** The natural logarithm. */
        LOG,
        /** The square root. */
        SQRT,
        /** e to the number. */
        EXP,
        /** A whole power. */
        POWER
    }

    /**
     * A column, or a function of one.
     *
     * @param power the exponent; 1 for other functions
     */
    public record Factor(String column, Function function, int power) {

        static Factor of(String column) {
            return new Factor(column, Function.NONE, 1);
        }

        /** The value of the feature; NaN where it is undefined. */
        double apply(double number) {
            return switch (function) {
                case NONE -> number;
                case LOG -> StrictMath.log(number);
                case SQRT -> Math.sqrt(number);
                case EXP -> StrictMath.exp(number);
                case POWER -> power(number);
            };
        }

        private double power(double number) {
            double result = 1;
            for (int i = 0; i < power; i++) {
                result *= number;
            }
            return result;
        }

        @Override
        public String toString() {
            return switch (function) {
                case NONE -> column;
                case POWER -> "I(" + column + "^" + power + ")";
                default -> function.name().toLowerCase(java.util.Locale.ROOT) + "(" + column + ")";
            };
        }
    }

    /** The product of factors. */
    public record Term(List<Factor> factors) {

        /** The dot: all columns except the label. */
        static final Term ALL_OTHERS = new Term(List.of());

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

    /** Copies the lists. */
    public Formula {
        added = List.copyOf(added);
        removed = List.copyOf(removed);
    }

    /**
     * Reads a formula.
     *
     * @throws dev.starling.data.InvalidInputException if it is not a formula; the message says where
     */
    public static Formula parse(String text) {
        return new FormulaParser(text).formula();
    }

    /** All columns, each as a term of its own. */
    static Formula ofAll(List<String> columns) {
        return new Formula("", columns.stream().map(Term::of).toList(), List.of(), true);
    }

    /**
     * The terms, those with fewer factors first.
     *
     * @param columns what a dot stands for
     */
    List<Term> terms(List<String> columns) {
        // The same product is one term, whatever the order of its factors.
        Map<Set<Factor>, Term> terms = new LinkedHashMap<>();
        for (Term term : added) {
            List<Term> meant = term.equals(Term.ALL_OTHERS)
                    ? columns.stream()
                            .filter(column -> !column.equals(label))
                            .map(Term::of)
                            .toList()
                    : List.of(term);
            meant.forEach(one -> terms.putIfAbsent(Set.copyOf(one.factors), one));
        }
        removed.forEach(term -> terms.remove(Set.copyOf(term.factors)));
        return terms.values().stream()
                .sorted(Comparator.comparingInt(term -> term.factors.size()))
                .toList();
    }
}
