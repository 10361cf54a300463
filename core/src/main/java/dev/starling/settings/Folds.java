package dev.starling.settings;

import dev.starling.data.InvalidInputException;
import dev.starling.model.CrossValidation;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * How cross-validation chooses one λ of a path: rows are divided into folds, and each fold is predicted by models that
 * were trained without it: {@code Folds.of(10)} or {@code Folds.of(5).by("hospital").rule(Rule.ONE_STANDARD_ERROR)}.
 *
 * @param count the number of folds; 0 if every node's rows are a fold, or if there is no cross-validation
 * @param ofSites whether every node's rows are a fold
 * @param columns the columns whose cells determine a row's fold; if empty, the whole content of the row does
 * @param rule the rule by which λ is chosen
 */
public record Folds(int count, boolean ofSites, List<String> columns, Rule rule) {

    /** No cross-validation. */
    public static final Folds NONE = new Folds(0, false, List.of(), Rule.MIN);

    static final String SITES = "sites";
    private static final int MOST = 1000;
    private static final int FOLD_SIZES = 14;
    private static final int HELD_OUT = 4;

    /** The rule by which λ is chosen. */
    public enum Rule {
        /** The one with the smallest mean loss. */
        MIN("min"),

        /**
         * The largest one, for the same share of the l1 term, whose mean loss is at most one standard error above the
         * smallest.
         */
        ONE_STANDARD_ERROR("1se");

        private final String text;

        Rule(String text) {
            this.text = text;
        }

        /** The name of the rule in settings. */
        public String text() {
            return text;
        }

        /** The names of all rules. */
        public static List<String> names() {
            return Stream.of(values()).map(Rule::text).toList();
        }

        /**
         * The index of the chosen line.
         *
         * @param lines the results for each λ; those with the same share of the l1 term follow each other, largest λ
         *     first
         * @param first the index of the first line with the same share of the l1 term as the best one
         * @param best the index of the line with the smallest mean loss
         */
        public int chosen(List<CrossValidation.Line> lines, int first, int best) {
            CrossValidation.Estimate lowest = lines.get(best).loss();
            double most = this == MIN ? lowest.mean() : lowest.mean() + lowest.error();
            int chosen = first;
            while (lines.get(chosen).loss().mean() > most) {
                chosen++;
            }
            return chosen;
        }

        static Rule named(String name) {
            return Arrays.stream(values())
                    .filter(rule -> rule.text.equals(name.strip().toLowerCase(Locale.ROOT)))
                    .findFirst()
                    .orElseThrow(() -> InvalidInputException.unknownName("cv-rule", name, names()));
        }
    }

    /** Checks the count, and copies the list. */
    public Folds {
        columns = List.copyOf(columns);
        if (count != 0) {
            requireSeveral(count);
        }
        if (ofSites && !columns.isEmpty()) {
            throw new InvalidInputException("cv sites makes each node's rows a fold, whatever column "
                    + String.join(",", columns) + " says; leave it out");
        }
    }

    /** This many folds, by the content of the rows; the λ with the smallest mean loss is chosen. */
    public static Folds of(int count) {
        requireSeveral(count);
        return new Folds(count, false, List.of(), Rule.MIN);
    }

    private static void requireSeveral(int count) {
        if (count < 2 || count > MOST) {
            throw new InvalidInputException("cv " + count + " must be between 2 and " + MOST + " folds");
        }
    }

    /** A fold for every node, of its rows; the λ with the smallest mean loss is chosen. */
    public static Folds sites() {
        return new Folds(0, true, List.of(), Rule.MIN);
    }

    /** Returns a copy where rows with the same cells in these columns are in the same fold. */
    public Folds by(String... names) {
        return by(List.of(names));
    }

    /** Returns a copy where rows with the same cells in these columns are in the same fold. */
    public Folds by(List<String> names) {
        return new Folds(count, ofSites, names, rule);
    }

    /** Returns a copy with another rule. */
    public Folds rule(Rule value) {
        return new Folds(count, ofSites, columns, value);
    }

    /** Returns only how many folds there are. */
    Folds withoutDetails() {
        return new Folds(count, ofSites, List.of(), Rule.MIN);
    }

    /** Whether there is cross-validation. */
    public boolean isPresent() {
        return count > 0 || ofSites;
    }

    /** The number of folds if there are this many nodes. */
    public int among(int nodes) {
        return ofSites ? nodes : count;
    }

    /**
     * An upper bound on how many numbers cross-validation reveals among this many nodes, for up to a dozen classes.
     *
     * @param points the number of problems of the path
     */
    public long numbers(int nodes, int points) {
        return isPresent() ? among(nodes) * (FOLD_SIZES + (long) HELD_OUT * points) : 0;
    }

    /** What determines a row's fold, as stored in model files. */
    public String basis() {
        return ofSites ? "site" : columns.isEmpty() ? "content" : String.join(",", columns);
    }
}
