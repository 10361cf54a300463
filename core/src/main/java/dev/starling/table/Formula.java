package dev.starling.table;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which features a model has, as in {@code y ~ age + sex + log(income) + age:sex}.
 *
 * <p>{@code +} adds a term and {@code -} takes one away, {@code a:b} is the product of two, {@code a*b} is short for
 * {@code a + b + a:b}, a dot stands for all other columns, {@code - 1} leaves out the intercept. {@code log},
 * {@code sqrt} and {@code exp} of a column and whole powers, {@code I(x^2)}, are features too. Names that are not made
 * of letters, digits, dots and underscores stand in backticks.
 *
 * @param label the column of the label
 * @param added terms to add, in order; one without factors is a dot
 * @param removed terms to take away
 * @param intercept whether there is one
 */
public record Formula(String label, List<Term> added, List<Term> removed, boolean intercept) {

    /** What is done to the number in a column. */
    public enum Function {
        /** Nothing. */
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

        /** The value of the feature; NaN where it has none. */
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

        /** All columns that are not named otherwise. */
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
     * @throws dev.starling.data.InvalidInputException if it is none, saying where
     */
    public static Formula parse(String text) {
        return new FormulaParser(text).formula();
    }

    /** All columns, each for itself. */
    static Formula ofAll(List<String> columns) {
        return new Formula("", columns.stream().map(Term::of).toList(), List.of(), true);
    }

    /**
     * The terms, those of fewer factors first.
     *
     * @param columns what a dot stands for
     */
    List<Term> terms(List<String> columns) {
        List<Term> terms = new ArrayList<>();
        for (Term term : added) {
            List<Term> meant = term.equals(Term.ALL_OTHERS)
                    ? columns.stream()
                            .filter(column -> !column.equals(label))
                            .map(Term::of)
                            .toList()
                    : List.of(term);
            meant.stream().filter(one -> find(terms, one).isEmpty()).forEach(terms::add);
        }
        removed.forEach(term -> find(terms, term).ifPresent(terms::remove));
        terms.sort(Comparator.comparingInt(term -> term.factors.size()));
        return terms;
    }

    /** The same product, whatever the order of its factors. */
    private static Optional<Term> find(List<Term> terms, Term wanted) {
        Set<Factor> factors = Set.copyOf(wanted.factors);
        return terms.stream()
                .filter(term -> Set.copyOf(term.factors).equals(factors))
                .findFirst();
    }
}
